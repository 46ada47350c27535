import { readFileSync } from 'node:fs';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import type { Test } from 'tap';
import { faultyProxy, type Passed, type Spoiled } from './faulty-proxy.ts';
import { served } from './served.ts';
import { makeCertificate } from './tls.ts';
import { listen } from './wire.ts';

export interface Call {
  /** The base address. */
  url: string;
  apiKey: string;
  method: 'get' | 'post';
  /** As the document writes it; `service_number` belongs in its place. */
  path: string;
  service_number?: number;
  body?: object;
  idempotencyKey?: string;
  timeoutSeconds: number;
}

/** What a client made of a call: three tries at most, and waits that it reports in place of waiting. */
export interface Outcome {
  success: boolean;
  replayed?: boolean;
  requestId: string | null;
  /** Of a failure. Null where no answer came. */
  status?: number | null;
  code?: string;
  retryAfter?: number | null;
  why?: string;
  waits: number[];
}

interface Fault {
  name: string;
  fault: Pick<Spoiled, 'request' | 'answer'>;
  /** What a call that may not be repeated fails with. */
  code: string;
  status: number | null;
  /** Seconds before the call is repeated; undefined where the client chooses. */
  wait?: number;
  /** Whether the server had done the work. */
  done?: boolean;
}

/** An answer in the server's place. Its date is far from every clock's, so that only a comparison with it is right. */
const instead = (status: number, body: string, headers: Passed['headers'] = {}, more: Partial<Passed> = {}) => ({
  request: () => ({ status, body, headers: { date: 'Wed, 01 Jan 2031 00:00:00 GMT', ...headers }, ...more }),
});
const page = (status: number, headers = {}) =>
  instead(status, '<html><body>The gateway is busy</body></html>', { 'content-type': 'text/html', ...headers });
const refusal = (status: number, code: string, headers = {}) =>
  instead(status, JSON.stringify({ success: false, error: { code, message: 'No' } }), headers);
const SECONDS = { 'retry-after': '7' };
const DATE = { 'retry-after': 'Wed, 01 Jan 2031 00:00:07 GMT' };
const cut = (how: NonNullable<Passed['cut']>) => ({ answer: (answer: Passed) => ({ ...answer, cut: how }) });
const silent = { code: 'network_failure', status: null };
const late = { code: 'timeout', status: null };
const limited = { code: 'rate_limit_exceeded', status: 429 };
const gateway = { code: 'unexpected_answer', status: 503 };

/** What passes: a call that may be repeated succeeds the second time. */
const PASSING: Fault[] = [
  { name: 'a lost request', fault: { request: () => null }, ...silent },
  { name: 'a lost answer', fault: { answer: () => undefined }, ...silent, done: true },
  { name: 'half an answer', fault: cut('length'), ...silent, done: true },
  { name: 'half of its chunks', fault: cut('chunks'), ...silent, done: true },
  { name: 'half a refusal', fault: instead(503, '{"success":false}', SECONDS, { cut: 'length' }), ...silent },
  { name: 'no answer in time', fault: { answer: () => new Promise(() => undefined) }, ...late, done: true },
  { name: 'an answer that stalls', fault: cut('stall'), ...late, done: true },
  { name: 'HTML with 200', fault: page(200), code: 'unexpected_answer', status: 200 },
  { name: 'other JSON with 200', fault: instead(200, 'null'), code: 'unexpected_answer', status: 200 },
  { name: 'a success without data', fault: instead(200, '{"success":true}'), code: 'unexpected_answer', status: 200 },
  { name: '429 with seconds', fault: refusal(429, 'rate_limit_exceeded', SECONDS), ...limited, wait: 7 },
  { name: '429 with a date', fault: refusal(429, 'rate_limit_exceeded', DATE), ...limited, wait: 7 },
  { name: '503 with seconds', fault: page(503, SECONDS), ...gateway, wait: 7 },
  { name: '503 with a date', fault: page(503, DATE), ...gateway, wait: 7 },
  { name: '503 with 0 seconds', fault: page(503, { 'retry-after': '0' }), ...gateway, wait: 1 },
  {
    name: '503 with a date that has passed',
    fault: page(503, { 'retry-after': 'Tue, 31 Dec 2030 23:00:00 GMT' }),
    ...gateway,
    wait: 1,
  },
  { name: '503 with nonsense', fault: page(503, { 'retry-after': '-5' }), ...gateway },
  { name: '500 without a time', fault: refusal(500, 'server_error'), code: 'server_error', status: 500 },
];

/** What no repeat would change, or only one after more than the client waits. */
const LASTING: Array<Omit<Fault, 'wait'> & { retryAfter?: number }> = [
  ...[400, 401, 403, 404, 409].map((status) => {
    const code = `code_${status}`;
    return { name: `${status}`, fault: refusal(status, code), code, status };
  }),
  ...[
    { code: 400, message: 'No' },
    { code: 'E_NO', message: ['No'] },
    { code: 'E_NO', message: 'No', details: 'No' },
    { code: 'E_NO', message: 'No', details: { reason: 7 } },
    'No',
    null,
  ].map((error) => ({
    name: `the error of another system, ${JSON.stringify(error)}`,
    fault: instead(400, JSON.stringify({ success: false, error })),
    code: 'unexpected_answer',
    status: 400,
  })),
  { name: '403 of a gateway', fault: page(403), code: 'unexpected_answer', status: 403 },
  {
    name: 'a redirect',
    fault: page(302, { location: '/api/v1/plans' }),
    code: 'unexpected_answer',
    status: 302,
  },
  {
    name: '429 for an hour',
    fault: refusal(429, 'rate_limit_exceeded', { 'retry-after': '3600' }),
    ...limited,
    retryAfter: 3600,
  },
  {
    name: '503 until a date in an hour',
    fault: page(503, { 'retry-after': 'Wed, 01 Jan 2031 01:00:00 GMT' }),
    ...gateway,
    retryAfter: 3600,
  },
];

