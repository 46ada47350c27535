import t from 'tap';
import { openSandboxStore } from '../../src/compose.ts';
import { createSandboxWorld } from '../support/sandbox.ts';
import { NO_REQUEST, NO_SERVICE, refused } from '../support/v1.ts';

const client = { name: 'Ada Example', email: 'ada@example.com' };
const DAY = 86_400;

t.test('a sandbox keeps what is done in it, and its clock lets a service live through a year', async (t) => {
  const { get, post, clock, liveKey, call, world } = await aSandbox(t);
  const advance = (advance_seconds: number) => post('/sandbox/clock', { advance_seconds });
  const serviceAt = async (number: number) => (await get(`/services/${number}`)).json.data;

  const first = await post('/services', { plan: 'starter', client, external_reference: 'CRM-1' });
  const second = await post('/services', { plan: 'starter', client });
  const { service_number: number, request_id: creation } = first.json.data;
  t.strictSame([first.status, number, second.json.data.service_number], [201, 950001, 950002]);
  t.match(await serviceAt(number), { service_status: 'pending', external_reference: 'CRM-1' });
  t.match((await get('/sandbox')).json.data, {
    offset_seconds: 0,
    next_due_date: new Date(clock.now() + 5000).toISOString(),
    services: { count: 26, limit: 1000 },
    requests: { count: 11, limit: 10000 },
  });
  clock.advance(6_000);
  refused(t, await post(`/requests/${creation}/withdraw`), {
    status: 400,
    code: 'invalid_state',
    reason: 'work_has_begun',
  });
  t.equal((await get(`/requests/${creation}`)).json.data.next_check_seconds, 4);
  clock.advance(4_000);
  t.match(await serviceAt(number), { service_status: 'active', open_request: null });
  t.match((await get(`/requests/${creation}`)).json.data, {
    request_status: 'completed',
    history: [{ request_status: 'accepted' }, { request_status: 'completed', actor: 'system' }],
  });

  const upgrade = await post(`/services/${number}/upgrade`, { new_plan: 'business' });
  t.match(upgrade.json.data, { request_status: 'accepted', next_check_seconds: 5 });
  t.match((await advance(10)).json.data, { offset_seconds: 10, next_due_date: null });
  t.equal((await serviceAt(number)).plan.slug, 'business');

  const again = await post(`/services/${number}/upgrade`, { new_plan: 'enterprise' });
  const withdrawn = await post(`/requests/${again.json.data.request_id}/withdraw`, { reason: 'Too dear.' });
  t.match(withdrawn.json.data, { request_status: 'failed', is_final: true, failure: { reason: 'withdrawn' } });
  await advance(60);
  t.match((await get(`/requests/${again.json.data.request_id}`)).json.data, { request_status: 'failed' });
  t.equal((await serviceAt(number)).plan.slug, 'business');

  const renewal = Date.parse((await serviceAt(number)).renewal_date);
  await advance(330 * DAY);
  t.ok(Date.parse((await serviceAt(number)).renewal_date) > renewal + 300 * DAY * 1000);
  const cancelled = await post(`/services/${number}/cancel`);
  const { effective_date: ends } = cancelled.json.data;
  await post('/sandbox/clock', { date: ends });
  t.equal((await serviceAt(number)).service_status, 'active');
  await advance(10);
  const ended = await serviceAt(number);
  t.strictSame(
    [ended.service_status, ended.cancelled_date],
    ['cancelled', new Date(Date.parse(ends) + 10_000).toISOString()],
  );

  refused(t, await post('/sandbox/clock', { date: '2020-01-01' }), {
    status: 400,
    code: 'invalid_parameter',
    reason: 'clock_out_of_range',
  });
  const { sandbox_date: date } = (await get('/sandbox')).json.data;
  clock.advance(59_000);
  const same = (await post('/sandbox/clock', { date })).json.data;
  t.equal(Date.parse(same.sandbox_date), Date.parse(date) + 59_000, 'a repetition moves nothing');
  refused(t, await post('/sandbox/clock', {}), { status: 400, code: 'missing_parameter', fields: ['body required'] });
  refused(t, await post('/sandbox/clock', { date, advance_seconds: 1 }), {
    status: 400,
    code: 'invalid_parameter',
    fields: ['body.date conflict'],
  });
  for (const path of ['/sandbox/clock', '/sandbox/reset', '/sandbox', '/sandbox/scenarios']) {
    const method = /clock|reset/.test(path) ? 'POST' : 'GET';
    refused(t, await call(liveKey, method, path, { body: method === 'POST' ? 'no body' : undefined }), {
      status: 404,
      code: 'not_found',
      message: 'Not found',
    });
  }
  refused(t, await call(liveKey, 'GET', `/services/${number}`), NO_SERVICE);

  const fresh = (await post('/sandbox/reset')).json.data;
  t.match(fresh, { offset_seconds: 0, next_due_date: null, services: { count: 24 }, requests: { count: 9 } });
  refused(t, await get(`/services/${number}`), NO_SERVICE);
  t.ok(world);
});

