import t, { type Test } from 'tap';
import { setBroker } from '../../src/operator/brokers/brokers.ts';
import { createCluster } from '../support/cluster.ts';
import { services } from '../support/services.ts';
import { createWorld } from '../support/world.ts';

async function limited(t: Test) {
  const world = await createWorld();
  t.teardown(() => world.close());
  return world;
}

t.test(
  'the live keys of a broker share its limit: exactly so many calls pass, and the sandbox is not counted',
  async (t) => {
    const { call, addBroker, addKey, clock } = await limited(t);
    const broker = await addBroker({ rateLimit: 5 });
    const keys = [
      await addKey(broker),
      await addKey(broker),
      await addKey(broker, ['admin:full'], { mode: 'test', rateLimit: null }),
    ];
    const [one, other, sandbox] = keys.map(({ key }) => key);
    for (let turn = 0; turn < 3; turn += 1) t.equal((await call(sandbox, 'GET', '/plans')).status, 200);
    const answers = await Promise.all(
      Array.from({ length: 8 }, (_, turn) => call(turn % 2 ? one : other, 'GET', '/plans')),
    );
    t.strictSame(answers.map(({ status }) => status).sort(), [200, 200, 200, 200, 200, 429, 429, 429]);
    t.match(answers.find(({ headers }) => headers['x-ratelimit-remaining'] === '4')?.headers, {
      'ratelimit-policy': '"default";q=5;w=60',
      ratelimit: '"default";r=4;t=60',
      'x-ratelimit-limit': '5',
      'x-ratelimit-remaining': '4',
    });
    t.match(
      answers.find(({ status }) => status === 429),
      {
        headers: { 'retry-after': '60', 'x-ratelimit-remaining': '0' },
        json: {
          error: { code: 'rate_limit_exceeded', details: { limit: 5, window_seconds: 60, retry_after_seconds: 60 } },
        },
      },
    );
    clock.advance(60_000);
    const { json } = await call(one, 'GET', '/auth-check');
    t.match(json.data.rate_limit, { limit: 5, remaining: 4 });
    t.equal((await call(sandbox, 'GET', '/plans')).headers['x-ratelimit-limit'], '120');
  },
);

t.test(
  'the limit of which fewer are left is reported, and what a key’s own refuses takes nothing from the others',
  async (t) => {
    const { call, addBroker, addKey } = await limited(t);
    const broker = await addBroker({ rateLimit: 6 });
    const [narrow, wide] = [(await addKey(broker, ['admin:full'], { rateLimit: 2 })).key, (await addKey(broker)).key];
    const statuses = [];
    for (let turn = 0; turn < 5; turn += 1) {
      const { status, headers } = await call(narrow, 'GET', '/plans');
      statuses.push(status);
      t.equal(headers['x-ratelimit-limit'], '2');
    }
    t.strictSame(statuses, [200, 200, 429, 429, 429]);
    const left = [];
    for (let turn = 0; turn < 5; turn += 1)
      left.push((await call(wide, 'GET', '/plans')).headers['x-ratelimit-remaining']);
    t.strictSame(left, ['3', '2', '1', '0', '0']);
  },
);

t.test('a broker’s limit is in force within a second, and gone when it is taken away', async (t) => {
  const { call, addBroker, addKey, clock, context } = await limited(t);
  const broker = await addBroker();
  const { key } = await addKey(broker, ['admin:full'], { rateLimit: null });
  const limit = async () => (await call(key, 'GET', '/plans')).headers['x-ratelimit-limit'];
  const set = (rateLimit: string | null) => setBroker.run(context, { broker: broker.slug, rate_limit: rateLimit });
  t.equal(await limit(), '120');
  t.match(await set('7'), { rate_limit: 7 });
  clock.advance(1000);
  t.equal(await limit(), '7');
  t.match(await set(null), { rate_limit: null });
  clock.advance(1000);
  t.equal(await limit(), '120');
  await t.rejects(set('0'), { message: /^rate_limit: / });
});

t.test('over two instances on one Redis exactly as many calls of a broker pass as it may make', async (t) => {
  if (!(await services(t, 'PostgreSQL', 'Redis'))) return;
  const { of, world } = await createCluster(t);
  const broker = await world.addBroker({ rateLimit: 10 });
  const keys = [(await world.addKey(broker)).key, (await world.addKey(broker)).key];
  const answers = await Promise.all(
    Array.from({ length: 30 }, (_, turn) => of(turn).call(keys[turn % 3 ? 0 : 1] as string, 'GET', '/plans')),
  );
  t.equal(answers.filter(({ status }) => status === 200).length, 10);
  t.equal(answers.filter(({ status }) => status === 429).length, 20);
});
