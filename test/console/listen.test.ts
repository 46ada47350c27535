import { once } from 'node:events';
import { get } from 'node:http';
import { type AddressInfo, connect, createServer } from 'node:net';
import { pino } from 'pino';
import t, { type Test } from 'tap';
import { listenConsole } from '../../console/listen.ts';
import { loadConfig } from '../../src/config.ts';
import { createTestConsole } from '../support/console.ts';
import { createOperatorContext } from '../support/operator-context.ts';
import { answersOf, dial, exchange, halfSent, listen } from '../support/wire.ts';

async function parts(t: Test, port: number, isExplicit: boolean) {
  const base = await createOperatorContext();
  t.teardown(() => base.close());
  const lines: string[] = [];
  const { console, ...config } = loadConfig({});
  if (!console) throw new Error('the console is off');
  return {
    lines,
    context: { ...base, log: { error() {}, warn() {} } },
    runImport: async () => ({ refusal: 'nothing is imported here' }),
    processInfo: {
      settings: [],
      apiUrl: 'http://127.0.0.1:3000/api',
      scopesOf: () => [],
      away: () => ({}),
      sandboxes: { find: async () => null, remove: async () => undefined, count: async () => 0 },
    },
    config: { ...config, console: { ...console, port, isExplicit } },
    logger: pino({}, { write: (line) => void lines.push(line) }),
  };
}

/** A port that is taken. */
async function taken(t: Test): Promise<number> {
  const other = createServer().listen(0, '127.0.0.1');
  await once(other, 'listening');
  t.teardown(() => void other.close());
  return (other.address() as AddressInfo).port;
}

t.test('a default port that is taken is given up with one line', async (t) => {
  const given = await parts(t, await taken(t), false);
  t.equal(await listenConsole(given), null);
  t.match(given.lines.join(''), /no console: port \d+ is taken/);
});

t.test('a port that was asked for and is taken is an error', async (t) => {
  await t.rejects(listenConsole(await parts(t, await taken(t), true)), { code: 'EADDRINUSE' });
});

t.test('the console ends with connections that wait, and lets a page in the making be finished', async (t) => {
  const free = createServer().listen(0, '127.0.0.1');
  await once(free, 'listening');
  const { port } = free.address() as AddressInfo;
  free.close();
  await once(free, 'close');
  const given = await parts(t, port, true);
  const console = await listenConsole(given);
  // One that never says anything, and one that has its page and stays.
  const silent = connect(port, '127.0.0.1');
  await once(silent, 'connect');
  const gone = once(silent, 'close');
  const answer = await new Promise<{ statusCode?: number | undefined; ended: Promise<unknown> }>((resolve, reject) => {
    const request = get(
      { port, host: '127.0.0.1', path: '/sign-in', headers: { connection: 'keep-alive' } },
      (response) => {
        response.resume();
        resolve({ statusCode: response.statusCode, ended: once(response, 'end') });
      },
    );
    request.on('error', reject);
  });
  t.equal(answer.statusCode, 200);
  await answer.ended;
  await Promise.all([console?.close(), gone]);
});

t.test('a client that leaves in the middle of its form is nothing to log', async (t) => {
  const given = await parts(t, 0, true);
  const console = await listenConsole(given);
  const socket = dial(console?.port ?? 0);
  const head = ['POST /sign-in HTTP/1.1', 'Host: x', 'Expect: 100-continue', 'Content-Length: 500'];
  socket.write(`${head.join('\r\n')}\r\nContent-Type: application/x-www-form-urlencoded\r\n\r\n`);
  await once(socket, 'data');
  socket.destroy();
  await once(socket, 'close');
  await console?.close();
  t.notMatch(given.lines.join(''), /failed/);
});

t.test('whatever a socket sends, the console answers with a page and its security headers', async (t) => {
  const console = await listenConsole(await parts(t, 0, true));
  if (!console) throw new Error('the port is taken');
  t.teardown(() => console.close());
  const { port } = console;
  const page = await exchange(port, 'GET /sign-in HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n');
  const security = Object.keys(page.headers).filter((name) =>
    /^(x-|cross-|content-security|referrer|cache)/.test(name),
  );
  t.ok(security.length >= 8);
  const head = (target: string) => `GET ${target} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n`;
  const inputs: [bytes: string, status: number, text: RegExp][] = [
    ['GARBAGE\r\n\r\n', 400, /The request is not valid HTTP\./],
    [`${head('/sign-in')}X-Long: ${'x'.repeat(20_000)}\r\n\r\n`, 431, /The request headers are too large\./],
    ['CONNECT a:1 HTTP/1.1\r\nHost: a\r\n\r\n', 404, /Page not found/],
    ['BREW /sign-in HTTP/1.1\r\nHost: x\r\n\r\n', 404, /Page not found/],
    [`${head('/%zz')}\r\n`, 400, /The URL cannot be decoded\./],
    [`${head('/%zz').replace('GET', 'POST')}\r\n`, 400, /The URL cannot be decoded\./],
    [`${head(`/sign-in/${'x'.repeat(201)}`)}\r\n`, 400, /A segment of the path is too long\./],
    [`${head('http://[::1')}\r\n`, 400, /The host of the URL cannot be read\./],
    [`${head('/sign-in')}Host: y\r\n\r\n`, 400, /The request names two hosts\./],
    [`${head('/nowhere')}\r\n`, 404, /Page not found/],
    [`${head('http://x//sign-in')}\r\n`, 404, /Page not found/],
    [`${head('http://x/sign-in')}\r\n`, 200, /Sign in/],
  ];
  for (const [bytes, status, text] of inputs) {
    const answer = await exchange(port, bytes);
    const title = bytes.slice(0, 40);
    t.equal(answer.status, status, title);
    t.match(answer.headers['content-type'], 'text/html; charset=utf-8', title);
    t.match(answer.body, text, title);
    t.match(answer.headers['x-request-id'], /^[\w-]{12}-[0-9a-z]+$/, title);
    for (const name of security.filter((each) => each !== 'x-request-id')) {
      t.equal(answer.headers[name], page.headers[name], `${title}: ${name}`);
    }
  }
});

t.test('when the console ends, a page in the making is finished, and what still arrives is refused', async (t) => {
  const { app, store, close } = await createTestConsole();
  t.teardown(close);
  const port = await listen(app);
  let release: () => void = () => undefined;
  const reached = new Promise<void>((reach) => {
    // The look-up of a session is what this page waits for.
    store.read.operators.findVisit = () => {
      reach();
      return new Promise((resolve) => {
        release = () => resolve(null);
      });
    };
  });
  const page = dial(port);
  const pages = answersOf(page);
  page.write(`GET /brokers HTTP/1.1\r\nHost: x\r\nCookie: broker_console_session=${'A'.repeat(43)}\r\n\r\n`);
  await reached;
  const late = await halfSent(app, port, 'GET /sign-in HTTP/1.1\r\nHost: x\r\n\r\n');
  const closed = app.close();
  late.complete();
  t.match(await late.answers, [
    { status: 200 },
    { status: 503, headers: { 'retry-after': /^[1-9]\d*$/, connection: 'close' }, body: /The console is restarting/ },
  ]);
  release();
  t.match(await pages, [{ status: 303 }]);
  await closed;
});
