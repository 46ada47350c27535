import { spawnSync } from 'node:child_process';
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const dist = join(root, 'dist');
const stamp = join(dist, '.built');
/** What a running program consists of. Tests and benchmarks are compiled too, but do not make a build stale. */
const shipped = ['src', 'plugins', 'routes', 'schemas', 'console', 'drizzle', 'client/src', 'conformance/src'];
const configuration = ['tsconfig.json', 'package.json'];
/** What the reference page shows of the documentation. */
const guides = ['docs/integrate.md'];

/** Compiles when dist is missing or older than a source. Ends the process with code 1 when that fails. */
export function ensureBuilt() {
  if (isFresh()) return;
  const compiler = findCompiler();
  if (!compiler || !existsSync(join(root, 'src'))) {
    // A shipped copy: dist is the program, and there is nothing to compile it from or with.
    if (existsSync(join(dist, 'src'))) return;
    console.error('There is no build in dist/ and none can be made: run `npm ci` with the development dependencies.');
    process.exit(1);
  }
  build(compiler, { unlessBuiltMeanwhile: true });
}

/** Compiles always. Ends the process with code 1 when that fails. */
export function rebuild() {
  const compiler = findCompiler();
  if (!compiler) {
    console.error('The compiler is not installed: run `npm ci` with the development dependencies.');
    process.exit(1);
  }
  build(compiler, { unlessBuiltMeanwhile: false });
}

/**
 * Compiles into a directory of this process and then puts it in dist's place by renaming, so that a program that
 * starts meanwhile never reads half a build and two builds at once cannot spoil one another. Types are not checked:
 * every file is transpiled by itself, which takes a tenth of the time; `npm run types` checks them.
 */
function build(compiler, { unlessBuiltMeanwhile }) {
  sweepAbandoned();
  const next = `${dist}.${process.pid}`;
  // Standard output belongs to the program that is started afterwards.
  if (process.stderr.isTTY) console.error('Building ...');
  const run = (...program) => {
    const { status } = spawnSync(process.execPath, program, { stdio: ['ignore', 2, 2] });
    if (status === 0) return;
    rmSync(next, { recursive: true, force: true });
    console.error('The build failed.');
    process.exit(1);
  };
  // They lie among the sources, so they are made before the build's time.
  run(join(root, 'tools/packages.mjs'));
  // Up to the next whole millisecond, as a file's time has fractions: what was written a moment ago is older than this build.
  const startedAt = new Date(Date.now() + 1);
  const flags = ['-p', root, '--outDir', next, '--noCheck', '--noResolve', '--noEmitOnError'];
  run(compiler, ...flags);
  run(join(root, 'tools/bundle.mjs'), next);
  copyAssets(next);
  writeFileSync(join(next, '.built'), '');
  // A source that is saved while the compiler runs must count as newer than this build.
  utimesSync(join(next, '.built'), startedAt, startedAt);
  if (unlessBuiltMeanwhile && isFresh()) rmSync(next, { recursive: true });
  else putInPlace(next);
}

/** The program's entry for `import()`: an URL below dist. */
export const built = (path) => new URL(`../dist/${path}`, import.meta.url).href;

function isFresh() {
  const builtAt = statSync(stamp, { throwIfNoEntry: false })?.mtimeMs;
  if (builtAt === undefined) return false;
  const single = [...configuration, ...guides].map((name) => join(root, name));
  const sources = [...single, ...shipped.flatMap((name) => everythingIn(name))];
  return sources.every((path) => (statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0) < builtAt);
}

/** Directories count as well: their time is the only trace of a file that was removed. */
function everythingIn(name) {
  const folder = join(root, name);
  if (!existsSync(folder)) return [];
  return [folder, ...readdirSync(folder, { recursive: true }).map((path) => join(folder, path))];
}

function findCompiler() {
  try {
    return join(dirname(createRequire(import.meta.url).resolve('@typescript/native/package.json')), 'lib/tsc.js');
  } catch {
    return undefined;
  }
}

/** Migrations and whatever else a module reads beside itself. */
function copyAssets(target) {
  const others = guides.map((name) => join(root, name));
  for (const path of [...others, ...[...shipped, 'test'].flatMap((name) => everythingIn(name))]) {
    if (/\.tsx?$/.test(path) || statSync(path).isDirectory()) continue;
    const copy = join(target, relative(root, path));
    mkdirSync(dirname(copy), { recursive: true });
    copyFileSync(path, copy);
  }
}

function putInPlace(next) {
  const old = `${next}.old`;
  for (;;) {
    ignoring(['ENOENT'], () => renameSync(dist, old));
    // Another build can have taken the free place between the two renames: then its turn is over as well.
    const placed = ignoring(['ENOTEMPTY', 'EEXIST'], () => renameSync(next, dist));
    rmSync(old, { recursive: true, force: true });
    if (placed) return;
  }
}

function ignoring(codes, action) {
  try {
    action();
    return true;
  } catch (error) {
    if (codes.includes(error.code)) return false;
    throw error;
  }
}

/** Removes what builds that were killed left behind. */
function sweepAbandoned() {
  for (const name of readdirSync(root)) {
    const pid = /^dist\.(\d+)(\.old)?$/.exec(name)?.[1];
    if (pid && !isRunning(Number(pid))) rmSync(join(root, name), { recursive: true, force: true });
  }
}

function isRunning(pid) {
  // EPERM: the process exists and belongs to another user.
  return ignoring(['ESRCH'], () => ignoring(['EPERM'], () => process.kill(pid, 0)));
}

// `node bin/build.mjs`, as package.json's scripts call it; others import from here.
if (realpathSync(process.argv[1]) === fileURLToPath(import.meta.url)) rebuild();
