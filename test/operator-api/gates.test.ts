import t from 'tap';
import { operatorOwner } from '../../src/limits/operator-slot.ts';
import { createSharedWindows } from '../../src/limits/redis-window.ts';
import { listOperatorKeys, revokeOperatorKey } from '../../src/operator/people/operator-keys.ts';
import { composeKey } from '../../src/rules/key-format.ts';
import { systemClock } from '../../src/runtime/clock.ts';
import { createTestOperatorApi } from '../support/operator-api.ts';
import { REDIS_URL, services } from '../support/services.ts';
import { until } from '../support/until.ts';
import { createWorld } from '../support/world.ts';

const BROKER = { slug: 'acme', name: 'Acme', contact_email: 'a@example.com', sender_email: 'b@example.com' };

t.test('the gates refuse in their order, each with v1’s code and reason', async (t) => {
  const api = await createTestOperatorApi();
  t.teardown(() => api.close());
  const refuses = async (key: string, expected: object, name: string, headers = {}) =>
    t.match((await api.send('POST', '/brokers', '{', key, headers)).error, expected, name);
  const auth = (reason: string) => ({ code: 'authentication_failed', message: 'Invalid API key', details: { reason } });
  await refuses('nonsense', auth('malformed'), 'no key');
  await refuses(composeKey({ mode: 'live', publicId: '00000000', secret: '0'.repeat(32) }), auth('malformed'), 'of v1');
  await refuses(composeKey({ mode: 'ops', publicId: '00000000', secret: '0'.repeat(32) }), auth('invalid'), 'made up');

  const elsewhere = await api.keyOf('admin', { addresses: '198.51.100.0/24' });
  const address = {
    code: 'insufficient_permissions',
    details: { reason: 'ip_not_whitelisted', client_ip: '127.0.0.1' },
  };
  await refuses(elsewhere, address, 'another address');
  await refuses(api.keys.viewer, { code: 'insufficient_permissions', details: { reason: 'missing_role' } }, 'role');
  await refuses(api.keys.admin, { code: 'invalid_request', details: { reason: 'content_type' } }, 'body', {
    'content-type': 'text/plain',
  });
  const here = await api.keyOf('viewer', { addresses: '127.0.0.0/8' });
  t.equal((await api.get('/brokers', here)).status, 200);
});

t.test('a key of the operator is malformed to the API of the brokers', async (t) => {
  const world = await createWorld();
  t.teardown(() => world.close());
  const key = composeKey({ mode: 'ops', publicId: '00000000', secret: '0'.repeat(32) });
  const { status, json } = await world.call(key, 'GET', '/plans');
  t.match([status, json], [401, { error: { details: { reason: 'malformed' } } }]);
});

t.test('a key that is revoked, or ends, is refused within a second', async (t) => {
  const api = await createTestOperatorApi();
  t.teardown(() => api.close());
  const ends = await api.keyOf('viewer', { expires_date: '2030-01-16T12:00:00Z' });
  t.equal((await api.get('/brokers', ends)).status, 200);
  const find = async () =>
    (await listOperatorKeys.run(api.context, {})).records.find(({ expires_date }) => expires_date !== null);
  // It is written in the background.
  await until('the use of the key is noted', async () => (await find())?.last_used_date);
  t.match(await find(), { last_used_date: '2030-01-15T12:00:00.000Z', last_used_ip: '127.0.0.1' });
  const [viewer] = (await listOperatorKeys.run(api.context, {})).records.filter(({ role }) => role === 'viewer');
  t.equal((await api.get('/brokers', api.keys.viewer)).status, 200);
  await revokeOperatorKey.run(api.context, { key_id: String(viewer?.key_id) });
  api.clock.advance(501);
  t.match((await api.get('/brokers', api.keys.viewer)).error, { details: { reason: 'inactive' } });
  api.clock.advance(86_400_000);
  t.match((await api.get('/brokers', ends)).error, { details: { reason: 'expired' } });
});

t.test('600 calls of a key pass in a minute, and its headers tell how many are left', async (t) => {
  const api = await createTestOperatorApi();
  t.teardown(() => api.close());
  const first = await api.get('/brokers');
  t.match(first.headers, { 'x-ratelimit-limit': '600', 'x-ratelimit-remaining': '599', 'cache-control': 'no-store' });
  for (let n = 1; n < 600; n += 1) await api.get('/brokers/acme');
  const over = await api.get('/brokers');
  t.match(over, { status: 429, error: { code: 'rate_limit_exceeded', details: { limit: 600 } } });
  t.equal((await api.get('/brokers', api.keys.viewer)).status, 200, 'another key has a window of its own');
});

