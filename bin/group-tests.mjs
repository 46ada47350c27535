import { mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { posix } from 'node:path';
import { fileURLToPath } from 'node:url';

/*
 * Writes one module for each folder of compiled tests, which loads all tests of that folder. The runner gives every
 * module a process, and a process costs it about a second before the first test: with one for each folder instead of
 * one for each file the whole run takes less than half the time. What this asks of tests is held by
 * test/guards/imports.test.ts.
 */
const dist = fileURLToPath(new URL('../dist/', import.meta.url));
const tests = readdirSync(`${dist}test`, { recursive: true, encoding: 'utf8' }).filter((path) =>
  path.endsWith('.test.js'),
);
const folders = new Set(tests.map((path) => posix.dirname(path)));

rmSync(`${dist}suites`, { recursive: true, force: true });
mkdirSync(`${dist}suites`);
for (const folder of folders) {
  const files = tests.filter((path) => posix.dirname(path) === folder).sort();
  const lines = files.map((file) => `await import('../test/${file}');\n`);
  writeFileSync(`${dist}suites/${folder === '.' ? 'root' : folder.replaceAll('/', '.')}.test.js`, lines.join(''));
}
