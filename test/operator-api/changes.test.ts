import t from 'tap';
import { createTestOperatorApi } from '../support/operator-api.ts';

const BROKER = { slug: 'acme', name: 'Acme', contact_email: 'a@example.com', sender_email: 'b@example.com' };

t.test(
  'services and requests of a broker are read in the order of their changes, from a position on, as in v1',
  async (t) => {
    const api = await createTestOperatorApi();
    t.teardown(() => api.close());
    await api.post('/brokers', BROKER);
    const plan = { slug: 'start', display_name: 'Start', upgrade_rank: 1, billing_type: 'monthly' };
    await api.post('/brokers/acme/plans', plan);
    const records = [7001, 7002, 7003].map((service_number) => ({
      service_number,
      client: { name: 'Zoe' },
      plan: 'start',
    }));
    await api.post('/brokers/acme/services/import', { records });
    api.clock.advance(1_000);
    await api.post('/services/7001/update', { client: { name: 'Ada' } });

    const numbers = async (query: string) => {
      const { data, pagination, headers } = await api.get(`/services?broker=acme&${query}`);
      t.match(headers['x-server-date'], /^2030-/);
      return [data.map(({ service_number: number }: { service_number: number }) => number), pagination.total];
    };
    t.strictSame(await numbers('updated_since=2030-01-01'), [[7002, 7003, 7001], 3]);
    const since = '2030-01-15T12:00:00.000Z';
    t.strictSame(await numbers(`updated_since=${since}&after_number=7002`), [[7003, 7001], 2]);
    t.strictSame(await numbers('updated_since=2030-01-15T12:00:01Z&limit=1'), [[7001], 1]);

    await api.post('/brokers/acme/requests', { service_number: 7001, type: 'cancellation' });
    const { data } = await api.get('/requests?broker=acme&updated_since=2030-01-01');
    t.match(data, [{ broker: 'acme', service_number: 7001 }]);
    const [{ request_id, updated_date }] = data;
    const after = await api.get(`/requests?broker=acme&updated_since=${updated_date}&after_request=${request_id}`);
    t.strictSame(after.data, []);

    const refuses = async (path: string, field: string) =>
      t.match(await api.get(path), { status: 400, error: { details: { fields: [{ path: `query.${field}` }] } } }, path);
    await refuses('/services?updated_since=2030-01-01', 'updated_since');
    await refuses('/services?broker=acme&after_number=5', 'after_number');
    await refuses('/services?broker=acme&updated_since=2030-01-01&search=abc', 'search');
    await refuses('/services?broker=acme&updated_since=yesterday', 'updated_since');
  },
);

t.test(
  'an action is run as a broker runs it, with its configuration as an object; it is asked before data go',
  async (t) => {
    const api = await createTestOperatorApi();
    t.teardown(() => api.close());
    await api.post('/brokers', BROKER);
    const image = { name: 'image', display_name: 'Image', type: 'text', required: true, max_length: 20 };
    const actions = [
      { name: 'reboot', display_name: 'Reboot' },
      { name: 'reinstall', display_name: 'Reinstall', destroys_data: true, options: [image] },
    ];
    const plan = { slug: 'start', display_name: 'Start', upgrade_rank: 1, billing_type: 'monthly', actions };
    await api.post('/brokers/acme/plans', plan);
    const records = [7001, 7002].map((service_number) => ({ service_number, client: { name: 'Zoe' }, plan: 'start' }));
    await api.post('/brokers/acme/services/import', { records });
    const run = (body: object, number = 7001) => api.post(`/services/${number}/actions`, body);

    const reinstall = { action: 'reinstall', configuration: { image: 'debian-13' } };
    t.match(await run(reinstall), {
      status: 400,
      error: {
        details: { reason: 'confirmation_needed' },
        message: 'Reinstall deletes the data of service 7001 of Zoe.',
      },
    });
    t.match(await run({ ...reinstall, confirm: true }), {
      status: 200,
      data: {
        type: 'service-action',
        origin: 'operator',
        request_status: 'accepted',
        configuration: { image: 'debian-13' },
      },
    });
    t.match(await run({ action: 'reboot' }), { status: 400, error: { details: { reason: 'action_in_progress' } } });
    t.match(await run({ action: 'fly' }, 7002), {
      status: 400,
      error: { details: { reason: 'action_not_available' } },
    });
    t.match(await run({ action: 'fly' }, 7009), { status: 404, error: { code: 'not_found' } });
    for (const configuration of [{}, { image: 5 }, { image: 'a', size: 1 }]) {
      const { status, error } = await run({ action: 'reinstall', configuration, confirm: true }, 7002);
      t.equal(status, 400);
      t.match(error.details.fields[0].path, /^body\.configuration\.(image|size)$/);
    }
  },
);

