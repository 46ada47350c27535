import { connect, type Socket } from 'node:net';
import t, { type Test } from 'tap';
import type { Store } from '../../src/store/store.ts';
import { createWorld, openScratch } from '../support/world.ts';

/** A world whose store shows which jobs the slow-query pool got, and when one began. */
async function setUp(t: Test) {
  let asked = 0;
  let begun = 0;
  /** Of each work its broker, and how many others began while it waited; in the order in which they began. */
  const works: Array<{ brokerId: string; overtakenBy: number }> = [];
  const world = await createWorld({
    openStore: async (clock) => {
      // The broker's own view of the store (`for`) would not be counted.
      const { for: _, ...store }: Store = await openScratch(`${t.testdir()}/broker.db`, clock);
      return {
        ...store,
        slow: (owner, work) => {
          asked += 1;
          const begunBefore = begun;
          return store.slow(owner, (read) => {
            begun += 1;
            works.push({ brokerId: owner.key, overtakenBy: begun - 1 - begunBefore });
            return work(read);
          });
        },
      };
    },
  });
  t.teardown(() => world.close());
  const broker = await world.addBroker();
  const { key } = await world.addKey(broker);
  const plan = await world.addPlan(broker, { slug: 'basic' });
  const service = await world.addService(broker, plan, { label: 'Needle' });
  return { world, broker, key, service, asked: () => asked, begun: () => begun, works };
}

t.test('a list is read beside the event loop exactly where no index bounds the cost', async (t) => {
  const { world, key, service, asked } = await setUp(t);
  const bounded = [
    '/services',
    '/services?offset=1000',
    '/services?service_status=active',
    '/services?plan=basic',
    '/services?client_email=ada@example.com',
    '/services?external_reference=CRM-1',
    '/services?updated_since=2020-01-01',
    '/services?updated_since=2020-01-01&after_number=5',
    '/requests',
    '/requests?type=cancellation',
    '/requests?request_status=pending&limit=100',
    '/requests?updated_since=2020-01-01',
    '/plans',
  ];
  const slow = [
    '/services?search=needle',
    '/services?client_email=ada@example.com&external_reference=CRM-1',
    '/services?client_email=ada@example.com&service_status=active',
    '/services?created_from=2020-01-01',
    '/services?renewal_before=2020-01-01',
    '/services?billing_type=monthly',
    '/services?updated_since=2020-01-01&service_status=active',
    '/services?service_status=active&plan=basic',
    '/services?offset=1001',
    '/services?page=12&perPage=100',
    `/requests?service_number=${service.number}`,
    '/requests?type=cancellation&request_status=pending',
    '/requests?operator_review=false',
    '/requests?updated_since=2020-01-01&type=cancellation',
    '/requests?offset=2147483647',
  ];
  for (const [paths, turns] of [
    [bounded, 0],
    [slow, 1],
  ] as const) {
    for (const path of paths) {
      const before = asked();
      t.equal((await world.call(key, 'GET', path)).status, 200, path);
      t.equal(asked() - before, turns, path);
    }
  }
});

t.test('what an index finds is read at once while it is a thousand at most', async (t) => {
  const { world, broker, key, asked } = await setUp(t);
  const plan = await world.addPlan(broker);
  const add = async (count: number, fields: object) => {
    for (let added = 0; added < count; added += 1)
      await world.addService(broker, plan, { clientEmail: null, ...fields });
  };
  await add(1000, { externalReference: 'shared' });
  const asks = async (path: string) => {
    const before = asked();
    const { json } = await world.call(key, 'GET', path);
    return { total: json.pagination.total, beside: asked() - before };
  };
  t.strictSame(await asks('/services?external_reference=shared'), { total: 1000, beside: 0 });
  await add(1, { externalReference: 'shared' });
  t.strictSame(await asks('/services?external_reference=shared'), { total: 1001, beside: 1 });
  await add(1001, { clientEmail: 'all@example.com' });
  t.strictSame(await asks('/services?client_email=ALL@example.com&limit=1'), { total: 1001, beside: 1 });
});

t.test('a caller that leaves while it waits costs no read, and leaves no line in the log', async (t) => {
  const { world, broker, key, asked, begun } = await setUp(t);
  let release = () => {};
  const held = world.store.slow({ key: broker.id }, () => new Promise<void>((resolve) => (release = resolve)));
  await world.app.listen({ host: '127.0.0.1', port: 0 });
  const address = world.app.server.address() as { port: number };
  const arrived = new Promise<void>((resolve) => {
    const check = () => (asked() === 2 ? resolve() : setImmediate(check));
    check();
  });
  const closed = new Promise<void>((resolve) => {
    world.app.server.once('connection', (socket: Socket) => void socket.once('close', () => resolve()));
  });
  const client = connect(address.port, '127.0.0.1');
  client.write(`GET /api/v1/services?search=needle HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${key}\r\n\r\n`);
  await arrived;
  // A connection that is closed in order may be half-closed: its answer is still sent.
  client.resetAndDestroy();
  await closed;
  release();
  await held;
  t.equal((await world.call(key, 'GET', '/services?search=needle')).status, 200);
  t.equal(begun(), 2, 'the work that held the slot, and the one whose caller is there');
  t.strictSame(world.logged, []);
});

t.test(
  'a burst of slow lists of one key is answered in its order, and holds up another broker by one at most',
  async (t) => {
    const { world, key, works } = await setUp(t);
    const other = await world.addBroker();
    const stranger = await world.addKey(other);
    await world.addService(other, await world.addPlan(other), { label: 'Needle' });
    const search = (of: string) => world.call(of, 'GET', '/services?search=needle');

    const burst = Array.from({ length: 40 }, () => search(key));
    const another = search(stranger.key);
    const answers = await Promise.all([...burst, another]);
    t.strictSame([...new Set(answers.map(({ status }) => status))], [200]);
    const [foreign, ...more] = works.filter(({ brokerId }) => brokerId === other.id);
    t.strictSame(more, []);
    t.ok(foreign && foreign.overtakenBy <= 1);
    t.ok(
      works.some(({ overtakenBy }) => overtakenBy > 20),
      'the burst has waited for itself',
    );
  },
);
