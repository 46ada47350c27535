import { once } from 'node:events';
import { get } from 'node:http';
import { type AddressInfo, connect, createServer } from 'node:net';
import { pino } from 'pino';
import t, { type Test } from 'tap';
import { listenConsole } from '../../console/listen.ts';
import { loadConfig } from '../../src/config.ts';
import { createOperatorContext } from '../support/operator-context.ts';

async function parts(t: Test, port: number, asked: boolean) {
  const base = await createOperatorContext();
  t.teardown(() => base.close());
  const lines: string[] = [];
  const { console, ...config } = loadConfig({});
  if (!console) throw new Error('the console is off');
  return {
    lines,
    context: { ...base, log: { error() {}, warn() {} } },
    runImport: async () => ({ refusal: 'nothing is imported here' }),
    processInfo: { settings: [], away: () => ({}) },
    config: { ...config, console: { ...console, port, asked } },
    logger: pino({}, { write: (line) => void lines.push(line) }),
  };
}

/** A port that somebody else has. */
async function taken(t: Test): Promise<number> {
  const other = createServer().listen(0, '127.0.0.1');
  await once(other, 'listening');
  t.teardown(() => void other.close());
  return (other.address() as AddressInfo).port;
}

t.test('a port that nobody asked for and somebody else has is given up with one line', async (t) => {
  const given = await parts(t, await taken(t), false);
  t.equal(await listenConsole(given), null);
  t.match(given.lines.join(''), /no console: port \d+ is taken/);
});

t.test('a port that was asked for and somebody else has is an error', async (t) => {
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

t.test('of more than five hundred connections at once the last are closed', async (t) => {
  const free = createServer().listen(0, '127.0.0.1');
  await once(free, 'listening');
  const { port } = free.address() as AddressInfo;
  free.close();
  await once(free, 'close');
  const console = await listenConsole(await parts(t, port, true));
  const sockets = [];
  for (let turn = 0; turn < 500; turn += 1) {
    const socket = connect(port, '127.0.0.1');
    await once(socket, 'connect');
    sockets.push(socket);
  }
  const beyond = connect(port, '127.0.0.1');
  await once(beyond.resume(), 'close');
  t.notOk(
    sockets.some(({ closed }) => closed),
    'the others stay',
  );
  for (const socket of sockets) socket.destroy();
  await console?.close();
});

t.test('a page in the making is finished when the console ends', async (t) => {
  const free = await taken(t);
  const given = await parts(t, free, true);
  let look: (() => void) | undefined;
  const looking = new Promise<void>((resolve) => {
    look = resolve;
  });
  let go: (() => void) | undefined;
  const going = new Promise<null>((resolve) => {
    go = () => resolve(null);
  });
  // The look-up of a session is what this page waits for.
  Object.assign(given.context.store.read.operators, {
    findVisit: () => {
      look?.();
      return going;
    },
  });
  const console = await listenConsole({
    ...given,
    config: { ...given.config, console: { ...given.config.console, port: 0 } },
  });
  const port = console?.port as number;
  const headers = { cookie: `broker_console_session=${'A'.repeat(43)}` };
  const answer = new Promise<number | undefined>((resolve, reject) => {
    get({ port, host: '127.0.0.1', path: '/brokers', headers }, (response) => {
      response.resume();
      resolve(response.statusCode);
    }).on('error', reject);
  });
  await looking;
  const closing = console?.close();
  go?.();
  t.equal(await answer, 303);
  await closing;
});
