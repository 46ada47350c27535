import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { runInNewContext } from 'node:vm';
import { gzipSync } from 'node:zlib';

/*
 * Puts the reference page's renderer beside the plugin that serves it: one compressed file for browsers, made when the
 * package's version changes. It is taken out of Scalar's package for Fastify, which holds it as one string and names
 * Node 20; the package for browsers by itself brings a hundred others along, and all of them name Node 22. Nothing of
 * it runs here, so what it depends on is not installed either: package.json's `overrides` name a package in its place
 * that is there already.
 *
 *   node bin/renderer.mjs
 */
const folder = fileURLToPath(new URL('../plugins/docs-page/', import.meta.url));

/** Makes the file where it is missing or of another version. Without the package, what is there stays. */
export function ensureRenderer() {
  const scalar = findPackage();
  if (!scalar) return;
  const name = `renderer-${scalar.version}.js.gz`;
  if (existsSync(join(folder, name))) return;
  mkdirSync(folder, { recursive: true });
  // Two builds at once put the same bytes in the same place, each as a whole.
  const next = join(folder, `${name}.${process.pid}`);
  writeFileSync(next, gzipSync(`${notice(scalar)}${scriptOf(scalar)}`, { level: 9 }));
  for (const old of readdirSync(folder)) if (/^renderer-.*\.gz$/.test(old)) rmSync(join(folder, old), { force: true });
  renameSync(next, join(folder, name));
}

function findPackage() {
  try {
    const entry = createRequire(import.meta.url).resolve('@scalar/fastify-api-reference');
    const root = dirname(dirname(entry));
    return { entry, root, ...JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) };
  } catch {
    return undefined;
  }
}

const notice = ({ root, version }) =>
  `/*! Scalar API Reference ${version}\n\n${readFileSync(join(root, 'LICENSE'), 'utf8').replaceAll('*/', '')}*/\n`;

/** The string's own line, read as what it is; without the pointer to a map that is not there. */
function scriptOf({ entry, version }) {
  const [, literal] = /^var standalone_default = (".*");$/m.exec(readFileSync(entry, 'utf8')) ?? [];
  if (!literal)
    throw new Error(
      `@scalar/fastify-api-reference ${version} holds its renderer otherwise than bin/renderer.mjs knows`,
    );
  return runInNewContext(literal).replace(/\n\/\/# sourceMappingURL=.*\s*$/, '\n');
}

if (process.argv[1] === fileURLToPath(import.meta.url)) ensureRenderer();
