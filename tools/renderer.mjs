import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { runInNewContext } from 'node:vm';
import { gzipSync } from 'node:zlib';

/*
 * Writes the script of the reference page, compressed, beside the plugin that serves it: when it is missing or of another
 * version. Scalar's package for Fastify holds the script as one string and supports Node 20; Scalar's package for
 * browsers needs Node 22. The package itself is not loaded, so package.json's `overrides` leave out what it depends on.
 *
 *   node tools/renderer.mjs
 */
const folder = fileURLToPath(new URL('../plugins/docs-page/', import.meta.url));
const entry = createRequire(import.meta.url).resolve('@scalar/fastify-api-reference');
const scalar = dirname(dirname(entry));
const { version } = JSON.parse(readFileSync(join(scalar, 'package.json'), 'utf8'));
const name = `renderer-${version}.js.gz`;

if (!existsSync(join(folder, name))) {
  const [, literal] = /^var standalone_default = (".*");$/m.exec(readFileSync(entry, 'utf8')) ?? [];
  if (!literal) throw new Error(`@scalar/fastify-api-reference ${version} does not hold its script as one string`);
  // Without the pointer to a source map that is not there.
  const script = runInNewContext(literal).replace(/\n\/\/# sourceMappingURL=.*\s*$/, '\n');
  const licence = readFileSync(join(scalar, 'LICENSE'), 'utf8').replaceAll('*/', '');
  mkdirSync(folder, { recursive: true });
  // Renamed when it is complete: two builds may run at the same time.
  const next = join(folder, `${name}.${process.pid}`);
  writeFileSync(next, gzipSync(`/*! Scalar API Reference ${version}\n\n${licence}*/\n${script}`, { level: 9 }));
  for (const old of readdirSync(folder)) if (/^renderer-.*\.gz$/.test(old)) rmSync(join(folder, old), { force: true });
  renameSync(next, join(folder, name));
}
