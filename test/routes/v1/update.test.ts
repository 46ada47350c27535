import t, { type Test } from 'tap';
import { iso, keysOf, nested, SERVICE_KEYS } from '../../support/v1.ts';
import { createWorld } from '../../support/world.ts';

async function setup(t: Test) {
  const world = await createWorld();
  t.teardown(() => world.close());
  const broker = await world.addBroker();
  const { key } = await world.addKey(broker, ['services:write']);
  const plan = await world.addPlan(broker);
  const update = (number: number | string, body?: unknown, headers = {}) =>
    world.call(key, 'POST', `/services/${number}/update`, { body, headers });
  /** The service as an update answers it. */
  const get = async (number: number) => {
    const {
      actions: _,
      has_credentials: __,
      ...service
    } = (await world.call(key, 'GET', `/services/${number}`)).json.data;
    return service;
  };
  return { world, broker, key, plan, update, get };
}

t.test('an update changes what it names, leaves the rest, and answers the service', async (t) => {
  const { world, broker, plan, update, get } = await setup(t);
  const { number } = await world.addService(broker, plan, { label: 'Shop', externalReference: 'CRM-1' });
  const before = await get(number);
  world.clock.advance(1000);
  const now = iso(world.clock.now());

  const answer = await update(number, { client: { email: ' grace@example.com ' } });
  t.equal(answer.status, 200);
  t.strictSame(keysOf(answer.json.data), SERVICE_KEYS);
  const mended = { ...before, client: { name: 'Ada Example', email: 'grace@example.com' }, updated_date: now };
  t.strictSame(answer.json, { success: true, data: mended });
  t.strictSame(await get(number), mended);
  t.match(answer.json.data, { plan: nested(plan), label: 'Shop', external_reference: 'CRM-1' });

  const all = { label: null, external_reference: ' CRM-2 ', client: { name: 'Grace', email: null } };
  const changed = { ...mended, label: null, external_reference: 'CRM-2', client: { name: 'Grace', email: null } };
  // Within the same millisecond the date moves forward all the same.
  const later = (ms: number) => iso(world.clock.now() + ms);
  t.strictSame((await update(`000${number}`, all)).json.data, { ...changed, updated_date: later(1) });
  t.strictSame((await update(number, { external_reference: null })).json.data, {
    ...changed,
    external_reference: null,
    updated_date: later(2),
  });
});

t.test('an updated service is found by what it is called now, and no longer by what it was', async (t) => {
  const { world, broker, key, plan, update } = await setup(t);
  const { number } = await world.addService(broker, plan, { label: 'Needle' });
  await update(number, {
    label: 'Thread',
    external_reference: 'R-1',
    client: { name: 'Grace', email: 'G@example.com' },
  });
  const found = async (query: string) => (await world.call(key, 'GET', `/services?${query}`)).json.pagination.total;
  t.strictSame(
    [await found('search=needle'), await found('search=ada'), await found('client_email=ada@example.com')],
    [0, 0, 0],
  );
  t.strictSame(
    [
      await found('search=thread'),
      await found('search=grace'),
      await found('search=r-1'),
      await found('client_email=g@EXAMPLE.com'),
      await found('external_reference=R-1'),
      await found('external_reference=r-1'),
      await found('external_reference=R-'),
    ],
    [1, 1, 1, 1, 1, 0, 0],
  );
});

t.test('a caller that gets missing_customer_email can mend it', async (t) => {
  const { world, broker, plan, update } = await setup(t);
  await world.addTemplate(broker);
  const { key: admin } = await world.addKey(broker);
  const { number } = await world.addService(broker, plan, { clientEmail: null });
  const warn = () =>
    world.call(admin, 'POST', `/services/${number}/cancellation-warning`, { body: { warningReason: 'x' } });
  t.equal((await warn()).json.error.code, 'missing_customer_email');
  await update(number, { client: { email: 'ada@example.com' } });
  t.equal((await warn()).status, 200);
});

t.test('the audit trail records an update, and of the client no more than that it changed', async (t) => {
  const { world, broker, plan, update } = await setup(t);
  const { number } = await world.addService(broker, plan, { label: 'Old' });
  await update(number, { label: 'New', client: { name: 'Grace' } });
  await update(number, { label: 'New' });
  const rows = await world.store.read.audit.list({ brokerId: broker.id }, 10);
  t.match(rows, [{ action: 'service.update', subject: `service/${number}`, actorKind: 'api_key' }]);
  t.equal(rows.length, 1, 'what changes nothing leaves none');
  t.strictSame([rows[0]?.before, rows[0]?.after], ['{"label":"Old"}', '{"label":"New","client_name":"changed"}']);
});

t.test('names, labels and references become one line, at a creation as at an update', async (t) => {
  const { world, plan, broker, update } = await setup(t);
  const { key } = await world.addKey(broker, ['services:write']);
  const created = await world.call(key, 'POST', '/services', {
    body: {
      plan: plan.slug,
      client: { name: 'Ada\r\nExample', email: 'ada@example.com' },
      label: ' \u0007My\u2028shop\n',
      external_reference: 'CRM\n1',
    },
  });
  t.equal(created.status, 201);
  const { service_number: number } = created.json.data;
  const kept = { label: 'My shop', client: { name: 'Ada Example' }, external_reference: 'CRM 1' };
  t.match((await update(number, { client: { email: null } })).json.data, kept);
  const answer = await update(number, { label: `${'x'.repeat(254)}\n\ny`, client: { name: '\u0007\u0000\u0007' } });
  t.match(answer.json.error, {
    code: 'invalid_parameter',
    details: {
      fields: [
        { path: 'body.label', rule: 'too_long' },
        { path: 'body.client.name', rule: 'blank' },
      ],
    },
  });
  t.match((await update(number, { client: { name: '\u0007' } })).json.error.details.fields, [
    { path: 'body.client.name', rule: 'blank' },
  ]);
  const broken = { label: 'a\r\nb', external_reference: 'CRM\n2', client: { name: 'c\td' } };
  t.match((await update(number, broken)).json.data, {
    label: 'a b',
    external_reference: 'CRM 2',
    client: { name: 'c d' },
  });
});
