import t, { type Test } from 'tap';
import { addRequest, moveService } from '../support/v1.ts';
import { createWorld } from '../support/world.ts';

async function setting(t: Test) {
  const world = await createWorld();
  t.teardown(() => world.close());
  const broker = await world.addBroker();
  const { key, row } = await world.addKey(broker);
  const small = await world.addPlan(broker, { slug: 'small', upgradeRank: 1 });
  await world.addPlan(broker, { slug: 'large', upgradeRank: 2 });
  const service = await world.addService(broker, small);
  const total = async () => (await world.call(key, 'GET', '/requests')).json.pagination.total as number;
  return {
    ...world,
    world,
    broker,
    key,
    row,
    small,
    service,
    total,
    upgrade: `/services/${service.number}/upgrade`,
    cancel: `/services/${service.number}/cancel`,
    /** A POST under an idempotency key. */
    post: (url: string, body: unknown, name: string | undefined, by = key) =>
      world.call(by, 'POST', url, { body, headers: name === undefined ? {} : { 'x-idempotency-key': name } }),
  };
}

type Answer = Awaited<ReturnType<Awaited<ReturnType<typeof setting>>['post']>>;

const CREATION = { plan: 'small', client: { name: 'Ada', email: 'ada@example.com' } };

/** Status, bytes and the replay's mark. */
const shown = ({ status, raw, headers }: Answer) => [
  status,
  raw,
  headers['idempotent-replayed'],
  headers['content-type'],
];

function isReplay(t: Test, first: Answer, second: Answer, title = 'a replay') {
  const [status, raw, mark, type] = shown(first);
  t.equal(mark, undefined, title);
  t.strictSame(shown(second), [status, raw, 'true', type], title);
}

t.test('the same key and input replays the first answer byte for byte, whatever has happened since', async (t) => {
  const { post, upgrade, clock, total, world, service } = await setting(t);
  const first = await post(upgrade, { new_plan: 'large' }, 'one');
  t.equal(first.status, 200);
  clock.advance(3_600_000);
  await moveService(world, service, { status: 'suspended' });
  isReplay(t, first, await post(upgrade, { new_plan: 'large' }, 'one'));
  t.equal(await total(), 1);
});

t.test('replays carry what every answer of that moment carries', async (t) => {
  const { post, upgrade } = await setting(t);
  const first = await post(upgrade, { new_plan: 'large' }, 'one');
  const second = await post(upgrade, { new_plan: 'large' }, 'one');
  t.not(second.headers['x-request-id'], first.headers['x-request-id']);
  t.equal(second.headers['cache-control'], 'no-store');
  t.equal(Number(second.headers['x-ratelimit-remaining']), Number(first.headers['x-ratelimit-remaining']) - 1);
});

t.test('fifty equal calls at once do the work once, and forty-nine are told that they replay', async (t) => {
  const { post, upgrade, total } = await setting(t);
  const answers = await Promise.all(Array.from({ length: 50 }, () => post(upgrade, { new_plan: 'large' }, 'burst')));
  t.strictSame([...new Set(answers.map(({ status, raw }) => `${status} ${raw}`))].length, 1);
  t.equal(answers[0]?.status, 200);
  t.equal(answers.filter(({ headers }) => headers['idempotent-replayed'] === 'true').length, 49);
  t.equal(await total(), 1);
  const created = await Promise.all(Array.from({ length: 50 }, () => post('/services', CREATION, 'burst')));
  t.strictSame(new Set(created.map(({ json }) => json.data.service_number)).size, 1);
  t.equal(await total(), 2);
});

t.test('other input under a used key is refused: another value, field, service, operation or spelling', async (t) => {
  const { post, cancel, upgrade, addService, broker, small, total } = await setting(t);
  const other = await addService(broker, small);
  const first = await post(cancel, { reason: 'Moving', cancellation_type: 'immediate' }, 'one');
  t.equal(first.status, 200);
  const changed: [url: string, body: object][] = [
    [cancel, { reason: 'moving', cancellation_type: 'immediate' }],
    [cancel, { reason: 'Moving ', cancellation_type: 'immediate' }],
    [cancel, { reason: '\u00a0Moving', cancellation_type: 'immediate' }],
    [cancel, { reason: 'Moving' }],
    [cancel, { cancellation_type: 'immediate' }],
    [cancel, {}],
    [`/services/${other.number}/cancel`, { reason: 'Moving', cancellation_type: 'immediate' }],
    [upgrade, { new_plan: 'large' }],
    [upgrade.replace('upgrade', 'downgrade'), { new_plan: 'large' }],
    ['/requests/none/approve', {}],
  ];
  for (const [url, body] of changed) {
    const { status, json, headers } = await post(url, body, 'one');
    t.strictSame(
      [status, json.error.code, json.error.details.reason],
      [409, 'already_processed', 'idempotency_key_reused'],
      JSON.stringify(body),
    );
    t.equal(json.error.details.correlation_id, headers['x-request-id']);
    t.equal(headers['idempotent-replayed'], undefined);
  }
  t.equal(await total(), 1);
});

