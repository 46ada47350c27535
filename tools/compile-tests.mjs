import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import './packages.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
/** Where the sources and tests are compiled to, apart from the build of `npm start`. Remove it to compile all anew. */
export const compiled = join(root, 'dist.test');
/** Where modules have files beside themselves that they read, such as migrations and style sheets. */
const withAssets = [...JSON.parse(readFileSync(join(root, 'tsconfig.json'), 'utf8')).include, 'docs/integrate.md'];

/**
 * Compiles what has changed since the last time, file by file: types are not checked, and nothing is bundled.
 * Ends the process with code 1 when a file does not parse.
 */
export function compileTests() {
  const compiler = join(root, 'node_modules/@typescript/native/lib/tsc.js');
  const only = ['--noCheck', '--noResolve', '--noEmitOnError', '--incremental'];
  const output = ['--outDir', compiled, '--tsBuildInfoFile', join(compiled, '.tsbuildinfo')];
  const { status } = spawnSync(process.execPath, [compiler, '-p', root, ...only, ...output], { stdio: 'inherit' });
  if (status !== 0) process.exit(1);
  for (const name of withAssets) {
    if (!existsSync(join(root, name))) continue;
    cpSync(join(root, name), join(compiled, name), {
      recursive: true,
      preserveTimestamps: true,
      filter: (path) => !/\.tsx?$/.test(path),
    });
  }
}
