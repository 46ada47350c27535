import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { Redis } from 'ioredis';
import t, { type Test } from 'tap';
import { type AppParts, buildApp } from '../../src/app.ts';
import { createSharedWindows, type SharedWindows } from '../../src/limits/redis-window.ts';
import { systemClock } from '../../src/runtime/clock.ts';
import type { Sandboxes } from '../../src/sandbox/sandbox.ts';
import { createRedis } from '../support/redis.ts';
import { REDIS_URL, services } from '../support/services.ts';
import { until } from '../support/until.ts';
import { createWorld, exact, type World } from '../support/world.ts';

/** The windows as one instance has them, with everything that it said of Redis. */
async function windowsOf(t: Test, url: string, patienceMs?: number) {
  const said: string[] = [];
  const windows = createSharedWindows({
    url,
    clock: systemClock,
    ...(patienceMs !== undefined && { patienceMs }),
    pauseMs: PAUSE_MS,
    onChange: (reason) => said.push(reason ? 'away' : 'back'),
  });
  t.teardown(() => windows.close());
  await windows.started;
  return { windows, said };
}

type Answered = { statusCode: number; headers: Record<string, unknown>; json(): { data: { status: string } } };

/** One more instance of the world's server, with counters of its own or shared ones. */
async function instance(t: Test, world: World, limits: SharedWindows, rateLimit: AppParts['config']['rateLimit']) {
  const app = await exact(() =>
    buildApp({
      config: {
        publicUrl: undefined,
        trustedProxies: [],
        keepAliveMs: 72_000,
        requireHttps: false,
        tls: undefined,
        rateLimit,
      },
      context: world.context,
      sandboxes: {} as Sandboxes,
      // A busy test machine is no reason to refuse a call.
      overload: { maxEventLoopDelayMs: 0 },
      limits,
    }),
  );
  t.teardown(() => app.close());
  return {
    get: (url: string, key?: string, remoteAddress = '198.51.100.1') =>
      app.inject({
        method: 'GET',
        url,
        remoteAddress,
        ...(key !== undefined && { headers: { authorization: `Bearer ${key}` } }),
      }) as unknown as Promise<Answered>,
  };
}

const hit = (windows: SharedWindows, key: string, windowMs: number) => {
  const store = new windows.store({}).child({} as never);
  return new Promise<{ current: number; ttl: number }>((resolve, reject) => {
    store.incr(
      key,
      (error, result) => (error || !result ? reject(error) : resolve(result as { current: number; ttl: number })),
      windowMs,
      1,
    );
  });
};

/** So long that no busy machine has an instance count alone. */
const PATIENCE_MS = 60_000;

/** Of tests in which Redis hangs: longer than a busy machine makes an answer wait, and waited for once. */
const SHORT_PATIENCE_MS = 1_000;

/** So short that no test waits for an instance to try Redis again. */
const PAUSE_MS = 50;

const LIMITS = { max: 20, windowSeconds: 60, authFailureMax: 5 };

async function twoInstances(t: Test, urls: [string, string], patienceMs?: number) {
  const world = await createWorld();
  t.teardown(() => world.close());
  const broker = await world.addBroker();
  const { key, row } = await world.addKey(broker, ['admin:full'], { rateLimit: null });
  const [one, two] = [await windowsOf(t, urls[0], patienceMs), await windowsOf(t, urls[1], patienceMs)];
  return {
    key,
    keyId: row.id,
    said: [one.said, two.said] as const,
    windows: [one.windows, two.windows] as const,
    instances: [await instance(t, world, one.windows, LIMITS), await instance(t, world, two.windows, LIMITS)] as const,
  };
}

const count = (answers: Answered[], status: number) => answers.filter(({ statusCode }) => statusCode === status).length;

