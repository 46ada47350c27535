import t, { type Test } from 'tap';
import type { ServiceRow } from '../../../src/store/queries/services.ts';
import { addRequest, iso, keysOf, momentsAreIso, NESTED_PLAN, nested, SINGLE_SERVICE_KEYS } from '../../support/v1.ts';
import { createWorld } from '../../support/world.ts';

const DAY = 86_400_000;

async function setup(t: Test) {
  const world = await createWorld();
  t.teardown(() => world.close());
  const broker = await world.addBroker();
  const { key } = await world.addKey(broker, ['services:read']);
  const monthly = await world.addPlan(broker, { slug: 'monthly', upgradeRank: 1 });
  const hourly = await world.addPlan(broker, { slug: 'hourly', upgradeRank: 2, billingType: 'hourly' });
  const get = (path: string) => world.call(key, 'GET', path);
  const numbers = async (query: string): Promise<number[]> => {
    const { json } = await get(`/services?${query}`);
    return json.data.map((row: { service_number: number }) => row.service_number);
  };
  return { world, broker, key, monthly, hourly, get, numbers };
}

t.test('A service shows all of its record and nothing else, alone and in the list', async (t) => {
  const { world, broker, monthly, get } = await setup(t);
  const now = world.clock.now();
  const full = await world.addService(broker, monthly, {
    status: 'cancelled',
    label: 'Shop',
    externalReference: 'CRM-1',
    renewalAt: now + DAY,
    cancelledAt: now,
    cancellationType: 'immediate',
    cancellationEffectiveAt: now,
    cancellationRequestId: 'req_1',
  });
  const bare = await world.addPlan(broker, {
    vcpu: null,
    memoryMb: null,
    diskGb: null,
    transferGb: null,
    priceAmount: null,
    priceCurrency: null,
  });
  const plain = await world.addService(broker, bare, { clientEmail: null, createdAt: now - 1 });
  const records = [
    {
      service_number: full.number,
      service_status: 'cancelled',
      label: 'Shop',
      external_reference: 'CRM-1',
      client: { name: 'Ada Example', email: 'ada@example.com' },
      plan: nested(monthly),
      specifications: { vcpu: 1, memory_mb: 1024, disk_gb: 20, transfer_gb: null },
      configuration: {},
      access: null,
      price: { amount: '9.90', currency: 'EUR' },
      created_date: iso(now),
      updated_date: iso(now),
      renewal_date: iso(now + DAY),
      cancelled_date: iso(now),
      cancellation: { cancellation_type: 'immediate', effective_date: iso(now), request_id: 'req_1' },
      suspension: null,
      expected: null,
      open_request: null,
      open_requests: [],
    },
    {
      service_number: plain.number,
      service_status: 'active',
      label: null,
      external_reference: null,
      client: { name: 'Ada Example', email: null },
      plan: nested(bare),
      specifications: null,
      configuration: {},
      access: null,
      price: null,
      created_date: iso(now - 1),
      updated_date: iso(now),
      renewal_date: null,
      cancelled_date: null,
      cancellation: null,
      suspension: null,
      expected: null,
      open_request: null,
      open_requests: [],
    },
  ];
  const list = await get('/services');
  t.strictSame(list.json, {
    success: true,
    data: records,
    pagination: { page: 1, perPage: 25, total: 2, totalPages: 1 },
  });
  for (const record of records) {
    const { json } = await get(`/services/${record.service_number}`);
    t.strictSame(json, { success: true, data: { ...record, actions: [], has_credentials: false } });
    t.strictSame(keysOf(json.data), SINGLE_SERVICE_KEYS);
    t.strictSame(keysOf(json.data.plan), NESTED_PLAN);
    momentsAreIso(t, json);
  }
});

