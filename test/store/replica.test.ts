import pg from 'pg';
import t from 'tap';
import { openPostgres } from '../../src/store/postgres.ts';
import { OPERATOR } from '../../src/store/slow-queries.ts';
import { postgresPrograms, startPostgres } from '../support/postgres-server.ts';
import { aBroker } from './records.ts';

const skip = postgresPrograms() ? false : 'the programs of PostgreSQL are not installed';

t.test('long reads go to a replica that is at most ten seconds behind, and never fail for it', { skip }, async (t) => {
  const primary = await startPostgres(t);
  const standby = await startPostgres(t, { follows: primary });
  const admin = new pg.Client(standby.url);
  admin.on('error', () => undefined);
  await admin.connect();
  const time = { now: 0 };
  const told: string[] = [];
  const store = await openPostgres({
    url: primary.url,
    replicaUrl: standby.url,
    poolSize: 4,
    monotonic: () => time.now,
    tell: (message) => told.push(message),
  });
  t.teardown(() => store.close());
  const add = (slug: string) => store.tx((tx) => tx.brokers.insert(aBroker({ id: `brk_${slug}`, slug })));
  const slugs = (owner = OPERATOR) =>
    store.slow(owner, async (read) => (await read.brokers.list()).map(({ slug }) => slug));
  const inStep = { brokerId: 'brk_one' };
  /** Moves the clock, and waits until the replica is used, or no longer. */
  const until = async (isUsed: boolean, step: number) => {
    while (store.replicaIsUsed?.() !== isUsed) {
      time.now += step;
      await new Promise((resolve) => setImmediate(resolve));
      await store.lookAtReplica?.();
    }
  };

  await add('one');
  await until(true, 0);
  while ((await admin.query('select 1 from brokers')).rowCount === 0) await store.lookAtReplica?.();
  await admin.query('select pg_wal_replay_pause()');
  await add('two');
  await store.lookAtReplica?.();
  t.strictSame(await slugs(), ['one'], 'it may lag');
  t.strictSame(await slugs(inStep), ['one', 'two'], 'what must not lag asks the database itself');
  t.strictSame(await store.report(inStep, async () => 'made'), 'made');

  await until(false, 4_000);
  t.strictSame(await slugs(), ['one', 'two'], 'it is too far behind');
  await admin.query('select pg_wal_replay_resume()');
  await until(true, 100);
  t.strictSame(await slugs(), ['one', 'two']);

  standby.stop('immediate');
  t.strictSame(await slugs(), ['one', 'two'], 'it is away before that is seen');
  t.equal(store.replicaIsUsed?.(), false);
  const away = 'the replica is away or more than 10 s behind; the database itself answers long reads';
  t.strictSame([told[0], told[1], told.at(-1)], [away, 'the replica is used again', away]);
});
