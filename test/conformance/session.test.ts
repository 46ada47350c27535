import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import t, { type Test } from 'tap';
import { Api } from '../../conformance/api.ts';
import { createClient, get, post } from '../../conformance/http.ts';
import { Session } from '../../conformance/session.ts';

/** A session with a server that answers in this way; waits move its clock. */
async function connected(t: Test, answer: RequestListener) {
  const server = createServer(answer);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const client = createClient(new URL(`http://127.0.0.1:${port}/api`), 'the-secret');
  t.teardown(() => {
    client.close();
    server.closeAllConnections();
    return new Promise((resolve) => server.close(resolve));
  });
  let now = 0;
  const log: string[] = [];
  const session = new Session({
    client,
    otherKeys: {},
    live: false,
    document: { openapi: '3.1.0', info: { title: '', version: '' }, paths: {}, components: { headers: {} } },
    clock: { monotonic: () => now },
    wait: async (ms) => {
      now += ms;
    },
    log: (line) => log.push(line),
  });
  return { session, log };
}

const headersOf = (remaining: number, seconds: number, limit = 120) => ({
  'x-ratelimit-limit': limit,
  'x-ratelimit-remaining': remaining,
  'x-ratelimit-reset': seconds,
  'ratelimit-policy': `"default";q=${limit};w=60`,
});

t.test('a check waits until the window has the calls that it makes, and the log says for what', async (t) => {
  let remaining = 3;
  const { session, log } = await connected(t, (_request, response) => {
    remaining -= 1;
    response.writeHead(200, headersOf(remaining, 60)).end('{}');
  });
  await session.send(get('/v1/plans'));
  await session.waitForCalls(2);
  t.strictSame(log, []);
  await session.waitForCalls(3);
  t.strictSame(log, ["Waiting 60 s: the key's 120 calls per window are used up"]);
  await session.send(get('/v1/plans', { key: 'another' }));
  await session.waitForCalls(100);
  t.equal(log.length, 1, 'the limit of another key does not count');
});

t.test('a call that meets the limit because others use the key is sent again, five times at most', async (t) => {
  let refusals = 2;
  const { session, log } = await connected(t, (_request, response) => {
    refusals -= 1;
    response.writeHead(refusals < 0 ? 200 : 429, refusals === 0 ? { 'retry-after': '7' } : {}).end('{}');
  });
  t.equal((await session.send(get('/v1/plans'))).status, 200);
  t.strictSame(log, ['Waiting 1 s: the rate limit refused a call', 'Waiting 7 s: the rate limit refused a call']);
  refusals = 100;
  t.equal((await session.send(get('/v1/plans'))).status, 429);
  t.equal(session.calls, 9);
});

t.test('a simulated 429 has calls left and is not sent again', async (t) => {
  const { session } = await connected(t, (_request, response) => response.writeHead(429, headersOf(5, 60)).end('{}'));
  t.equal((await session.send(get('/v1/services/900429'))).status, 429);
  t.equal(session.calls, 1);
});

t.test('an answer of more than 8 MiB is given up, and one that is no JSON has none', async (t) => {
  const { session } = await connected(t, (request, response) => {
    if (request.url === '/api/endless') response.end(Buffer.alloc(9 * 1024 * 1024));
    else response.end('no JSON');
  });
  await t.rejects(session.send(get('/endless')), { message: /larger than 8388608 bytes/ });
  t.equal((await session.send(get('/v1/plans'))).json, undefined);
});

t.test('what a problem shows of a request and an answer is cut, and has no key in it', async (t) => {
  const { session } = await connected(t, (_request, response) => response.end(`\u001b[2J${'x'.repeat(4996)}`));
  const api = new Api(session);
  await api.call(post('/v1/plans', { a: 'y'.repeat(5000) }, { headers: { 'x-idempotency-key': 'k' } }));
  const hidden = { key: null, bytes: 'text', headers: { authorization: 'Bearer hidden' } };
  await api.call(post('//elsewhere', undefined, hidden));
  await api.call(get('/v1/plans', { key: 'another-secret' }));
  const text = JSON.stringify(api.problems);
  t.match(text, /x{100}\.\.\. \(5000 characters\)/);
  t.match(text, /y{100}\.\.\. \(5008 characters\)/);
  t.match(text, /Bearer \(the key\)\\nx-idempotency-key: k/);
  t.match(text, /Bearer \(another key\)/);
  t.notOk(
    api.problems.some(({ answer }) => answer?.includes('\u001b')),
    'nothing that a terminal would obey',
  );
  for (const secret of ['the-secret', 'another-secret', 'hidden']) t.notOk(text.includes(secret));
});

t.test('an https address is called over TLS', async (t) => {
  const secure = createClient(new URL('https://127.0.0.1:1/api/'), 'key');
  t.teardown(() => secure.close());
  t.equal(secure.secure, true);
  await t.rejects(secure.send(get('/v1/plans')), { code: 'ECONNREFUSED' });
});

t.test('a burst uses up one window, or says why it cannot', async (t) => {
  let window = { remaining: 3, seconds: 60, status: 200 };
  let policy = 60;
  const { session, log } = await connected(t, (_request, response) => {
    const { remaining, seconds, status } = window;
    window = { ...window, remaining: remaining - 1 };
    const headers = {
      ...headersOf(Math.max(remaining, 0), seconds),
      'ratelimit-policy': `"default";q=120;w=${policy}`,
    };
    response.writeHead(remaining < 0 ? 429 : status, headers).end('{}');
  });
  const call = get('/v1/plans');
  const burst = await session.burst(call, 2);
  t.match(burst, { left: 3 });
  const statuses = typeof burst === 'string' ? [] : burst.answers.map(({ status }) => status).sort();
  t.strictSame(statuses, [200, 200, 200, 429, 429]);
  window = { remaining: 3, seconds: 4, status: 200 };
  t.match(await session.burst(call, 0), { left: 2 }, 'a window that is about to end is waited for once');
  t.strictSame(log, ['Waiting 4 s: a burst needs a whole window']);
  window = { remaining: 3, seconds: 60, status: 429 };
  t.equal(await session.burst(call, 0), 'others use the key');
  window = { remaining: 1_000_000, seconds: 60, status: 200 };
  t.equal(await session.burst(call, 0), 'the key may make too many calls to use them up');
  window = { remaining: 3, seconds: 86_400, status: 200 };
  policy = 86_400;
  t.equal(await session.burst(call, 0), 'the window is too long to wait for its end');
});
