#!/usr/bin/env node
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const program = new URL('../dist/src/cli/main.js', import.meta.url);
if (!existsSync(program)) {
  const build = fileURLToPath(new URL('../tools/build.mjs', import.meta.url));
  const { status } = spawnSync(process.execPath, [build], { stdio: ['ignore', 2, 2] });
  if (status !== 0) process.exit(1);
}
const { main } = await import(program.href);
await main();
