import { spawnSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { availableParallelism } from 'node:os';
import { join, posix } from 'node:path';
import { fileURLToPath } from 'node:url';
import { ensureBuilt } from '../bin/build.mjs';
import { compiled, compileTests } from './compile-tests.mjs';

/*
 * Compiles and runs the tests:
 *
 *   npm test                                      all but those that start whole programs
 *   npm run test:programs                         those
 *   npm test -- test/routes/v1/plans.test.ts      one file, quickly and without coverage
 *   npm test -- test/routes test/rules            folders, likewise
 *
 * What begins with a dash goes to tap. With TEST_FULL=1 (.ci/full) `npm test` runs both, with what takes long
 * (test/support/full.ts), and counts coverage, of which 100 % are required.
 *
 * The code of the PostgreSQL and Redis paths is covered only where those servers answer; where one does not, its tests
 * are skipped and the coverage bar is lifted for that run, which is said loudly. With REQUIRE_SERVICES set, as in
 * .ci/run, the tests of a missing server fail.
 */
const root = fileURLToPath(new URL('..', import.meta.url));
process.chdir(root);
/** Folders of tests that start whole programs: documented commands, samples, the operator's program, several servers. */
const PROGRAMS = ['cli', 'client', 'cluster', 'conformance', 'docs', 'samples'].map((name) => `test/${name}`);

const services = {
  PostgreSQL: process.env.TEST_POSTGRES_URL || 'postgres://postgres@127.0.0.1:5432/postgres',
  Redis: process.env.TEST_REDIS_URL || 'redis://127.0.0.1:6379',
};
const DEFAULT_PORTS = { PostgreSQL: 5432, Redis: 6379 };

const answers = (name) =>
  new Promise((resolve) => {
    const { hostname, port } = new URL(services[name]);
    const socket = connect({ host: hostname, port: Number(port) || DEFAULT_PORTS[name], timeout: 2000 });
    const settle = (answered) => {
      socket.destroy();
      resolve(answered);
    };
    socket.once('connect', () => settle(true));
    socket.once('error', () => settle(false));
    socket.once('timeout', () => settle(false));
  });

/** The test files of a folder, or the file itself, as paths from the root. */
function filesOf(path) {
  const name = posix.normalize(path).replace(/\/$/, '');
  if (!statSync(name).isDirectory()) return [name];
  const found = readdirSync(name, { recursive: true, encoding: 'utf8' });
  return found.filter((each) => /\.test\.tsx?$/.test(each)).map((each) => posix.join(name, each));
}

/** Seconds that a file takes by itself, as far as it is more than the one that every file costs (tools/time-tests.mjs). */
const times = JSON.parse(readFileSync(new URL('test-times.json', import.meta.url), 'utf8'));
const timeOf = (files) => files.reduce((sum, file) => sum + (times[file] ?? 0.3), 0);
const SUITE_SECONDS = 20;

/**
 * Writes modules that load several test files each, and returns their paths. The runner gives every module a process,
 * and a process costs it about a second before the first test. The longest file goes first, each to the shortest suite,
 * and the longest suite runs first. What this asks of tests is held by test/guards/imports.test.ts.
 */
function writeSuites(files) {
  const suites = Array.from({ length: Math.ceil(timeOf(files) / SUITE_SECONDS) }, () => []);
  const sorted = [...files].sort((a, b) => timeOf([b]) - timeOf([a]) || (a < b ? -1 : 1));
  for (const file of sorted) suites.reduce((a, b) => (timeOf(b) < timeOf(a) ? b : a)).push(file);
  const folder = join(compiled, 'suites');
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder);
  return suites
    .filter((suite) => suite.length > 0)
    .sort((a, b) => timeOf(b) - timeOf(a))
    .map((suite, index) => {
      const path = join(folder, `${String(index + 1).padStart(2, '0')}.test.js`);
      writeFileSync(path, suite.map((file) => `await import('../${inJavaScript(file)}');\n`).join(''));
      return path;
    });
}

/** The tests of a run that names none. */
function unnamed() {
  if (process.env.TEST_PROGRAMS) return PROGRAMS.flatMap(filesOf);
  const all = filesOf('test');
  return process.env.TEST_FULL ? all : all.filter((file) => !PROGRAMS.some((folder) => file.startsWith(`${folder}/`)));
}

const inJavaScript = (file) => file.replace(/\.tsx?$/, '.js');

/** Coverage takes half as long again as the tests, so it is counted, and its bar of 100 % held, in the full run alone. */
function coverage() {
  if (named.length > 0 || !process.env.TEST_FULL) return ['--disable-coverage'];
  if (missing.length === 0 || process.env.REQUIRE_SERVICES) return [];
  return ['--allow-incomplete-coverage'];
}

const named = process.argv.slice(2).filter((argument) => !argument.startsWith('-'));
const options = process.argv.slice(2).filter((argument) => argument.startsWith('-'));
const files = [...new Set(named.length > 0 ? named.flatMap(filesOf) : unnamed())];
const missing = [];
for (const name of Object.keys(services)) if (!(await answers(name))) missing.push(name);

if (missing.length > 0) {
  console.error(
    `\n*** ${missing.join(' and ')} NOT AVAILABLE: their tests are skipped, and no coverage is required ***\n`,
  );
}

compileTests();
// A single file that starts the real server has bin/start.mjs build it; here two of them could build at once.
if (files.length > 1) ensureBuilt();
// A file by itself runs without the runner, which takes longer to start than most files take to run.
const run = (program, args, env = {}) =>
  spawnSync(program, args, { stdio: 'inherit', env: { ...env, ...process.env } }).status ?? 1;
process.exitCode =
  files.length === 1 && options.length === 0
    ? run(process.execPath, ['--enable-source-maps', join(compiled, inJavaScript(files[0]))], { TAP_TIMEOUT: '600' })
    : run('node_modules/.bin/tap', [
        // One more than there are cores: a test that waits for a server or a timer leaves its core to another one.
        `--jobs=${availableParallelism() + 1}`,
        ...options,
        ...coverage(),
        ...writeSuites(files),
      ]);
