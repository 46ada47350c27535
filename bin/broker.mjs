#!/usr/bin/env node
import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const program = new URL('../dist/src/cli/main.js', import.meta.url);
if (!existsSync(program)) {
  const build = fileURLToPath(new URL('build.mjs', import.meta.url));
  execFileSync(process.execPath, [build], { stdio: 'inherit' });
}
const { main } = await import(program.href);
await main();