t.test('An open cancellation is shown before a plan change, and that before a creation', async (t) => {
  const { world, broker, monthly, hourly, get } = await setup(t);
  const service = await world.addService(broker, monthly);
  const shown = async () => (await get(`/services/${service.number}`)).json.data.open_request;
  const plans = { currentPlanId: monthly.id, newPlanId: hourly.id };
  await addRequest(world, service, { type: 'cancellation-warning', status: 'approved', warningReason: 'x' });
  await addRequest(world, service, { type: 'plan-upgrade', status: 'completed', ...plans });
  t.equal(await shown(), null, 'what is final is not open');
  const creation = await addRequest(world, service, {
    type: 'service-creation',
    status: 'accepted',
    newPlanId: monthly.id,
  });
  const open = { new_plan: nested(monthly), effective_date: null };
  t.strictSame(await shown(), {
    request_id: creation.id,
    type: 'service-creation',
    request_status: 'accepted',
    ...open,
  });
  const change = await addRequest(world, service, { type: 'plan-downgrade', status: 'operator_review', ...plans });
  t.strictSame(await shown(), {
    request_id: change.id,
    type: 'plan-downgrade',
    request_status: 'operator_review',
    ...open,
    new_plan: nested(hourly),
  });
  const cancellation = await addRequest(world, service, { type: 'cancellation' });
  t.strictSame(await shown(), {
    request_id: cancellation.id,
    type: 'cancellation',
    request_status: 'pending',
    ...open,
    new_plan: null,
  });
  const listed = (await get(`/services/${service.number}`)).json.data.open_requests;
  t.strictSame(
    listed.map(({ request_id: id }: { request_id: string }) => id),
    [cancellation.id, change.id, creation.id],
    'and all in this order',
  );
  t.strictSame((await get('/services')).json.data[0].open_request, await shown(), 'in the list too');
  t.equal((await get('/services')).json.pagination.total, 1, 'and the service stands there once');
});

t.test('Services of one date are listed by number, and filters hold together', async (t) => {
  const { world, broker, monthly, hourly, get } = await setup(t);
  const base = world.clock.now();
  const other = await world.addPlan(broker, { slug: 'other', upgradeRank: 3 });
  const statuses = ['active', 'pending', 'suspended', 'cancelled', 'terminated', 'active', 'active', 'active'] as const;
  const plans = [monthly, monthly, hourly, hourly, other, other, monthly, hourly];
  const rows: ServiceRow[] = [];
  for (const [i, status] of statuses.entries()) {
    rows.push(
      await world.addService(broker, plans[i] ?? monthly, {
        status,
        createdAt: base + Math.floor(i / 3) * 1000,
        renewalAt: i % 2 ? base + i * DAY : null,
        clientEmail: i % 3 ? `Client${i % 2}@Example.com` : null,
        label: i % 2 ? `Server number ${i}` : null,
      }),
    );
  }
  const expected = [...rows].sort((a, b) => b.createdAt - a.createdAt || b.number - a.number);
  const holds = async (query: string, keep: (row: ServiceRow) => boolean) => {
    const answer = await get(`/services?${query}`);
    const kept = expected.filter(keep).map((row) => row.number);
    t.equal(answer.status, 200, query);
    t.strictSame(
      answer.json.data.map((row: { service_number: number }) => row.service_number),
      kept,
      query,
    );
    t.strictSame(answer.json.pagination, { page: 1, perPage: 25, total: kept.length, totalPages: kept.length ? 1 : 0 });
  };
  const at = (ms: number) => encodeURIComponent(iso(base + ms));
  await holds('', () => true);
  for (const status of new Set(statuses)) {
    await holds(
      `service_status=${status}&billing_type=hourly`,
      (row) => row.status === status && row.planId === hourly.id,
    );
    await holds(`service_status=${status}&plan=monthly`, (row) => row.status === status && row.planId === monthly.id);
  }
  await holds('plan=monthly&billing_type=hourly', () => false);
  await holds('plan=nothing&service_status=active', () => false);
  await holds('client_email=%25', () => false);
  await holds(`created_from=${at(1000)}&created_to=${at(2000)}`, (row) => row.createdAt === base + 1000);
  await holds(`created_from=${at(0)}&created_to=${at(0)}`, () => false);
  await holds(`renewal_before=${at(3 * DAY + 1)}`, (row) => row.renewalAt !== null && row.renewalAt <= base + 3 * DAY);
  await holds('created_from=2030-01-15&created_to=2030-01-16', () => true);
  await holds('created_from=2030-01-15T07:00:00-05:00', () => true);
  await holds('created_from=2030-01-15T12:00:00.001Z', (row) => row.createdAt > base);
  await holds(
    `service_status=active&billing_type=monthly&plan=other&client_email=client1@example.com&search=number&created_from=${at(1000)}&created_to=${at(2000)}&renewal_before=${at(9 * DAY)}`,
    (row) => row.number === rows[5]?.number,
  );
});

