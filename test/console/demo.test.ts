import t from 'tap';
import { createDemo } from '../../src/demo/demo.ts';
import { createTestConsole } from '../support/console.ts';

/** Pages of the same kind that are opened; the others differ in their record alone. */
const MAX_OF_KIND = 6;

t.test('every link of the demo console leads to a page', async (t) => {
  const console = await createTestConsole();
  t.teardown(() => console.close());
  await createDemo(console.context);
  const { get } = await console.signedIn('admin');
  const opened = new Set<string>();
  const ofKind = new Map<string, number>();
  const waiting: Array<[path: string, from: string]> = [['/', 'the start']];
  for (let next = waiting.shift(); next; next = waiting.shift()) {
    const [path, from] = next;
    // Records and values are told from words of an address by what they hold.
    const kind = path.replace(/=[^&]*/g, '=').replace(/\/(\w+_[0-9A-Z]{20,}|\d+|[\w-]{12,})/g, '/…');
    if (opened.has(path) || (ofKind.get(kind) ?? 0) >= MAX_OF_KIND) continue;
    opened.add(path);
    ofKind.set(kind, (ofKind.get(kind) ?? 0) + 1);
    const { status, to, body } = await get(path);
    t.ok(status === 200 || (status === 303 && to), `${path}, linked from ${from}: ${status}`);
    for (const [, href = ''] of body.matchAll(/<a [^>]*?href="(\/[^"#]*)/g)) {
      const link = href.replaceAll('&amp;', '&');
      if (!link.startsWith('/assets/')) waiting.push([link, path]);
    }
  }
  t.ok(opened.size > 100, `${opened.size} pages`);
});
