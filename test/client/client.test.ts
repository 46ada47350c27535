import t, { type Test } from 'tap';
import type { ClientOptions } from '../../client/src/client.ts';
import { pause, sleep } from '../../client/src/exchange.ts';
import {
  type BrokerError,
  createBrokerClient,
  type Failure,
  failureOf,
  type RequestRecord,
} from '../../client/src/index.ts';
import { served } from '../support/served.ts';
import { listen } from '../support/wire.ts';

type Fault = () => Promise<Response>;

/** A client on a real server and the keys it sent; `faults` meet its next tries, and waits move the server's clock. */
async function connected(t: Test, options: Partial<ClientOptions> = {}) {
  const world = await served(t);
  const port = await listen(world.app);
  const { key } = await world.addKey(world.broker, ['admin:full'], { mode: 'test' });
  const sent: Array<string | null> = [];
  const waits: number[] = [];
  const faults: Fault[] = [];
  const sandbox = createBrokerClient({
    baseUrl: `http://127.0.0.1:${port}/api`,
    apiKey: key,
    fetch: (url, init) => {
      sent.push(init.headers.get('x-idempotency-key'));
      return faults.shift()?.() ?? fetch(url, init);
    },
    wait: async (ms) => {
      waits.push(ms);
      // Epoch milliseconds are whole; a pause by chance need not be.
      world.clock.advance(Math.ceil(ms));
    },
    ...options,
  });
  return { world, sent, waits, faults, sandbox };
}

const broken: Fault = async () => {
  throw new TypeError('fetch failed');
};

async function failureIn(call: Promise<unknown>): Promise<Failure & { attempts: number }> {
  const error = await call.then(
    () => new Error('it succeeded'),
    (error: unknown) => error,
  );
  const failure = failureOf(error);
  if (!failure) throw error;
  return { ...failure, attempts: (error as BrokerError).attempts };
}

const upgrade = { params: { path: { service_number: 900001 } }, body: { new_plan: 'business' } };

t.test('an answer is its envelope beside status, request id and whether it is a replay', async (t) => {
  const { sandbox } = await connected(t);
  const access = await sandbox.get('/v1/auth-check');
  t.match(access, { success: true, status: 200, replayed: false, data: { mode: 'test' } });
  t.match(access.requestId, /^[\w-]+$/);
  const reviewed = await sandbox.post('/v1/services/{service_number}/upgrade', {
    ...upgrade,
    params: { path: { service_number: 900002 } },
  });
  t.match(reviewed, { status: 202, data: { operator_review: true }, message: /./ });
});

t.test('an action that takes an idempotency key gets one that is kept for every try', async (t) => {
  const { sandbox, sent, faults } = await connected(t);
  faults.push(broken);
  const update = { params: upgrade.params, body: { label: 'Shop' } };
  await sandbox.post('/v1/services/{service_number}/update', update);
  await sandbox.post('/v1/services/{service_number}/update', update);
  t.match(sent[0], /^[0-9a-f]{32}$/);
  t.equal(sent[1], sent[0]);
  t.not(sent[2], sent[0], 'and another call gets another');
  faults.push(broken, broken, broken, broken);
  t.match(await failureIn(sandbox.get('/v1/plans')), { code: 'network_failure', attempts: 4 });
});

t.test('the key is trimmed and never shown; headers are checked before a call is sent', async (t) => {
  const secret = 'sk_live_Secret';
  const sent: Array<{ url: string; headers: Headers }> = [];
  const client = (apiKey: unknown) =>
    createBrokerClient({
      baseUrl: 'http://localhost/api\r\n',
      apiKey: apiKey as string,
      fetch: async (url, { headers }) => {
        sent.push({ url, headers });
        return new Response('{"success":true,"data":[]}');
      },
    });
  for (const key of [`sk_live_\nSecret`, `${secret}\u00e9`, `${secret}\0`, ' ', '', undefined, null]) {
    try {
      client(key);
      t.fail(`${key} was accepted`);
    } catch (error) {
      t.type(error, TypeError);
      t.equal(String(error), 'TypeError: apiKey is empty or holds a character that no key has');
    }
  }
  const made = client(` ${secret}\r\n`);
  const body = { new_plan: 'business' };
  const params = { path: { service_number: 1 } };
  for (const idempotencyKey of ['a\r\nX-Other: 1', 'a\n', 'a\0', '\u00e9', '']) {
    await t.rejects(made.post('/v1/services/{service_number}/upgrade', { params, body, idempotencyKey }), {
      name: 'TypeError',
      message: 'idempotencyKey must be printable ASCII on one line',
    });
  }
  t.strictSame(sent, []);
  const absent = { search: undefined, plan: null, limit: 1 } as object;
  await made.get('/v1/services', { params: { query: absent } });
  await made.post('/v1/services/{service_number}/upgrade', { params, body, idempotencyKey: null as never });
  const [read, change] = sent;
  t.equal(read?.url, 'http://localhost/api/v1/services?limit=1');
  t.equal(read?.headers.get('authorization'), `Bearer ${secret}`);
  t.match(change?.headers.get('x-idempotency-key'), /^[0-9a-f]{32}$/, 'an absent one is made');
});