t.test('the operator of the sandbox decides after 20 s, and failing work fails', async (t) => {
  const { get, post, clock } = await aSandbox(t);
  const upgrade = async (number: number) => {
    const answer = await post(`/services/${number}/upgrade`, { new_plan: 'enterprise' });
    return { status: answer.status, data: answer.json.data };
  };
  const [accepted, denied, failing] = [await upgrade(900002), await upgrade(900003), await upgrade(900011)];
  t.strictSame([accepted.status, denied.status, failing.status], [202, 202, 200]);
  t.equal(accepted.data.next_check_seconds, 20);
  clock.advance(20_000);
  const of = async ({ data }: typeof accepted) => (await get(`/requests/${data.request_id}`)).json.data;
  t.match(await of(accepted), { request_status: 'accepted', decision: { action: 'accept', decided_by: 'operator' } });
  t.match(await of(denied), { request_status: 'denied', decision: { action: 'deny', decided_by: 'operator' } });
  t.match(await of(failing), { request_status: 'failed', failure: { reason: 'provisioning_failed' } });
  clock.advance(10_000);
  t.match(await of(accepted), { request_status: 'completed' });

  // Reviewed again, and cancelled meanwhile: the review is closed with it.
  const late = await upgrade(900018);
  await post('/services/900018/cancel');
  clock.advance(20_000);
  t.match(await of(late), { request_status: 'denied', decision: { reason: 'service_cancelled' } });
});

t.test('created services borrow behaviour by their reference', async (t) => {
  const { get, post, clock } = await aSandbox(t);
  const create = async (like: number) => {
    const created = await post('/services', { plan: 'starter', client, external_reference: `like-${like}` });
    return created.json.data.service_number as number;
  };
  const numbers = new Map<number, number>();
  for (const like of [900002, 900006, 900007, 900008, 900009, 900011, 900022, 900023, 900429, 900500]) {
    numbers.set(like, await create(like));
  }
  const of = (like: number) => Number(numbers.get(like));
  clock.advance(10_000);
  const warn = (like: number) => post(`/services/${of(like)}/cancellation-warning`, { warningReason: 'Overdue.' });
  t.equal((await post(`/services/${of(900002)}/upgrade`, { new_plan: 'business' })).status, 202);
  refused(t, await warn(900006), { status: 400, code: 'missing_customer_email' });
  t.equal((await get(`/services/${of(900006)}`)).json.data.client.email, client.email);
  refused(t, await warn(900007), { status: 400, code: 'template_not_found' });
  t.equal((await warn(900008)).json.error.details.reason, 'rejected');
  t.strictSame((await warn(900009)).json.data.request_id, null);
  const warned = await warn(900002);
  refused(t, await get(`/requests/${warned.json.data.request_id}`), NO_REQUEST);
  t.equal((await get(`/services/${of(900011)}`)).json.data.service_status, 'terminated');
  t.match((await get(`/services/${of(900022)}`)).json.data, {
    open_request: { type: 'plan-upgrade', request_status: 'pending' },
  });
  t.match((await get(`/services/${of(900023)}`)).json.data, { open_request: { type: 'cancellation' } });
  const limited = await get(`/services/${of(900429)}`);
  t.strictSame([limited.status, limited.headers['retry-after']], [429, '1']);
  t.equal((await post(`/services/${of(900500)}/cancel`, {}, { 'x-idempotency-key': 'k' })).status, 500);
  t.equal((await post(`/services/${of(900500)}/update`, { external_reference: null })).status, 200);
  t.equal((await post(`/services/${of(900500)}/cancel`, {}, { 'x-idempotency-key': 'k' })).status, 200);
  await post(`/services/${of(900500)}/update`, { external_reference: 'like-900500' });
  const replayed = await post(`/services/${of(900500)}/cancel`, {}, { 'x-idempotency-key': 'k' });
  t.strictSame([replayed.status, replayed.headers['idempotent-replayed']], [200, 'true']);
});

