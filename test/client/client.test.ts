import t, { type Test } from 'tap';
import type { ClientOptions } from '../../client/src/client.ts';
import { sleep, waitBeforeRepeat } from '../../client/src/exchange.ts';
import {
  type BrokerError,
  createBrokerClient,
  type Failure,
  failureOf,
  type RequestRecord,
} from '../../client/src/index.ts';
import { served } from '../support/served.ts';
import { listen } from '../support/wire.ts';

interface Sent {
  method: string;
  url: string;
  key: string | null;
  body: string | undefined;
}

type Fault = (forward: () => Promise<Response>) => Promise<Response>;

/** A client on a real server; `faults` meet its next tries, one each, and waits move the server's clock. */
async function connected(t: Test, options: Partial<ClientOptions> = {}) {
  const world = await served(t);
  const port = await listen(world.app);
  const { key } = await world.addKey(world.broker, ['admin:full'], { mode: 'test' });
  const sent: Sent[] = [];
  const waits: number[] = [];
  const faults: Fault[] = [];
  const client = (apiKey: string) =>
    createBrokerClient({
      baseUrl: `http://127.0.0.1:${port}/api`,
      apiKey,
      fetch: (url, init) => {
        sent.push({ method: init.method, url, key: init.headers.get('x-idempotency-key'), body: init.body });
        const forward = () => fetch(url, init);
        return faults.shift()?.(forward) ?? forward();
      },
      wait: async (ms) => {
        waits.push(ms);
        // Epoch milliseconds are whole; a pause by chance need not be.
        world.clock.advance(Math.ceil(ms));
      },
      ...options,
    });
  return { world, sent, waits, faults, client, sandbox: client(key), live: client(world.key) };
}

const answering =
  (status: number, body: unknown, headers: Record<string, string> = {}): Fault =>
  async () =>
    new Response(typeof body === 'string' ? body : JSON.stringify(body), { status, headers });

