import { spawnSync } from 'node:child_process';
import {
  accessSync,
  chmodSync,
  constants,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statfsSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { availableParallelism, freemem, tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { build, compile, PROGRAMS } from './build.mjs';

/*
 *   npm test                                      the tests that every change runs
 *   npm test -- test/routes/v1/plans.test.ts      one file
 *   npm test -- test/routes test/rules            folders
 *
 * What begins with a dash goes to tap. With TEST_FULL=1 (npm run test:full) all tests run, with their long variants.
 */

/** They take minutes and try whole journeys over what other tests hold: `npm run test:full` and .ci/full run them. */
const LONG = [
  'test/browser',
  'test/client/package.test.ts',
  'test/cluster/releases.test.ts',
  'test/console/browser',
  'test/deploy',
  'test/docs/operate.test.ts',
  'test/docs/readme.test.ts',
  'test/document/generators.test.ts',
  'test/document/postman.test.ts',
  'test/history/drill.test.ts',
  'test/integrations/fossbilling-module.test.ts',
  'test/integrations/fossbilling.test.ts',
  'test/integrations/lxd.test.ts',
  'test/integrations/paymenter.test.ts',
  'test/integrations/whmcs.test.ts',
  'test/reference/browser.test.ts',
  'test/samples',
];
const OUTPUT = 'dist.test';
const FILES_OF_A_PROCESS = 18;
const JOBS = availableParallelism() + 1;
const MIN_COVERAGE = 98;
/** What tests start as a thread or process of its own. */
const STARTED = [
  'test/store/drivers/failing-thread.ts',
  'test/store/drivers/open-sqlite.ts',
  'test/support/systemctl.ts',
];

const named = process.argv.slice(2).filter((argument) => !argument.startsWith('-'));
const options = process.argv.slice(2).filter((argument) => argument.startsWith('-'));
const isLong = (file) => LONG.some((path) => file.startsWith(path));
const compiled = (file) => join(OUTPUT, file.replace(/\.tsx?$/, '.js'));
const everyTime = () => filesOf('test').filter((file) => process.env.TEST_FULL || !isLong(file));
const files = named.length > 0 ? named.flatMap(filesOf) : everyTime();

function filesOf(path) {
  if (!statSync(path).isDirectory()) return [path];
  const found = readdirSync(path, { recursive: true, encoding: 'utf8' });
  return found.filter((each) => /\.test\.tsx?$/.test(each)).map((each) => join(path, each));
}

/**
 * Modules that load several test files each: a process takes two seconds to load the program and to warm up. There are as
 * many as run at the same time, or a multiple of it, so that no process is left to run alone at the end.
 */
function writeSuites() {
  const count = Math.min(files.length, JOBS * Math.ceil(files.length / (JOBS * FILES_OF_A_PROCESS)));
  const suites = Array.from({ length: count }, () => ({ files: [], bytes: 0 }));
  // A long file takes long, mostly; processes that end early take the next suite.
  const bytesOf = (file) => statSync(file).size;
  for (const file of files.toSorted((one, other) => bytesOf(other) - bytesOf(one))) {
    const suite = suites.reduce((least, each) => (each.bytes < least.bytes ? each : least));
    suite.files.push(file);
    suite.bytes += bytesOf(file);
  }
  mkdirSync(`${OUTPUT}/suites`, { recursive: true });
  return suites.map((suite, index) => {
    const path = `${OUTPUT}/suites/${index}.test.js`;
    writeFileSync(path, suite.files.map((file) => `import '../../${compiled(file)}';\n`).join(''));
    return path;
  });
}

/** Whether enough lines of the program have run; main programs run in processes of their own, which are not counted. */
function coversEnough() {
  const summary = JSON.parse(readFileSync('.tap/report/coverage-summary.json', 'utf8'));
  const counted = Object.keys(summary).filter(
    (file) => file !== 'total' && !/^(test|tools|bench)[/]|serve\.ts$/.test(relative('.', file)),
  );
  const sum = (what) => counted.reduce((lines, file) => lines + summary[file].lines[what], 0);
  const percent = (100 * sum('covered')) / sum('total');
  console.log(`# ${percent.toFixed(2)} % of lines are covered; ${MIN_COVERAGE} % are required`);
  return percent >= MIN_COVERAGE;
}

const MEMORY = '/dev/shm';
const MIN_MEMORY_BYTES = 4_000_000_000;

/** In memory where there is room: a disk confirms each commit of a test's database in as much time as the commit takes. */
function makeTemporaryFolder() {
  const folder = mkdtempSync(join(hasMemory() ? MEMORY : tmpdir(), 'broker-tests-'));
  // Servers that tests start run as other users.
  chmodSync(folder, 0o755);
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
  // With a listener, a run that is interrupted reaches its exit.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.once(signal, () => process.exit(130));
  return folder;
}

function hasMemory() {
  try {
    accessSync(MEMORY, constants.W_OK);
  } catch {
    // macOS has none.
    return false;
  }
  const { bavail, bsize } = statfsSync(MEMORY);
  const isExecutable = !/ \/dev\/shm \S+ \S*noexec/.test(readFileSync('/proc/mounts', 'utf8'));
  return isExecutable && Math.min(bavail * bsize, freemem()) > MIN_MEMORY_BYTES;
}

const TMPDIR = process.env.TMPDIR || makeTemporaryFolder();
const run = (command, args, env = {}) =>
  spawnSync(command, args, { stdio: 'inherit', env: { TMPDIR, ...env, ...process.env } }).status ?? 1;

if (named.length === 0) rmSync(OUTPUT, { recursive: true, force: true });
// As it is installed, tap loads plugins that .taprc excludes, 2 to 3 s of processor time in each process: without them it
// has to be built first.
const TAP = 'node_modules/@tapjs/test/test-built/dist/esm/index.js';
if (existsSync(TAP) && readFileSync(TAP, 'utf8').includes('@tapjs/typescript')) run('tap', ['build']);
// Tests of whole programs start those in dist/.
await build();
// What it generates, the client's types, is compiled with the tests: a new clone has none.
await compile([...PROGRAMS, ...STARTED, ...files], OUTPUT, { sourcemap: true });
const covers = process.env.TEST_FULL && named.length === 0;
const coverage = covers ? ['--allow-incomplete-coverage', '--coverage-report=json-summary'] : ['--disable-coverage'];
process.exitCode =
  files.length === 1 && options.length === 0
    ? run(process.execPath, ['--enable-source-maps', compiled(files[0])], { TAP_TIMEOUT: '600' })
    : run('tap', [`--jobs=${JOBS}`, ...coverage, ...options, ...writeSuites()]);
if (covers && !coversEnough()) process.exitCode = 1;