t.test('what is wrong with a field is said in words, and where it stood', async (t) => {
  const api = await createTestOperatorApi();
  t.teardown(() => api.close());
  await api.post('/brokers', BROKER);
  const faultsOf = async ({ error }: { error: { details: { fields: { path: string; message: string }[] } } }) =>
    Object.fromEntries(error.details.fields.map(({ path, message }) => [path, message]));
  const access = { hostname: 'no host', login_url: 'ftp://x', username: 'a\u0001b' };
  t.strictSame(await faultsOf(await api.post('/services/7001/update', { access })), {
    'body.access.hostname': 'must be a host name',
    'body.access.username': 'must be one line of at most 128 characters',
    'body.access.login_url': 'must be an http or https address without user information, of at most 2000 characters',
  });
  t.match(await faultsOf(await api.get('/calls?since=yesterday')), {
    'query.since': /^must be a date, or a time before/,
  });
  t.strictSame(await faultsOf(await api.post('/brokers/acme/plans/start/update', { provisioning: [] })), {
    'body.provisioning': 'must be object or null',
  });
  t.match(await faultsOf(await api.get('/brokers/acme/templates/nope')), { 'path.kind': /^must be one of/ });
});

t.test('a faulty value is named by v1’s rule, and a state of a service by v1’s reason', async (t) => {
  const api = await createTestOperatorApi();
  t.teardown(() => api.close());
  await api.post('/brokers', BROKER);
  const options = [
    { name: 'cpus', display_name: 'CPUs', type: 'number', minimum: 1, maximum: 4 },
    { name: 'os', display_name: 'OS', type: 'choice', choices: [{ value: 'bsd', display_name: 'BSD' }] },
    { name: 'note', display_name: 'Note', type: 'text', max_length: 5 },
  ];
  const plan = { slug: 'start', display_name: 'Start', upgrade_rank: 1, billing_type: 'monthly' };
  await api.post('/brokers/acme/plans', { ...plan, options, actions: [{ name: 'tune', display_name: 'T', options }] });
  const client = { name: 'Zoe', email: 'zoe@example.com' };
  const records = ['active', 'cancelled', 'terminated'].map((service_status, at) => {
    return { service_number: 7001 + at, client, plan: 'start', service_status };
  });
  await api.post('/brokers/acme/services/import', { records });
  const rules = ({ error }: { error: { details: { fields: { path: string; rule: string }[] } } }) =>
    Object.fromEntries(error.details.fields.map(({ path, rule }) => [path, rule]));
  const configuration = { cpus: 5, os: 'dos', note: 'longer' };
  const expected = {
    'body.configuration.cpus': 'range',
    'body.configuration.os': 'enum',
    'body.configuration.note': 'too_long',
  };
  t.strictSame(rules(await api.post('/brokers/acme/services', { plan: 'start', client, configuration })), expected);
  t.strictSame(rules(await api.post('/services/7001/actions', { action: 'tune', configuration })), expected);
  const submitted = await api.post('/brokers/acme/requests', { service_number: 7001, type: 'plan-upgrade' });
  t.strictSame([submitted.error.code, rules(submitted)], ['missing_parameter', { 'body.new_plan': 'required' }]);
  t.strictSame(rules(await api.get('/services?search=ab')), { 'query.search': 'range' });
  t.strictSame(rules(await api.get('/services?after_number=5')), { 'query.after_number': 'conflict' });
  t.strictSame(rules(await api.get('/audit?since=2030-01-02&until=2030-01-01')), { 'query.until': 'conflict' });

  const reasonOf = async (path: string) => (await api.post(path)).error?.details.reason;
  for (const [number, ended] of [
    [7002, 'service_cancelled'],
    [7003, 'service_terminated'],
  ] as const) {
    t.equal(await reasonOf(`/services/${number}/suspend`), ended);
    t.equal(await reasonOf(`/services/${number}/unsuspend`), ended);
  }
  t.equal(await reasonOf('/services/7001/unsuspend'), 'service_not_suspended');
});