t.test('a burst over two instances lets exactly the allowed number through', async (t) => {
  if (!(await services(t, 'Redis'))) return;
  const { instances, key } = await twoInstances(t, [REDIS_URL, REDIS_URL], PATIENCE_MS);
  const burst = await Promise.all(
    Array.from({ length: 3 * LIMITS.max }, (_, turn) =>
      (instances[turn % 2] ?? instances[0]).get('/api/v1/services', key),
    ),
  );
  t.equal(count(burst, 200), LIMITS.max);
  t.equal(count(burst, 429), 2 * LIMITS.max);
  const left = burst
    .filter(({ statusCode }) => statusCode === 200)
    .map(({ headers }) => Number(headers['x-ratelimit-remaining']));
  t.strictSame(
    left.sort((a, b) => a - b),
    Array.from({ length: LIMITS.max }, (_, index) => index),
  );
  for (const { headers } of burst.filter(({ statusCode }) => statusCode === 429)) {
    t.ok(Number(headers['retry-after']) >= 1 && Number(headers['retry-after']) <= 60);
  }
});

t.test('failed authentications of an address are counted over all instances, and of no other', async (t) => {
  if (!(await services(t, 'Redis'))) return;
  const { instances } = await twoInstances(t, [REDIS_URL, REDIS_URL], PATIENCE_MS);
  // An address of this run's own: the shared server remembers the last run's for a minute.
  const [a, b] = [randomUUID().slice(0, 4), randomUUID().slice(0, 4)];
  const address = `2001:db8:${a}:${b}::1`;
  const failures = await Promise.all(
    Array.from({ length: 12 }, (_, turn) =>
      (instances[turn % 2] ?? instances[0]).get('/api/v1/services', 'nothing', address),
    ),
  );
  t.equal(count(failures, 401), LIMITS.authFailureMax);
  t.equal(count(failures, 429), 12 - LIMITS.authFailureMax);
  t.equal((await instances[1].get('/api/v1/services', 'nothing', `2001:db8:${b}:${a}::2`)).statusCode, 401);
});

t.test('a window opens with the first hit, is not prolonged by others, and ends', async (t) => {
  if (!(await services(t, 'Redis'))) return;
  const { windows } = await windowsOf(t, REDIS_URL, PATIENCE_MS);
  const key = `test ${randomUUID()}`;
  const hits: Array<{ current: number; ttl: number }> = [];
  for (let n = 0; n < 5; n += 1) hits.push(await hit(windows, key, 60_000));
  t.strictSame(
    hits.map(({ current }) => current),
    [1, 2, 3, 4, 5],
  );
  for (const [index, { ttl }] of hits.entries()) {
    t.ok(ttl > 0 && ttl <= (hits[index - 1]?.ttl ?? 60_000), 'the end of the window stays where it was');
  }
  const short = `test ${randomUUID()}`;
  await hit(windows, short, 100);
  await until('the window is over', async () => (await hit(windows, short, 100)).current === 1);
  const redis = new Redis(REDIS_URL);
  t.teardown(() => redis.disconnect());
  t.ok((await redis.pttl(`broker:rate:${key}`)) > 0, 'nothing stays for good');
});

