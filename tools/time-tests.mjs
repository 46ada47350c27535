import { spawnSync } from 'node:child_process';
import { readdirSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { ensureBuilt } from '../bin/build.mjs';
import { compiled, compileTests } from './compile-tests.mjs';

/*
 * Measures each test file by itself and writes the seconds that it takes beyond the one that every file costs, where
 * there are any, to tools/test-times.json: by them tools/test.mjs balances its suites. Run it on a quiet machine when
 * the slowest suite of `npm test` takes much longer than the others:
 *
 *   node tools/time-tests.mjs
 */
const root = fileURLToPath(new URL('..', import.meta.url));
const env = { ...process.env, TAP_TIMEOUT: '600' };
compileTests();
ensureBuilt();
const times = {};
for (const path of readdirSync(`${root}test`, { recursive: true, encoding: 'utf8' }).sort()) {
  const [, name] = /^(.*\.test)\.tsx?$/.exec(path) ?? [];
  if (!name) continue;
  const startedAt = performance.now();
  spawnSync(process.execPath, ['--enable-source-maps', `${compiled}/test/${name}.js`], { cwd: root, env });
  const seconds = Math.round((performance.now() - startedAt) / 1000) - 1;
  if (seconds > 0) times[`test/${path}`] = seconds;
}
writeFileSync(new URL('test-times.json', import.meta.url), `${JSON.stringify(times, null, 2)}\n`);
