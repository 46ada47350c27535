import t from 'tap';
import { SUPPORTED_NODE, supportsNode } from '../../src/runtime/node-version.ts';

t.test('the server runs on the versions of Node that package.json names', async (t) => {
  t.equal(SUPPORTED_NODE, '^22.14 || ^24 || >=26');
  const supported = ['22.14.0', '22.23.1', '24.0.0', '24.21.0', '26.0.0', '27.1.0'];
  const others = ['20.20.2', '22.13.1', '23.0.0', '23.11.0', '25.2.0'];
  t.strictSame([...supported, ...others].filter(supportsNode), supported);
});