t.test(
  'while Redis is away each instance counts for itself, says so once, and no call is refused for it',
  async (t) => {
    if (!(await services(t, 'Redis'))) return;
    const redis = await createRedis();
    t.teardown(() => redis.kill());
    const { instances, key, said, windows } = await twoInstances(t, [redis.url, redis.url], PATIENCE_MS);
    const [one, two] = instances;
    const ready = async (of: typeof one) => {
      const answer = await of.get('/health/ready');
      return [answer.statusCode, answer.json().data];
    };
    for (let n = 0; n < LIMITS.max / 2; n += 1) {
      t.equal((await one.get('/api/v1/services', key)).statusCode, 200);
      t.equal((await two.get('/api/v1/services', key)).statusCode, 200);
    }
    t.equal((await one.get('/api/v1/services', key)).statusCode, 429);
    t.strictSame(await ready(one), [200, { status: 'ok', checks: { database: 'ok', clock: 'ok', redis: 'ok' } }]);

    await redis.kill();
    const during = await Promise.all(
      Array.from({ length: 3 * LIMITS.max }, (_, turn) => (turn % 2 ? one : two).get('/api/v1/services', key)),
    );
    t.equal(count(during, 200), 2 * LIMITS.max, 'the fallback allows each instance its own number, and no more');
    t.equal(count(during, 429), LIMITS.max);
    t.strictSame(await ready(one), [
      200,
      { status: 'degraded', checks: { database: 'ok', clock: 'ok', redis: 'degraded' } },
    ]);
    t.strictSame(said, [['away'], ['away']]);

    await redis.start();
    await until('both are back', () => windows.every((each) => !each.away()));
    const after = await Promise.all(
      Array.from({ length: 2 * LIMITS.max }, (_, turn) => (turn % 2 ? one : two).get('/api/v1/services', key)),
    );
    t.equal(count(after, 200), LIMITS.max, 'one limit for both again');
    t.strictSame(await ready(two), [200, { status: 'ok', checks: { database: 'ok', clock: 'ok', redis: 'ok' } }]);
    t.strictSame(said, [
      ['away', 'back'],
      ['away', 'back'],
    ]);
  },
);

t.test('a Redis that hangs delays no call for long, and its connection is dropped once', async (t) => {
  if (!(await services(t, 'Redis'))) return;
  const warnings: Error[] = [];
  const note = (warning: Error) => void warnings.push(warning);
  process.on('warning', note);
  t.teardown(() => process.off('warning', note));
  const redis = await createRedis();
  t.teardown(() => redis.kill());
  const { instances, key, said, windows } = await twoInstances(t, [redis.url, redis.url], SHORT_PATIENCE_MS);
  t.equal((await instances[0].get('/api/v1/services', key)).statusCode, 200);
  redis.freeze();
  const during = await Promise.all(Array.from({ length: LIMITS.max }, () => instances[0].get('/api/v1/services', key)));
  t.equal(count(during, 200), LIMITS.max);
  t.ok(windows[0].away());
  t.strictSame(said[0], ['away']);
  t.strictSame(warnings, [], 'not once for each call, with a listener each');
  redis.thaw();
  await until('it is back', async () => {
    await instances[0].get('/api/v1/services', key);
    return !windows[0].away();
  });
  t.strictSame(said[0], ['away', 'back']);
});

t.test('what a hanging Redis did not answer in time is counted here, and no more is sent to it', async (t) => {
  if (!(await services(t, 'Redis'))) return;
  const redis = await createRedis();
  t.teardown(() => redis.kill());
  const { windows, said } = await windowsOf(t, redis.url, SHORT_PATIENCE_MS);
  const store = new windows.store({});
  const count = () =>
    new Promise<number>((resolve) => store.incr('key', (_error, result) => resolve(result?.current ?? 0), 60_000, 1));
  t.equal(await count(), 1);
  redis.freeze();
  t.strictSame(await Promise.all([count(), count(), count()]), [1, 2, 3], 'counted here once it was waited in vain');
  t.ok(windows.away());
  t.equal(await count(), 4, 'without waiting');
  redis.thaw();
  await until('it is back', () => !windows.away());
  t.ok((await count()) <= 5, 'without the hits of the meantime');
  t.strictSame(said, ['away', 'back']);
});

t.test('whatever takes connections and never answers gets no hits, and the server starts beside it', async (t) => {
  const received: string[] = [];
  const silent = createServer((socket) => {
    socket.on('error', () => undefined).on('data', (chunk) => received.push(String(chunk)));
    t.teardown(() => socket.destroy());
  }).listen(0, '127.0.0.1');
  t.teardown(() => silent.close());
  await once(silent, 'listening');
  const { windows, said } = await windowsOf(t, `redis://127.0.0.1:${(silent.address() as AddressInfo).port}`);
  t.ok(windows.away());
  t.strictSame(said, ['away']);
  const hits = await Promise.all(Array.from({ length: 100 }, () => hit(windows, 'key', 60_000)));
  t.match(hits, Array(100).fill({ current: 1 }), 'each of its own store');
  await until('it was tried again', () => received.length > 3);
  t.notMatch(received.join(''), 'rate:key');
});