t.test('where there is Redis, the calls of a key count together in all processes', async (t) => {
  if (!(await services(t, 'Redis'))) return;
  const windows = async () => {
    const made = createSharedWindows({ url: REDIS_URL, clock: systemClock, patienceMs: 60_000, onChange: () => {} });
    t.teardown(() => made.close());
    await made.started;
    return made;
  };
  const api = await createTestOperatorApi({ limits: await windows() });
  t.teardown(() => api.close());
  const other = await api.process(await windows());
  t.teardown(() => other.close());
  await api.get('/brokers');
  const headers = { authorization: `Bearer ${api.keys.admin}` };
  const second = await other.inject({ url: '/operator/v1/brokers', headers });
  t.equal(second.headers['x-ratelimit-remaining'], '598');
});

t.test('failed keys are counted by address, and a valid key is never refused for them', async (t) => {
  const api = await createTestOperatorApi();
  t.teardown(() => api.close());
  const statuses = [];
  for (let n = 0; n < 101; n += 1) statuses.push((await api.get('/brokers', 'nonsense')).status);
  t.strictSame([statuses[99], statuses[100]], [401, 429]);
  t.equal((await api.get('/brokers')).status, 200);
});

t.test('no cookie, no form token and no CORS below /operator; no key of it elsewhere', async (t) => {
  const api = await createTestOperatorApi();
  t.teardown(() => api.close());
  const admin = await api.signedIn('admin');
  const cookie = [...admin.cookies].map(([name, value]) => `${name}=${encodeURIComponent(value)}`).join('; ');
  const withCookie = await api.app.inject({ url: '/operator/v1/brokers', headers: { cookie } });
  t.match(withCookie.json(), { error: { details: { reason: 'missing' } } });
  const answer = await api.send('POST', '/brokers', BROKER, api.keys.admin, { origin: 'https://evil.example', cookie });
  t.equal(answer.status, 201);
  const names = Object.keys(answer.headers);
  t.strictSame(
    names.filter((name) => /^(access-control|set-cookie)/.test(name)),
    [],
  );
  const page = await api.app.inject({ url: '/brokers', headers: { authorization: `Bearer ${api.keys.admin}` } });
  t.match(page, { statusCode: 303, headers: { location: '/sign-in' } });
  const form = await api.send('POST', '/brokers', 'slug=x', api.keys.admin, {
    'content-type': 'application/x-www-form-urlencoded',
  });
  t.match(form.error, { code: 'invalid_request', details: { reason: 'content_type' } });
});

t.test('an unknown address is answered in the envelope below /operator, as a page elsewhere', async (t) => {
  const api = await createTestOperatorApi();
  t.teardown(() => api.close());
  t.match((await api.app.inject('/operator/nothing')).json(), {
    error: { code: 'not_found', details: { documentation: '/operator/docs' } },
  });
  t.strictSame((await api.get('/nothing')).error, { code: 'not_found', message: 'Not found' });
  t.match((await api.app.inject('/operator/v1/%zz')).json(), { error: { code: 'invalid_request' } });
  t.match((await api.app.inject('/nothing')).headers['content-type'], /text\/html/);
});

t.test('OPERATOR_API=off: every address below /operator is unknown, in the envelope', async (t) => {
  const api = await createTestOperatorApi({ config: { operatorApi: false } });
  t.teardown(() => api.close());
  for (const url of [
    '/operator',
    '/operator/docs',
    '/operator/openapi.json',
    '/operator/v1/brokers',
    '/operator/%zz',
  ]) {
    const { statusCode, headers, json } = await api.app.inject({
      url,
      headers: { authorization: `Bearer ${api.keys.admin}` },
    });
    const { error } = json();
    t.match(headers, { 'x-request-id': /./, 'cache-control': 'no-store' });
    t.strictSame([statusCode, error], [404, { code: 'not_found', message: 'Not found' }], url);
  }
});

