import t from 'tap';
import { createSandboxWorld } from '../../support/sandbox.ts';
import { keysOf, refused } from '../../support/v1.ts';

interface Item {
  scenario: string;
  kind: 'service' | 'request' | 'plan';
  service_number: number | null;
  request_id: string | null;
  plan_id: string | null;
  description: string;
}

t.test('the catalogue of the sandbox', async (t) => {
  const world = await createSandboxWorld(t);
  const { get, call, addKey, broker, liveKey } = world;
  const all = await get('/sandbox/scenarios?limit=100');
  const items: Item[] = all.json.data;
  const of = (kind: Item['kind']) => items.filter((item) => item.kind === kind);

  t.test('has one item for each service, sample request and plan', async (t) => {
    t.equal(all.status, 200);
    t.strictSame(all.json.pagination, { page: 1, perPage: 100, total: 32, totalPages: 1 });
    t.strictSame([of('service').length, of('request').length, of('plan').length], [21, 7, 4]);
    t.equal(new Set(items.map(({ scenario }) => scenario)).size, 32, 'each under a name of its own');
    for (const item of items) {
      t.strictSame(keysOf(item), ['description', 'kind', 'plan_id', 'request_id', 'scenario', 'service_number']);
      t.match(item, { description: /\w/ });
    }
  });

  t.test('names what there is and nothing else', async (t) => {
    for (const { service_number: number, request_id, plan_id } of of('service')) {
      t.strictSame([request_id, plan_id], [null, null]);
      const expected = number === 900429 ? 429 : number === 900500 ? 500 : 200;
      t.equal((await get(`/services/${number}`)).status, expected, String(number));
    }
    const services = (await get('/services?limit=100')).json.data;
    t.strictSame(
      of('service')
        .map(({ service_number }) => service_number)
        .filter((number) => number !== 900429 && number !== 900500),
      services.map((service: Item) => service.service_number).sort(),
    );
    for (const { request_id, service_number, plan_id } of of('request')) {
      t.equal((await get(`/requests/${request_id}`)).json.data.service_number, service_number);
      t.equal(plan_id, null);
    }
    t.strictSame(
      of('plan').map(({ plan_id, service_number, request_id }) => [plan_id, service_number, request_id]),
      (await get('/plans')).json.data.map(({ id }: { id: string }) => [id, null, null]),
    );
  });

  t.test('is paged like every list', async (t) => {
    t.strictSame((await get('/sandbox/scenarios')).json.data, items.slice(0, 25));
    const page = await get('/sandbox/scenarios?page=4&perPage=8');
    t.strictSame(page.json, {
      success: true,
      data: items.slice(24, 32),
      pagination: { page: 4, perPage: 8, total: 32, totalPages: 4 },
    });
    t.strictSame((await get('/sandbox/scenarios?offset=32')).json.data, []);
    refused(t, await get('/sandbox/scenarios?limit=101&kind=plan'), {
      status: 400,
      code: 'invalid_parameter',
      fields: ['query.limit range', 'query.kind unknown'],
    });
  });

  t.test('is open to sandbox keys without any scope, and not there for live keys', async (t) => {
    const { key } = await addKey(broker, [], { mode: 'test' });
    t.strictSame((await call(key, 'GET', '/sandbox/scenarios?limit=100')).json, all.json);
    refused(t, await call(liveKey, 'GET', '/sandbox/scenarios'), {
      status: 404,
      code: 'not_found',
      message: 'Not found',
    });
    refused(t, await world.call(undefined, 'GET', '/sandbox/scenarios'), {
      status: 401,
      code: 'authentication_failed',
      reason: 'missing',
    });
  });
});