const refusal = (code: string, details?: object) => ({ success: false, error: { code, message: 'No', details } });
const broken: Fault = async () => {
  throw new TypeError('fetch failed');
};
/** The work is done and its answer gets lost. */
const lostAnswer: Fault = async (forward) => {
  await (await forward()).text();
  throw new TypeError('terminated');
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
const warning = { params: { path: { service_number: 900001 } }, body: { warningReason: 'An invoice is overdue.' } };

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

t.test('an action that takes an idempotency key gets one, and every try carries the same key and bytes', async (t) => {
  const { live, world, sent, faults, waits } = await connected(t);
  const plan = await world.addPlan(world.broker, { slug: 'bigger', upgradeRank: 10_000 });
  faults.push(lostAnswer, answering(500, refusal('server_error'), { 'retry-after': '7' }));
  const answer = await live.post('/v1/services/{service_number}/upgrade', {
    params: { path: { service_number: world.service.number } },
    body: { new_plan: plan.slug },
  });
  t.match(answer, { status: 200, replayed: true, data: { request_status: 'accepted' } });
  t.equal(sent.length, 3);
  t.match(sent[0]?.key, /^[0-9a-f]{32}$/);
  t.strictSame([sent[1], sent[2]], [sent[0], sent[0]]);
  t.ok((waits[0] as number) >= 500 && (waits[0] as number) <= 1000, 'a pause of its own after a lost answer');
  t.equal(waits[1], 7000, 'the pause that the API asked for');
  const { data } = await live.get('/v1/requests', { params: { query: { type: 'plan-upgrade' } } });
  t.equal(data.length, 1, 'the work was done once');
});

t.test("the caller's own idempotency key is kept, and two calls without one get different keys", async (t) => {
  const { sandbox, sent } = await connected(t);
  const path = '/v1/services/{service_number}/upgrade';
  await sandbox.post(path, { ...upgrade, idempotencyKey: 'order-4711' });
  t.equal((await sandbox.post(path, { ...upgrade, idempotencyKey: 'order-4711' })).replayed, true);
  const update = { params: upgrade.params, body: { label: 'Shop' } };
  await sandbox.post('/v1/services/{service_number}/update', update);
  await sandbox.post('/v1/services/{service_number}/update', update);
  t.strictSame([sent[0]?.key, sent[1]?.key], ['order-4711', 'order-4711']);
  t.not(sent[2]?.key, sent[3]?.key);
});

t.test('what the API refuses is never sent again', async (t) => {
  const { sandbox, client, world, sent } = await connected(t);
  const { key: scopeless } = await world.addKey(world.broker, [], { mode: 'test' });
  const path = (service_number: number) => ({ params: { path: { service_number } } });
  const refused: Array<[() => Promise<unknown>, number, string, string | null]> = [
    [
      () => sandbox.post('/v1/services/{service_number}/cancel', path(900004)),
      400,
      'invalid_state',
      'service_cancelled',
    ],
    [() => client('wrong').get('/v1/auth-check'), 401, 'authentication_failed', 'malformed'],
    [() => client(scopeless).post('/v1/auth-check'), 403, 'insufficient_permissions', 'missing_scope'],
    [() => sandbox.get('/v1/services/{service_number}', path(1)), 404, 'not_found', null],
    [
      () =>
        sandbox.post('/v1/requests/{request_id}/approve', {
          params: { path: { request_id: 'req_test_sample_denied' } },
        }),
      409,
      'already_processed',
      'request_already_processed',
    ],
  ];
  for (const [call, status, code, reason] of refused) {
    t.match(await failureIn(call()), { status, code, reason, attempts: 1, requestId: /^[\w-]+$/ }, code);
  }
  t.equal(sent.length, refused.length);
});

t.test(
  '429 waits for Retry-After, whatever was asked, and gives up after so many tries or where it is too long',
  async (t) => {
    const { sandbox, sent, waits, faults } = await connected(t, { maxRepeats: 2, maxWaitSeconds: 30 });
    const simulated = sandbox.get('/v1/services/{service_number}', { params: { path: { service_number: 900429 } } });
    t.match(await failureIn(simulated), { code: 'rate_limit_exceeded', details: { limit: 120 }, attempts: 3 });
    t.strictSame(waits, [1000, 1000]);

    const tooLong = answering(429, refusal('rate_limit_exceeded'), { 'retry-after': '31' });
    faults.push(tooLong);
    t.match(await failureIn(sandbox.get('/v1/plans')), { retryAfterSeconds: 31, attempts: 1 });

    sent.length = 0;
    faults.push(answering(429, '<html>', { 'retry-after': '3' }));
    await sandbox.post('/v1/requests/{request_id}/deny', {
      params: { path: { request_id: 'req_test_sample_pending' } },
      body: { reason: 'An invoice is open.' },
    });
    t.equal(sent.length, 2, 'an action without a key too: what is refused at this gate has done nothing');
  },
);

t.test('a cancellation warning is sent once, whatever happens', async (t) => {
  const { sandbox, sent, faults } = await connected(t);
  const path = '/v1/services/{service_number}/cancellation-warning';
  const retryable = refusal('email_send_error', { reason: 'unreachable', retryable: true });
  const limited = answering(429, refusal('rate_limit_exceeded'), { 'retry-after': '1' });
  const tooMany = answering(429, refusal('rate_limit_exceeded', { reason: 'warning_limit' }), { 'retry-after': '1' });
  for (const fault of [
    broken,
    lostAnswer,
    limited,
    tooMany,
    answering(500, retryable),
    answering(502, 'Bad gateway'),
  ]) {
    faults.push(fault);
    t.equal((await failureIn(sandbox.post(path, warning))).attempts, 1);
  }
  t.equal(sent.length, 6);
  t.equal(
    sent.every(({ key }) => key === null),
    true,
    'and without a key, which it does not take',
  );
});

t.test('an action without an idempotency key is not repeated when its outcome is unknown', async (t) => {
  const { sandbox, faults } = await connected(t);
  for (const [fault, code] of [
    [broken, 'network_failure'],
    [answering(500, refusal('server_error')), 'server_error'],
    [answering(504, '<html>'), 'unexpected_answer'],
  ] as const) {
    faults.push(fault);
    t.match(await failureIn(sandbox.post('/v1/reports/services')), { code, attempts: 1 });
  }
});

t.test('an email that failed is tried again exactly where the answer says that it was not sent', async (t) => {
  const { sandbox, faults, sent } = await connected(t);
  const failed = (retryable: boolean) =>
    answering(500, refusal('email_send_error', { reason: 'unreachable', provider_code: null, retryable }));
  faults.push(failed(true));
  t.match(await sandbox.post('/v1/reports/services'), { status: 200 });
  t.equal(sent.length, 2);
  faults.push(failed(false));
  t.match(await failureIn(sandbox.post('/v1/reports/services')), { code: 'email_send_error', attempts: 1 });
});

t.test('reading is repeated after failures of the network and of what stands between', async (t) => {
  const { sandbox, faults } = await connected(t);
  faults.push(broken, answering(502, '<html>Bad gateway</html>'), answering(200, 'null'));
  t.match(await sandbox.get('/v1/plans'), { status: 200 });
  faults.push(answering(403, '<html>'));
  t.match(await failureIn(sandbox.get('/v1/plans')), { code: 'unexpected_answer', status: 403, attempts: 1 });
  faults.push(answering(308, '', { location: 'https://elsewhere.example/' }));
  t.match(await failureIn(sandbox.get('/v1/plans')), { code: 'unexpected_answer', status: 308, attempts: 1 });
});

t.test('a try that gets no answer in time is given up, while its body arrives as well', async (t) => {
  const { sandbox, faults } = await connected(t, { timeoutMs: 50, maxRepeats: 1 });
  const stalls: Fault = async () => new Response(new ReadableStream({ pull: () => new Promise(() => undefined) }));
  // What the global fetch does with its signal.
  const untilAborted = (): Fault => async () => {
    const stalled = await stalls(async () => new Response());
    return Object.assign(stalled, {
      text: () => new Promise((_, reject) => setTimeout(() => reject(new Error('aborted')), 60)),
    });
  };
  faults.push(untilAborted(), untilAborted());
  t.match(await failureIn(sandbox.get('/v1/plans')), { code: 'timeout', status: null, attempts: 2 });
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
  const failure = { code: 'server_error', status: 500, retryAfterSeconds: null } as Failure;
  for (const [attempt, least] of [
    [1, 0.5],
    [2, 1],
    [3, 2],
  ] as const) {
    const wait = waitBeforeRepeat(failure, 'harmless', attempt) as number;
    t.ok(wait >= least && wait <= 2 * least, `after try ${attempt}: ${wait}`);
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
function listing(items: object[]) {
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
      const body = { success: true, data, pagination: { total: found.length } };
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
  const seen = new Set<string>();
  for await (const { request_id } of client.each('/v1/requests')) {
    t.notOk(seen.has(request_id));
    seen.add(request_id);
    items.splice(
      items.findIndex((item) => item.request_id === request_id),
      1,
    );
  }
  t.equal(seen.size, 250);
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
  const record = (is_final: boolean) => answering(200, { success: true, data: { is_final, next_check_seconds: null } });
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

t.test('the limit of warnings is never waited for', async (t) => {
  const failure = {
    code: 'rate_limit_exceeded',
    reason: 'warning_limit',
    status: 429,
    retryAfterSeconds: 1,
  } as Failure;
  t.equal(waitBeforeRepeat(failure, 'harmless', 1), null);
});

t.test('without a fetch of the caller the global one is used', async (t) => {
  const { world } = await connected(t);
  const { port } = world.app.server.address() as { port: number };
  const client = createBrokerClient({ baseUrl: `http://127.0.0.1:${port}/api/`, apiKey: world.key });
  t.match(await client.get('/v1/auth-check'), { status: 200 });
});