t.test('brokers have sandboxes of their own, with the same numbers and ids', async (t) => {
  const { get, post, world, call } = await aSandbox(t);
  const other = await world.addBroker();
  const { key } = await world.addKey(other, ['admin:full'], { mode: 'test' });
  for (const number of [900001, 900002]) await post(`/services/${number}/upgrade`, { new_plan: 'business' });
  await post('/requests/req_test_sample_pending/approve');
  t.equal((await call(key, 'GET', '/services/900001')).json.data.open_request, null);
  t.match((await call(key, 'GET', '/requests/req_test_sample_pending')).json.data, { request_status: 'pending' });
  await post('/sandbox/clock', { advance_seconds: 100 });
  t.equal((await get('/services/900001')).json.data.plan.slug, 'business');
  const theirs = await call(key, 'GET', '/services?search=900001');
  t.strictSame([theirs.json.pagination.total, theirs.json.data[0].plan.slug], [1, 'starter']);
  t.equal((await call(key, 'GET', '/sandbox')).json.data.offset_seconds, 0);
  const report = await call(key, 'POST', '/reports/services', { body: {} });
  t.match(report.json.data, { row_count: 24, recipient_email: other.contactEmail });
  t.equal((await call(key, 'POST', '/reports/invoices', { body: {} })).json.data.row_count, 0);
});

t.test('the operator removes one, which is made anew at the next call', async (t) => {
  const { get, post, world, broker, store } = await aSandbox(t);
  await post('/services/900001/upgrade', { new_plan: 'business' });
  await world.sandboxes.remove(broker.id);
  t.equal(await store.read.sandboxes.find(broker.id), null);
  t.equal(await world.sandboxes.find(broker.id), null);
  t.equal((await get('/services/900001')).json.data.open_request, null);
});

t.test('one that was not called for ninety days is made anew', async (t) => {
  const { get, post, clock } = await aSandbox(t);
  await post('/services', { plan: 'starter', client });
  t.match((await get('/sandbox')).json.data.services, { count: 25 });
  clock.advance(2 * DAY * 1000);
  t.match((await get('/sandbox')).json.data.services, { count: 25 });
  clock.advance(91 * DAY * 1000);
  t.match((await get('/sandbox')).json.data.services, { count: 24 });
});

t.test('a copy that is kept in step sees the renewals that a moved clock brings, each in one step', async (t) => {
  const { get, post } = await aSandbox(t);
  const before = (await get('/services/900001')).json.data;
  const { sandbox_date: since } = (await get('/sandbox')).json.data;
  await post('/sandbox/clock', { advance_seconds: 100 * DAY });
  const { sandbox_date: now } = (await get('/sandbox')).json.data;
  const changed = (await get(`/services?updated_since=${since}&limit=100`)).json.data as Record<string, string>[];
  const after = changed.find(({ service_number: number }) => String(number) === '900001');
  t.ok(after, 'the list of changes has it');
  t.ok(String(after?.renewal_date) > now, 'the next date after the one of the sandbox');
  t.ok(Date.parse(String(after?.renewal_date)) - Date.parse(now) <= 31 * DAY * 1000);
  t.ok(String(after?.updated_date) > before.updated_date);
  const { actions: _, has_credentials: __, ...single } = (await get('/services/900001')).json.data;
  t.strictSame(single, after);
  const ended = (await get('/services/900004')).json.data;
  t.ok(ended.renewal_date < now, 'what has ended keeps its last date');
});