t.test('The filter by plan knows retired plans too, and an id before a slug', async (t) => {
  const { world, broker, numbers } = await setup(t);
  const retired = await world.addPlan(broker, { slug: 'retired', active: false });
  const { number } = await world.addService(broker, retired);
  t.strictSame(await numbers('plan=retired'), [number]);
  for (const id of ['pln_a', 'pln_z']) {
    const named = await world.addPlan(broker, { id, slug: `slug-of-${id}` });
    const alike = await world.addPlan(broker, { id: id === 'pln_a' ? 'pln_y' : 'pln_b', slug: id });
    const [first, second] = [await world.addService(broker, named), await world.addService(broker, alike)];
    t.strictSame(await numbers(`plan=${id}`), [first.number], 'the plan of that id');
    t.strictSame(await numbers(`plan=${alike.id}`), [second.number]);
    t.strictSame(await numbers(`plan=${id.toUpperCase()}`), [second.number], 'ids are exact, slugs are not');
  }
  t.strictSame(await numbers('plan=PLN_B'), [], 'no slug, and no id');
});

t.test('A broker without services gets an empty list', async (t) => {
  const { get } = await setup(t);
  for (const query of ['', 'billing_type=hourly', 'service_status=active', 'search=nothing']) {
    t.strictSame((await get(`/services?${query}`)).json, {
      success: true,
      data: [],
      pagination: { page: 1, perPage: 25, total: 0, totalPages: 0 },
    });
  }
});

t.test('A search is literal text, found anywhere and without case in every script', async (t) => {
  const { world, broker, monthly, numbers } = await setup(t);
  const add = async (fields: Partial<ServiceRow>) =>
    (await world.addService(broker, monthly, { clientName: 'Nobody', ...fields })).number;
  const percent = await add({ label: '100% off_line' });
  const backslash = await add({ label: 'C:\\temp\\x' });
  const quote = await add({ label: 'O\'Hara "x"' });
  const umlaut = await add({ clientName: 'ÄRGER Größe' });
  const greek = await add({ externalReference: 'ΟΔΥΣΣΕΑΣ' });
  const cyrillic = await add({ label: 'Сервер Ёлка' });
  const deseret = await add({ label: '𐐀𐐁𐐂' });
  const han = await add({ label: '服务器一号' });
  const split = await add({ label: 'alpha', clientName: 'beta', externalReference: 'gamma' });
  const access = {
    hostname: null,
    ip_addresses: ['192.0.2.7', '2001:db8::7'],
    username: null,
    login_url: null,
    notes: null,
  };
  const reached = await add({ access: JSON.stringify(access) });
  const cases: [string, number[]][] = [
    ['100%', [percent]],
    ['%%%', []],
    ['___', []],
    ['off_line', [percent]],
    ['offxline', []],
    ['\\temp\\', [backslash]],
    ["o'hara", [quote]],
    ['"X"', [quote]],
    ['ärger', [umlaut]],
    ['GRÖßE', [umlaut]],
    ['GRÖSSE', [umlaut]],
    ['οδυσσ', [greek]],
    ['ΣΣΕΑ', [greek]],
    ['сервер ёл', [cyrillic]],
    ['ЁЛКА', [cyrillic]],
    ['𐐨𐐩𐐪', [deseret]],
    ['服务器', [han]],
    ['lph', [split]],
    ['BETA', [split]],
    ['gam', [split]],
    ['alphabeta', []],
    ['alpha beta', []],
    ['alpha\nbeta', []],
    ['*** ', []],
    ['  lph \t', [split]],
    ['2001:DB8:0:0::7', [reached]],
    [' [2001:db8::7] ', [reached]],
    ['::ffff:192.0.2.7', [reached]],
  ];
  for (const [text, found] of cases)
    t.strictSame(await numbers(`search=${encodeURIComponent(text)}`), found, JSON.stringify(text));
  t.strictSame(await numbers(`search=${encodeURIComponent('οδυσσεας')}`), [greek], 'a final sigma is a sigma');
  t.strictSame(await numbers(`search=${encodeURIComponent('ΟΔΥΣΣΕΑΣ')}`), [greek]);
});

