import { existsSync, readFileSync } from 'node:fs';
import t from 'tap';

const page = readFileSync('SECURITY.md', 'utf8');

/** Every name in backticks that stands for a test: after "Tests:" and in brackets. */
const named = [
  ...(page.match(/^Tests: [^|]*?(?=\n\n|\n$)/gm) ?? []),
  ...(page.match(/\((?:`[a-z0-9/-]+`,?\s*)+\)/g) ?? []),
].flatMap((text) => Array.from(text.matchAll(/`([a-z0-9/-]+)`/g), ([, name]) => String(name)));

t.test('each test that SECURITY.md names is a file or a folder', async (t) => {
  t.ok(named.length > 40, `the names are found: ${named.length}`);
  for (const name of new Set(named)) {
    const paths = name.endsWith('/') ? [`test/${name}`] : [`test/${name}.test.ts`, `test/${name}.test.tsx`];
    t.ok(paths.some(existsSync), name);
  }
});
