import t from 'tap';
import { createBrokerClient } from '../../client/src/index.ts';
import { createOperatorClient } from '../../client/src/operator.ts';
import { currentDocument } from '../../src/process/api-document.ts';

type Loose = (path: string, init?: object) => Promise<unknown>;

/** Both clients, and what they sent. */
function connected() {
  const sent: Array<{ url: string; body: string | undefined; key: string | null }> = [];
  const options = {
    baseUrl: 'http://localhost',
    apiKey: 'key',
    fetch: async (url: string, { body, headers }: { body?: string; headers: Headers }) => {
      sent.push({ url: url.slice('http://localhost'.length), body, key: headers.get('x-idempotency-key') });
      return new Response('{"success":true,"data":[],"pagination":{"total":0}}');
    },
  };
  const broker = createBrokerClient(options);
  const operator = createOperatorClient(options);
  return { sent, broker, operator, clients: [broker, operator] as unknown as Array<{ get: Loose; post: Loose }> };
}

const DATE = new Date('2026-03-01T09:30:00+01:00');

t.test('a date is sent as ISO 8601, in a query and in a body, and the types take it', async (t) => {
  const { sent, broker, operator } = connected();
  await broker.get('/v1/services', { params: { query: { created_from: DATE, updated_since: DATE } } });
  for await (const _ of broker.each('/v1/services', { params: { query: { renewal_before: DATE } } })) t.fail('none');
  await operator.get('/v1/audit', { params: { query: { since: DATE } } });
  await broker.post('/v1/reports/services', { body: { period_from: DATE } });
  const iso = '2026-03-01T08:30:00.000Z';
  const text = encodeURIComponent(iso);
  t.match(sent, [
    { url: `/v1/services?created_from=${text}&updated_since=${text}` },
    { url: `/v1/services?renewal_before=${text}&offset=0&limit=100` },
    { url: `/v1/audit?since=${text}` },
    { url: '/v1/reports/services', body: JSON.stringify({ period_from: iso }) },
  ]);
});

t.test('what can be sent is sent as JSON.stringify writes it, and absent fields are left out', async (t) => {
  const { sent, clients } = connected();
  const metadata = { null: null, none: undefined, list: [1, 'a', { b: true }], moment: { toJSON: () => 'text' } };
  for (const { get, post } of clients) {
    await post('/v1/services', { body: { metadata, configuration: {} } });
    await get('/v1/services', { params: { query: { plan: 'a&b=c', limit: 0, big: 10n, flag: false, none: null } } });
  }
  const body = '{"metadata":{"null":null,"list":[1,"a",{"b":true}],"moment":"text"},"configuration":{}}';
  const url = '/v1/services?plan=a%26b%3Dc&limit=0&big=10&flag=false';
  t.match(sent, [{ body }, { url }, { body }, { url }]);
});

t.test('what cannot be sent is a TypeError that names its place, before anything is sent', async (t) => {
  const { sent, broker, clients } = connected();
  const own: Record<string, unknown> = {};
  own.own = own;
  const nothing = [new Date('never'), Number.NaN, Number.POSITIVE_INFINITY, Symbol('a'), () => 1];
  for (const { get, post } of clients) {
    for (const value of [...nothing, {}, [1], [], new Map(), /a/])
      await t.rejects(get('/v1/services', { params: { query: { search: value } } }), {
        name: 'TypeError',
        message: /^query\.search /,
      });
    for (const value of [...nothing, 1n, new Map([['a', 1]]), new Set(), /a/, new (class Own {})(), new Uint8Array(1)])
      await t.rejects(post('/v1/services', { body: { metadata: { list: ['a', { value }] } } }), {
        name: 'TypeError',
        message: /^body\.metadata\.list\.1\.value /,
      });
    await t.rejects(post('/v1/services', { body: { list: [undefined] } }), { message: /^body\.list\.0 / });
    await t.rejects(post('/v1/services', { body: own }), { message: 'body is nested more than 100 deep' });
    for (const request_id of ['', '.', '..', null, undefined, {}])
      await t.rejects(get('/v1/requests/{request_id}', { params: { path: { request_id } } }), {
        name: 'TypeError',
        message: /^path\.request_id /,
      });
    await t.rejects(get('/v1/requests/{request_id}'), { message: /^path\.request_id / });
  }
  const idempotencyKey = {} as string;
  const body = { plan: 'starter', client: { name: 'Ada', email: 'ada@example.com' } };
  await t.rejects(broker.post('/v1/services', { body, idempotencyKey }), { name: 'TypeError' });
  t.strictSame(sent, []);
});

t.test('a field that the server fills in may be left out', async (t) => {
  const { broker, sent } = connected();
  const params = { path: { service_number: 1 } };
  await broker.post('/v1/services/{service_number}/cancel', { params, body: {}, idempotencyKey: 'k' });
  t.equal(sent[0]?.body, '{}');
});

t.test('no call of v1 takes a list, so that PHP may send an empty array as an object', async (t) => {
  const { paths = {} } = await currentDocument();
  const bodies = Object.values(paths).map((path) => JSON.stringify(path?.post?.requestBody ?? {}));
  t.strictSame(
    bodies.filter((body) => body.includes('"array"')),
    [],
  );
});
