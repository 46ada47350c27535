import { createHmac } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { type AddressInfo, createServer as createTcpServer } from 'node:net';
import { text } from 'node:stream/consumers';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import t, { type Test } from 'tap';
import type { ProvisionedPlan, Work } from '../../src/ports.ts';
import type { ServiceRecord } from '../../src/records.ts';
import { createHttpProvisioner } from '../../src/worker/provisioner-http.ts';
import { createTestClock } from '../support/world.ts';

const SECRET = 'secret-of-the-test';
const clock = createTestClock();

/** Long enough that the connection stands before, however busy the machine is. */
const STALLED_FOR_MS = 2_000;

const WORK: Work = {
  request_id: 'req_1',
  type: 'cancellation',
  attempt: 1,
  token: null,
  broker_id: 'brk_1',
  service_uid: 'req_1',
  broker: 'acme',
  history: 0,
  service_number: 5001,
  submitted_date: '2030-01-15T12:00:00.000Z',
  effective_date: null,
  service: { service_number: 5001, service_status: 'active', label: 'Grüße' } as ServiceRecord,
  reference: null,
  configuration: {},
  action: null,
  plan: {} as ProvisionedPlan,
  current_plan: null,
  new_plan: null,
  cancellation_type: 'immediate',
};

type Answer = (response: ServerResponse) => void;
const json =
  (status: number, body?: unknown): Answer =>
  (response) =>
    response.writeHead(status, { location: '/elsewhere' }).end(body === undefined ? undefined : JSON.stringify(body));

