import { setImmediate } from 'node:timers/promises';
import pg from 'pg';
import t from 'tap';
import { openPostgres } from '../../../src/store/drivers/postgres.ts';
import { full } from '../../support/full.ts';
import { postgresPrograms, startPostgres } from '../../support/postgres-server.ts';
import { aBroker } from '../../support/rows.ts';

const missing = postgresPrograms() ? false : 'the programs of PostgreSQL are not installed';
const skip = full ? missing : 'it runs in the full run';

t.test(
  'a server whose commits wait for a standby that is away is not ready, with calls and without',
  { skip },
  async (t) => {
    const server = await startPostgres(t);
    const admin = new pg.Client(server.url);
    await admin.connect();
    t.teardown(() => admin.end());
    const waitFor = async (standbys: string) => {
      await admin.query(`alter system set synchronous_standby_names = '${standbys}'`);
      await admin.query('select pg_reload_conf()');
    };
    const waiting = async () =>
      Number((await admin.query("select count(*) from pg_stat_activity where wait_event = 'SyncRep'")).rows[0].count);
    const time = { now: 0 };
    const open = () => openPostgres({ url: server.url, monotonic: () => time.now });
    const [store, other] = [await open(), await open()];
    t.teardown(() => Promise.all([store.close(), other.close()]));
    const add = (slug: string) => store.tx((tx) => tx.brokers.insert(aBroker({ id: `brk_${slug}`, slug })));
    /** A trial that hung ends a moment after what it waited for; until then its outcome counts. */
    const becomesReady = async () => {
      do {
        await setImmediate();
        time.now += 1_000;
      } while (
        !(await store.ping().then(
          () => true,
          () => false,
        ))
      );
    };
    const lacking = { cause: { message: 'changes are not stored in time, as without a synchronous standby' } };
    await t.resolves(store.ping());

    await waitFor('gone');
    time.now += 1_000;
    await t.rejects(store.ping(), lacking, 'no call has to find out');
    await t.rejects(other.ping(), lacking, 'also where another process tries the same row');
    time.now += 1_000;
    await t.rejects(store.ping(), lacking);
    t.equal(await waiting(), 2, 'each has one trial at most');
    await waitFor('');
    await becomesReady();

    await waitFor('gone');
    const changes = [add('one'), add('two')];
    while ((await waiting()) < 2) await other.read.brokers.list();
    time.now += 1_000;
    await t.rejects(store.ping(), lacking, 'no connection for changes is left to try');
    await waitFor('');
    await Promise.all(changes);
    await becomesReady();
  },
);
