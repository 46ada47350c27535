import t from 'tap';
import { createTestConsole } from '../support/console.ts';

t.test(
  'a document has a list of its sections, is linked to by section, and names the files that are no page',
  async (t) => {
    const console = await createTestConsole();
    t.teardown(() => console.close());
    const viewer = await console.signedIn('viewer');
    const system = await viewer.get('/system');
    const links = [...system.body.matchAll(/href="(\/docs\/\w+\.md)#([^"]+)"/g)];
    t.equal(links.length, 3);
    for (const [, path, anchor] of links) {
      t.ok((await viewer.get(String(path))).body.includes(`id="${anchor}"`), `${path} has the section ${anchor}`);
    }
    t.match(
      system.text,
      /never backed up Backups none was made broker backup FILE.*State/,
      'a missing backup stands first',
    );
    const parts = await viewer.get('/docs/parts.md');
    t.match(parts.body, /aria-label="Contents">\s*<a href="\/docs\/parts\.md#one-file-or-many-machines">/);
    t.match(parts.text, /How long they are kept \(docs\/guarantees\.md\)/);
    t.match(parts.text, /docs\/compose\.md/);
  },
);