t.test('the user that the documentation names suffices, and can do nothing else', async (t) => {
  if (!(await services(t, 'Redis'))) return;
  const redis = await createRedis();
  t.teardown(() => redis.kill());
  const admin = new Redis(redis.url);
  t.teardown(() => admin.disconnect());
  const [acl = ''] = /`ACL SETUSER .+`/.exec(readFileSync('docs/parts.md', 'utf8')) ?? [];
  const [, ...args] = acl.slice(1, -1).replace('PASSWORD', 'secret').split(' ');
  await admin.call('ACL', ...args);
  const url = redis.url.replace('//', '//broker:secret@');
  // Another database is selected with a command of its own.
  for (const database of ['', '/1']) {
    const { windows, said } = await windowsOf(t, url + database, PATIENCE_MS);
    for (const current of [1, 2]) t.match(await hit(windows, 'key', 60_000), { current });
    t.strictSame(said, [], 'Redis is not away');
  }
  t.strictSame(await admin.call('ACL', 'LOG'), [], 'nothing was denied');
  const user = new Redis(url);
  t.teardown(() => user.disconnect());
  await t.rejects(user.get('broker:rate:key'), /NOPERM/);
  await t.rejects(user.eval("return redis.call('INCR', KEYS[1])", 1, 'other'), /NOPERM|No permission/);
});

t.test('no key holds a blank', async (t) => {
  if (!(await services(t, 'Redis'))) return;
  const redis = await createRedis();
  t.teardown(() => redis.kill());
  const { instances, key } = await twoInstances(t, [redis.url, redis.url], PATIENCE_MS);
  await instances[0].get('/api/v1/services', key);
  await instances[0].get('/api/v1/services', 'unknown', '2001:db8::1');
  await instances[0].get('/nowhere');
  const admin = new Redis(redis.url);
  t.teardown(() => admin.disconnect());
  // That of a trial is short-lived.
  const keys = (await admin.keys('*')).filter((each) => each !== 'broker:rate:trial');
  t.equal(keys.length, 3, 'of the key, the address that failed, and the address without a key');
  for (const each of keys) t.match(each, /^broker:rate:[\w:./-]+$/);
});

t.test('a Redis that takes connections and refuses to write is away until it writes', async (t) => {
  if (!(await services(t, 'Redis'))) return;
  const redis = await createRedis();
  t.teardown(() => redis.kill());
  const admin = new Redis(redis.url);
  t.teardown(() => admin.disconnect());
  const { windows, said } = await windowsOf(t, redis.url, PATIENCE_MS);
  await admin.config('SET', 'min-replicas-to-write', '1');
  t.match(await hit(windows, 'key', 60_000), { current: 1 });
  const connections = async () => Number(/total_connections_received:(\d+)/.exec(await admin.info('stats'))?.[1]);
  const before = await connections();
  await until('it has been tried again', async () => (await connections()) > before + 2);
  t.ok(windows.away());
  t.strictSame(said, ['away'], 'said once');
  await admin.config('SET', 'min-replicas-to-write', '0');
  await until('it is back', () => !windows.away());
  t.strictSame(said, ['away', 'back']);
});

t.test('an instance that starts without Redis starts, and joins the others when it comes', async (t) => {
  if (!(await services(t, 'Redis'))) return;
  const redis = await createRedis();
  t.teardown(() => redis.kill());
  await redis.kill();
  const { windows, said } = await windowsOf(t, redis.url, PATIENCE_MS);
  t.ok(windows.away());
  t.strictSame(said, ['away']);
  t.match(await hit(windows, 'key', 1000), { current: 1 });
  await redis.start();
  await until('it is back', () => !windows.away());
  t.strictSame(said, ['away', 'back']);
  t.match(await hit(windows, 'key', 60_000), { current: 1 });
});
