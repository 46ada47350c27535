import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import t from 'tap';
import type { Mailer } from '../../src/ports.ts';
import { openSqlite } from '../../src/store/drivers/sqlite.ts';
import type { Store } from '../../src/store/store.ts';
import { emailsOf, requestsOf } from '../support/v1.ts';
import { answersOf, dial, listen } from '../support/wire.ts';
import { createWorld } from '../support/world.ts';

/** A mailer that shows when it was called and answers when the test says so. */
function createHeldMailer() {
  let reach: () => void = () => undefined;
  let release: () => void = () => undefined;
  const reached = new Promise<void>((resolve) => {
    reach = resolve;
  });
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  const mailer: Mailer = {
    maxMessageBytes: 10_000_000,
    async send() {
      reach();
      await released;
      return { messageId: 'accepted-late' };
    },
  };
  return { mailer, reached, release: () => release() };
}

t.test('at the end a warning whose caller has left is waited for, and what became of it is written', async (t) => {
  const { mailer, reached, release } = createHeldMailer();
  const world = await createWorld({ mailer });
  t.teardown(() => world.close());
  const broker = await world.addBroker();
  const { key } = await world.addKey(broker);
  const service = await world.addService(broker, await world.addPlan(broker));
  await world.addTemplate(broker);
  const port = await listen(world.app);

  const caller = dial(port);
  const body = JSON.stringify({ warningReason: 'overdue' });
  caller.write(
    [
      `POST /api/v1/services/${service.number}/cancellation-warning HTTP/1.1`,
      'Host: x',
      `Authorization: Bearer ${key}`,
      'Content-Type: application/json',
      `Content-Length: ${body.length}`,
      '',
      body,
    ].join('\r\n'),
  );
  await reached;
  caller.resetAndDestroy();
  const serverEnded = once(world.app.server, 'close');
  let closed = false;
  const closing = world.app.close().then(() => {
    closed = true;
  });
  await serverEnded;
  t.equal(closed, false, 'no connection is left, and the work is still waited for');
  release();
  await closing;
  t.match(await emailsOf(world, broker), [{ status: 'sent', providerMessageId: 'accepted-late' }]);
  t.match(await requestsOf(world, broker), [{ request: { type: 'cancellation-warning', status: 'approved' } }]);
});

t.test('a caller that leaves in the middle of its request is nothing to wait for', async (t) => {
  const world = await createWorld();
  t.teardown(() => world.close());
  const { key } = await world.addKey(await world.addBroker());
  const port = await listen(world.app);
  const caller = dial(port);
  const arrived = once(world.app.server, 'request');
  caller.write(
    `POST /api/v1/services HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${key}\r\n` +
      'Content-Type: application/json\r\nContent-Length: 1000\r\n\r\n{"plan":',
  );
  await arrived;
  const closing = world.app.close();
  caller.resetAndDestroy();
  await t.resolves(closing);
});

t.test('a caller that leaves while the gates are asked is nothing to wait for either', async (t) => {
  let asked = () => {};
  let answer = () => {};
  const gateIsAsked = new Promise<void>((resolve) => (asked = resolve));
  const gateAnswers = new Promise<void>((resolve) => (answer = resolve));
  const world = await createWorld({
    openStore: async ({ monotonic }) => {
      // A view of the store (`for`) would pass by this look-up.
      const { for: _, ...store }: Store = await openSqlite({ file: `${t.testdir()}/broker.db`, monotonic });
      const listAccess: typeof store.read.keys.listAccess = async (publicIds) => {
        asked();
        await gateAnswers;
        return store.read.keys.listAccess(publicIds);
      };
      return { ...store, read: { ...store.read, keys: { ...store.read.keys, listAccess } } };
    },
  });
  t.teardown(() => world.close());
  const { key } = await world.addKey(await world.addBroker());
  const caller = dial(await listen(world.app));
  const connected = once(world.app.server, 'request');
  caller.write(
    `POST /api/v1/services HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${key}\r\n` +
      'Content-Type: application/json\r\nContent-Length: 1000\r\n\r\n{"plan":',
  );
  const [request] = (await connected) as [IncomingMessage];
  await gateIsAsked;
  const left = new Promise((resolve) => request.socket.once('close', resolve));
  caller.resetAndDestroy();
  await left;
  const closing = world.app.close();
  answer();
  await t.resolves(closing);
});

t.test(
  'while a server drains, an answer closes its connection, and what was sent behind it is not begun',
  async (t) => {
    const world = await createWorld();
    t.teardown(() => world.close());
    const { key } = await world.addKey(await world.addBroker());
    const caller = dial(await listen(world.app));
    world.app.draining = true;
    const get = (path: string) => `GET /api/v1${path} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${key}\r\n\r\n`;
    const answers = answersOf(caller);
    caller.write(get('/plans') + get('/services'));
    t.match(await answers, [{ status: 200, headers: { connection: 'close' } }]);
    t.equal((await answers).length, 1);
  },
);