t.test(
  'What changed since a date comes in the order of its changes, and a page goes on where the last one ended',
  async (t) => {
    const { world, broker, monthly, hourly, get } = await setup(t);
    const base = world.clock.now();
    const rows: ServiceRow[] = [];
    for (let i = 0; i < 40; i++)
      rows.push(
        await world.addService(broker, i % 3 ? monthly : hourly, {
          number: 100_000 - i * 7,
          createdAt: base - i,
          updatedAt: base + 10 * (i % 4),
          externalReference: i % 5 ? null : 'whole',
        }),
      );
    const sorted = rows.toSorted((a, b) => a.updatedAt - b.updatedAt || a.number - b.number);
    const numbers = (of: typeof rows) => of.map(({ number }) => number);
    const read = async (query: string) => {
      const { data, pagination } = (await get(`/services?${query}`)).json;
      return {
        numbers: data.map((one: { service_number: number }) => one.service_number),
        total: pagination.total,
        last: data.at(-1),
      };
    };
    for (const since of [base - 1, base, base + 1, base + 30, base + 31]) {
      const expected = numbers(sorted.filter((row) => row.updatedAt >= since));
      const whole = await read(`updated_since=${iso(since)}&limit=100`);
      t.strictSame([whole.numbers, whole.total], [expected, expected.length]);
      const met: number[] = [];
      let page = await read(`updated_since=${iso(since)}&limit=7`);
      while (page.numbers.length > 0) {
        met.push(...page.numbers);
        t.equal(page.total, expected.length - met.length + page.numbers.length, 'the total shows what is left');
        const { updated_date: date, service_number: number } = page.last;
        page = await read(`updated_since=${date}&after_number=${number}&limit=7`);
      }
      t.strictSame(met, expected);
    }
    const narrowed = sorted.filter(
      (row) => row.externalReference === 'whole' && row.planId === monthly.id && row.updatedAt >= base + 10,
    );
    t.strictSame(
      (await read(`updated_since=${iso(base + 10)}&external_reference=whole&billing_type=monthly&offset=1&limit=2`))
        .numbers,
      numbers(narrowed).slice(1, 3),
    );
    t.equal((await read(`updated_since=${iso(base)}&plan=nothing`)).total, 0);
  },
);

t.test('Of changes no more than ten thousand are counted', async (t) => {
  const { world, broker, monthly, get } = await setup(t);
  const service = await world.addService(broker, monthly);
  const many = Array.from({ length: 10_050 }, (_, index) => ({ ...service, number: 200_000 + index }));
  for (let start = 0; start < many.length; start += 500)
    await world.store.tx((tx) => tx.services.insert(many.slice(start, start + 500)));
  const { pagination } = (await get('/services?updated_since=2020-01-01&limit=100')).json;
  t.strictSame(pagination, { page: 1, perPage: 100, total: 10_000, totalPages: 100, history: '0' });
  t.equal(
    (await get(`/services?updated_since=${iso(service.updatedAt)}&after_number=210049`)).json.pagination.total,
    0,
  );
  t.equal(
    (await get(`/services?updated_since=${iso(service.updatedAt)}&after_number=205049`)).json.pagination.total,
    5000,
  );
  t.equal((await get('/services')).json.pagination.total, 10_051);
});

t.test('The counters behind the totals follow every change', async (t) => {
  const { world, broker, monthly, hourly, get } = await setup(t);
  const { key } = await world.addKey(broker);
  const total = async (query: string) => (await get(`/services?${query}`)).json.pagination.total;
  const service = await world.addService(broker, monthly);
  const client = { name: 'Ada Example', email: 'ada@example.com' };
  for (let i = 0; i < 3; i++) await world.call(key, 'POST', '/services', { body: { plan: 'hourly', client } });
  await world.call(key, 'POST', '/services', { body: { plan: 'nothing', client } });
  t.strictSame([await total(''), await total('service_status=pending'), await total('billing_type=hourly')], [4, 3, 3]);
  await world.store.tx((tx) =>
    tx.services.update(broker.id, service.number, { status: 'suspended', planId: hourly.id }),
  );
  t.strictSame(
    [await total('service_status=active'), await total('service_status=suspended'), await total('plan=hourly')],
    [0, 1, 4],
  );
  await world.store
    .tx(async (tx) => {
      await tx.services.update(broker.id, service.number, { status: 'active' });
      throw new Error('undone');
    })
    .catch(() => {});
  t.strictSame(
    [await total('service_status=active'), await total('service_status=suspended'), await total('')],
    [0, 1, 4],
  );
});
