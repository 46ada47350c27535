import { join } from 'node:path';
import t, { type Test } from 'tap';
import { type RunOptions, runConformance } from '../../conformance/src/run.ts';
import { Sqlite } from '../../src/store/sqlite-driver.ts';
import { faultyProxy, type Spoiled } from '../support/faulty-proxy.ts';
import { served } from '../support/served.ts';
import { listen } from '../support/wire.ts';

/** A server with sandbox keys of every kind, and a run of the kit against it whose waits move the server's clock. */
async function prepared(t: Test, rateLimit = 1_000_000) {
  const world = await served(t, { onFile: true });
  const { broker, clock } = world;
  const fields = { mode: 'test' as const };
  const { key } = await world.addKey(broker, ['admin:full'], { ...fields, rateLimit });
  const otherKeys = {
    noScopes: (await world.addKey(broker, [], fields)).key,
    expired: (await world.addKey(broker, [], { ...fields, expiresAt: clock.now() - 1 })).key,
    revoked: (await world.addKey(broker, [], { ...fields, status: 'revoked' })).key,
    firewalled: (await world.addKey(await world.addBroker({ ipRestrictionEnabled: true }), ['admin:full'], fields)).key,
    otherBroker: (await world.addKey(await world.addBroker(), ['admin:full'], fields)).key,
  };
  const port = await listen(world.app);
  const strict = await served(t, { config: { requireHttps: true } });
  const plainUrl = `http://127.0.0.1:${await listen(strict.app)}/api`;
  const told: string[] = [];
  const run = (options: Partial<RunOptions> = {}) =>
    runConformance({
      baseUrl: `http://127.0.0.1:${port}/api`,
      apiKey: key,
      otherKeys,
      plainUrl,
      clock,
      wait: async (ms) => clock.advance(ms),
      tell: (line) => told.push(line),
      ...options,
    });
  return { world, key, otherKeys, port, told, run };
}

t.test('this server keeps the whole contract, at the pace of its own limit, and no live record changes', async (t) => {
  const { world, key, otherKeys, told, run } = await prepared(t, 120);
  const database = new Sqlite(join(world.directory, 'broker.db'), { readonly: true });
  t.teardown(() => database.close());
  const records = () =>
    ['services', 'requests', 'plans'].map((name) => database.prepare(`select * from ${name}`).all());
  const before = records();
  const begun = world.clock.monotonic();

  const report = await run();
  t.strictSame(
    report.checks.filter(({ result }) => result === 'failed').map(({ title, problems }) => ({ title, problems })),
    [],
  );
  t.ok(report.passed > 110, `${report.passed} passed`);
  t.strictSame(
    report.checks.filter(({ result }) => result === 'skipped').map(({ title, why }) => [title.split(':')[0], why]),
    [
      [
        "another broker's services and requests are as good as none, in lists and one by one",
        'sandboxes begin alike: it takes live keys',
      ],
      ['to a live key the sandbox is an unknown path', 'it takes a live key'],
      ['report_too_large', 'no simulated report is that large'],
      [
        'an address that guesses keys is answered 429 in place of 401',
        'it would shut out other callers of this address with a key that is refused',
      ],
      ['a part that is away is 500 server_error with Retry-After', 'nothing of the deployment is broken for a check'],
    ],
    'what cannot be provoked stands there with its reason',
  );
  t.match(told[0], /^1 of \d+: addresses$/, 'it says where it is');
  const seconds = (world.clock.monotonic() - begun) / 1000;
  t.ok(seconds <= 300, `it waited ${seconds} s in all for ${report.calls} calls`);
  t.strictSame(records(), before);
  const said = JSON.stringify(report);
  for (const secret of [key, ...Object.values(otherKeys)]) t.notOk(said.includes(secret), 'no key is shown');
});

