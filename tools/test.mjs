import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
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
  'test/console/browser.test.ts',
  'test/console/browser-mail.test.ts',
  'test/docs/operate.test.ts',
  'test/docs/readme.test.ts',
  'test/integrations/fossbilling.test.ts',
  'test/integrations/whmcs.test.ts',
  'test/reference/browser.test.ts',
  'test/samples',
];
const OUTPUT = 'dist.test';
const FILES_OF_A_PROCESS = 16;
const MIN_COVERAGE = 98;
/** What tests start as a thread or process of its own. */
const STARTED = ['test/store/failing-thread.ts', 'test/store/open-sqlite.ts', 'test/support/systemctl.ts'];

const named = process.argv.slice(2).filter((argument) => !argument.startsWith('-'));
const options = process.argv.slice(2).filter((argument) => argument.startsWith('-'));
const isLong = (file) => LONG.some((path) => file.startsWith(path));
const everyTime = () => filesOf('test').filter((file) => process.env.TEST_FULL || !isLong(file));
const files = named.length > 0 ? named.flatMap(filesOf) : everyTime();

function filesOf(path) {
  if (!statSync(path).isDirectory()) return [path];
  const found = readdirSync(path, { recursive: true, encoding: 'utf8' });
  return found.filter((each) => /\.test\.tsx?$/.test(each)).map((each) => join(path, each));
}

/** Modules that load several test files each: a process takes two seconds to load the program and to warm up. */
function writeSuites(compiled) {
  const count = Math.ceil(compiled.length / FILES_OF_A_PROCESS);
  mkdirSync(`${OUTPUT}/suites`, { recursive: true });
  return Array.from({ length: count }, (_, suite) => {
    const path = `${OUTPUT}/suites/${suite}.test.js`;
    const own = compiled.filter((_, index) => index % count === suite);
    writeFileSync(path, own.map((file) => `import '../../${file}';\n`).join(''));
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

const run = (command, args, env = {}) =>
  spawnSync(command, args, { stdio: 'inherit', env: { ...env, ...process.env } }).status ?? 1;

if (named.length === 0) rmSync(OUTPUT, { recursive: true, force: true });
// As it is installed, tap loads plugins that .taprc excludes, 2 to 3 s of processor time in each process: without them it
// has to be built first.
const TAP = 'node_modules/@tapjs/test/test-built/dist/esm/index.js';
if (existsSync(TAP) && readFileSync(TAP, 'utf8').includes('@tapjs/typescript')) run('tap', ['build']);
// Tests of whole programs start those in dist/.
await Promise.all([build(), compile([...PROGRAMS, ...STARTED, ...files], OUTPUT, { sourcemap: true })]);
const compiled = files.map((file) => join(OUTPUT, file.replace(/\.tsx?$/, '.js')));
const covers = process.env.TEST_FULL && named.length === 0;
const coverage = covers ? ['--allow-incomplete-coverage', '--coverage-report=json-summary'] : ['--disable-coverage'];
process.exitCode =
  compiled.length === 1 && options.length === 0
    ? run(process.execPath, ['--enable-source-maps', compiled[0]], { TAP_TIMEOUT: '600' })
    : run('tap', [`--jobs=${availableParallelism() + 1}`, ...coverage, ...options, ...writeSuites(compiled)]);
if (covers && !coversEnough()) process.exitCode = 1;
