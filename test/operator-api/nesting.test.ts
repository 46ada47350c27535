import t from 'tap';
import { importPlans } from '../../src/operator/plans/plans.ts';
import { importServices } from '../../src/operator/services/import.ts';
import { createTestOperatorApi } from '../support/operator-api.ts';
import { BROKER, faultsOf, file, PLANS } from '../support/operator-context.ts';
import { createWorld } from '../support/world.ts';

/** An object that is nested so deep, as JSON. */
const nested = (levels: number) => `${'{"a":'.repeat(levels - 1)}{}${'}'.repeat(levels - 1)}`;
const json = { 'content-type': 'application/json' };

t.test(
  'a value that is nested more than twenty deep is a fault of its field, also of thousands of levels',
  async (t) => {
    const api = await createTestOperatorApi();
    t.teardown(() => api.close());
    await api.post('/brokers', BROKER);
    await api.post('/brokers/acme/plans', {
      slug: 'vps',
      display_name: 'VPS',
      upgrade_rank: 1,
      billing_type: 'monthly',
    });
    const set = (levels: number) =>
      api.send('POST', '/brokers/acme/plans/vps/update', `{"provisioning":${nested(levels)}}`, api.keys.admin, json);
    t.equal((await set(20)).status, 200);
    for (const levels of [21, 100_000]) {
      t.match(await set(levels), {
        status: 400,
        error: { code: 'invalid_parameter', details: { fields: [{ path: 'body.provisioning', rule: 'range' }] } },
      });
    }
    const importing = (levels: number) =>
      api.send(
        'POST',
        '/brokers/acme/plans/import',
        `{"records":[{"slug":"vps","provisioning":${nested(levels)}}]}`,
        api.keys.admin,
        json,
      );
    for (const levels of [21, 15_000])
      t.match(await importing(levels), { status: 400, error: { code: 'invalid_parameter' } });
  },
);

t.test('a file of records that are nested too deep is refused in a sentence', async (t) => {
  const api = await createTestOperatorApi();
  t.teardown(() => api.close());
  await api.post('/brokers', BROKER);
  await importPlans(api.context, { broker: 'acme', file: file('plans.json', PLANS) });
  const importing = (levels: number) => {
    const content = `[{"client":{"name":"Ada"},"plan":"start","configuration":{"a":${nested(levels)}}}]`;
    return importServices(api.context, { broker: 'acme', file: file('s.json', content) });
  };
  t.match((await faultsOf(importing(21)))[0], 'record 1: configuration: must be nested at most 20 deep');
  await t.rejects(importing(15_000), { message: 's.json: record 1 must be nested at most 20 deep' });
});

t.test('v1 refuses it in a configuration, with an idempotency key too', async (t) => {
  const world = await createWorld();
  t.teardown(() => world.close());
  const { key } = await world.addKey(await world.addBroker());
  for (const levels of [21, 10_000]) {
    const body = `{"plan":"x","client":{"name":"Ada","email":"a@example.com"},"configuration":${nested(levels)}}`;
    const headers = { ...json, 'x-idempotency-key': `key-${levels}` };
    const { status, json: answer } = await world.call(key, 'POST', '/services', { body: body as never, headers });
    t.match(
      { status, answer },
      {
        status: 400,
        answer: {
          error: { code: 'invalid_parameter', details: { fields: [{ path: 'body.configuration', rule: 'range' }] } },
        },
      },
    );
  }
});