t.test('a live key only reads, and two brokers see nothing of each other', async (t) => {
  const { world, run } = await prepared(t);
  const other = await world.addBroker();
  const service = await world.addService(other, await world.addPlan(other));
  const apiKey = (
    await world.addKey(world.broker, ['plans:read', 'requests:read', 'services:read'], { rateLimit: 1000 })
  ).key;
  const otherBroker = (await world.addKey(other)).key;
  const report = await run({ apiKey, live: true, otherKeys: { otherBroker } });
  t.strictSame(
    report.checks.filter(({ result }) => result === 'failed').map(({ problems }) => problems),
    [],
  );
  t.ok(report.passed > 12 && report.calls < 120, `${report.passed} passed in ${report.calls} calls`);
  t.equal(report.checks.find(({ title }) => title.startsWith('another broker'))?.result, 'passed');

  const { port } = world.app.server.address() as { port: number };
  const leaky = await faultyProxy(t, port, [
    { when: /^\/api\/v1\/services\?limit=100$/, answer: (answer) => ({ ...answer, body: LEAK(service.number) }) },
  ]);
  const { checks } = await run({
    baseUrl: `http://127.0.0.1:${leaky}/api`,
    apiKey,
    live: true,
    otherKeys: { otherBroker },
    plainUrl: undefined,
  });
  const problems = checks.find(({ title }) => title.startsWith('another broker'))?.problems ?? [];
  t.ok(problems.some(({ message }) => message.startsWith('what both keys list of /v1/services')));
  const own = (await world.addKey(world.broker)).key;
  const same = await run({ apiKey, live: true, otherKeys: { otherBroker: own } });
  t.match(same.checks.find(({ title }) => title.startsWith('another broker'))?.why, /of one broker/);
});

const LEAK = (service_number: number) => JSON.stringify({ success: true, data: [{ service_number }], pagination: {} });