t.test("the caller's signal ends a call with its own reason, between tries and in the middle of a wait", async (t) => {
  const { sandbox, faults, sent } = await connected(t, { wait: sleep });
  const controller = new AbortController();
  faults.push(async () => {
    controller.abort(new Error('not needed any more'));
    throw new TypeError('aborted');
  });
  await t.rejects(sandbox.get('/v1/plans', { signal: controller.signal }), { message: 'not needed any more' });
  await t.rejects(sandbox.get('/v1/plans', { signal: controller.signal }), { message: 'not needed any more' });
  t.equal(sent.length, 1);

  const later = new AbortController();
  const waiting = sleep(1_000_000, later.signal);
  later.abort(new Error('changed my mind'));
  await t.rejects(waiting, { message: 'changed my mind' });
  await sleep(1, new AbortController().signal);
});

t.test('pauses double, and vary so that callers do not come back together', async (t) => {
  for (const [attempt, least] of [
    [1, 0.5],
    [2, 1],
    [3, 2],
  ] as const) {
    const seconds = pause(attempt);
    t.ok(seconds >= least && seconds <= 2 * least, `after try ${attempt}: ${seconds}`);
  }
});

t.test('a list is walked to its end, each item once, by filters alone', async (t) => {
  const { sandbox, sent } = await connected(t);
  const collect = async (query: object) => {
    const found: number[] = [];
    for await (const { service_number } of sandbox.each('/v1/services', { params: { query } }))
      found.push(service_number);
    return found;
  };
  const all = await collect({});
  t.equal(sent.length, 1);
  t.equal(new Set(all).size, all.length);
  const active = await collect({ service_status: 'active' });
  t.ok(active.length > 0 && active.length < all.length);
  t.strictSame(await collect({ search: 'nothing like this' }), []);
});

/** A client of a server that is one list, and answers with what `change` leaves of it. */
function listing(items: object[], counted = Number.POSITIVE_INFINITY, history = () => undefined as string | undefined) {
  const queries: Array<Record<string, string>> = [];
  let serverDate: string | null = null;
  const client = createBrokerClient({
    baseUrl: 'http://localhost/api',
    apiKey: 'key',
    fetch: async (url) => {
      const query = Object.fromEntries(new URL(url).searchParams);
      queries.push(query);
      const { limit, offset = '0', updated_since: since, after_number: number, after_request: id } = query;
      const position = number ?? id;
      const date = ({ updated_date }: { updated_date?: string }) => String(updated_date);
      const key = (item: Record<string, unknown>) =>
        String(id ? item.request_id : item.service_number).padStart(9, '0');
      const found = (items as Array<Record<string, unknown>>).filter(
        (item) =>
          since === undefined ||
          date(item) > since ||
          (date(item) === since && (position === undefined || key(item) > position.padStart(9, '0'))),
      );
      const data = found.slice(Number(offset), Number(offset) + Number(limit));
      const body = { success: true, data, pagination: { total: Math.min(found.length, counted), history: history() } };
      return new Response(JSON.stringify(body), { headers: serverDate ? { 'x-server-date': serverDate } : {} });
    },
  });
  const at = (date: string | null) => {
    serverDate = date;
  };
  return { client, queries, at };
}
const numbered = (count: number, more: object = {}) =>
  Array.from({ length: count }, (_, index) => ({ service_number: 1 + index, ...more }));