t.test('the order of keys, white space between them and leading zeros make no other input', async (t) => {
  const { call, key, cancel, service, post } = await setting(t);
  const body = '{"reason":"Moving","cancellation_type":"immediate"}';
  const send = (url: string, text: string) =>
    call(key, 'POST', url, { body: text, headers: { 'x-idempotency-key': 'k', 'content-type': 'application/json' } });
  const first = await send(cancel, body);
  isReplay(t, first, await send(cancel, '{ "cancellation_type" : "immediate",\n "reason":"\\u004doving" }'));
  isReplay(t, first, await send(cancel.replace('services/', 'services/00'), body));
  isReplay(
    t,
    first,
    await send(
      cancel.replace(String(service.number), `%3${String(service.number)[0]}${String(service.number).slice(1)}`),
      body,
    ),
  );
  const created = await post('/services', CREATION, 'k');
  const { client, plan } = CREATION;
  isReplay(t, created, await post('/services', { client: { email: client.email, name: client.name }, plan }, 'k'));
});

t.test('an absent body, an empty one and {} are the same input', async (t) => {
  const { call, key, cancel } = await setting(t);
  const headers = { 'x-idempotency-key': 'k' };
  const first = await call(key, 'POST', cancel, { headers });
  t.equal(first.status, 200);
  isReplay(t, first, await call(key, 'POST', cancel, { headers, body: {} }));
  isReplay(
    t,
    first,
    await call(key, 'POST', cancel, { headers: { ...headers, 'content-type': 'application/json' }, body: '' }),
  );
});

t.test('creation replays whatever the new body says, and says so', async (t) => {
  const { post, total } = await setting(t);
  const first = await post('/services', CREATION, 'one');
  t.equal(first.status, 201);
  isReplay(t, first, await post('/services', CREATION, 'one'));
  const other = await post('/services', { ...CREATION, label: 'Another' }, 'one');
  t.strictSame([other.status, other.headers['idempotent-replayed'], other.json.data], [201, 'true', first.json.data]);
  t.match(other.json.message, /ignored/);
  t.equal((await post('/services', { plan: 'small' }, 'one')).json.error.code, 'missing_parameter', 'gate 5 holds');
  t.equal(await total(), 1);
});

t.test('failures are not stored: the key is free for the same or other input', async (t) => {
  const { post, upgrade, cancel } = await setting(t);
  const failures: [url: string, body: object, status: number][] = [
    [upgrade, {}, 400],
    [upgrade, { new_plan: 'none' }, 400],
    [upgrade, { new_plan: 'small' }, 400],
    ['/services/1/upgrade', { new_plan: 'large' }, 404],
    ['/requests/none/approve', {}, 404],
  ];
  for (const [url, body, status] of failures) {
    for (const _ of ['first', 'again']) {
      const answer = await post(url, body, 'one');
      t.strictSame([answer.status, answer.headers['idempotent-replayed']], [status, undefined], JSON.stringify(body));
    }
  }
  t.equal((await post(cancel, {}, 'one')).status, 200);
});

t.test('what comes before it holds for replays too: the key, the scope and the rate limit', async (t) => {
  const { post, upgrade, store, row, clock, key } = await setting(t);
  const body = { new_plan: 'large' };
  t.equal((await post(upgrade, body, 'one')).status, 200);
  const changed = async (fields: object) => {
    await store.tx((tx) => tx.keys.update(row.id, fields));
    clock.advance(1000);
    return (await post(upgrade, body, 'one')).status;
  };
  t.equal(await changed({ scopes: '["services:read"]' }), 403);
  t.equal(await changed({ scopes: '["admin:full"]' }), 200);
  t.equal(await changed({ rateLimit: 1 }), 429);
  t.equal(await changed({ rateLimit: null, status: 'revoked' }), 401);
  t.equal((await post(upgrade, body, 'one', key)).status, 401);
});

t.test('keys belong to broker and mode, survive rotation, and creation has names of its own', async (t) => {
  const { post, upgrade, cancel, broker, addBroker, addKey, addPlan, addService } = await setting(t);
  const first = await post(upgrade, { new_plan: 'large' }, 'one');
  const rotated = await addKey(broker);
  isReplay(t, first, await post(upgrade, { new_plan: 'large' }, 'one', rotated.key), 'another key of the broker');
  t.equal((await post(cancel, {}, 'one', rotated.key)).status, 409);
  t.equal((await post('/services', CREATION, 'one')).status, 201, 'creation');
  const sandbox = await addKey(broker, ['admin:full'], { mode: 'test' });
  const simulated = await post('/services/900001/cancel', {}, 'one', sandbox.key);
  t.strictSame([simulated.status, simulated.headers['idempotent-replayed']], [200, undefined], 'the sandbox');
  isReplay(t, simulated, await post('/services/900001/cancel', {}, 'one', sandbox.key));
  t.equal((await post('/services/900013/cancel', {}, 'one', sandbox.key)).status, 409);
  const stranger = await addBroker();
  const theirs = await addService(stranger, await addPlan(stranger));
  const by = await addKey(stranger);
  t.equal((await post(`/services/${theirs.number}/cancel`, {}, 'one', by.key)).status, 200, 'another broker');
});