t.test('a service of the sandbox has what was chosen for it, an address and actions', async (t) => {
  const { get, post } = await aSandbox(t);
  const advance = (advance_seconds: number) => post('/sandbox/clock', { advance_seconds });
  const created = await post('/services', {
    plan: 'business',
    client,
    configuration: { hostname: 'shop.example.com' },
  });
  const number = created.json.data.service_number;
  const service = async () => (await get(`/services/${number}`)).json.data;
  t.match(await service(), { access: null, expected: { service_status: 'active', plan: { slug: 'business' } } });
  await advance(10);
  t.match(await service(), {
    configuration: { image: 'debian-13', hostname: 'shop.example.com' },
    access: { hostname: 'shop.example.com', ip_addresses: [/^192\.0\.2\.\d+$/, /^2001:db8::/], username: 'root' },
    has_credentials: true,
  });
  const console = await post(`/services/${number}/actions`, { action: 'console' });
  t.equal(console.status, 202);
  await advance(20);
  t.match((await get(`/requests/${console.json.data.request_id}`)).json.data, { request_status: 'accepted' });
  await advance(10);
  t.match(await service(), { access: { login_url: `https://panel.example.com/services/${number}/console` } });
  const downgrade = await post(`/services/${number}/downgrade`, { new_plan: 'starter' });
  t.equal(downgrade.status, 202, 'the disk would shrink');
  await advance(20);
  t.match((await get(`/requests/${downgrade.json.data.request_id}`)).json.data, { decision: { action: 'accept' } });
});

t.test('900006 can be warned once an update has given it an address', async (t) => {
  const { post } = await aSandbox(t);
  const warn = () => post('/services/900006/cancellation-warning', { warningReason: 'x' });
  refused(t, await warn(), { status: 400, code: 'missing_customer_email' });
  await post('/services/900006/update', { client: { email: 'now@example.com' } });
  t.equal((await warn()).status, 200);
});

t.test('an update lends a created service the behaviour of another row, and takes it back', async (t) => {
  const { post, clock } = await aSandbox(t);
  const { service_number: number } = (await post('/services', { plan: 'starter', client })).json.data;
  clock.advance(10_000);
  const upgrade = () => post(`/services/${number}/upgrade`, { new_plan: 'business' });
  await post(`/services/${number}/update`, { external_reference: 'like-900002' });
  const reviewed = await upgrade();
  t.equal(reviewed.status, 202);
  await post(`/requests/${reviewed.json.data.request_id}/withdraw`);
  await post(`/services/${number}/update`, { external_reference: null });
  t.equal((await upgrade()).status, 200);
});

t.test("idempotency keys are kept by the real clock, however far the sandbox's is ahead, until a reset", async (t) => {
  const { post } = await aSandbox(t);
  const cancel = () => post('/services/900001/cancel', {}, { 'x-idempotency-key': 'once' });
  const first = await cancel();
  await post('/sandbox/clock', { advance_seconds: 300 * DAY });
  const again = await cancel();
  t.strictSame([again.raw, again.headers['idempotent-replayed']], [first.raw, 'true']);
  await post('/sandbox/reset');
  const anew = await cancel();
  t.strictSame([anew.status, anew.headers['idempotent-replayed']], [200, undefined]);
  t.not(anew.json.data.request_id, first.json.data.request_id);
});

/** A sandbox of a broker, with the store that it lies in. */
async function aSandbox(t: Parameters<typeof createSandboxWorld>[0]) {
  const world = await createSandboxWorld(t);
  const database = { kind: 'sqlite' as const, file: `${world.directory}/broker.db` };
  const store = await openSandboxStore({ database }, world, () => undefined);
  t.teardown(() => store.close());
  return { ...world, store, world };
}
