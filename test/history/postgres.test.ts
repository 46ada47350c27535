import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { connect, createServer, type Server, type Socket } from 'node:net';
import { join } from 'node:path';
import pg from 'pg';
import t, { type Test } from 'tap';
import { createRecordsKeeper } from '../../src/history/keeper.ts';
import { createIds } from '../../src/runtime/ids.ts';
import { openPostgres } from '../../src/store/drivers/postgres.ts';
import type { Store } from '../../src/store/store.ts';
import { type PostgresServer, postgresPrograms, startPostgres } from '../support/postgres-server.ts';
import { until } from '../support/until.ts';
import { AN_OPERATOR, createTestClock } from '../support/world.ts';

const newId = createIds();
const PROGRAMS = postgresPrograms();
const skip = PROGRAMS === undefined && 'PostgreSQL is not installed';

/** The address that servers know, which leads to one PostgreSQL or another. */
async function relayTo(t: Test, first: PostgresServer) {
  let target = first.port;
  const sockets = new Set<Socket>();
  const relay: Server = createServer((near) => {
    const far = connect(target, '127.0.0.1');
    for (const socket of [near, far]) {
      sockets.add(socket);
      socket.on('error', () => undefined).on('close', () => sockets.delete(socket));
    }
    near.pipe(far).pipe(near);
  }).listen(0, '127.0.0.1');
  await once(relay, 'listening');
  const cut = () => {
    for (const socket of sockets) socket.destroy();
  };
  t.teardown(() => {
    cut();
    relay.close();
  });
  return {
    url: `postgres://postgres@127.0.0.1:${(relay.address() as { port: number }).port}/postgres`,
    leadTo({ port }: PostgresServer) {
      target = port;
      cut();
    },
  };
}

/** A process with its keeper, whose looks a test makes. */
async function aServer(t: Test, url: string, clock = createTestClock(), address = 'an address') {
  const store = await openPostgres({ url });
  let isOpen = true;
  const close = async () => {
    if (isOpen) await store.close();
    isOpen = false;
  };
  t.teardown(close);
  const lines: string[] = [];
  const keeper = createRecordsKeeper({
    store,
    clock,
    newId,
    actor: AN_OPERATOR,
    place: { name: 'a machine', address },
    seenFile: undefined,
    hasFormerWorkers: async () => false,
    report: (line) => lines.push(line),
  });
  await keeper.open();
  return { store, keeper, lines, clock, close };
}

const issue = (store: Store) => store.tx((tx) => tx.sequences.nextServiceNumber());

/** A change with a row that can be missed. */
const change = (store: Store, at = 1) =>
  store.tx((tx) =>
    tx.audit.insert({
      id: newId('aud', at),
      at,
      actorKind: 'command',
      actor: 'ada',
      clientIp: null,
      action: 'broker.set',
      brokerId: null,
      subject: 'broker/example',
      before: null,
      after: null,
    }),
  );

const trailOf = async ({ read }: Store) => {
  const rows = await read.audit.list({}, 20);
  return rows.map(({ action }) => action).filter((action) => action.startsWith('records.'));
};

async function inStep(first: PostgresServer): Promise<void> {
  const client = new pg.Client(first.url);
  await client.connect();
  const isInStep = 'select count(*) as n from pg_stat_replication where replay_lsn = pg_current_wal_lsn()';
  await until('the standby has everything', async () => (await client.query(isInStep)).rows[0].n === '1');
  await client.end();
}

/** The standby follows its primary no more. */
async function cutOff(standby: PostgresServer): Promise<void> {
  const client = new pg.Client(standby.url);
  await client.connect();
  await client.query("alter system set primary_conninfo = ''");
  await client.query('select pg_reload_conf()');
  const receivers = 'select count(*) as n from pg_stat_wal_receiver';
  await until('it follows no more', async () => (await client.query(receivers)).rows[0].n === '0');
  await client.end();
}

/** The first call after a cut may find that its connection is lost. */
const again = <T>(work: () => Promise<T>): Promise<T> => work().catch(() => work());

t.test('a planned switch that loses nothing leaves a line in the trail and nothing else', { skip }, async (t) => {
  const primary = await startPostgres(t);
  const relay = await relayTo(t, primary);
  const clock = createTestClock(Date.now());
  const one = await aServer(t, relay.url, clock);
  const standby = await startPostgres(t, { follows: primary });
  const other = await aServer(t, relay.url, clock);
  const number = await issue(one.store);
  await change(one.store);
  await change(other.store);
  await inStep(primary);
  primary.stop('fast');
  standby.promote();
  relay.leadTo(standby);
  await again(() => one.keeper.open());
  await t.rejects(issue(one.store), { code: 'server_error', retryAfterSeconds: 2 });
  await again(() => other.keeper.open());
  t.strictSame(await trailOf(one.store), ['records.nothing-lost']);
  t.strictSame(await one.store.read.history.list(), []);
  t.equal(await issue(other.store), number + 1);
  await one.keeper.open();
  t.strictSame(await trailOf(one.store), ['records.nothing-lost'], 'it is noted once');
});