t.test('250 items that leave the list while they are worked on are all seen', async (t) => {
  const items = Array.from({ length: 250 }, (_, index) => ({ request_id: `req_${index}`, service_number: 1 }));
  const { client, queries } = listing(items);
  const seen: string[] = [];
  for await (const { request_id } of client.each('/v1/requests')) {
    seen.push(request_id);
    items.splice(
      items.findIndex((item) => item.request_id === request_id),
      1,
    );
  }
  t.strictSame([seen.length, new Set(seen).size], [250, 250]);
  t.ok(queries.length <= 6, `${queries.length} calls`);
});

t.test('while items leave a list or come into it, no other item is missed or seen twice', async (t) => {
  for (const change of [
    // Every third one leaves, new ones come in front, both, and most of the list at once.
    (items: object[], index: number) => index % 3 === 0 && items.splice(Math.floor(index / 3), 1),
    (items: object[], index: number) =>
      index % 5 === 0 && index < 300 && items.unshift({ service_number: 9000 + index }),
    (items: object[], index: number) => {
      if (index % 2 === 0) items.shift();
      if (index % 7 === 0 && index < 300) items.unshift({ service_number: 9000 + index });
    },
    (items: object[], index: number) => index === 250 && items.splice(0, 240),
  ]) {
    const items = numbered(350);
    const { client } = listing(items);
    const seen: number[] = [];
    for await (const { service_number } of client.each('/v1/services')) {
      seen.push(service_number);
      change(items, seen.length);
    }
    t.equal(new Set(seen).size, seen.length, 'none twice');
    const missed = items
      .map(({ service_number }) => service_number)
      .filter((each) => each < 9000 && !seen.includes(each));
    t.strictSame(missed, [], 'none missed');
  }
});

t.test('a list in which nothing changes costs a call for 99 items, whatever its items are known by', async (t) => {
  for (const [path, items] of [
    ['/v1/services', numbered(300)],
    ['/v1/plans', Array.from({ length: 300 }, (_, id) => ({ id }))],
    ['/v1/sandbox/scenarios', Array.from({ length: 300 }, (_, scenario) => ({ scenario, service_number: 1 }))],
    [
      '/v1/usage',
      Array.from({ length: 300 }, (_, index) => ({ from_date: 'x', operation: `${index}`, outcome: 'ok' })),
    ],
  ] as const) {
    const { client, queries } = listing([...items]);
    const seen: object[] = [];
    for await (const item of client.each(path as '/v1/services')) seen.push(item);
    t.strictSame(seen, items, path);
    t.strictSame(
      queries.map(({ offset }) => offset),
      ['0', '99', '198', '297'],
    );
  }
});

t.test('a search whose total stops at 10000 is walked to its end', async (t) => {
  const items = numbered(10_150);
  const { client } = listing(items, 10_000);
  let seen = 0;
  for await (const _ of client.each('/v1/services', { params: { query: { search: 'all' } } })) seen += 1;
  t.equal(seen, items.length);
});

t.test(
  'changes are read in rounds from the date of the server, without repeats, and an idle round is one call',
  async (t) => {
    const bulk = '2030-01-01T00:00:00.000Z';
    const items = numbered(10_000, { updated_date: bulk });
    const { client, queries, at } = listing(items);
    let changes = client.changedServices();
    const round = async () => {
      const found: number[] = [];
      queries.length = 0;
      for await (const { service_number } of changes) found.push(service_number);
      return found;
    };
    at('2030-01-01T00:00:30.000Z');
    t.equal((await round()).length, 10_000);
    t.equal(queries[0]?.updated_since, '1970-01-01T00:00:00.000Z');
    t.strictSame(queries[1], { updated_since: bulk, after_number: '100', limit: '100' });
    at('2030-01-01T00:02:00.000Z');
    t.strictSame(await round(), [], 'the minute of overlap holds all of them once more, and none is handed out');
    t.equal(queries[0]?.updated_since, '2029-12-31T23:59:30.000Z');
    t.strictSame(await round(), []);
    t.strictSame(queries, [{ updated_since: '2030-01-01T00:01:00.000Z', limit: '100' }], 'idle');

    Object.assign(items[7] as object, { updated_date: '2030-01-01T00:01:59.000Z' });
    t.strictSame(await round(), [8]);
    t.strictSame(await round(), []);
    changes = client.changedServices(JSON.parse(JSON.stringify(changes.state)));
    t.strictSame(await round(), [], 'nor after the state was stored');
    Object.assign(items[7] as object, { updated_date: '2030-01-01T00:02:01.000Z' });
    t.strictSame(await round(), [8], 'a second change within the minute is another one');
    t.ok(JSON.stringify(changes.state).length < 200);
  },
);

