import pg from 'pg';
import t from 'tap';
import { clockOf } from '../../src/clock.ts';
import { isOlder, requireNoOlderRelease } from '../../src/context/releases.ts';
import { openPostgres } from '../../src/store/postgres.ts';
import { openSqlite } from '../../src/store/sqlite.ts';
import { createDatabase, services } from '../support/services.ts';

const REFUSED = { code: 'server_error', retryAfterSeconds: 60 };

function movedClock() {
  let ms = 1_900_000_000_000;
  return { ...clockOf({ now: () => ms, monotonic: () => ms }), advance: (by: number) => (ms += by) };
}

t.test('a new word waits until no process of an older release was seen within a minute', async (t) => {
  const clock = movedClock();
  const store = await openSqlite({ file: `${t.testdir({})}/broker.db`, monotonic: clock.monotonic });
  t.teardown(() => store.close());
  const put = (name: string, version: string) =>
    store.tx((tx) => tx.settings.put({ name, value: JSON.stringify({ id: name, version, seenAt: clock.now() }) }));
  await requireNoOlderRelease({ store, clock }, '0.3.0');
  await put('worker one', '0.1.0');
  await put('server two', '0.3.1');
  await requireNoOlderRelease({ store, clock }, '0.3.0');
  clock.advance(5_000);
  await t.rejects(requireNoOlderRelease({ store, clock }, '0.3.0'), REFUSED, 'read again after five seconds');
  await t.rejects(requireNoOlderRelease({ store, clock }, '0.4.0'), REFUSED);
  clock.advance(55_000);
  await requireNoOlderRelease({ store, clock }, '0.3.0');
});

t.test('on PostgreSQL a connection of 0.2.0 counts, though its server writes no heartbeat', async (t) => {
  if (!(await services(t, 'PostgreSQL'))) return;
  const database = await createDatabase({ migrated: true });
  t.teardown(() => database.drop());
  const clock = movedClock();
  const store = await openPostgres({ url: database.url });
  t.teardown(() => store.close());
  const old = new pg.Client({ connectionString: database.url, application_name: 'broker-service-api' });
  await old.connect();
  await t.rejects(requireNoOlderRelease({ store, clock }, '0.3.0'), REFUSED);
  await old.end();
  clock.advance(50_000);
  await t.rejects(requireNoOlderRelease({ store, clock }, '0.3.0'), REFUSED, 'within a minute');
});

t.test('versions are compared by number', async (t) => {
  t.ok(isOlder('0.9.9', '0.10.0'));
  t.notOk(isOlder('0.10.0', '0.9.9'));
  t.notOk(isOlder('0.3.0', '0.3.0'));
});
