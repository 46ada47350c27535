import t, { type Test } from 'tap';
import { openProxy } from '../store/drivers/tcp-proxy.ts';
import { type Called, createCluster, startWorker } from '../support/cluster.ts';
import { services } from '../support/services.ts';
import { until } from '../support/until.ts';

/** Two instances and a worker whose way to the database can be cut. */
async function behindProxy(t: Test) {
  let proxy: Awaited<ReturnType<typeof openProxy>> | undefined;
  const server: { url?: string } = {};
  const cluster = await createCluster(t, {
    async url(direct) {
      const { hostname, port } = new URL(direct);
      proxy = await openProxy({ host: hostname, port: Number(port || 5432) });
      server.url = Object.assign(new URL(direct), { host: `127.0.0.1:${proxy.port}` }).href;
      return server.url;
    },
  });
  if (!proxy || !server.url) throw new Error('there is no proxy');
  const line = proxy;
  let isCut = false;
  t.teardown(async () => {
    if (!isCut) await line.cut();
  });
  const broker = await cluster.world.addBroker();
  const plan = await cluster.world.addPlan(broker, { slug: 'small' });
  const { key } = await cluster.world.addKey(broker);
  return {
    ...cluster,
    broker,
    plan,
    key,
    url: server.url,
    async cut() {
      isCut = true;
      await line.cut();
    },
    async mend() {
      await line.mend();
      isCut = false;
    },
  };
}

/** What a caller hears while the database is away: to come back, in the envelope, and nothing of the inside. */
function isAway(t: Test, answers: Called[]): void {
  for (const { status, headers, json } of answers) {
    t.equal(status, 500);
    t.strictSame(json, {
      success: false,
      error: { code: 'server_error', message: 'Service temporarily unavailable' },
    });
    t.ok(Number(headers['retry-after']) >= 1);
  }
}

t.test('while PostgreSQL is away everybody is told to come back, and all goes on by itself when it does', async (t) => {
  if (!(await services(t, 'PostgreSQL', 'Redis'))) return;
  const { instances, key, plan, url, cut, mend } = await behindProxy(t);
  const worker = await startWorker(t, url);
  worker.start();
  t.teardown(() => worker.stop());
  const create = (turn: number) =>
    (instances[turn % 2] ?? instances[0]).call(key, 'POST', '/services', {
      body: { plan: plan.slug, client: { name: 'Ada', email: 'ada@example.com' } },
      idempotencyKey: `creation ${turn}`,
    });
  const created = await create(0);
  t.equal(created.status, 201);
  t.equal((await instances[0].call(key, 'GET', '/health/ready')).status, 200);

  await cut();
  isAway(t, await Promise.all([1, 2, 3, 4].map(create)));
  isAway(t, [await instances[0].call(key, 'GET', '/plans'), await instances[1].call(key, 'GET', '/requests')]);
  const ready = await instances[1].call(key, 'GET', '/health/ready');
  t.match(ready, { status: 503, json: { success: false, error: { code: 'server_error' } } });
  t.ok(Number(ready.headers['retry-after']) >= 1);
  t.equal((await instances[1].call(key, 'GET', '/health/live')).status, 200, 'a restart would not help');
  await until('the worker has noticed', () => worker.logged.length > 0);

  await mend();
  await until('the instances are ready', async () => {
    const answers = await Promise.all(instances.map((instance) => instance.call(key, 'GET', '/health/ready')));
    return answers.every(({ status }) => status === 200);
  });
  const again = await Promise.all([1, 2, 3, 4].map(create));
  t.strictSame(
    again.map(({ status }) => status),
    [201, 201, 201, 201],
  );
  await until('the worker works again', async () => {
    const { json } = await instances[0].call(key, 'GET', '/services?service_status=active');
    return json.pagination.total === 5;
  });
  // Work that the outage interrupted, a mail after it included, is logged beside these.
  const outages = () => worker.logged.filter(({ text }) => !/ request/.test(text));
  await until('the worker has said that it is over', () => outages().length > 1);
  t.match(
    outages(),
    [{ text: /PostgreSQL/ }, { text: 'the database can be used again' }],
    'each of the two is said once',
  );
  t.equal(outages().length, 2);
});

t.test(
  'a server that ends every connection in the middle of a load costs no process and no acknowledged change',
  async (t) => {
    if (!(await services(t, 'PostgreSQL', 'Redis'))) return;
    const { instances, key, plan, database } = await behindProxy(t);
    const acknowledged = new Set<number>();
    const refused: Called[] = [];
    let turn = 0;
    let cuts = 0;
    const client = async (instance: (typeof instances)[number]) => {
      while (cuts < 4 || refused.length === 0) {
        turn += 1;
        const body = { plan: plan.slug, client: { name: 'Ada', email: 'ada@example.com' } };
        const answer = await instance.call(key, 'POST', '/services', { body, idempotencyKey: `creation ${turn}` });
        if (answer.status === 201) acknowledged.add(answer.json.data.service_number);
        else refused.push(answer);
      }
    };
    const load = Promise.all([...instances, ...instances, ...instances, ...instances].map(client));
    while (cuts < 4 || refused.length === 0) {
      const before = acknowledged.size;
      await until('the load runs', () => acknowledged.size > before + 10);
      await database.cutConnections();
      cuts += 1;
    }
    await load;
    isAway(t, refused);
    t.ok(acknowledged.size > 40);
    const numbers = new Set<number>();
    for (let page = 1; ; page += 1) {
      const { json } = await instances[0].call(key, 'GET', `/services?perPage=100&page=${page}`);
      for (const { service_number } of json.data) numbers.add(service_number);
      if (page >= json.pagination.totalPages) break;
    }
    t.strictSame(
      [...acknowledged].filter((number) => !numbers.has(number)),
      [],
    );
  },
);
