import { readFileSync } from 'node:fs';
import t from 'tap';
import { supportsNode } from '../src/node-version.ts';

t.test('the server runs on the versions of Node that package.json names', async (t) => {
  t.equal(JSON.parse(readFileSync('package.json', 'utf8')).engines.node, '>=20.15 <21 || >=22.14');
  for (const version of ['20.15.0', '20.20.2', '22.14.0', '23.0.0', '24.19.0']) t.ok(supportsNode(version), version);
  for (const version of ['18.20.0', '20.14.9', '21.7.3', '22.13.1']) t.notOk(supportsNode(version), version);
});
