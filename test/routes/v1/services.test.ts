import t, { type Test } from 'tap';
import type { ServiceRow } from '../../../src/store/services.ts';
import {
  addRequest,
  iso,
  keysOf,
  momentsAreIso,
  NESTED_PLAN,
  NO_SERVICE,
  nested,
  refused,
  SERVICE_KEYS,
} from '../../support/v1.ts';
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
      price: { amount: '9.90', currency: 'EUR' },
      created_date: iso(now),
      updated_date: iso(now),
      renewal_date: iso(now + DAY),
      cancelled_date: iso(now),
      cancellation: { cancellation_type: 'immediate', effective_date: iso(now), request_id: 'req_1' },
      suspension: null,
      open_request: null,
    },
    {
      service_number: plain.number,
      service_status: 'active',
      label: null,
      external_reference: null,
      client: { name: 'Ada Example', email: null },
      plan: nested(bare),
      specifications: null,
      price: null,
      created_date: iso(now - 1),
      updated_date: iso(now),
      renewal_date: null,
      cancelled_date: null,
      cancellation: null,
      suspension: null,
      open_request: null,
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
    t.strictSame(json, { success: true, data: record });
    t.strictSame(keysOf(json.data), SERVICE_KEYS);
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
  t.strictSame(await shown(), { request_id: creation.id, type: 'service-creation', request_status: 'accepted' });
  const change = await addRequest(world, service, { type: 'plan-downgrade', status: 'operator_review', ...plans });
  t.strictSame(await shown(), { request_id: change.id, type: 'plan-downgrade', request_status: 'operator_review' });
  const cancellation = await addRequest(world, service, { type: 'cancellation' });
  t.strictSame(await shown(), { request_id: cancellation.id, type: 'cancellation', request_status: 'pending' });
  t.strictSame((await get('/services')).json.data[0].open_request, await shown(), 'in the list too');
  t.equal((await get('/services')).json.pagination.total, 1, 'and the service stands there once');
});

t.test('A number that no service of the broker has is not found and never rounded', async (t) => {
  const { world, broker, monthly, get } = await setup(t);
  await world.addService(broker, monthly, { number: 9007199254740991 });
  t.equal((await get('/services/9007199254740991')).json.data.service_number, 9007199254740991);
  for (const number of ['9007199254740992', '9007199254740993', '9223372036854775807', '-9007199254740991', '0', '-5'])
    refused(t, await get(`/services/${number}`), NO_SERVICE, number);
  for (const number of [
    '%2B5',
    '5.0',
    '1e3',
    '0x5',
    '%205',
    '5%20',
    '%00',
    '٥',
    'x'.repeat(900),
    '9223372036854775808',
    '-',
  ]) {
    refused(
      t,
      await get(`/services/${encodeURI(decodeURI(number))}`),
      {
        status: 400,
        code: 'invalid_parameter',
        message: 'Invalid service number',
        fields: ['path.service_number format'],
      },
      number.slice(0, 30),
    );
  }
});

