import t, { type Test } from 'tap';
import { createDemo, removeDemo } from '../../src/demo/demo.ts';
import { createBroker } from '../../src/operator/brokers/brokers.ts';
import { createTestConsole } from '../support/console.ts';
import { full } from '../support/full.ts';
import { BROKER } from '../support/operator-context.ts';

/** Pages of the same kind that are opened; the others differ in their record alone. */
const MAX_OF_KIND = full ? 6 : 2;

type Console = Awaited<ReturnType<typeof createTestConsole>>;

/** Opens every link from the first page on; returns how many pages there were. */
async function crawl(t: Test, console: Console): Promise<number> {
  const { get } = await console.signedIn('admin');
  let opened = 0;
  const ofKind = new Map<string, number>();
  /** Each link once, with the first page that it stands on. */
  const links = new Map([['/', 'the start']]);
  for (const [path, from] of links) {
    // Records and values are distinguished from words of an address by what they hold.
    const kind = path.replace(/=[^&]*/g, '=').replace(/\/(\w+_[0-9A-Z]{20,}|\d+|[\w-]{12,})/g, '/…');
    if ((ofKind.get(kind) ?? 0) >= MAX_OF_KIND) continue;
    opened += 1;
    ofKind.set(kind, (ofKind.get(kind) ?? 0) + 1);
    const { status, to, body } = await get(path);
    t.ok(status === 200 || (status === 303 && to), `${path}, linked from ${from}: ${status}`);
    for (const [, href = ''] of body.matchAll(/<a [^>]*?href="(\/[^"#]*)/g)) {
      const link = href.replaceAll('&amp;', '&');
      if (!link.startsWith('/assets/') && !links.has(link)) links.set(link, path);
    }
  }
  return opened;
}

async function open(t: Test): Promise<Console> {
  const console = await createTestConsole();
  t.teardown(() => console.close());
  return console;
}

t.test('every link of a console leads to a page: of a new installation, and of one with a new broker', async (t) => {
  const console = await open(t);
  t.ok((await crawl(t, console)) > 10);
  await createBroker.run(console.context, BROKER);
  t.ok((await crawl(t, console)) > 20);
});

t.test('every link of the demo console leads to a page, also once the demo has been removed', async (t) => {
  const console = await open(t);
  await createDemo(console.context);
  t.ok((await crawl(t, console)) > 60);
  await removeDemo(console.context);
  t.ok((await crawl(t, console)) > 20);
});
