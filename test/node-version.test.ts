import { readFileSync } from 'node:fs';
import t from 'tap';
import { supportsNode } from '../src/node-version.ts';

t.test('the server runs on the versions of Node that package.json names', async (t) => {
  t.equal(JSON.parse(readFileSync('package.json', 'utf8')).engines.node, '^22.14 || ^24 || >=26');
  for (const version of ['22.14.0', '22.23.1', '24.0.0', '24.21.0', '26.0.0', '27.1.0'])
    t.ok(supportsNode(version), version);
  for (const version of ['20.20.2', '22.13.1', '23.0.0', '23.11.0', '25.2.0']) t.notOk(supportsNode(version), version);
});
