import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import t, { type Test } from 'tap';
import { Kit, Probe } from '../../conformance/src/kit.ts';
import { reportJunit, reportText } from '../../conformance/src/report.ts';
import { get, openWire, post } from '../../conformance/src/wire.ts';

/** A kit on a server that answers as told; waits move its clock. */
async function prepared(t: Test, answer: RequestListener) {
  const server = createServer(answer);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const wire = openWire(new URL(`http://127.0.0.1:${port}/api`), 'the-secret');
  t.teardown(() => {
    wire.close();
    server.closeAllConnections();
    return new Promise((resolve) => server.close(resolve));
  });
  let now = 0;
  const told: string[] = [];
  const wait = async (ms: number) => {
    now += ms;
  };
  const kit = new Kit({ wire, clock: { monotonic: () => now }, wait, tell: (line) => told.push(line) });
  return { kit, told, wire, pass: (ms: number) => wait(ms) };
}

t.test('a call waits until the window has room for it, and says so', async (t) => {
  let remaining = 3;
  const { kit, told, pass } = await prepared(t, (_request, response) => {
    remaining -= 1;
    response.writeHead(200, { 'x-ratelimit-remaining': remaining, 'x-ratelimit-reset': 60 }).end('{}');
  });
  await kit.send([get('/v1/plans')]);
  await kit.send([get('/v1/plans'), get('/v1/plans')]);
  t.strictSame(told, []);
  remaining = 2;
  await kit.send([get('/v1/plans')]);
  t.match(told, [/^Waiting 60 s: 3 calls were made/]);
  await kit.send([get('/v1/plans', { key: 'another' })]);
  await pass(60_000);
  await kit.send([get('/v1/plans'), get('/v1/plans')]);
  t.equal(told.length, 1, 'a window that has ended is not waited for');
});

t.test('a limit that is met because others use the key is waited out, and not for ever', async (t) => {
  let refusals = 2;
  const { kit, told } = await prepared(t, (_request, response) => {
    refusals -= 1;
    response.writeHead(refusals < 0 ? 200 : 429, refusals === 0 ? { 'retry-after': '7' } : {}).end('{}');
  });
  const [answer] = await kit.send([get('/v1/plans')]);
  t.equal(answer?.status, 200);
  t.strictSame(told, ['Waiting 1 s: the rate limit was met', 'Waiting 7 s: the rate limit was met']);
  refusals = 100;
  const [refused] = await kit.send([get('/v1/plans')]);
  t.equal(refused?.status, 429);
  t.equal(kit.calls, 9);
});

t.test('a call that fails does not stop those behind it, and an answer without end is given up', async (t) => {
  const { kit } = await prepared(t, (request, response) => {
    if (request.url === '/api/endless') response.end(Buffer.alloc(9 * 1024 * 1024));
    else response.end('no JSON');
  });
  await t.rejects(kit.send([get('/endless')]), { message: /larger than 8388608 bytes/ });
  const [answer] = await kit.send([get('/v1/plans')]);
  t.equal(answer?.json, undefined);
});

t.test('what is shown of a request and an answer is cut, and holds no key', async (t) => {
  const { kit } = await prepared(t, (_request, response) => response.end(`\u001b[2J${'x'.repeat(4996)}`));
  const probe = new Probe(kit);
  await probe.ask(post('/v1/plans', { a: 'y'.repeat(5000) }, { headers: { 'x-idempotency-key': 'k' } }));
  await probe.ask(
    post('//elsewhere', undefined, { key: null, bytes: 'text', headers: { authorization: 'Bearer hidden' } }),
  );
  await probe.ask(get('/v1/plans', { key: 'another-secret' }));
  const shown = JSON.stringify(probe.problems);
  t.match(shown, /x{100}\.\.\. \(5000 characters\)/);
  t.notOk(
    probe.problems.some(({ answer }) => answer?.includes('\u001b')),
    'nothing that a terminal would act on',
  );
  t.match(shown, /y{100}\.\.\. \(5008 characters\)/);
  t.match(shown, /Bearer \(the key\)\\nx-idempotency-key: k/);
  t.match(shown, /Bearer \(another key\)/);
  for (const secret of ['the-secret', 'another-secret', 'hidden']) t.notOk(shown.includes(secret));
});

t.test('a refusal is held against its status, code, reason and details', async (t) => {
  const { kit } = await prepared(t, (_request, response) => response.end());
  const error = (code: string, details?: object) => ({
    success: false,
    error: { code, message: 'No', ...(details && { details }) },
  });
  const said = (json: unknown, expected: object) => {
    const probe = new Probe(kit);
    const answer = { ask: get('/v1/plans'), status: 400, headers: {}, raw: Buffer.from(''), json };
    probe.isRefusal(answer, { status: 400, code: 'invalid_state', ...expected });
    return probe.problems.map(({ message }) => message).join();
  };
  const cancelled = error('invalid_state', { reason: 'service_cancelled' });
  t.equal(said(cancelled, { reason: 'service_cancelled' }), '');
  t.equal(said(cancelled, {}), 'the reason is service_cancelled, not absent');
  t.equal(said(error('invalid_state'), { reason: 'x' }), 'the reason is absent, not x');
  t.equal(said(error('not_found'), {}), 'the code is not_found, not invalid_state');
  t.equal(said(cancelled, { status: 409 }), 'the status is 400, not 409 invalid_state');
  t.match(
    said(cancelled, { reason: 'service_cancelled', details: { more: 1 }, message: 'Yes' }),
    /more is absent.*"No", not "Yes"/,
  );
});

