import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { posix } from 'node:path';
import t from 'tap';
import { headingAnchor } from '../../src/reference/guides.ts';

/** Every text for people in the repository. */
const PAGES = [
  'README.md',
  'CONTRIBUTING.md',
  'CHANGELOG.md',
  'SECURITY.md',
  'client/README.md',
  'console/README.md',
  ...readdirSync('docs', { recursive: true, encoding: 'utf8' }).map((path) => posix.join('docs', path)),
].filter((path) => path.endsWith('.md') && existsSync(path));

const withoutCode = (markdown: string): string =>
  markdown.replace(/^```[\s\S]*?^```/gm, '').replace(/`[^`\n]*`/g, 'code');

/** The headings of a page as links name them; of two alike the second one is numbered. */
function anchorsOf(path: string): Set<string> {
  const anchors = new Set<string>();
  const headings = readFileSync(path, 'utf8')
    .replace(/^```[\s\S]*?^```/gm, '')
    .matchAll(/^#{1,6} +(.+?) *$/gm);
  for (const [, heading = ''] of headings) {
    const anchor = headingAnchor(heading.replace(/\[([^\]]*)\]\([^)]*\)/g, '$1').replace(/[`*]/g, ''));
    let name = anchor;
    for (let turn = 1; anchors.has(name); turn += 1) name = `${anchor}-${turn}`;
    anchors.add(name);
  }
  return anchors;
}

/** What is wrong with the links of one page, a line each. */
function brokenLinks(path: string, markdown: string): string[] {
  const links = [...withoutCode(markdown).matchAll(/\]\(([^)\s]+)\)/g)].map(([, target = '']) => target);
  return links.flatMap((link) => {
    // Addresses of the server are looked at in test/plugins/docs-page.test.ts.
    if (/^((https?|mailto):|\/api\/)/.test(link)) return [];
    const [target = '', anchor] = link.split('#');
    const file = target === '' ? path : posix.join(posix.dirname(path), decodeURI(target));
    if (!existsSync(file)) return [`${path}: ${link} does not exist`];
    if (anchor === undefined) return [];
    const known = statSync(file).isFile() && file.endsWith('.md') && anchorsOf(file).has(anchor);
    return known ? [] : [`${path}: ${link} names no heading`];
  });
}

t.test('every link of the documentation leads to a file, and every anchor to a heading', async (t) => {
  t.ok(PAGES.length > 10, 'the pages are found');
  t.strictSame(
    PAGES.flatMap((path) => brokenLinks(path, readFileSync(path, 'utf8'))),
    [],
  );
});

t.test('every column of a table has a heading: those who hear the page are read it with each cell', async (t) => {
  for (const path of PAGES) {
    const headings = readFileSync(path, 'utf8').matchAll(/^\|(.*)\| *\n\|[-:| ]+\|$/gm);
    for (const [line, cells = ''] of headings)
      t.ok(
        cells.split('|').every((cell) => cell.trim() !== ''),
        `${path}: ${line}`,
      );
  }
});

t.test('no page holds the two sides of a merge', async (t) => {
  for (const path of PAGES) t.notMatch(readFileSync(path, 'utf8'), /^(<{7} |={7}$|>{7} )/m, path);
});

t.test('lines of text end by column 120, as those of the code', async (t) => {
  const long = PAGES.flatMap((path) => {
    const lines = readFileSync(path, 'utf8')
      .replace(/^ *```[\s\S]*?^ *```/gm, '')
      .split('\n');
    // Rows of tables and pictures have one line each.
    return lines.filter((line) => line.length > 120 && !/^ *(\||\[?!\[)/.test(line)).map((line) => `${path}: ${line}`);
  });
  t.strictSame(long, []);
});

t.test('a link to nothing and an anchor without a heading are found', async (t) => {
  const wrong = 'See [a](none.md), [b](../README.md#none), [c](#none), [d](../src#x), and not `[e](none.md)`.';
  t.equal(brokenLinks('docs/contract.md', wrong).length, 4);
  const right = 'See [a](contract.md), [b](../README.md#start), [c](#1-addresses) and [d](https://example.com/none).';
  t.strictSame(brokenLinks('docs/contract.md', right), []);
});