t.test(
  'a standby that lacks the last change of any server is a failover, which goes on by itself',
  { skip },
  async (t) => {
    const primary = await startPostgres(t);
    const relay = await relayTo(t, primary);
    const clock = createTestClock(Date.now());
    const one = await aServer(t, relay.url, clock);
    const standby = await startPostgres(t, { follows: primary });
    const other = await aServer(t, relay.url, clock);
    await inStep(primary);
    await cutOff(standby);
    const last = await issue(one.store);
    await change(other.store);
    primary.stop('immediate');
    standby.promote();
    relay.leadTo(standby);
    await again(() => one.keeper.open());
    await again(() => other.keeper.open());
    const [loss, ...more] = await one.store.read.history.list();
    t.match(loss, { cause: 'failover', state: 'over', place: 'a machine' });
    t.strictSame(more, []);
    t.strictSame(await trailOf(one.store), ['records.went-back']);
    t.ok((await issue(one.store)) > last + 999_000, 'the lost number is not issued again');
    t.equal(other.keeper.info().holding, null);
  },
);

t.test('a server that does not come back to vouch makes it a loss after ten seconds', { skip }, async (t) => {
  const primary = await startPostgres(t);
  const relay = await relayTo(t, primary);
  const clock = createTestClock(Date.now());
  const one = await aServer(t, relay.url, clock);
  const standby = await startPostgres(t, { follows: primary });
  await aServer(t, relay.url, clock);
  await inStep(primary);
  primary.stop('fast');
  standby.promote();
  relay.leadTo(standby);
  await again(() => one.keeper.open());
  t.strictSame(await one.store.read.history.list(), []);
  clock.advance(10_000);
  await one.keeper.open();
  t.match(await one.store.read.history.list(), [{ cause: 'failover', state: 'over' }]);
});

t.test('a timeline whose last heartbeat is old was restored, and is held', { skip }, async (t) => {
  const primary = await startPostgres(t);
  const { close, clock } = await aServer(t, primary.url, createTestClock(Date.now()));
  const standby = await startPostgres(t, { follows: primary });
  await inStep(primary);
  await close();
  primary.stop('fast');
  standby.promote();
  clock.advance(6 * 60_000);
  const restored = await aServer(t, standby.url, clock);
  t.match(await restored.store.read.history.list(), [{ cause: 'restore', state: 'held' }]);
  t.equal(restored.keeper.info().holding, 'held');
});

t.test('a recovery up to a target is a restore, however recent its last heartbeat is', { skip }, async (t) => {
  const primary = await startPostgres(t);
  const { close, clock } = await aServer(t, primary.url, createTestClock(Date.now()));
  await close();
  const settings = { recovery_target: 'immediate', recovery_target_action: 'promote' };
  const recovered = await startPostgres(t, { follows: primary, settings });
  primary.stop('fast');
  const client = new pg.Client(recovered.url);
  await client.connect();
  const isRecovering = async () => (await client.query('select pg_is_in_recovery() as it')).rows[0].it;
  await until('it is promoted', async () => !(await isRecovering()));
  await client.end();
  const restored = await aServer(t, recovered.url, clock);
  t.match(await restored.store.read.history.list(), [{ cause: 'restore', state: 'held' }]);
});

t.test(
  'pg_restore into the same database is a restore, and no number is issued before it is noted',
  { skip },
  async (t) => {
    const server = await startPostgres(t);
    const first = await aServer(t, server.url, createTestClock(Date.now()));
    const number = await issue(first.store);
    const dump = join(t.testdir({}), 'broker.dump');
    const run = (program: string, ...args: string[]) => execFileSync(join(PROGRAMS as string, program), args);
    run('pg_dump', '-Fc', '-f', dump, server.url);
    await issue(first.store);
    await first.close();
    run('pg_restore', '--clean', '-d', server.url, dump);

    const client = new pg.Client(server.url);
    await client.connect();
    // As any release or import does.
    await t.rejects(client.query('update sequences set next_value = next_value + 1'), { code: 'BR015' });
    await client.end();
    const again = await aServer(t, server.url, first.clock);
    t.match(await again.store.read.history.list(), [{ cause: 'restore', state: 'held', firstNumber: number + 1 }]);
    t.ok((await issue(again.store)) > number + 1_000_000);
  },
);

t.test(
  'the same database at another address is a restore for a server, and nothing to a command',
  { skip },
  async (t) => {
    const server = await startPostgres(t);
    const { store, clock } = await aServer(t, server.url);
    const command = await openPostgres({ url: server.url });
    t.teardown(() => command.close());
    const parts = { clock, newId, actor: AN_OPERATOR, seenFile: undefined, report: () => undefined };
    const keeper = createRecordsKeeper({
      ...parts,
      store: command,
      place: { name: 'a laptop', address: 'through a tunnel' },
      hasFormerWorkers: async () => false,
    });
    await keeper.openForCommand();
    t.strictSame(await store.read.history.list(), []);
    await aServer(t, server.url, clock, 'elsewhere');
    t.match(await store.read.history.list(), [{ cause: 'restore' }]);
  },
);

t.test('what a role may not read is unknown, and no fault', { skip }, async (t) => {
  const server = await startPostgres(t);
  const { store } = await aServer(t, server.url);
  await issue(store);
  const client = new pg.Client(server.url);
  await client.connect();
  await client.query(`create role plain login;
    revoke execute on function pg_control_system(), pg_current_wal_lsn() from public;
    grant all on all tables in schema public to plain`);
  await client.end();
  const url = server.url.replace('postgres@', 'plain@');
  const plain = await openPostgres({ url, migrating: 'never' });
  t.teardown(() => plain.close());
  t.type(await issue(plain), 'number');
  t.match(await plain.read.history.findHere(), { system: null, timeline: null });
  t.equal(await plain.read.history.findHolding(), null);
});
