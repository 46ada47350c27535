import t from 'tap';
import type { DocumentedOperation } from '../../src/reference/operations.ts';
import { samplesOf } from '../../src/reference/samples.ts';

const settings = { baseUrl: 'https://api.example/api', apiKey: 'sk_test_x' };

const operation = (fields: Partial<DocumentedOperation>) =>
  ({
    method: 'POST',
    path: '/v1/things/{thing_id}/do',
    pathParameters: [{ name: 'thing_id', value: 'a b' }],
    inputs: { path: [], query: [], header: [], body: [] },
    takesIdempotencyKey: false,
    body: undefined,
    ...fields,
  }) as Partial<DocumentedOperation> as DocumentedOperation;

const sourcesOf = (fields: Partial<DocumentedOperation>) =>
  Object.fromEntries(samplesOf(operation(fields), settings).map(({ label, source }) => [label, source]));

t.test('a sample names what the operation takes and nothing else', async (t) => {
  for (const [label, source] of Object.entries(sourcesOf({}))) {
    t.match(source, 'https://api.example/api/v1/things/a%20b/do', label);
    t.match(source, 'POST', label);
    t.match(source, 'Bearer sk_test_x', label);
    t.notMatch(source, /idempotency|uuid|random|content-type|json=|POSTFIELDS| -d /i, label);
  }
  for (const [label, source] of Object.entries(sourcesOf({ method: 'GET', body: {} }))) {
    t.notMatch(source, /POST|Content-Type/, label);
  }
  for (const source of Object.values(sourcesOf({ takesIdempotencyKey: true }))) t.match(source, 'X-Idempotency-Key');
  const query = [{ name: 'limit', type: 'integer', required: false, rules: [], description: '' }];
  const inputs = { path: [], query, header: [], body: [] };
  for (const source of Object.values(sourcesOf({ method: 'GET', inputs }))) t.match(source, '/do?limit=10');
});

t.test('a body is written in the words of the language, and stays the same value', async (t) => {
  const body = { text: `it's a "true" \\`, yes: true, no: [false], none: null, count: 3, more: { price: '$9: {}' } };
  const { curl = '', TypeScript = '', Python = '', PHP = '' } = sourcesOf({ body });
  t.match(curl, `"text": "it'\\''s a \\"true\\" \\\\",`);
  t.match(TypeScript, `    "text": "it's a \\"true\\" \\\\",\n    "yes": true,`);
  t.match(Python, `"text": "it's a \\"true\\" \\\\",`);
  t.match(Python, `"yes": True,`);
  t.match(Python, /"no": \[\s+False\s+\]/);
  t.match(Python, `"none": None,`);
  t.match(PHP, `'text' => 'it\\'s a "true" \\\\',`);
  t.match(PHP, `'none' => null,`);
  t.match(PHP, /'more' => \[\s+'price' => '\$9: \{\}'\s+\]/);
  const short = sourcesOf({ body: { plan: 'starter' } });
  t.match(short.curl, `-d '{ "plan": "starter" }'`);
  t.match(short.TypeScript, `JSON.stringify({ "plan": "starter" }),`);
  t.match(short.Python, `json.dumps({ "plan": "starter" }).encode()`);
  t.match(short.PHP, `json_encode([ 'plan' => 'starter' ]),`);
});