t.test('a sandbox that is in use is made anew only where that is wanted', async (t) => {
  const { port, key, run } = await prepared(t);
  const advance = { method: 'POST', headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' } };
  await fetch(`http://127.0.0.1:${port}/api/v1/sandbox/clock`, { ...advance, body: '{"advance_seconds":60}' });
  await t.rejects(run(), { name: 'ConformanceError', message: /^The sandbox is in use: --reset/ });
  t.equal((await run({ reset: true, fast: true })).failed, 0);
});

t.test('what is fast fits into one window of a key, and waits for nothing', async (t) => {
  const { told, run } = await prepared(t, 120);
  const report = await run({ fast: true });
  t.equal(report.failed, 0);
  t.ok(report.passed >= 25, `${report.passed} passed`);
  t.notOk(told.some((line) => line.startsWith('Waiting')));
});

t.test('a limit that lets one call too many pass is named', async (t) => {
  const { key, port, run } = await prepared(t, 120);
  let forgiven = 0;
  const lenient: Spoiled = {
    when: /^\/api\/v1\/plans\?limit=1$/,
    answer: (answer) => {
      forgiven += Number(answer.status === 429);
      const { 'retry-after': _, ...headers } = answer.headers;
      const body = '{"success":true,"data":[],"pagination":{"page":1,"perPage":1,"total":4,"totalPages":4}}';
      return answer.status === 429 && forgiven === 1 ? { status: 200, headers, body } : answer;
    },
  };
  const proxy = await faultyProxy(t, port, [lenient]);
  const { checks } = await run({ baseUrl: `http://127.0.0.1:${proxy}/api`, plainUrl: undefined });
  const burst = checks.find(({ title }) => title.startsWith('of a burst'));
  t.equal(burst?.result, 'failed');
  t.match(burst?.problems.at(-1), { message: /^what each call that passed has left/ });
  t.match(
    checks.find(({ title }) => title.startsWith('plain HTTP')),
    { result: 'skipped', why: 'it takes the address over plain HTTP' },
  );
  t.notOk(JSON.stringify(checks).includes(key));
});

/** Each spoils answers (or requests) in one way, and is known by what the kit says of it. */
const FAULTS: ReadonlyArray<{ fault: Spoiled; says: RegExp; of: string }> = [
  {
    fault: {
      when: /^\/api\/v1\/plans$/,
      answer: (answer) => ({ ...answer, body: JSON.stringify(JSON.parse(answer.body).data ?? {}) }),
    },
    says: /outside the envelope/,
    of: 'services',
  },
  {
    fault: {
      when: /^\/api\/v1\/services\/[\d.e+%a-z]+$/i,
      path: (path) =>
        path.replace(/[^/]+$/, (text) => (/^\d+\.\d+$/.test(text) ? String(Math.round(Number(text))) : text)),
    },
    says: /the status is 200, not 400/,
    of: 'service numbers',
  },
  {
    fault: { when: /^\/api\/v1\/services\/9223372036854775808$/, path: () => '/api/v1/services/9223372036854775807' },
    says: /the status is 404, not 400 invalid_parameter/,
    of: 'service numbers',
  },
  {
    fault: {
      when: /\/900005$/,
      answer: (answer) => ({
        ...answer,
        body: answer.body.replace(/"amount":"([\d.]+)"/, (_, amount) => `"amount":${Number(amount)}`),
      }),
    },
    says: /price\.amount is 5, not string/,
    of: 'services',
  },
  {
    fault: {
      when: /\/cancel$/,
      answer: (answer) =>
        answer.headers['idempotent-replayed']
          ? { ...answer, body: JSON.stringify(JSON.parse(answer.body), null, 1) }
          : answer,
    },
    says: /the replay has other bytes/,
    of: 'idempotency',
  },
  {
    fault: {
      when: /\/900429$/,
      answer: ({ headers: { 'retry-after': _, ...headers }, ...answer }) => ({ ...answer, headers }),
    },
    says: /the header retry-after is missing/,
    of: 'sandbox',
  },
  {
    fault: {
      when: /\/upgrade-options$/,
      answer: ({ headers: { 'x-request-id': _, ...headers }, ...answer }) => ({ ...answer, headers }),
    },
    says: /the header x-request-id is missing/,
    of: 'plan changes',
  },
  {
    fault: {
      when: /^\/api\/v1\/requests\?limit=100$/,
      answer: ({ headers: { 'ratelimit-policy': _, ...headers }, ...answer }) => ({ ...answer, headers }),
    },
    says: /the header ratelimit-policy is missing/,
    of: 'lists',
  },
  {
    fault: {
      when: /req_test_sample_approved$/,
      answer: (answer) => ({
        ...answer,
        status: 502,
        headers: { 'content-type': 'text/html' },
        body: '<h1>Bad gateway</h1>',
      }),
    },
    says: /outside the envelope: no JSON object/,
    of: 'requests',
  },
  {
    fault: {
      when: /^\/api\/v1\/services\/900010$/,
      answer: (answer) => ({ ...answer, body: answer.body.replace('"label":', '"password":"x","label":') }),
    },
    says: /^data\.password is no field of the contract$/,
    of: 'services',
  },
  {
    fault: {
      when: /\/services\?external_reference=conformance-/,
      answer: (answer) => ({
        ...answer,
        body: answer.body.replace(/"service_status":"\w+"/, '"service_status":"pending"'),
      }),
    },
    says: /^the stale list: data\.0\.service_status is "pending", not "active"$/,
    of: 'scenario',
  },
  {
    fault: {
      when: /\/requests\?service_number=\d+&request_status=failed/,
      answer: (answer) => ({ ...answer, body: answer.body.replaceAll(/"request_id":"/g, '"request_id":"x') }),
    },
    says: /^the stale list: it does not have the request/,
    of: 'scenario',
  },
  {
    fault: { when: /req_test_sample_completed\/deny$/, answer: () => undefined },
    says: /the check could not go on: socket hang up/,
    of: 'requests',
  },
];

t.test('what is wrong with a server is named, with the request and the answer that show it', async (t) => {
  const { key, port, run } = await prepared(t);
  const proxy = await faultyProxy(
    t,
    port,
    FAULTS.map(({ fault }) => fault),
  );
  const report = await run({ baseUrl: `http://127.0.0.1:${proxy}/api` });
  for (const { says, of } of FAULTS) {
    const named = report.checks
      .flatMap(({ section, problems }) => (section === of ? problems : []))
      .find(({ message }) => says.test(message));
    t.ok(named, `${of}: ${says}`);
    // Where no answer came there is none to show.
    if (/go on/.test(says.source)) continue;
    t.match(named, { request: /^(GET|POST) \S+\nauthorization: Bearer \(the key\)/, answer: /^HTTP \d{3}\n/ });
  }
  t.ok(
    report.checks.some(({ section, result }) => section === 'bodies' && result === 'passed'),
    'the rest passes',
  );
  t.notOk(JSON.stringify(report).includes(key), 'the key is not shown');
});

t.test('a run does not begin without a server, with a live key or with one that is refused', async (t) => {
  const { world, run } = await prepared(t);
  const { key: live } = await world.addKey(world.broker);
  for (const [options, message] of [
    [{ baseUrl: 'nowhere' }, 'nowhere is no address'],
    [{ baseUrl: 'http://127.0.0.1/v1' }, /ends in \/api$/],
    [{ baseUrl: 'ftp://127.0.0.1/api' }, /begins with http/],
    [{ baseUrl: 'http://127.0.0.1:1/api' }, /cannot be reached: .*ECONNREFUSED/],
    [{ apiKey: live }, /takes a sandbox key/],
    [{ live: true }, '--live takes a live key'],
    [{ apiKey: 'wrong' }, 'The key is not accepted there: 401 authentication_failed, malformed'],
  ] as const) {
    await t.rejects(run(options), { name: 'ConformanceError', message });
  }
});

t.test('without admin:full nothing can be said about the rest, and nothing is', async (t) => {
  const { otherKeys, run } = await prepared(t);
  const report = await run({ apiKey: otherKeys.noScopes, otherKeys: {} });
  t.strictSame([report.passed, report.failed], [0, 0]);
});
