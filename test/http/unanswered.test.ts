import { once } from 'node:events';
import { createServer, type RequestListener, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import t, { type Test } from 'tap';
import { boundUnanswered, MAX_UNANSWERED, parseInSlices } from '../../src/http/unanswered.ts';
import { answersOf, dial } from '../support/wire.ts';

/** A server that answers when the test says so, or by `handle`, and counts the requests that Node has parsed. */
async function serving(t: Test, handle?: RequestListener) {
  const begun: { url: string; response: ServerResponse }[] = [];
  const take: RequestListener = (request, response) => begun.push({ url: request.url as string, response });
  const server = createServer({ requireHostHeader: false }, boundUnanswered(handle ?? take));
  parseInSlices(server, 'connection');
  let parsed = 0;
  server.on('request', () => {
    parsed += 1;
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  t.teardown(() => {
    server.closeAllConnections();
    server.close();
  });
  return {
    server,
    begun,
    parsed: () => parsed,
    /** A connection, with the server's end of it. */
    async connected() {
      const client = dial((server.address() as AddressInfo).port);
      const [socket] = (await once(server, 'connection')) as [Socket];
      return { client, socket };
    },
    async arrivals(count: number) {
      while (parsed < count) await once(server, 'request');
    },
    /** Answers a request once it has begun. */
    async answer(index: number, body?: string) {
      while (begun[index] === undefined) await new Promise((resolve) => setImmediate(resolve));
      const { url, response } = begun[index];
      response.end(body ?? url);
      await once(response, 'close');
    },
  };
}

const ask = (...names: (string | number)[]) => names.map((name) => `GET /${name} HTTP/1.1\r\n\r\n`).join('');
const upTo = (count: number) => Array.from({ length: count }, (_, i) => i);
const bodiesOf = async (client: Socket) => (await answersOf(client)).map(({ body }) => body);

t.test('the requests of a connection begin one after the other and are answered in their order', async (t) => {
  const { begun, connected, arrivals, answer } = await serving(t);
  const { client } = await connected();
  const bodies = bodiesOf(client);
  client.write(ask(...upTo(MAX_UNANSWERED)));
  await arrivals(MAX_UNANSWERED);
  for (const index of upTo(MAX_UNANSWERED)) {
    t.equal(begun.length, index === 0 ? 1 : index);
    await answer(index);
  }
  client.write(ask('last').replace('\r\n', '\r\nConnection: close\r\n'));
  await answer(MAX_UNANSWERED);
  t.strictSame(await bodies, [...upTo(MAX_UNANSWERED).map((n) => `/${n}`), '/last']);
});

t.test('two requests of a connection never begin in one iteration of the event loop', async (t) => {
  let isTaken = false;
  let begun = 0;
  const { connected } = await serving(t, (_request, response) => {
    t.equal(isTaken, false);
    isTaken = true;
    setImmediate(() => {
      isTaken = false;
    });
    begun += 1;
    response.end();
  });
  const { client } = await connected();
  const answers = answersOf(client);
  client.write(ask(...upTo(50)));
  t.equal((await answers).length, MAX_UNANSWERED);
  t.equal(begun, MAX_UNANSWERED);
});

t.test('with more unanswered requests a connection gets the answers to 16 and is closed', async (t) => {
  const { begun, parsed, connected, arrivals, answer } = await serving(t);
  const { client, socket } = await connected();
  const bodies = bodiesOf(client);
  client.write('GET / HTTP/1.1\r\n\r\n'.repeat(3_600));
  await arrivals(MAX_UNANSWERED + 1);
  t.equal(socket.isPaused(), true);
  for (const index of upTo(MAX_UNANSWERED)) await answer(index, String(index));
  t.strictSame(await bodies, upTo(MAX_UNANSWERED).map(String));
  t.equal(begun.length, MAX_UNANSWERED);
  t.ok(parsed() < 100, `of the packet ${parsed()} requests were parsed`);
});

t.test('nothing further begins for a client that does not take its answer, and nothing more is read', async (t) => {
  const { begun, parsed, connected, arrivals, answer } = await serving(t);
  const { client, socket } = await connected();
  client.pause();
  client.write(ask(...upTo(20)));
  await arrivals(MAX_UNANSWERED + 1);
  const read = parsed();
  begun[0]?.response.end('x'.repeat(50_000_000));
  client.write(ask(...upTo(1_000)));
  await new Promise((resolve) => setImmediate(resolve));
  t.strictSame([begun.length, parsed(), socket.isPaused()], [1, read, true]);
  client.resume();
  await answer(1);
});

t.test('after an answer that closes the connection nothing further begins', async (t) => {
  const { begun, connected, arrivals } = await serving(t);
  const { client } = await connected();
  const bodies = bodiesOf(client);
  client.write(ask('a', 'b', 'c'));
  await arrivals(3);
  begun[0]?.response.setHeader('connection', 'close').end('x'.repeat(20_000_000));
  t.equal((await bodies).length, 1);
  t.equal(begun.length, 1);
});

t.test('a client that has disconnected before its request begins is not served', async (t) => {
  const { server, begun, connected, arrivals, answer } = await serving(t);
  const first = await connected();
  first.client.write(ask('a', 'b'));
  await arrivals(2);
  const closed = once(first.socket, 'close');
  first.socket.destroy();
  await closed;
  server.once('connection', (socket) => Object.defineProperty(socket, 'remoteAddress', { value: undefined }));
  const { client } = await connected();
  client.write(ask('gone'));
  t.strictSame(await answersOf(client), []);
  const late = await connected();
  late.client.write(ask('c'));
  await answer(1);
  t.strictSame(
    begun.map(({ url }) => url),
    ['/a', '/c'],
  );
});