t.test('Services are listed newest first and ties by number, each filter alone and together', async (t) => {
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
    await holds(`service_status=${status}`, (row) => row.status === status);
    await holds(
      `service_status=${status}&billing_type=hourly`,
      (row) => row.status === status && row.planId === hourly.id,
    );
    await holds(`service_status=${status}&plan=monthly`, (row) => row.status === status && row.planId === monthly.id);
  }
  await holds('billing_type=hourly', (row) => row.planId === hourly.id);
  await holds('billing_type=monthly', (row) => row.planId !== hourly.id);
  for (const plan of [monthly, hourly, other]) {
    await holds(`plan=${plan.id}`, (row) => row.planId === plan.id);
    await holds(`plan=${plan.slug.toUpperCase()}`, (row) => row.planId === plan.id);
  }
  await holds('plan=monthly&billing_type=hourly', () => false);
  await holds('plan=nothing', () => false);
  await holds('plan=nothing&service_status=active', () => false);
  await holds('client_email=CLIENT1@EXAMPLE.COM', (row) => row.clientEmail === 'Client1@Example.com');
  await holds('client_email=client1@example.co', () => false);
  await holds('client_email=%25', () => false);
  await holds(`created_from=${at(1000)}`, (row) => row.createdAt >= base + 1000);
  await holds(`created_to=${at(1000)}`, (row) => row.createdAt < base + 1000);
  await holds(`created_from=${at(1000)}&created_to=${at(2000)}`, (row) => row.createdAt === base + 1000);
  await holds(`created_from=${at(0)}&created_to=${at(0)}`, () => false);
  await holds(`renewal_before=${at(3 * DAY)}`, (row) => row.renewalAt !== null && row.renewalAt < base + 3 * DAY);
  await holds(`renewal_before=${at(3 * DAY + 1)}`, (row) => row.renewalAt !== null && row.renewalAt <= base + 3 * DAY);
  await holds('renewal_before=2030-01-15', () => false);
  await holds('created_from=2030-01-15&created_to=2030-01-16', () => true);
  await holds('created_from=2030-01-15T07:00:00-05:00', () => true);
  await holds('created_from=2030-01-15T12:00:00.001Z', (row) => row.createdAt > base);
  await holds('search=server%20NUMBER', (row) => row.label !== null);
  await holds('search=server&service_status=active', (row) => row.label !== null && row.status === 'active');
  await holds(
    `service_status=active&billing_type=monthly&plan=other&client_email=client1@example.com&search=number&created_from=${at(1000)}&created_to=${at(2000)}&renewal_before=${at(9 * DAY)}`,
    (row) => row.number === rows[5]?.number,
  );

  const page = async (query: string) => {
    const { json } = await get(`/services?${query}`);
    return [json.data.map((row: { service_number: number }) => row.service_number), json.pagination];
  };
  const all = expected.map((row) => row.number);
  t.strictSame(await page('limit=3'), [all.slice(0, 3), { page: 1, perPage: 3, total: 8, totalPages: 3 }]);
  t.strictSame(await page('limit=3&offset=7'), [all.slice(7), { page: 3, perPage: 3, total: 8, totalPages: 3 }]);
  t.strictSame(await page('offset=2'), [all.slice(2), { page: 1, perPage: 25, total: 8, totalPages: 1 }]);
  t.strictSame(await page('page=2&perPage=3'), [all.slice(3, 6), { page: 2, perPage: 3, total: 8, totalPages: 3 }]);
  t.strictSame(await page('page=2'), [[], { page: 2, perPage: 25, total: 8, totalPages: 1 }]);
  t.strictSame(await page('perPage=8'), [all, { page: 1, perPage: 8, total: 8, totalPages: 1 }]);
  t.strictSame(await page('limit=100&offset=2147483647'), [
    [],
    { page: 21474837, perPage: 100, total: 8, totalPages: 1 },
  ]);
  t.strictSame(await page('page=2147483647&perPage=100'), [
    [],
    { page: 2147483647, perPage: 100, total: 8, totalPages: 1 },
  ]);
  t.strictSame(await page('limit=007&offset=00'), [all.slice(0, 7), { page: 1, perPage: 7, total: 8, totalPages: 2 }]);
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
  ];
  for (const [text, found] of cases)
    t.strictSame(await numbers(`search=${encodeURIComponent(text)}`), found, JSON.stringify(text));
  t.strictSame(await numbers(`search=${encodeURIComponent('οδυσσεας')}`), [greek], 'a final sigma is a sigma');
  t.strictSame(await numbers(`search=${encodeURIComponent('ΟΔΥΣΣΕΑΣ')}`), [greek]);
});