t.test('a time range that ends before it begins is refused by every list that has one', async (t) => {
  const api = await createTestOperatorApi();
  t.teardown(() => api.close());
  for (const list of ['calls', 'audit', 'usage', 'emails']) {
    const { status, error } = await api.get(`/${list}?since=2030-01-02&until=2030-01-01`);
    t.match(
      { list, status, error },
      {
        status: 400,
        error: {
          code: 'invalid_parameter',
          details: { fields: [{ path: 'query.until', message: 'must be after since' }] },
        },
      },
    );
  }
});

t.test('a group that is null in a record is null in a body too, and in what was seen', async (t) => {
  const api = await createTestOperatorApi();
  t.teardown(() => api.close());
  await api.post('/brokers', BROKER);
  const plan = { slug: 'start', display_name: 'Start', upgrade_rank: 1, billing_type: 'monthly' };
  t.match(await api.post('/brokers/acme/plans', { ...plan, price: null }), { status: 201, data: { price: null } });
  const set = (body: object) => api.post('/brokers/acme/plans/start/update', body);
  const price = { amount: '9.90', currency: 'EUR' };
  t.match(await set({ price, seen: { price: null } }), { status: 200, data: { price } });
  t.match(await set({ price, seen: { price: null } }), {
    status: 409,
    error: { details: { fields: [{ path: 'body.price.amount', current: '9.90' }, { path: 'body.price.currency' }] } },
  });
  t.match(await set({ price: null, seen: { price } }), { status: 200, data: { price: null } });
  t.match(await set({ seen: null, display_name: 'S' }), { status: 400 }, 'what is no group of fields is no null');
});

t.test('a version that a template never had is not found', async (t) => {
  const api = await createTestOperatorApi();
  t.teardown(() => api.close());
  await api.post('/brokers', BROKER);
  t.match(await api.get('/brokers/acme/templates/service-created?version=1'), { status: 404 });
  t.match(await api.get('/brokers/acme/templates/service-created'), { status: 200, data: { source: null } });
});

t.test('an empty list of addresses is taken, and leaves a service without any', async (t) => {
  const api = await createTestOperatorApi();
  t.teardown(() => api.close());
  await api.post('/brokers', BROKER);
  const plan = { slug: 'start', display_name: 'Start', upgrade_rank: 1, billing_type: 'monthly' };
  await api.post('/brokers/acme/plans', plan);
  const access = { hostname: 'shop.example.com', ip_addresses: ['192.0.2.10', '2001:db8::10'] };
  const records = [{ service_number: 7001, client: { name: 'Zoe' }, plan: 'start', access }];
  await api.post('/brokers/acme/services/import', { records });
  const body = { access: { ip_addresses: [] }, seen: { access: { ip_addresses: access.ip_addresses } } };
  const emptied = { access: { hostname: 'shop.example.com', ip_addresses: [] } };
  t.match(await api.post('/services/7001/update', body, api.keys.support), { status: 200, data: emptied });
  t.match((await api.get('/services/7001')).data, emptied);
  t.match(await api.post('/services/7001/update', body), {
    status: 409,
    error: { details: { reason: 'changed_meanwhile', fields: [{ current: [] }] } },
  });
  t.match(await api.post('/services/7001/update', { ...body, seen: { access: { ip_addresses: [] } } }), {
    status: 200,
    data: emptied,
  });
});