t.test('a key is kept for 30 days, and for good where it created a service', async (t) => {
  const { post, upgrade, cancel, clock } = await setting(t);
  const first = await post(upgrade, { new_plan: 'large' }, 'one');
  const created = await post('/services', CREATION, 'one');
  clock.advance(30 * 86_400_000 - 1);
  isReplay(t, first, await post(upgrade, { new_plan: 'large' }, 'one'));
  clock.advance(1);
  t.equal((await post(cancel, { cancellation_type: 'immediate' }, 'one')).status, 200, 'free again');
  clock.advance(3650 * 86_400_000);
  isReplay(t, created, await post('/services', CREATION, 'one'));
});

t.test('a key is 1 to 255 printable ASCII characters; anything else stands among the other faults', async (t) => {
  const { post, upgrade, cancel, call, key } = await setting(t);
  const malformed: [name: string, rule: string][] = [
    ['', 'blank'],
    ['x'.repeat(256), 'too_long'],
    ['caf\u00e9', 'format'],
    ['tab\there', 'format'],
  ];
  for (const [name, rule] of malformed) {
    const { status, json } = await post(upgrade, { extra: 1 }, name);
    t.equal(status, 400);
    t.strictSame(
      json.error.details.fields.map((field: { path: string; rule: string }) => `${field.path} ${field.rule}`).sort(),
      ['body.extra unknown', 'body.new_plan required', `header.x-idempotency-key ${rule}`],
      rule,
    );
    t.equal((await post(cancel, {}, name)).json.error.code, 'invalid_parameter');
  }
  const longest = Array.from({ length: 255 }, (_, i) => String.fromCharCode(0x21 + (i % 94))).join('');
  for (const name of ['a', '!', 'two words', longest]) {
    const first = await post('/services', CREATION, name);
    isReplay(t, first, await post('/services', CREATION, name));
  }
  for (const [method, url] of [
    ['GET', '/plans'],
    ['POST', '/auth-check'],
  ] as const) {
    const answer = await call(key, method, url, { headers: { 'x-idempotency-key': 'x'.repeat(300) } });
    t.strictSame([answer.status, answer.headers['idempotent-replayed']], [200, undefined], 'ignored elsewhere');
  }
});

t.test('Idempotency-Key is the same header: equal values under both names are one key', async (t) => {
  const { call, key, cancel, post } = await setting(t);
  const send = (headers: Record<string, string>, url = cancel, body: object = {}) =>
    call(key, 'POST', url, { body, headers });
  const first = await send({ 'idempotency-key': '"one"' });
  t.equal(first.status, 200);
  isReplay(t, first, await send({ 'Idempotency-Key': '"one"' }));
  isReplay(t, first, await post(cancel, {}, '"one"'), 'the other name');
  isReplay(t, first, await send({ 'idempotency-key': '"one"', 'x-idempotency-key': '"one"' }), 'both names');
  t.equal((await send({ 'idempotency-key': 'one' })).status, 400, 'quotes belong to the value: another key');
  const creation = await send({ 'idempotency-key': 'k' }, '/services', CREATION);
  isReplay(t, creation, await post('/services', CREATION, 'k'), 'creation takes it too');

  const faultsOf = async (headers: Record<string, string>) => {
    const { status, json } = await send(headers);
    t.equal(`${status} ${json.error.code}`, '400 invalid_parameter');
    return json.error.details.fields.map((field: { path: string; rule: string }) => `${field.path} ${field.rule}`);
  };
  for (const [theirs, ours, ...faults] of [
    ['a', 'b', 'header.idempotency-key conflict'],
    ['a', 'A', 'header.idempotency-key conflict'],
    ['a', '', 'header.x-idempotency-key blank', 'header.idempotency-key conflict'],
    ['', undefined, 'header.idempotency-key blank'],
    ['x'.repeat(256), undefined, 'header.idempotency-key too_long'],
    ['caf\u00e9', undefined, 'header.idempotency-key format'],
  ] as const) {
    const headers = { 'idempotency-key': theirs, ...(ours !== undefined && { 'x-idempotency-key': ours }) };
    t.strictSame((await faultsOf(headers)).sort(), [...faults].sort(), JSON.stringify(headers));
  }
  for (const [method, url] of [
    ['GET', '/plans'],
    ['POST', '/auth-check'],
  ] as const) {
    const headers = { 'x-idempotency-key': 'a', 'idempotency-key': 'b'.repeat(300) };
    t.equal((await call(key, method, url, { headers })).status, 200, 'ignored elsewhere');
  }
});

t.test('a denial takes no key: the second one meets what the first has done', async (t) => {
  const { world, service, post } = await setting(t);
  const { id } = await addRequest(world, service, { type: 'cancellation' });
  t.equal((await post(`/requests/${id}/deny`, { reason: 'No' }, 'one')).status, 200);
  const second = await post(`/requests/${id}/deny`, { reason: 'No' }, 'one');
  t.strictSame([second.status, second.json.error.details.reason], [409, 'request_already_processed']);
});
