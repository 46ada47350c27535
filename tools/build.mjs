import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  copyFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

process.chdir(fileURLToPath(new URL('..', import.meta.url)));

/** The server, the operator's program, and what these start as threads and processes. */
export const PROGRAMS = [
  'src/server.ts',
  'src/cli/main.ts',
  'src/operator/imports/thread.ts',
  'src/store/drivers/reader-thread.ts',
];

/** What the build reads; a build of the same contents is not made again. */
const SOURCES = [
  'client',
  'conformance',
  'console',
  'drizzle',
  'package-lock.json',
  'package.json',
  'plugins',
  'routes',
  'schemas',
  'src',
  'tools',
];
const GENERATED = 'client/src/generated';
/** What the build in dist/ was made of, and its files. */
const RECORD = 'dist/.build.json';
const SHRINKWRAP = 'npm-shrinkwrap.json';

const isMade = (path) => /(^|\/)(dist|generated|node_modules)$/.test(path);

function* filesBelow(path) {
  if (!statSync(path).isDirectory()) yield path;
  else for (const name of readdirSync(path).sort()) if (!isMade(name)) yield* filesBelow(join(path, name));
}

/** A hash of files by their names and contents, read below a folder. */
function hashOf(files, folder = '.') {
  const hash = createHash('sha256');
  for (const file of files)
    hash
      .update(`${file}\0`)
      .update(readFileSync(join(folder, file)))
      .update('\0');
  return hash.digest('hex');
}

/**
 * Other packages stay in node_modules, but for drizzle-orm: Node parses the 180 kB of its `exports` again for each import
 * of each chunk, which took 0.8 of the 1.4 s of processor time with which a command starts.
 */
const { dependencies, devDependencies } = JSON.parse(readFileSync('package.json', 'utf8'));
const EXTERNAL = Object.keys({ ...dependencies, ...devDependencies }).filter((name) => name !== 'drizzle-orm');

/**
 * Compiles programs with the modules of this package. Types are not checked.
 * @param sourcemap for tests and benchmarks; what is released has no maps
 */
export async function compile(entryPoints, outdir, { sourcemap = false } = {}) {
  const { build: bundle } = await import('esbuild');
  await bundle({
    entryPoints,
    outdir,
    outbase: '.',
    bundle: true,
    external: EXTERNAL,
    splitting: true,
    format: 'esm',
    platform: 'node',
    target: 'node22',
    sourcemap,
    sourcesContent: false,
  });
}

const ASSETS = 'console/assets';

/** What browsers load of the console, without what only people read. */
async function minifyAssets(outdir) {
  const { build: bundle } = await import('esbuild');
  const names = readdirSync(ASSETS).filter((name) => /\.(css|js)$/.test(name));
  await bundle({ entryPoints: names.map((name) => join(ASSETS, name)), outdir, outbase: '.', minify: true });
}

/** Replaces a file at once: a reader finds the old one or the new one. */
function place(from, to) {
  mkdirSync(dirname(to), { recursive: true });
  renameSync(from, to);
}

const readRecord = () => (existsSync(RECORD) ? JSON.parse(readFileSync(RECORD, 'utf8')) : {});

/**
 * `npm run build`: the programs in dist/, and the archive of the typed client where its sources or the document have
 * changed. Everything is made in a folder of its own and placed at the end, so that builds at once, and a server that
 * starts meanwhile, do not meet half of one.
 */
export async function build() {
  const before = readRecord();
  const sources = hashOf(SOURCES.flatMap((path) => [...filesBelow(path)]));
  if (before.sources === sources) return;
  const folder = mkdtempSync('.build-');
  try {
    await Promise.all([
      compile(PROGRAMS, `${folder}/dist`),
      minifyAssets(`${folder}/dist`),
      compile(['tools/client-types.ts'], folder),
    ]);
    const client = packClient(folder, before);
    const files = [...filesBelow(`${folder}/dist`)].map((file) => file.slice(folder.length + 1));
    // Programs name their chunks, so that they come last.
    for (const file of files.sort((a, b) => Number(a.includes('/src/')) - Number(b.includes('/src/'))))
      place(join(folder, file), file);
    writeFileSync(`${folder}/record`, JSON.stringify({ sources, ...client, files: [...files, client.archive] }));
    place(`${folder}/record`, RECORD);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Generates the client's types and packs it, unless the same one is packed already. */
function packClient(folder, before) {
  cpSync('client', `${folder}/client`, { recursive: true, filter: (path) => !isMade(path) });
  // Standard output stays free for the program that runs afterwards.
  const stdio = ['ignore', 2, 2];
  const generated = join(folder, GENERATED);
  execFileSync(process.execPath, [`${folder}/tools/client-types.js`, generated], { stdio });
  const names = readdirSync(generated);
  const files = [...filesBelow('client'), ...names.map((name) => `${GENERATED}/${name}`)];
  const { name, version } = JSON.parse(readFileSync('client/package.json', 'utf8'));
  const archive = `dist/${name}-${version}.tgz`;
  const made = { client: hashOf(files, folder), archive };
  if (before.client !== made.client || !existsSync(archive)) {
    // Options of an `npm pack` around this one, such as --dry-run, are not meant for it.
    const env = Object.fromEntries(Object.entries(process.env).filter(([key]) => !key.startsWith('npm_config_')));
    execFileSync('npm', ['pack', `./${folder}/client`, '--pack-destination', folder, '--silent'], { stdio, env });
    place(join(folder, basename(archive)), archive);
  }
  for (const each of names) place(join(generated, each), join(GENERATED, each));
  return made;
}

/** Before `npm pack`: what earlier builds left goes, and the lock stands where npm packs it. `npm ci` reads it there. */
async function prepareRelease() {
  await build();
  const { files } = readRecord();
  for (const file of filesBelow('dist')) if (file !== RECORD && !files.includes(file)) rmSync(file);
  copyFileSync('package-lock.json', SHRINKWRAP);
}

if (process.argv[1] && realpathSync(process.argv[1]) === fileURLToPath(import.meta.url)) {
  const [step] = process.argv.slice(2);
  if (step === undefined) await build();
  else if (step === 'prepack') await prepareRelease();
  else if (step === 'postpack') rmSync(SHRINKWRAP, { force: true });
}
