import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Redis } from 'ioredis';
import t, { type Test } from 'tap';
import { systemClock } from '../../src/clock.ts';
import { createSharedWindows } from '../../src/limits/redis-window.ts';
import { full } from '../support/full.ts';
import { freePort } from '../support/redis.ts';
import { until } from '../support/until.ts';

/** A Redis, or with a file a sentinel. */
async function start(t: Test, port: number, ...args: string[]): Promise<ChildProcess> {
  const server = spawn('redis-server', [...args, '--port', String(port), '--bind', '127.0.0.1'], { stdio: 'ignore' });
  t.teardown(async () => {
    if (server.exitCode !== null || server.signalCode !== null) return;
    server.kill('SIGKILL');
    await once(server, 'exit');
  });
  const client = new Redis({ port, host: '127.0.0.1', retryStrategy: () => 20 });
  client.on('error', () => undefined);
  await client.ping();
  client.disconnect();
  return server;
}

const failover = full ? 'and are counted on by the one that takes over' : '';

t.test(`windows are counted on the Redis that a sentinel names ${failover}`, async (t) => {
  const [first, second, watcher] = [await freePort(), await freePort(), await freePort()];
  const directory = t.testdir();
  const memory = ['--save', '', '--appendonly', 'no', '--dir', directory];
  const master = await start(t, first, ...memory);
  await start(t, second, ...memory, '--replicaof', `127.0.0.1 ${first}`);
  const file = join(directory, 'sentinel.conf');
  writeFileSync(
    file,
    [
      `sentinel monitor main 127.0.0.1 ${first} 1`,
      'sentinel down-after-milliseconds main 500',
      'sentinel failover-timeout main 2000',
    ].join('\n'),
  );
  await start(t, watcher, file, '--sentinel');
  const unused = await freePort();
  const said: string[] = [];
  const windows = createSharedWindows({
    url: `redis+sentinel://127.0.0.1:${unused},127.0.0.1:${watcher}/main`,
    clock: systemClock,
    onChange: (reason) => said.push(reason ? 'away' : 'back'),
  });
  t.teardown(() => windows.close());
  await until('Redis counts', () => !windows.away());
  const store = new windows.store({}).child({} as never);
  const hit = () =>
    new Promise<number | undefined>((resolve, reject) => {
      store.incr('key', (error, result) => (error ? reject(error) : resolve(result?.current)), 60_000, 100);
    });
  t.equal(await hit(), 1);
  t.equal(await hit(), 2);
  if (!full) return;

  const asked = new Redis({ port: watcher, host: '127.0.0.1' });
  t.teardown(() => asked.disconnect());
  await until('the sentinel knows the replica', async () => {
    const replicas = (await asked.call('sentinel', 'replicas', 'main')) as string[][];
    return replicas.some((fields) => fields.includes('ok') && fields.includes('slave'));
  });
  said.length = 0;
  master.kill('SIGKILL');
  await until('the windows are away', () => windows.away());
  t.type(await hit(), 'number', 'counted by this process meanwhile');
  await until('the windows are back', () => !windows.away());
  t.strictSame(said, ['away', 'back']);
  const replica = new Redis({ port: second, host: '127.0.0.1' });
  t.teardown(() => replica.disconnect());
  const before = Number(await replica.get('rate key'));
  t.equal(await hit(), before + 1, 'on the Redis that took over');
});
