import { spawnSync } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { zipSync } from 'fflate';

/*
 * Makes what integrators download, beside the plugin that serves it: the typed client and the conformance kit as `npm pack`
 * makes them, the collections and the samples. A package is made when it is missing or older than its sources. They are compiled in a temporary folder, so that two builds can run at once.
 *
 *   node tools/packages.mjs
 */
const root = fileURLToPath(new URL('..', import.meta.url));
const target = join(root, 'plugins/docs-downloads');
// Named by its path: another compiler of the same command name is installed, which refuses the client's options.
const compiler = join(root, 'node_modules/typescript/bin/tsc');

const timesIn = (folder) =>
  readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !/[\\/](dist|node_modules)([\\/]|$)/.test(entry.parentPath))
    .map((entry) => statSync(join(entry.parentPath, entry.name)).mtimeMs);

function run(command, parameters, cwd) {
  const { status, stdout } = spawnSync(command, parameters, {
    cwd,
    encoding: 'utf8',
    shell: process.platform === 'win32',
  });
  if (status === 0) return;
  console.error(stdout);
  throw new Error(`${command} ${parameters.join(' ')} failed`);
}

/** Packs a folder into `NAME.tgz`; `sources` are the folders that it is compiled from. */
function pack(name, { project, sources, finish = () => undefined }) {
  const file = join(target, `${name}.tgz`);
  if (existsSync(file) && Math.max(...sources.flatMap(timesIn)) < statSync(file).mtimeMs) return;
  const folder = mkdtempSync(join(tmpdir(), 'broker-package-'));
  try {
    run(process.execPath, [compiler, '-p', join(root, project), '--outDir', join(folder, 'dist')], root);
    finish(join(folder, 'dist'));
    for (const part of ['package.json', 'README.md', 'LICENSE']) {
      if (existsSync(join(root, name, part))) cpSync(join(root, name, part), join(folder, part));
    }
    run('npm', ['pack', '--ignore-scripts', '--offline', '--loglevel=error'], folder);
    const [packed] = readdirSync(folder).filter((entry) => entry.endsWith('.tgz'));
    mkdirSync(target, { recursive: true });
    // Copied under another name first: a temporary folder can be on another disk, and a rename is complete at once.
    cpSync(join(folder, packed), `${file}.${process.pid}`);
    renameSync(`${file}.${process.pid}`, file);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

pack('client', {
  project: 'client/tsconfig.build.json',
  sources: ['client'],
  finish: (dist) => writeFileSync(join(dist, 'package.json'), JSON.stringify({ type: 'commonjs' })),
});
pack('conformance', { project: 'conformance/tsconfig.json', sources: ['conformance', 'client'] });

mkdirSync(target, { recursive: true });
put('postman.json', readFileSync(join(root, 'collections/broker-api.postman_collection.json')));
put('bruno.zip', zipOf(join(root, 'collections/bruno')));
for (const name of ['broker.php', 'broker.py']) {
  put(name, readFileSync(join(root, 'docs/examples', name)));
}

/** A file that is written anew would make the build count as older than its sources. */
function put(name, content) {
  const file = join(target, name);
  if (!existsSync(file) || !readFileSync(file).equals(content)) writeFileSync(file, content);
}

/** A folder as a zip file: the same bytes for the same content. */
function zipOf(folder) {
  const names = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath ?? entry.path, entry.name).slice(folder.length + 1))
    .sort();
  // The earliest date that the format has.
  const mtime = new Date(1980, 0, 1);
  return zipSync(Object.fromEntries(names.map((name) => [name, [readFileSync(join(folder, name)), { mtime }]])));
}
