import { once } from 'node:events';
import { createServer, type RequestListener, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import t, { type Test } from 'tap';
import { oneAtATime } from '../../src/http/one-at-a-time.ts';
import { answersOf, dial } from '../support/wire.ts';

/** A server that answers when the test says so, and counts the requests that Node has parsed. */
async function serving(t: Test) {
  const begun: { url: string; response: ServerResponse }[] = [];
  const take: RequestListener = (request, response) => begun.push({ url: request.url as string, response });
  const server = createServer({ requireHostHeader: false }, oneAtATime(take));
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
const bodiesOf = async (client: Socket) => (await answersOf(client)).map(({ body }) => body);

t.test('the requests of a connection that waits for each answer are all answered', async (t) => {
  const { connected, answer } = await serving(t);
  const { client } = await connected();
  const bodies = bodiesOf(client);
  for (const index of [0, 1]) {
    client.write(ask(index));
    await answer(index);
  }
  client.write(ask('last').replace('\r\n', '\r\nConnection: close\r\n'));
  await answer(2);
  t.strictSame(await bodies, ['/0', '/1', '/last']);
});

t.test('a connection that sends a request ahead of an answer gets that answer and is closed', async (t) => {
  const { begun, connected, arrivals, answer } = await serving(t);
  const { client } = await connected();
  const bodies = bodiesOf(client);
  client.write(ask('a'));
  await arrivals(1);
  client.write(ask('b'));
  await arrivals(2);
  client.write(ask('c'));
  await answer(0);
  t.strictSame(await bodies, ['/a']);
  t.equal(begun.length, 1);
});

t.test(
  'of many requests sent at once the first is answered, and no more is parsed than what had been read',
  async (t) => {
    const { begun, parsed, connected, arrivals, answer } = await serving(t);
    const { client, socket } = await connected();
    const bodies = bodiesOf(client);
    client.write(ask('a').repeat(100_000));
    await arrivals(2);
    while (!socket.isPaused()) await new Promise((resolve) => setImmediate(resolve));
    const read = parsed();
    await answer(0);
    t.strictSame(await bodies, ['/a']);
    t.equal(begun.length, 1);
    t.equal(parsed(), read);
  },
);

t.test('an answer that the client takes slowly arrives in full before the connection is closed', async (t) => {
  const { begun, connected, arrivals } = await serving(t);
  const { client } = await connected();
  client.pause();
  client.write(ask('a').repeat(20_000));
  await arrivals(2);
  begun[0]?.response.end('x'.repeat(20_000_000));
  await new Promise((resolve) => setImmediate(resolve));
  const bodies = bodiesOf(client);
  client.resume();
  t.strictSame(
    (await bodies).map((body) => body.length),
    [20_000_000],
  );
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
  const { server, begun, connected, answer } = await serving(t);
  server.once('connection', (socket) => Object.defineProperty(socket, 'remoteAddress', { value: undefined }));
  const { client } = await connected();
  client.write(ask('gone'));
  t.strictSame(await answersOf(client), []);
  const late = await connected();
  late.client.write(ask('c'));
  await answer(0);
  t.strictSame(
    begun.map(({ url }) => url),
    ['/c'],
  );
});