t.test('Faulty parameters of a list are refused, never clamped', async (t) => {
  const { get } = await setup(t);
  const cases: [string, ...string[]][] = [
    ['limit=0', 'query.limit range'],
    ['limit=101', 'query.limit range'],
    ['limit=-1', 'query.limit format'],
    ['limit=1.0', 'query.limit format'],
    ['limit=1e1', 'query.limit format'],
    ['limit=Infinity', 'query.limit format'],
    ['limit=', 'query.limit blank'],
    ['limit=99999999999999999999', 'query.limit range'],
    ['limit=%D9%A5', 'query.limit format'],
    ['offset=-1', 'query.offset format'],
    ['offset=2147483648', 'query.offset range'],
    ['page=0', 'query.page range'],
    ['page=2147483648', 'query.page range'],
    ['perPage=0', 'query.perPage range'],
    ['perPage=101', 'query.perPage range'],
    ['perpage=5', 'query.perpage unknown'],
    ['per_page=5', 'query.per_page unknown'],
    ['limit=5&page=1', 'query.page conflict'],
    ['limit=5&perPage=1', 'query.perPage conflict'],
    ['offset=5&page=1', 'query.page conflict'],
    ['offset=5&perPage=1', 'query.perPage conflict'],
    ['limit=5&limit=5', 'query.limit repeated'],
    ['service_status=Active', 'query.service_status enum'],
    ['service_status=active,pending', 'query.service_status enum'],
    ['service_status=active&service_status=pending', 'query.service_status repeated'],
    ['service_status[]=active', 'query.service_status[] unknown'],
    ['billing_type=weekly', 'query.billing_type enum'],
    ['search=ab', 'query.search range'],
    ['search=', 'query.search blank'],
    ['search=%20%20%20', 'query.search blank'],
    [`search=${'x'.repeat(101)}`, 'query.search too_long'],
    ['search=abc%00', 'query.search format'],
    [`plan=${'x'.repeat(129)}`, 'query.plan too_long'],
    ['plan=', 'query.plan blank'],
    [`client_email=${'x'.repeat(255)}`, 'query.client_email too_long'],
    ['created_from=2030-02-01&created_to=2030-01-01', 'query.created_to conflict'],
    ['created_from=2030-01-01T00:00:00%2B01:00&created_to=2029-12-31T22:59:59.999Z', 'query.created_to conflict'],
    ['created_from=1893456000', 'query.created_from format'],
    ['created_from=2030-13-01', 'query.created_from format'],
    ['created_to=2030-01-01T00:00:00', 'query.created_to format'],
    ['created_to=2030-01-01T00:00Z', 'query.created_to format'],
    ['created_to=2030-01-01T24:00:00Z', 'query.created_to format'],
    ['renewal_before=2030-02-29', 'query.renewal_before format'],
    ['renewal_before=%202030-02-01', 'query.renewal_before format'],
    ['updated_since=yesterday', 'query.updated_since format'],
    ['after_number=5', 'query.after_number conflict'],
    ['updated_since=2030-01-01&after_number=-1', 'query.after_number format'],
    ['updated_since=2030-01-01&after_number=9007199254740992', 'query.after_number range'],
    ['external_reference=', 'query.external_reference blank'],
    [`external_reference=${'x'.repeat(256)}`, 'query.external_reference too_long'],
    ['sort=created_date', 'query.sort unknown'],
    ['__proto__=x', 'query.__proto__ unknown'],
    [
      'limit=0&offset=x&search=a&sort=b',
      'query.limit range',
      'query.offset format',
      'query.search range',
      'query.sort unknown',
    ],
  ];
  for (const [query, ...fields] of cases)
    refused(t, await get(`/services?${query}`), { status: 400, code: 'invalid_parameter', fields }, query.slice(0, 60));
  refused(
    t,
    await get('/services/5001?x=1'),
    { status: 400, code: 'invalid_parameter', fields: ['query.x unknown'] },
    'one service takes none',
  );
  t.equal(
    (await get(`/services?search=${encodeURIComponent('漢'.repeat(100))}`)).status,
    200,
    'lengths count code points',
  );
  t.equal((await get('/services?search=%F0%9F%98%80%F0%9F%98%80%F0%9F%98%80')).status, 200);
  refused(t, await get('/services?search=%F0%9F%98%80%F0%9F%98%80'), {
    status: 400,
    code: 'invalid_parameter',
    fields: ['query.search range'],
  });
});

t.test(
  'What changed since a moment comes in the order of its changes, and a page goes on where the last one ended',
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
        t.equal(page.total, expected.length - met.length + page.numbers.length, 'the total tells what is left');
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
  t.strictSame(pagination, { page: 1, perPage: 100, total: 10_000, totalPages: 100 });
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
