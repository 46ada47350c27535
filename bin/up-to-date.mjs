import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

// A clone is built when its sources have changed. A release is built already and has no tools.
const build = fileURLToPath(new URL('../tools/build.mjs', import.meta.url));
if (existsSync(build)) {
  const { status } = spawnSync(process.execPath, [build], { stdio: ['ignore', 2, 2] });
  if (status !== 0) process.exit(1);
}