t.test('an https address is spoken to over TLS', async (t) => {
  const { wire } = await prepared(t, (_request, response) => response.end());
  t.equal(wire.secure, false);
  const secure = openWire(new URL('https://127.0.0.1:1/api/'), 'key');
  t.equal(secure.secure, true);
  await t.rejects(secure.send(get('/v1/plans')), { code: 'ECONNREFUSED' });
  secure.close();
});

const problem = {
  message: 'the header <x> is missing',
  request: 'GET /v1/plans',
  answer: 'HTTP 200\n\n{"a":"\u0001"}',
};
const check = (title: string, result: 'passed' | 'failed' | 'skipped', more: object = {}) => ({
  section: title === 'third' ? 'other' : 'lists',
  title,
  result,
  duration_ms: 1500,
  problems: [],
  ...more,
});
const REPORT = {
  base_url: 'https://api.example.com/api',
  passed: 1,
  failed: 2,
  skipped: 1,
  calls: 12,
  checks: [
    check('first', 'passed'),
    check('second', 'failed', { problems: [problem, { message: 'b' }, { message: 'c' }, { message: 'd' }] }),
    check('third', 'skipped', { why: 'it takes another key' }),
    check('fourth', 'failed', { problems: [{ message: 'alone' }] }),
  ],
};

t.test('a person reads a line for each check, and the request and answer of what failed', async (t) => {
  const text = reportText(REPORT);
  t.match(text, /^ok {6}lists {2}first$/m);
  t.match(text, /^skipped other {2}third \(it takes another key\)$/m);
  t.match(
    text,
    /^FAILED: lists: second\n {2}\* the header <x> is missing\n\n {4}> GET \/v1\/plans\n\n {4}< HTTP 200$/m,
  );
  t.match(text, / {2}\* c\n {2}and 1 more\n/);
  t.match(text, /https:\/\/api\.example\.com\/api: 1 passed, 2 failed, 1 skipped, 12 calls\.$/);
});

t.test('a build server reads the same as JUnit XML', async (t) => {
  const xml = reportJunit(REPORT);
  t.match(xml, '<testsuites name="https://api.example.com/api" tests="4" failures="2" skipped="1">');
  t.match(xml, '<testsuite name="lists" tests="3" failures="2" skipped="0">');
  t.match(xml, '<testcase classname="lists" name="first" time="1.500"/>');
  t.match(xml, '<skipped message="it takes another key"/>');
  t.match(xml, '<failure message="the header &lt;x&gt; is missing; b; c; d">');
  t.match(xml, '{&quot;a&quot;:&quot;\ufffd&quot;}');
});

t.test('a burst uses up one window, and is left out where it cannot', async (t) => {
  let window = { left: 3, seconds: 60, status: 200 };
  const { kit, told } = await prepared(t, (_request, response) => {
    const { left, seconds, status } = window;
    window = { ...window, left: left - 1 };
    response.writeHead(left < 0 ? 429 : status, {
      'x-ratelimit-remaining': Math.max(left, 0),
      'x-ratelimit-reset': seconds,
    });
    response.end('{}');
  });
  const ask = get('/v1/plans');
  const burst = await kit.burst(ask, 2);
  t.match(burst, { left: 3 });
  const statuses = typeof burst === 'string' ? [] : burst.answers.map(({ status }) => status).sort();
  t.strictSame(statuses, [200, 200, 200, 429, 429]);
  window = { left: 3, seconds: 4, status: 200 };
  t.match(await kit.burst(ask, 0), { left: 2 }, 'a window that is about to end is waited for once');
  t.strictSame(told, ['Waiting 4 s: a burst takes a window of its own']);
  window = { left: 3, seconds: 0, status: 200 };
  t.match(await kit.burst(ask, 0), { left: 2 });
  t.equal(told.at(-1), 'Waiting 1 s: a burst takes a window of its own');
  window = { left: 3, seconds: 60, status: 429 };
  t.equal(await kit.burst(ask, 0), 'others use the key');
  window = { left: 1_000_000, seconds: 60, status: 200 };
  t.equal(await kit.burst(ask, 0), 'the key may make too many calls to use them up');
  window = { left: 3, seconds: 86_400, status: 200 };
  t.equal(await kit.burst(ask, 0), 'the window is too long to wait for its end');
});