async function endpoint(t: Test, answer: Answer, timeoutMs?: number) {
  const received: Array<{ request: IncomingMessage; body: string }> = [];
  const server = createServer(async (request, response) => {
    received.push({ request, body: await text(request) });
    answer(response);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.teardown(() => {
    server.closeAllConnections();
    server.close();
  });
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/work?from=broker`;
  const logged: object[] = [];
  const log = { warn: (details: object, message: string) => logged.push({ ...details, message }) };
  const options = { url, secret: SECRET, clock, log, ...(timeoutMs !== undefined && { timeoutMs }) };
  return { received, url, logged, provisioner: createHttpProvisioner(options) };
}

t.test(
  'the work is posted once, whole, under the id of the request, and signed so that time and body are bound',
  async (t) => {
    const { provisioner, received } = await endpoint(t, json(200));
    t.same(await provisioner.fulfil(WORK), { outcome: 'done' });
    t.equal(received.length, 1);
    const { request, body } = received[0] as (typeof received)[number];
    t.equal(request.method, 'POST');
    t.equal(request.url, '/work?from=broker');
    t.same(JSON.parse(body), WORK);
    t.match(request.headers, { 'idempotency-key': 'req_1', 'x-broker-request-id': 'req_1' });
    t.match(request.headers['content-type'], 'application/json');
    t.equal(request.headers['accept-encoding'], 'identity');
    const seconds = clock.now() / 1000;
    const mac = createHmac('sha256', SECRET).update(`${seconds}.${body}`).digest('hex');
    t.equal(request.headers['x-broker-signature'], `t=${seconds},v1=${mac}`);
  },
);

/** An answer with these very bytes. */
const bytes =
  (body: string | Buffer, headers: Record<string, string> = {}, status = 200): Answer =>
  (response) =>
    response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(body);

const MARK = Buffer.from([0xef, 0xbb, 0xbf]);

t.test('a 2xx is done where its body says so in JSON, is an empty object, or is empty in any but a 202', async (t) => {
  const done: Answer[] = [
    json(201, { outcome: 'done' }),
    json(202, { outcome: 'done' }),
    json(204),
    json(200, {}),
    bytes('', { 'content-type': 'text/html' }),
    bytes('{"outcome": "done"}', { 'content-type': 'text/html; charset=utf-8' }),
    bytes(Buffer.concat([MARK, Buffer.from('\n{"outcome": "done"}\n')])),
    bytes(MARK),
  ];
  for (const answer of done) {
    const { provisioner, logged } = await endpoint(t, answer);
    t.same(await provisioner.fulfil(WORK), { outcome: 'done' });
    t.strictSame(logged, []);
  }
});

const FAILED = '{"outcome": "failed", "reason": "no_capacity"}';

t.test(
  'a 2xx that cannot be read counts as no answer: it is logged without its content, and asked again',
  async (t) => {
    const unreadable: Answer[] = [
      bytes(gzipSync(FAILED), { 'content-encoding': 'gzip' }),
      bytes(brotliCompressSync(FAILED), { 'content-encoding': 'br' }),
      bytes(FAILED.slice(0, -1)),
      bytes(`[${FAILED}]`),
      bytes(JSON.stringify(FAILED)),
      bytes(Buffer.from(`\ufeff${FAILED}`, 'utf16le')),
      bytes(Buffer.from('{"outcome": "done", "reference": "Gr\u00fcn"}', 'latin1')),
      bytes(`Warning: no_capacity\n${FAILED}`),
      bytes('OK'),
      bytes('\n'),
      bytes('5'),
      bytes('null'),
      bytes('<!doctype html>', { 'content-type': 'text/html' }),
      bytes('Accepted', {}, 202),
      json(200, { outcome: 'queued' }),
      json(202, { outcome: 'queued' }),
      json(200, { outcome: null }),
      json(200, { Outcome: 'failed', reason: 'no_capacity' }),
      json(200, { access: { username: 'root' } }),
    ];
    for (const [at, answer] of unreadable.entries()) {
      const { provisioner, logged } = await endpoint(t, answer);
      const again = { outcome: 'retry', reason: 'outcome_unknown', mayBeDone: true };
      t.match(await provisioner.fulfil(WORK), again, `${at}`);
      t.match(logged, [{ request_id: 'req_1', message: /counts as none/ }], `${at}`);
      t.notMatch(JSON.stringify(logged), 'no_capacity');
    }
  },
);

t.test('a failure behind a byte order mark is a failure', async (t) => {
  for (const status of [200, 404]) {
    const { provisioner } = await endpoint(t, bytes(Buffer.concat([MARK, Buffer.from(FAILED)]), {}, status));
    t.match(await provisioner.fulfil(WORK), { outcome: 'failed', reason: 'no_capacity' });
  }
});

t.test('what finished work says of the service is read: how it is reached, what was settled, its own id', async (t) => {
  const access = {
    hostname: 'shop.example.com',
    ip_addresses: ['192.0.2.10', '2001:DB8:0::10', '192.0.2.10', '::ffff:c000:20a'],
    username: 'root',
    login_url: 'https://panel.example.com/5001',
    notes: 'Two\nlines',
  };
  const configuration = { hostname: 'shop.example.com', size: 2, backups: true };
  const { provisioner, logged } = await endpoint(
    t,
    json(200, { outcome: 'done', access, configuration, reference: 'node 1/vm-5001' }),
  );
  t.strictSame(await provisioner.fulfil(WORK), {
    outcome: 'done',
    access: { ...access, ip_addresses: ['192.0.2.10', '2001:db8::10'] },
    configuration,
    reference: 'node 1/vm-5001',
  });
  t.strictSame(logged, []);
});

t.test('an access of null removes what was known, and one that is absent leaves it', async (t) => {
  for (const access of [null, {}]) {
    const { provisioner } = await endpoint(t, json(200, { outcome: 'done', access }));
    t.strictSame(await provisioner.fulfil(WORK), { outcome: 'done', access: null });
  }
  const { provisioner } = await endpoint(t, json(200, { outcome: 'done', configuration: null, reference: null }));
  t.strictSame(await provisioner.fulfil(WORK), { outcome: 'done' });
});

t.test('what is not valid is left out field by field, and its names alone are logged: the work is done', async (t) => {
  const secret = 'hunter2';
  const { provisioner, logged } = await endpoint(
    t,
    json(200, {
      outcome: 'done',
      access: { hostname: 'a_b', ip_addresses: ['192.0.2.300'], username: 'root', password: secret, 'p hunter2': 1 },
      configuration: {
        image: 'debian-13',
        keys: [secret],
        'Not A Name': secret,
        none: null,
        nul: 'a\0',
        half: '\ud83d',
      },
      reference: 'ü'.repeat(2),
    }),
  );
  t.strictSame(await provisioner.fulfil(WORK), {
    outcome: 'done',
    access: { hostname: null, ip_addresses: [], username: 'root', login_url: null, notes: null },
    configuration: { image: 'debian-13' },
    isPartlyInvalid: true,
  });
  t.match(logged, [
    {
      request_id: 'req_1',
      fields: [
        ...['access.password', 'access.?', 'access.hostname', 'access.ip_addresses'],
        ...['configuration.keys', 'configuration.?', 'configuration.nul', 'configuration.half', 'reference'],
      ],
    },
  ]);
  t.notOk(JSON.stringify(logged).includes(secret), 'no value');

  const more = { outcome: 'done', isPartlyInvalid: true };
  const wholly: object[] = [
    { access: 'root@192.0.2.1' },
    { access: [] },
    { access: { hostname: 7 } },
    { reference: 'r'.repeat(256) },
    { reference: '' },
    { reference: 7 },
  ];
  for (const body of wholly) {
    const { provisioner } = await endpoint(t, json(200, { outcome: 'done', ...body }));
    t.strictSame(await provisioner.fulfil(WORK), more, `${JSON.stringify(body)} leaves what was known`);
  }
  for (const configuration of ['none', [], Object.fromEntries(Array.from({ length: 101 }, (_, i) => [`o${i}`, i]))]) {
    const { provisioner } = await endpoint(t, json(200, { outcome: 'done', configuration }));
    t.strictSame(await provisioner.fulfil(WORK), { ...more, configuration: {} });
  }
});

t.test('only finished work says anything of the service', async (t) => {
  const access = { username: 'root' };
  for (const [status, outcome] of [
    [200, 'failed'],
    [202, 'in_progress'],
    [422, 'done'],
  ] as const) {
    const { provisioner } = await endpoint(t, json(status, { outcome, access, reference: 'r' }));
    const answer = await provisioner.fulfil(WORK);
    t.notOk('access' in answer || 'reference' in answer, outcome);
  }
});

t.test('a failure is taken over in the words of the endpoint', async (t) => {
  const failed = {
    outcome: 'failed',
    reason: 'no_capacity',
    message: ' None\u0000left ',
    service_usable: false,
    retryable: true,
  };
  for (const status of [200, 404, 422]) {
    const { provisioner } = await endpoint(t, json(status, failed));
    t.same(await provisioner.fulfil(WORK), {
      outcome: 'failed',
      reason: 'no_capacity',
      message: 'None left',
      serviceUsable: false,
      retryable: true,
    });
  }
});

t.test('a failure that does not explain itself, or does so in unusable words, is explained for it', async (t) => {
  const { provisioner } = await endpoint(t, json(200, { outcome: 'failed', reason: 'No Capacity!', message: 7 }));
  const unexplained = {
    outcome: 'failed',
    message: 'The provisioner answered 200',
    serviceUsable: true,
    retryable: false,
  };
  t.same(await provisioner.fulfil(WORK), { ...unexplained, reason: 'provisioner_failed' });
  const suspended = { ...WORK, service: { ...WORK.service, service_status: 'suspended' as const } };
  t.match(await provisioner.fulfil(suspended), { serviceUsable: false });
});

t.test('work that goes on is asked for again, when the endpoint says and with its token', async (t) => {
  const going = (status: number, body?: unknown, retryAfter?: string): Answer => {
    return (response) => {
      if (retryAfter !== undefined) response.setHeader('retry-after', retryAfter);
      response.writeHead(status).end(body === undefined ? undefined : JSON.stringify(body));
    };
  };
  const longest = 't'.repeat(255);
  const cases: Array<[Answer, token: string | null, checkAfterSeconds: number | null]> = [
    [going(202, { token: 'build-7' }, '5'), 'build-7', 5],
    [going(200, { outcome: 'in_progress', token: longest }, '3600'), longest, 3600],
    [going(202), null, null],
    [going(202, undefined, '0.3'), null, 0.3],
    [going(202, { token: 't'.repeat(256) }, '0'), null, 0.1],
    [going(202, { token: 'two words' }, '3601'), null, 3600],
    [going(202, { token: '' }, 'Wed, 21 Oct 2030 07:28:00 GMT'), null, null],
    [going(202, { token: 7 }, '-1'), null, null],
  ];
  for (const [answer, token, checkAfterSeconds] of cases) {
    const { provisioner } = await endpoint(t, answer);
    t.same(await provisioner.fulfil(WORK), { outcome: 'in_progress', token, checkAfterSeconds });
  }
  const { provisioner } = await endpoint(t, going(202, { outcome: 'failed', reason: 'no_capacity' }));
  t.match(await provisioner.fulfil(WORK), { outcome: 'failed', reason: 'no_capacity' });
});

t.test('a refusal of the work itself is final: it is not tried again', async (t) => {
  for (const status of [400, 409, 422]) {
    const { provisioner, received } = await endpoint(t, json(status));
    t.same(await provisioner.fulfil(WORK), {
      outcome: 'failed',
      reason: 'provisioner_refused',
      message: `The provisioner answered ${status}`,
      serviceUsable: true,
      retryable: false,
    });
    t.equal(received.length, 1, `${status}`);
  }
});

t.test('what stands in the way to the endpoint fails no request: it is tried again later', async (t) => {
  for (const status of [401, 402, 403, 404, 405, 406, 407, 410, 411, 413, 415, 421, 426, 431, 451]) {
    const { provisioner } = await endpoint(t, json(status));
    const later = { outcome: 'retry', reason: 'provisioner_refused', mayBeDone: false };
    t.match(await provisioner.fulfil(WORK), later, `${status}`);
  }
  for (const status of [300, 301, 302, 303, 304, 307, 308]) {
    const { provisioner, received } = await endpoint(t, json(status));
    const later = { outcome: 'retry', reason: 'outcome_unknown', mayBeDone: true };
    t.match(await provisioner.fulfil(WORK), later, `${status}`);
    t.equal(received.length, 1, 'and not followed');
  }
});

t.test('an answer is read up to a mebibyte', async (t) => {
  const padded = (size: number) => bytes('{"outcome": "done"}'.padEnd(size));
  const { provisioner } = await endpoint(t, padded(1_048_576));
  t.same(await provisioner.fulfil(WORK), { outcome: 'done' });
  const { provisioner: endless } = await endpoint(t, padded(1_048_577));
  t.match(await endless.fulfil(WORK), { outcome: 'retry', reason: 'outcome_unknown', mayBeDone: true });
});

t.test('an endpoint that is busy did nothing, and one that broke may have done the work', async (t) => {
  for (const status of [425, 429]) {
    const { provisioner } = await endpoint(t, json(status));
    t.match(await provisioner.fulfil(WORK), { outcome: 'retry', reason: 'provisioner_busy', mayBeDone: false });
  }
  for (const status of [408, 500, 502, 503]) {
    const { provisioner } = await endpoint(t, json(status, { outcome: 'failed' }));
    t.match(await provisioner.fulfil(WORK), { outcome: 'retry', reason: 'outcome_unknown', mayBeDone: true });
  }
});

t.test('an answer that is cut off, or never comes, leaves it open whether the work was done', async (t) => {
  const lost: Answer[] = [
    (response) => response.destroy(),
    (response) => {
      response.writeHead(200, { 'content-length': '100' }).write('{');
      response.destroy();
    },
    () => undefined,
    (response) => response.writeHead(200).write('{'),
  ];
  const outcomes = await Promise.all(
    lost.map(async (answer) => (await endpoint(t, answer, STALLED_FOR_MS)).provisioner.fulfil(WORK)),
  );
  for (const outcome of outcomes) t.match(outcome, { outcome: 'retry', reason: 'outcome_unknown', mayBeDone: true });
});

t.test('a call is given up when the process ends, and what became of the work is left open', async (t) => {
  const ending = new AbortController();
  const { provisioner } = await endpoint(t, () => ending.abort());
  t.match(await provisioner.fulfil(WORK, ending.signal), { outcome: 'retry', reason: 'outcome_unknown' });
});

t.test('of an endpoint without a listener it is certain that nothing was done', async (t) => {
  const server = createTcpServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  server.close();
  await once(server, 'close');
  const provisioner = createHttpProvisioner({ url, secret: SECRET, clock, log: { warn: () => undefined } });
  t.match(await provisioner.fulfil(WORK), { outcome: 'retry', reason: 'provisioner_unreachable', mayBeDone: false });
});

t.test('a 409 of records that are old fails nothing, as no other 409 does', async (t) => {
  const refused = await endpoint(t, json(409, { outcome: 'failed', reason: 'records_are_old' }));
  t.match(await refused.provisioner.fulfil(WORK), { outcome: 'retry', reason: 'records_are_old', mayBeDone: false });
  const other = await endpoint(t, json(200, { outcome: 'failed', reason: 'records_are_old' }));
  t.match(await other.provisioner.fulfil(WORK), { outcome: 'failed', reason: 'records_are_old' });
});