t.test('where the use of a key cannot be written, the log says so, and the call is answered', async (t) => {
  const api = await createTestOperatorApi();
  t.teardown(() => api.close());
  const { tx } = api.context.store;
  api.context.store.tx = () => Promise.reject(new Error('the disk is full'));
  t.teardown(() => Object.assign(api.context.store, { tx }));
  t.equal((await api.get('/brokers')).status, 200);
  await until('the log says so', async () => api.logged.some((line) => line.includes('use of a key')));
});

t.test('a rule of v1 answers as in v1; other refusals say so, and a stale edit names what is there now', async (t) => {
  const api = await createTestOperatorApi();
  t.teardown(() => api.close());
  t.equal((await api.post('/brokers', BROKER)).status, 201);
  t.equal((await api.post('/brokers', BROKER)).status, 200, 'made again as it stands');
  t.match(await api.post('/brokers', { ...BROKER, name: 'Other' }), {
    status: 400,
    error: { code: 'invalid_state', message: /already/, details: { reason: 'refused' } },
  });
  const question = await api.post('/brokers/acme/suspend');
  t.match(question, { status: 400, error: { code: 'invalid_state', details: { reason: 'confirmation_needed' } } });
  t.match(question.error.message, /Acme is suspended: its 0 active keys/);
  t.match(await api.post('/brokers/acme/update', { name: 'B', rate_limit: 5, seen: { name: 'A', rate_limit: null } }), {
    status: 409,
    error: {
      code: 'already_processed',
      details: {
        reason: 'changed_meanwhile',
        fields: [{ path: 'body.name', rule: 'changed_meanwhile', current: 'Acme' }],
      },
    },
  });
  t.match(await api.post('/brokers/acme/update', {}), { status: 400, error: { code: 'missing_parameter' } });
  t.match(
    (await api.post('/brokers/acme/keys', { name: 'x', mode: 'live', scopes: [], expires_date: '2020-01-01' })).error,
    {
      code: 'invalid_parameter',
      details: { fields: [{ path: 'body.expires_date' }] },
    },
  );
  t.match(await api.get('/requests/req_none'), { status: 404, error: { code: 'not_found' } });
});

t.test('the faulty records of an import are named by their places; nothing of it is written', async (t) => {
  const api = await createTestOperatorApi();
  t.teardown(() => api.close());
  await api.post('/brokers', BROKER);
  const plan = { slug: 'a', display_name: 'A', upgrade_rank: 1, billing_type: 'monthly' };
  const importing = (body: unknown) => api.post('/brokers/acme/plans/import', body);
  t.match((await importing({ records: [plan, { ...plan, slug: 'b', billing_type: 'never' }] })).error, {
    code: 'invalid_parameter',
    details: { fields: [{ path: 'body.records.1.billing_type', rule: 'format' }] },
  });
  t.match((await importing({})).error, { code: 'missing_parameter', details: { fields: [{ path: 'body.records' }] } });
  t.match((await importing({ records: [], nonsense: 1 })).error, {
    details: { fields: [{ path: 'body.nonsense', rule: 'unknown' }] },
  });
  const json = { 'content-type': 'application/json' };
  const sent = async (body: string) =>
    (await api.send('POST', '/brokers/acme/plans/import', body, api.keys.admin, json)).error;
  for (const body of ['{"records": [1, 2', '{"records": []} x', '{"records": [],}', '{records: []}']) {
    t.match(await sent(body), { code: 'invalid_request', details: { reason: 'malformed_json' } }, body);
  }
  for (const body of ['[]', '"records"', '1']) {
    t.match(await sent(body), { code: 'invalid_request', details: { reason: 'not_an_object' } }, body);
  }
  t.match(await sent(''), { code: 'missing_parameter', details: { fields: [{ path: 'body.records' }] } });
  for (const [fields, path] of [
    [{ records: 5 }, 'body.records'],
    [{ records: [], dry_run: 'yes' }, 'body.dry_run'],
    [{ records: [7] }, 'body.records.0'],
  ] as const) {
    t.match((await importing(fields)).error, {
      code: 'invalid_parameter',
      details: { fields: [{ path, rule: 'type' }] },
    });
  }
  t.match((await importing({ records: [plan], dry_run: true })).data, { dry_run: true, created: 1 });
  t.equal((await api.get('/brokers/acme/plans')).pagination.total, 0);
  t.match((await importing({ dry_run: false, records: [plan] })).data, { created: 1, imported: 1 });
});

