import { execFileSync } from 'node:child_process';
import { mkdirSync, realpathSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

process.chdir(fileURLToPath(new URL('..', import.meta.url)));

/** The server, the operator's program, and what these start as threads and processes. */
export const PROGRAMS = [
  'src/server.ts',
  'src/cli/main.ts',
  'src/operator/import-thread.ts',
  'src/store/reader-thread.ts',
];

/** Compiles programs with the modules of this package; other packages stay in node_modules. Types are not checked. */
export const compile = (entryPoints, outdir) =>
  build({
    entryPoints,
    outdir,
    outbase: '.',
    bundle: true,
    packages: 'external',
    splitting: true,
    format: 'esm',
    platform: 'node',
    target: 'node22',
    sourcemap: true,
    sourcesContent: false,
  });

// `npm run build`: the client's package, and dist/src/*.js, which use what is generated for it. Standard output stays free
// for the program that runs afterwards.
if (realpathSync(process.argv[1]) === fileURLToPath(import.meta.url)) {
  mkdirSync('dist', { recursive: true });
  const pack = ['pack', './client', '--pack-destination', 'dist', '--silent'];
  execFileSync('npm', pack, { stdio: ['ignore', 2, 2] });
  await compile(PROGRAMS, 'dist');
}