t.test('a round that was left goes on behind the last page that was worked off', async (t) => {
  const items = Array.from({ length: 250 }, (_, index) => ({
    request_id: `${1000 + index}`,
    updated_date: '2030-01-01T00:00:00.000Z',
  }));
  const { client, queries, at } = listing(items);
  at('2030-01-01T00:00:01.000Z');
  const changes = client.changedRequests(
    { since: '2029-01-01T00:00:00.000Z' },
    { signal: new AbortController().signal },
  );
  const seen: string[] = [];
  for await (const { request_id } of changes) {
    seen.push(request_id);
    if (seen.length === 150) break;
  }
  const { state } = changes;
  t.match(state.round, { next: '2029-12-31T23:59:01.000Z', after: '1099' });
  at('2030-01-01T00:10:00.000Z');
  const resumed = client.changedRequests(JSON.parse(JSON.stringify(state)));
  for await (const { request_id } of resumed) seen.push(request_id);
  t.equal(queries.at(-2)?.after_request, '1099');
  t.strictSame([seen.length, new Set(seen).size], [251, 250], 'the one that was handed out last comes again');
  t.equal(resumed.state.since, '2029-12-31T23:59:01.000Z', "the next round begins at the first round's own date");
});

t.test('after a loss the list is read once from its beginning, and what is not in it any more is named', async (t) => {
  const items = numbered(250, { updated_date: '2030-01-01T00:00:00.000Z' });
  let history: string | undefined;
  const { client, queries, at } = listing(items, Number.POSITIVE_INFINITY, () => history);
  const known = new Set<number>();
  const read = async (state: object, most = Number.POSITIVE_INFINITY) => {
    queries.length = 0;
    const changes = client.changedServices(JSON.parse(JSON.stringify(state)), { known: () => known });
    let count = 0;
    for await (const { service_number } of changes) {
      known.add(service_number);
      count += 1;
      if (count === most) break;
    }
    return { count, state: changes.state, unmet: changes.unmet, begun: queries.map((query) => query.updated_since) };
  };
  at('2030-01-01T00:10:00.000Z');
  const BEGINNING = '1970-01-01T00:00:00.000Z';
  const older = await read({});
  t.equal(older.state.history, undefined, 'a server of 1.1');
  history = '0';
  const first = await read(older.state);
  t.strictSame([first.count, first.unmet, first.state.history], [0, [], '0']);
  history = '1893456600';
  items.splice(100, 20);
  const left = await read(first.state, 130);
  t.equal(left.state.history, '0', 'it is read in one go');
  const whole = await read(left.state);
  t.strictSame([whole.count, whole.state.history], [230, history]);
  t.strictSame(
    whole.unmet,
    Array.from({ length: 20 }, (_, index) => 101 + index),
  );
  t.strictSame(whole.begun.slice(0, 2), ['2030-01-01T00:09:00.000Z', BEGINNING]);
  const next = await read(whole.state);
  t.strictSame([next.count, next.unmet, next.begun], [0, [], ['2030-01-01T00:09:00.000Z']]);
  const upgraded = await read({ since: older.state.since, seen: older.state.seen });
  t.strictSame([upgraded.count, upgraded.unmet.length], [230, 20], 'kept by a client of 1.1');
  const anew = await read({});
  t.strictSame([anew.count, anew.begun[1]], [230, '2030-01-01T00:00:00.000Z'], 'a first read is no second one');
});

t.test('a loss in the middle of a round begins anew', async (t) => {
  const items = numbered(250, { updated_date: '2030-01-01T00:00:00.000Z' });
  let calls = 0;
  const { client, at } = listing(items, Number.POSITIVE_INFINITY, () => (++calls < 3 ? '0' : '7'));
  at('2030-01-01T00:10:00.000Z');
  const changes = client.changedServices({}, { known: () => [1, 250, 251] });
  let count = 0;
  for await (const _ of changes) count += 1;
  t.strictSame([count, changes.unmet, changes.state.history], [450, [251], '7']);
});