const READ = { method: 'get', path: '/v1/plans' } as const;
const WARNING = {
  method: 'post',
  path: '/v1/services/{service_number}/cancellation-warning',
  service_number: 900001,
  body: { warningReason: 'An invoice is overdue.' },
} as const;
const order = (name: string) =>
  ({
    method: 'post',
    path: '/v1/services',
    body: {
      plan: 'starter',
      client: { name: 'Ada Example', email: 'ada@example.com' },
      external_reference: `order ${name}`,
    },
    idempotencyKey: `order ${name}`,
  }) as const;

/** What every client does over a bad connection to a real server. */
export async function meetsFaults(t: Test, client: (call: Call) => Promise<Outcome>): Promise<void> {
  const world = await served(t);
  const { key } = await world.addKey(world.broker, ['admin:full'], { mode: 'test', rateLimit: 1_000_000 });
  let faults: Fault['fault'][] = [];
  let sent: Array<{ key: unknown; body: string }> = [];
  let current: Fault['fault'] | undefined;
  const proxy = await faultyProxy(t, await listen(world.app), [
    {
      when: /./,
      request(request) {
        sent.push({ key: request.headers['x-idempotency-key'], body: request.body });
        current = faults.shift();
        return current?.request?.(request);
      },
      answer: (answer) => (current?.answer ? current.answer(answer) : answer),
    },
  ]);
  const url = `http://127.0.0.1:${proxy}/api`;
  const meet = async (met: Fault['fault'][], call: Omit<Call, 'url' | 'apiKey' | 'timeoutSeconds'>, seconds = 30) => {
    [faults, sent] = [[...met], []];
    return client({ url, apiKey: key, timeoutSeconds: seconds, ...call });
  };

  for (const { name, fault, code, status, wait, done = false } of PASSING) {
    const seconds = code === 'timeout' ? 1 : 30;
    const waited = (waits: number[]) =>
      t.ok(waits.length === 1 && (wait ? waits[0] === wait : waits[0] && waits[0] >= 0.5 && waits[0] <= 2), name);

    const read = await meet([fault], READ, seconds);
    t.match(read, { success: true, replayed: false, requestId: /./ }, `${name}: a read is repeated`);
    t.equal(sent.length, 2, name);
    waited(read.waits);

    const change = await meet([fault], order(name), seconds);
    t.match(change, { success: true, replayed: done, requestId: /./ }, `${name}: a change with a key is repeated`);
    t.equal(sent[0]?.key, `order ${name}`, name);
    t.strictSame(sent, [sent[0], sent[0]], `${name}: the same key and bytes`);
    waited(change.waits);
    const search = `/services?external_reference=${encodeURIComponent(`order ${name}`)}`;
    t.equal((await world.call(key, 'GET', search)).json.pagination.total, 1, `${name}: it is done once`);

    const warning = await meet([fault], WARNING, seconds);
    t.match(warning, { success: false, code, status, waits: [] }, `${name}: a change without a key fails`);
    t.equal(sent.length, 1, `${name}: a change without a key is sent once`);
  }

  for (const { name, fault, code, status, retryAfter = null } of LASTING) {
    for (const call of [READ, order(`lasting ${name}`), WARNING]) {
      const failed = await meet([fault], call);
      t.match(failed, { success: false, code, status, retryAfter, waits: [] }, `${name} ends a ${call.method}`);
      t.equal(sent.length, 1, name);
    }
  }

  for (const { fault, ...failure } of PASSING.filter(({ name }) => /HTML|429 with seconds/.test(name))) {
    const failed = await meet([fault, fault, fault], order('that is given up'));
    t.match(failed, { success: false, code: failure.code, status: failure.status }, 'the last failure is reported');
    t.equal(sent.length, 3, 'after so many tries');
  }

  const refused = await meet([], { ...READ, path: '/v1/services/{service_number}', service_number: 1 });
  t.match(refused, { success: false, code: 'not_found', status: 404, requestId: /./ }, 'a refusal has an X-Request-Id');

  const { certFile, keyFile } = makeCertificate(world.directory);
  const unknown = createServer({ cert: readFileSync(certFile), key: readFileSync(keyFile) });
  await new Promise<void>((resolve) => unknown.listen(0, '127.0.0.1', resolve));
  t.teardown(() => unknown.close());
  for (const [unreachable, why] of [
    ['http://127.0.0.1:2/api', /refused|connect to/i],
    ['http://no-such-host.invalid/api', /resolve|resolution|name|getaddrinfo/i],
    [`https://127.0.0.1:${(unknown.address() as AddressInfo).port}/api`, /certificate/i],
  ] as const) {
    const failed = await client({ url: unreachable, apiKey: key, timeoutSeconds: 30, ...READ });
    t.match(failed, { success: false, status: null, code: 'network_failure', why }, 'why there was no answer');
  }
}
