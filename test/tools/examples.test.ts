import { readFileSync } from 'node:fs';
import t from 'tap';
import { currentDocument } from '../../src/api-document.ts';
import { examplesFile, record, recordExamples } from '../../tools/examples.ts';

t.test("the document's examples are what the server answers now: else run npm run generate", async (t) => {
  const fresh = examplesFile(await recordExamples(await currentDocument()));
  t.ok(readFileSync('src/document/examples.json', 'utf8') === fresh);
});

t.test(
  'an operation without a script, or a call that ends otherwise than its script says, writes nothing',
  async (t) => {
    const operation = {
      id: 'getService',
      method: 'GET',
      path: '/v1/services/{service_number}',
      body: undefined,
    } as const;
    await t.rejects(record(operation, undefined, {}), { message: 'tools/examples.ts plays nothing for getService' });
    const fine = { name: 'plan', summary: 'A plan' };
    await t.rejects(record(operation, { path: 424242, succeeds: [fine] }, {}), { message: /^getService plan: \{/ });
    const refused = [{ path: 900001 }];
    await t.rejects(record(operation, { path: 900001, succeeds: [], refused }, {}), {
      message: 'getService is not refused: {"path":900001}',
    });
  },
);

t.test('examples of one name are told apart by a number', async (t) => {
  const operation = { id: 'listPlans', method: 'GET', path: '/v1/plans', body: undefined } as const;
  const fine = { name: 'page', summary: 'A page' };
  const { responses } = await record(operation, { succeeds: [fine, fine, fine] }, {});
  t.strictSame(Object.keys(responses[200] ?? {}), ['page', 'page_2', 'page_3']);
});