t.test(
  'without a date of the server every round begins where the first one did, and a stored state stays small',
  async (t) => {
    const { client, queries } = listing(numbered(1500, { updated_date: '2030-01-01T00:00:00.000Z' }));
    const changes = client.changedServices({});
    for await (const _ of changes);
    t.equal(Object.keys(changes.state.seen ?? {}).length, 1000);
    queries.length = 0;
    for await (const _ of changes) t.fail('a repeat');
    t.equal(queries[0]?.updated_since, '1970-01-01T00:00:00.000Z');
  },
);

t.test('a request is followed at the pace that the API names until it is final', async (t) => {
  const { sandbox, waits } = await connected(t);
  const { data } = await sandbox.post('/v1/services/{service_number}/upgrade', {
    ...upgrade,
    params: { path: { service_number: 900002 } },
  });
  const seen: string[] = [];
  const final = await sandbox.waitUntilFinal(data.request_id, {
    maxWaitSeconds: 7200,
    onProgress: ({ request_status }: RequestRecord) => seen.push(request_status),
  });
  t.match(final, { request_status: 'completed', is_final: true });
  t.equal(seen.at(-1), 'completed');
  t.equal(waits.length, seen.length - 1);
  t.ok(waits.every((ms) => ms >= 1000 && ms <= 3_600_000 && ms % 1000 === 0));
});

t.test('a record that names no time is asked for again after a minute', async (t) => {
  const { sandbox, waits, faults } = await connected(t);
  const record = (is_final: boolean) => async () =>
    new Response(JSON.stringify({ success: true, data: { is_final, next_check_seconds: null } }));
  faults.push(record(false), record(true));
  await sandbox.waitUntilFinal('req_1');
  t.strictSame(waits, [60_000]);
});

t.test('what is no error of the client has no failure', async (t) => {
  t.equal(failureOf(new Error('another')), undefined);
});

/** A client whose requests never become final; its clock moves with its waits and by `callMs` in each call. */
function waiting({ callMs = 0, nextCheck = 60 }) {
  let now = 0;
  const looks: number[] = [];
  const client = createBrokerClient({
    baseUrl: 'http://localhost/api',
    apiKey: 'key',
    now: () => now,
    wait: async (ms) => {
      now += ms;
    },
    fetch: async () => {
      looks.push(now);
      now += callMs;
      return new Response(JSON.stringify({ success: true, data: { is_final: false, next_check_seconds: nextCheck } }));
    },
  });
  return { client, looks, now: () => now };
}

t.test('what does not become final in time is a failure of its own, neither early nor late', async (t) => {
  for (const [options, looks, end] of [
    [{}, [0, 60_000, 120_000, 180_000, 199_000], 199_000],
    [{ nextCheck: 3600 }, [0, 199_000], 199_000],
    [{ nextCheck: 60, callMs: 50_000 }, [0, 110_000], 199_000],
  ] as const) {
    const { client, looks: found, now } = waiting(options);
    const failed = failureIn(client.waitUntilFinal('req_1', { maxWaitSeconds: 200 }));
    t.match(await failed, { code: 'not_final_yet', reason: null, status: null });
    t.strictSame(found.slice(0, looks.length), looks);
    t.ok(now() >= end && now() <= 250_000, `it ended at ${now()}`);
  }
});

t.test('a call that hangs ends with the time that the whole wait was given', async (t) => {
  const client = createBrokerClient({
    baseUrl: 'http://localhost/api',
    apiKey: 'key',
    fetch: (_, { signal }) =>
      new Promise((_, reject) => signal.addEventListener('abort', () => reject(new TypeError('aborted')))),
  });
  const failed = failureIn(client.waitUntilFinal('req_1', { maxWaitSeconds: 0.02 }));
  // The timers of signals do not keep a process alive; a call's connection does.
  const connection = setTimeout(() => undefined, 10_000);
  t.match(await failed, { code: 'not_final_yet' });
  clearTimeout(connection);
  const { sandbox } = await connected(t);
  t.match(await failureIn(sandbox.waitUntilFinal('req_1')), { code: 'not_found' });
});

t.test('a signal that is aborted already ends a wait before it begins', async (t) => {
  await t.rejects(sleep(1_000_000, AbortSignal.abort(new Error('too late'))), { message: 'too late' });
});

t.test('a base address may end in a slash', async (t) => {
  const { world } = await connected(t);
  const { port } = world.app.server.address() as { port: number };
  const client = createBrokerClient({ baseUrl: `http://127.0.0.1:${port}/api/`, apiKey: world.key });
  t.match(await client.get('/v1/auth-check'), { status: 200 });
});
