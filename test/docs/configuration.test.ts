import { readFileSync } from 'node:fs';
import t from 'tap';
import { loadConfig, shownSettings } from '../../src/config.ts';

t.test('docs/configuration.md names every variable of the configuration, and no other', async (t) => {
  const rows = readFileSync('docs/configuration.md', 'utf8').matchAll(/^\| (`[A-Z_]+`(?:, `[A-Z_]+`)*) \|/gm);
  const documented = [...rows].flatMap(([, names = '']) => names.replaceAll('`', '').split(', '));
  const known = shownSettings(loadConfig({})).map(({ name }) => name);
  t.strictSame(documented.sort(), known.sort());
});
