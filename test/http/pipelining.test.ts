import { once } from 'node:events';
import { createServer, type RequestListener, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import t, { type Test } from 'tap';
import { boundPipelining, type PipeliningLimits } from '../../src/http/pipelining.ts';
import { API_LIMITS } from '../../src/http/server.ts';
import { answersOf, dial } from '../support/wire.ts';

/** A server whose answers the test gives, one by one, and which tells how many requests have arrived. */
async function serving(t: Test, limits: Partial<PipeliningLimits>, handle?: RequestListener) {
  const begun: { url: string; response: ServerResponse }[] = [];
  const take: RequestListener = (request, response) => begun.push({ url: request.url as string, response });
  const server = createServer(boundPipelining(handle ?? take, { ...API_LIMITS.pipelining, ...limits }));
  let arrived = 0;
  server.on('request', () => {
    arrived += 1;
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  t.teardown(() => {
    server.closeAllConnections();
    server.close();
  });
  return {
    server,
    begun,
    /** A connection, with the server's end of it. */
    async connected() {
      const client = dial((server.address() as AddressInfo).port);
      const [socket] = (await once(server, 'connection')) as [Socket];
      return { client, socket };
    },
    async arrivals(count: number) {
      while (arrived < count) await once(server, 'request');
    },
    /** Gives the oldest answer that is missing, when its request has been begun. */
    async answer(index: number, body = '') {
      while (begun[index] === undefined) await new Promise((resolve) => setImmediate(resolve));
      const { url, response } = begun[index];
      response.end(body || url);
      await once(response, 'close');
    },
  };
}

const ask = (...names: (string | number)[]) => names.map((name) => `GET /${name} HTTP/1.1\r\nHost: x\r\n\r\n`).join('');
const upTo = (count: number) => Array.from({ length: count }, (_, i) => i);

t.test('of pipelined requests some are worked on, the rest wait unread, and all are answered in order', async (t) => {
  const { begun, connected, arrivals, answer } = await serving(t, { atOnce: 2 });
  const { client, socket } = await connected();
  const answers = answersOf(client);
  client.write(ask(...upTo(5)));
  await arrivals(5);
  t.strictSame(
    begun.map(({ url }) => url),
    ['/0', '/1'],
  );
  t.equal(socket.isPaused(), true);
  // Node itself resumes a connection when an answer is out; while requests wait, that is not for it to say.
  await answer(0);
  t.strictSame([begun.length, socket.isPaused()], [3, true]);
  for (const index of [1, 2]) await answer(index);
  t.strictSame([begun.length, socket.isPaused()], [5, false]);
  client.write(ask('last').replace('Host', 'Connection: close\r\nHost'));
  for (const index of [4, 3, 5]) {
    if (index === 4) begun[4]?.response.end('/4');
    else await answer(index);
  }
  t.strictSame(
    (await answers).map(({ body }) => body),
    ['/0', '/1', '/2', '/3', '/4', '/last'],
  );
});

t.test('nothing further is begun for a caller that does not take what it has', async (t) => {
  const { begun, connected, arrivals, answer } = await serving(t, { atOnce: 4, unsentBytes: 1000 });
  const { client, socket } = await connected();
  client.pause();
  client.write(ask(...upTo(2)));
  await arrivals(2);
  begun[0]?.response.end('x'.repeat(50_000_000));
  client.write(ask(...upTo(20)));
  await arrivals(3);
  t.equal(begun.length, 2);
  t.equal(socket.isPaused(), true);
  client.resume();
  await answer(1);
  while (begun.length < 3) await once(socket, 'drain');
  t.ok(begun.length > 2, 'and goes on when it has been taken');
});

t.test('a connection on which too many wait ends behind the last one that may', async (t) => {
  const { begun, connected, arrivals, answer } = await serving(t, { atOnce: 1, waitingOnConnection: 3 });
  const { client } = await connected();
  const answers = answersOf(client);
  client.write(ask(...upTo(9)));
  await arrivals(9);
  for (const index of upTo(4)) await answer(index);
  t.strictSame(
    (await answers).map(({ body, headers }) => [body, headers.connection]),
    [
      ['/0', 'keep-alive'],
      ['/1', 'keep-alive'],
      ['/2', 'keep-alive'],
      ['/3', 'close'],
    ],
  );
  t.equal(begun.length, 4);
});

t.test('who makes too many wait over all is cut off, no other, and what it held is free again', async (t) => {
  const { server, begun, connected, arrivals, answer } = await serving(t, { atOnce: 1, waitingOverAll: 4 });
  const [one, greedy, late] = [await connected(), await connected(), await connected()];
  const answers = answersOf(one.client);
  one.client.write(ask('a', 'b', 'c'));
  await arrivals(3);
  const cut = once(greedy.socket, 'close');
  greedy.client.write(ask(...upTo(9)));
  await cut;
  const own = begun.length;
  late.client.write(ask('d', 'e', 'f'));
  await arrivals(3 + 9 + 3);
  t.equal(late.socket.destroyed, false, 'two wait here and two there');
  late.client.destroy();
  await answer(0);
  await answer(own + 1);
  begun.at(-1)?.response.setHeader('connection', 'close');
  await answer(own + 2);
  t.strictSame(
    (await answers).map(({ body }) => body),
    ['/a', '/b', '/c'],
  );
  t.equal(server.listening, true);
});

t.test('a caller that is gone before its request is begun is not served and leaves no trace', async (t) => {
  const { server, begun } = await serving(t, {});
  server.once('connection', (socket) => Object.defineProperty(socket, 'remoteAddress', { value: undefined }));
  const client = dial((server.address() as AddressInfo).port);
  client.write(ask('gone', 'too'));
  t.strictSame(await answersOf(client), []);
  t.strictSame(begun, []);
});