t.test('a key has four calls and one import at once; another waits, and is refused after a second', async (t) => {
  const api = await createTestOperatorApi();
  t.teardown(() => api.close());
  await api.post('/brokers', BROKER);
  await api.post('/brokers/acme/templates/service-created/update', { subject: 'S', html: 'H', text: 'T' });
  const held: Array<() => void> = [];
  const hold = () => new Promise<void>((resolve) => held.push(resolve));
  const begun = async (count: number) => {
    while (held.length < count) await new Promise((resolve) => setImmediate(resolve));
  };
  api.mailer.send = async () => {
    await hold();
    return { messageId: 'message' };
  };
  const calls = Array.from({ length: 4 }, () =>
    api.post('/brokers/acme/templates/service-created/test', { to: 'zoe@example.com' }),
  );
  await begun(4);
  const fifth = await api.get('/brokers/acme');
  t.match(fifth, { status: 429, error: { details: { reason: 'too_many_at_once', limit: 4 } } });
  t.equal((await api.get('/brokers/acme', api.keys.viewer)).status, 200, 'another key has calls of its own');
  api.imports.run = async () => {
    await hold();
    return { refusal: 'held' };
  };
  const first = api.post('/brokers/acme/plans/import', { records: [] });
  await begun(5);
  const second = await api.post('/brokers/acme/plans/import', { records: [] });
  t.match(second, { status: 429, error: { details: { reason: 'too_many_at_once', limit: 1 } } });
  let answered = false;
  const other = api
    .post('/brokers/acme/plans/import', { records: [] }, await api.keyOf('admin'))
    .finally(() => (answered = true));
  await until('it began, or was refused', async () => held.length === 6 || answered);
  t.notOk(answered, 'another key has an import of its own');
  for (const release of held) release();
  t.strictSame(
    (await Promise.all(calls)).map(({ status }) => status),
    [200, 200, 200, 200],
  );
  t.strictSame([(await first).status, (await other).status], [400, 400]);
  t.equal((await api.get('/brokers/acme')).status, 200, 'and then there is a place again');
});

t.test('an import ends when the server does: the call can be sent again', async (t) => {
  const api = await createTestOperatorApi();
  t.teardown(() => api.close());
  await api.post('/brokers', BROKER);
  const signals: AbortSignal[] = [];
  api.imports.run = (_task, _onProgress, signal) =>
    new Promise((_resolve, reject) => {
      signals.push(signal as AbortSignal);
      signal?.addEventListener('abort', () => reject(new Error('ended')));
    });
  const url = await api.app.listen({ host: '127.0.0.1', port: 0 });
  const stays = fetch(`${url}/operator/v1/brokers/acme/plans/import`, {
    method: 'POST',
    headers: { authorization: `Bearer ${api.keys.admin}`, 'content-type': 'application/json' },
    body: '{"records":[]}',
  });
  await until('the import began', () => signals.length === 1);
  const closed = api.app.close();
  const answer = await stays;
  t.match([answer.status, answer.headers.get('retry-after')], [500, '5']);
  await closed;
});

t.test('while an import and four lists of an operator are under way, a broker reads and writes', async (t) => {
  const api = await createTestOperatorApi();
  t.teardown(() => api.close());
  await api.post('/brokers', BROKER);
  const { store } = api.context;
  let release: () => void = () => undefined;
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  // The place that operators' lists take in turns.
  const first = store.slow(operatorOwner(), () => held);
  let waiting = 0;
  const { slow } = store;
  store.slow = (...given) => {
    waiting += 1;
    return slow(...given);
  };
  api.imports.run = async () => {
    waiting += 1;
    await held;
    return { refusal: 'held' };
  };
  let answered = 0;
  const calls = [
    api.post('/brokers/acme/services/import', { records: [] }),
    ...Array.from({ length: 4 }, () => api.get('/usage')),
  ].map((call) => call.finally(() => (answered += 1)));
  await until('all of them wait', async () => waiting === 5);
  const ofBroker = await slow({ key: 'brk_1' }, (read) => read.brokers.list());
  t.equal(ofBroker.length, 1);
  await store.tx((tx) => tx.settings.put({ name: 'written', value: 'meanwhile' }));
  t.match(await store.read.settings.find('written'), 'meanwhile');
  t.equal(answered, 0, 'they wait still');
  release();
  await first;
  t.strictSame(
    (await Promise.all(calls)).map(({ status }) => status),
    [400, 200, 200, 200, 200],
  );
});
