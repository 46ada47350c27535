import { readFileSync } from 'node:fs';
import t from 'tap';
import { IMPORT_COLUMNS, IMPORT_KINDS } from '../../src/operator/importing.ts';

/** The fields of a section's table as columns of a CSV file; `.memory_mb` continues the name before it. */
function fieldsOf(section: string) {
  const rows = section.matchAll(/^\| ((?:`[\w.]+`(?:, )?)+)( \*)? \|/gm);
  return [...rows].flatMap(([, names = '', star]) => {
    let group = '';
    return names.split(', ').map((coded) => {
      const name = coded.replaceAll('`', '');
      if (!name.startsWith('.')) group = name.split('.')[0] ?? '';
      const path = name.startsWith('.') ? group + name : name;
      return { name: path.replace('.', '_'), required: star !== undefined };
    });
  });
}

t.test('docs/imports.md has the fields of each kind of file, and which of them are required', async (t) => {
  const page = readFileSync('docs/imports.md', 'utf8');
  for (const kind of IMPORT_KINDS) {
    const [section = ''] = page.match(new RegExp(`^## ${kind}\n[^#]*`, 'im')) ?? [];
    const byName = (fields: Array<{ name: string }>) => fields.toSorted((a, b) => (a.name < b.name ? -1 : 1));
    t.strictSame(byName(fieldsOf(section)), byName(IMPORT_COLUMNS[kind]), kind);
  }
});
