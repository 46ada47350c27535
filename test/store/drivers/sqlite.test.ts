import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Sqlite from 'better-sqlite3';
import t, { type Test } from 'tap';
import { ApiError } from '../../../src/errors.ts';
import { packageFile } from '../../../src/runtime/paths.ts';
import { openSqlite } from '../../../src/store/drivers/sqlite.ts';
import { backupSqlite } from '../../../src/store/drivers/sqlite-backup.ts';
import { type Store, storeFor, storeForBroker } from '../../../src/store/store.ts';
import { aBroker, anAuditRow, stock } from '../../support/rows.ts';
import { numberContract } from '../contract/numbers.ts';
import { storeContract } from '../contract.ts';

const monotonic = () => performance.now();

function scratchFile(t: Test): string {
  const directory = mkdtempSync(join(tmpdir(), 'broker-store-'));
  t.teardown(() => rmSync(directory, { recursive: true, force: true }));
  return join(directory, 'new', 'broker.db');
}

/** A store on a file of its own, and the file as another process would hold it. */
async function setUp(t: Test, clock = monotonic) {
  const file = scratchFile(t);
  const store = await openSqlite({ file, monotonic: clock });
  const other = new Sqlite(file);
  t.teardown(async () => {
    other.close();
    await store.close();
  });
  const brokers = other.prepare('select count(*) from brokers').pluck();
  return { file, store, other, countBrokers: () => brokers.get() };
}

const addBroker = (store: Store) => store.tx((tx) => tx.brokers.insert(aBroker()));

t.test('SQLite keeps the store’s contract, opened twice at the same time', async (t) => {
  const file = scratchFile(t);
  await storeContract(t, async () => {
    const [store, beside] = await Promise.all([openSqlite({ file, monotonic }), openSqlite({ file, monotonic })]);
    const other = new Sqlite(file);
    t.teardown(() => other.close());
    return { store, beside, run: async (sql) => other.exec(sql) };
  });
});

t.test('issuing service numbers keeps its contract beside blocks of used ones', async (t) => {
  const { store, other } = await setUp(t);
  const fill = other.prepare(`
    with recursive n(number) as (select @from union all select number + 1 from n where number < @from + @count - 1)
    insert into services (number, broker_id, status, plan_id, client_name, search_text, requires_operator_review,
      created_at, updated_at)
    select number, @brokerId, 'active', @planId, 'Ada', 'ada', 0, 0, 0 from n`);
  const statement = Object.getPrototypeOf(fill);
  await numberContract(t, {
    store,
    async fill(brokerId, planId, from, count) {
      fill.run({ brokerId, planId, from, count });
    },
    async countStatements(work) {
      const { all, run } = statement;
      let asked = 0;
      const counting = (call: (...args: unknown[]) => unknown) =>
        function (this: unknown, ...args: unknown[]) {
          asked += 1;
          return call.apply(this, args);
        };
      Object.assign(statement, { all: counting(all), run: counting(run) });
      try {
        await work();
      } finally {
        Object.assign(statement, { all, run });
      }
      return asked;
    },
  });
});

t.test('a database without a number left issues none', async (t) => {
  const { store, other } = await setUp(t);
  const none = { message: 'no service number is left' };
  other.prepare('update sequences set next_value = ?').run(Number.MAX_SAFE_INTEGER - 1);
  await t.rejects(
    store.tx((tx) => tx.sequences.nextServiceNumbers(2)),
    none,
  );
  await t.rejects(
    store.tx((tx) => tx.sequences.passOver([Number.MAX_SAFE_INTEGER])),
    none,
  );
  t.equal(await store.tx((tx) => tx.sequences.nextServiceNumber()), Number.MAX_SAFE_INTEGER - 1);
});

t.test('works of one tick share a commit, and none is answered before it', async (t) => {
  const { store, countBrokers } = await setUp(t);
  const seen = await Promise.all(
    Array.from({ length: 20 }, (_, index) => {
      if (index > 0) t.equal(countBrokers(), 0);
      return addBroker(store).then(countBrokers);
    }),
  );
  t.strictSame(new Set(seen), new Set([20]));
});

t.test('more works than one commit takes are all done', async (t) => {
  const { store, countBrokers } = await setUp(t);
  await Promise.all(Array.from({ length: 300 }, () => addBroker(store)));
  t.equal(countBrokers(), 300);
});

t.test('a broker that floods the queue of changes is refused, and no other caller', async (t) => {
  const { store } = await setUp(t);
  const [flooding, other] = [aBroker(), aBroker()];
  await store.tx((tx) => tx.brokers.insert(flooding));
  await store.tx((tx) => tx.brokers.insert(other));
  const change = (by: Store, id: string) => by.tx((tx) => tx.brokers.update(id, { name: 'Changed' }));
  const flood = Array.from({ length: 2_100 }, () => change(storeForBroker(store, flooding.id), flooding.id));
  const others = [
    ...Array.from({ length: 20 }, () => change(storeForBroker(store, other.id), other.id)),
    change(storeFor(store, { share: 'console', name: 'console' }), other.id),
    change(storeFor(store, { share: 'background', name: 'worker' }), other.id),
    change(store, other.id),
  ];
  const [refused, served] = await Promise.all([Promise.allSettled(flood), Promise.allSettled(others)]);
  t.strictSame(
    served.filter(({ status }) => status === 'rejected'),
    [],
  );
  const reasons = refused.flatMap((result) => (result.status === 'rejected' ? [result.reason] : []));
  t.equal(reasons.length, 1_500);
  t.match(reasons[0], { code: 'server_error', retryAfterSeconds: 1 });
});

t.test('a work that throws undoes itself and no other one of its commit', async (t) => {
  const { store, countBrokers } = await setUp(t);
  const results = await Promise.allSettled(
    [false, true, false, true].map((failing) =>
      store.tx(async (tx) => {
        await tx.brokers.insert(aBroker());
        if (failing) throw new Error('no');
      }),
    ),
  );
  t.strictSame(
    results.map(({ status }) => status),
    ['fulfilled', 'rejected', 'fulfilled', 'rejected'],
  );
  t.equal(countBrokers(), 2);
});

t.test('a work that awaits anything but the store is refused, for good and without harm to others', async (t) => {
  const { store, countBrokers } = await setUp(t);
  let resume = () => {};
  const timer = new Promise<void>((resolve) => {
    resume = resolve;
  });
  let ended: Promise<unknown> = Promise.resolve();
  const before = addBroker(store);
  const stalled = store.tx((tx) => {
    const work = async () => {
      await tx.brokers.insert(aBroker());
      await timer;
      await tx.brokers.insert(aBroker());
    };
    ended = work();
    return ended;
  });
  const after = [addBroker(store), addBroker(store)];
  await t.rejects(stalled, { message: /awaited something other than the store/ });
  await t.resolves(Promise.all([before, ...after]));
  t.equal(countBrokers(), 3);
  resume();
  await t.rejects(ended, { message: 'this transaction is over' });
  t.equal(countBrokers(), 3, 'what it does later reaches nothing');
  await addBroker(store);
  t.equal(countBrokers(), 4);
});

t.test('a failure that undoes the whole commit fails every work of it and stores none', async (t) => {
  const { store, other, countBrokers } = await setUp(t);
  // SQLite does the same of its own accord when the disk is full.
  other.exec(`create trigger full before insert on brokers when new.name = 'too much'
    begin select raise(rollback, 'the disk is full'); end`);
  const insert = (name: string) => store.tx((tx) => tx.brokers.insert(aBroker({ name })));
  const results = await Promise.allSettled([insert('first'), insert('too much'), insert('last')]);
  for (const result of results) t.match(result, { status: 'rejected', reason: { message: 'the disk is full' } });
  t.equal(countBrokers(), 0);
  await insert('next');
  t.equal(countBrokers(), 1);
});

t.test('a work that keeps such a failure to itself leaves the works behind it undone too', async (t) => {
  const { store, other, countBrokers } = await setUp(t);
  other.exec(`create trigger full before insert on brokers when new.name = 'too much'
    begin select raise(rollback, 'the disk is full'); end`);
  const insert = (name: string) => store.tx((tx) => tx.brokers.insert(aBroker({ name })));
  const secretive = store.tx((tx) => tx.brokers.insert(aBroker({ name: 'too much' })).catch(() => undefined));
  const results = await Promise.allSettled([insert('first'), secretive, insert('next'), insert('last')]);
  for (const result of results)
    t.match(result, { status: 'rejected', reason: { message: 'the transaction was undone' } });
  t.equal(countBrokers(), 0);
});

t.test('a writer in another process only delays, and reads go on meanwhile', async (t) => {
  const { store, other, countBrokers } = await setUp(t);
  await addBroker(store);
  other.exec('begin immediate');
  let done = false;
  const waiting = addBroker(store).then(() => {
    done = true;
  });
  t.equal((await store.read.brokers.list()).length, 1);
  await new Promise((resolve) => setTimeout(resolve, 30));
  t.notOk(done);
  other.exec('commit');
  await waiting;
  t.equal(countBrokers(), 2);
});

t.test('a file that stays locked answers that it is out of service, and recovers', async (t) => {
  let now = 0;
  const { store, other, countBrokers } = await setUp(t, () => now);
  other.exec('begin immediate');
  const waiting = [addBroker(store), addBroker(store)];
  // Only the turn in which the wait begins may still read the old time.
  setImmediate(() => setImmediate(() => (now = 60_000)));
  for (const refusal of await Promise.allSettled(waiting)) {
    t.match(refusal, { reason: { code: 'server_error', statusCode: 500, retryAfterSeconds: 1, gate: 'work' } });
    t.ok('reason' in refusal && refusal.reason instanceof ApiError);
  }
  other.exec('commit');
  t.equal(countBrokers(), 0);
  await addBroker(store);
  t.equal(countBrokers(), 1);
});

t.test('a commit survives a power cut, and the reading connection refuses to write', async (t) => {
  const opened = new Set<Sqlite.Database>();
  const { pragma } = Sqlite.prototype;
  Sqlite.prototype.pragma = function (...args: Parameters<typeof pragma>) {
    opened.add(this);
    return pragma.apply(this, args);
  };
  try {
    await setUp(t);
  } finally {
    Sqlite.prototype.pragma = pragma;
  }
  const [writer, reader] = opened;
  if (!writer || !reader) throw new Error('two connections are opened');
  const setting = (name: string) => writer.pragma(name, { simple: true });
  t.equal(setting('journal_mode'), 'wal');
  t.equal(setting('synchronous'), 2);
  t.equal(setting('foreign_keys'), 1);
  t.equal(setting('busy_timeout'), 0, 'waiting never blocks the event loop');
  t.throws(() => reader.exec("insert into settings values ('a', 'b')"), { code: 'SQLITE_READONLY' });
});

t.test('an open store has no way to change anything outside a transaction', async (t) => {
  const { store } = await setUp(t);
  const calls = Object.values(store.read).flatMap((group) => Object.keys(group));
  t.strictSame(
    calls.filter((name) => !/^(find|list|page|report|count|total|tally|owners)/.test(name)),
    [],
  );
});

t.test('a read that fails because the database is out of order says that it may pass', async (t) => {
  const { store } = await setUp(t);
  const broken = Object.assign(new Error('disk I/O error'), { code: 'SQLITE_IOERR' });
  const { prototype } = Sqlite as unknown as { prototype: { prepare: () => never } };
  const { prepare } = prototype;
  prototype.prepare = () => {
    throw broken;
  };
  t.teardown(() => {
    prototype.prepare = prepare;
  });
  await t.rejects(store.read.brokers.list(), { code: 'server_error', retryAfterSeconds: 1 });
});

t.test('a file keeps everything when it is opened again', async (t) => {
  const file = scratchFile(t);
  const first = await openSqlite({ file, monotonic });
  t.equal(first.created, true);
  const { broker, service } = await stock(first);
  const number = await first.tx((tx) => tx.sequences.nextServiceNumber());
  const secret = await first.read.settings.find('sandbox_secret');
  await first.close();
  await t.rejects(addBroker(first), /not open/);

  const again = await openSqlite({ file, monotonic });
  t.teardown(() => again.close());
  t.equal(again.created, false);
  t.strictSame(await again.read.services.find(broker.id, service.number), service);
  t.equal(await again.read.counters.total(broker.id, 'services'), 1);
  t.equal(await again.read.settings.find('sandbox_secret'), secret);
  t.equal(await again.tx((tx) => tx.sequences.nextServiceNumber()), number + 1);
});

t.test('closing lets the works that were handed in finish first', async (t) => {
  const file = scratchFile(t);
  const store = await openSqlite({ file, monotonic });
  const works = Array.from({ length: 200 }, () => addBroker(store));
  await store.close();
  await t.resolves(Promise.all(works));
});

t.test('a backup that is made while others write is a whole database of one point in time', async (t) => {
  const { file, store } = await setUp(t);
  const { broker } = await stock(store, 400);
  await stock(store, 400);
  let writes = 0;
  let copying = true;
  const writing = (async () => {
    while (copying) {
      await addBroker(store);
      writes += 1;
    }
  })();
  const target = `${file}.copy`;
  await backupSqlite(file, target);
  copying = false;
  await writing;
  t.ok(writes > 0, 'there were changes meanwhile');

  const copy = await openSqlite({ file: target, monotonic });
  t.teardown(() => copy.close());
  t.equal(copy.created, false);
  t.equal(await copy.read.counters.total(broker.id, 'services'), 400);
  t.equal(await copy.read.services.countMatches(broker.id, { search: 'example' }), 400);
  await addBroker(copy);
  t.equal((await store.read.brokers.list()).length, 2 + writes, 'and what follows stays apart');
});

t.test('processes that open a new file at the same time migrate it once', async (t) => {
  const file = scratchFile(t);
  const open = () =>
    new Promise<{ code: number | null; said: string }>((resolve) => {
      const child = spawn(process.execPath, [
        ...process.execArgv,
        packageFile('dist.test/test/store/drivers/open-sqlite.js'),
        file,
      ]);
      let said = '';
      const note = (chunk: Buffer) => {
        said += chunk;
      };
      child.stdout.on('data', note);
      child.stderr.on('data', note);
      child.on('close', (code) => resolve({ code, said }));
    });
  const opened = await Promise.all([open(), open(), open(), open()]);
  for (const { code, said } of opened) t.equal(code, 0, said);
  t.equal(new Set(opened.map(({ said }) => said.split(' ').at(-1))).size, 1, 'all of them read the same secret');
});

t.test('a database that lost its sequence of numbers issues none', async (t) => {
  const { store, other } = await setUp(t);
  other.exec('delete from sequences');
  const missing = { message: 'the sequence of service numbers is missing' };
  await t.rejects(
    store.tx((tx) => tx.sequences.nextServiceNumber()),
    missing,
  );
  await t.rejects(
    store.tx((tx) => tx.sequences.nextServiceNumbers(3)),
    missing,
  );
});

t.test('a migration that fails leaves nothing behind', async (t) => {
  const { file, store } = await setUp(t);
  await store.close();
  const other = new Sqlite(`${file}.other`);
  t.teardown(() => other.close());
  // In the way of a later statement of the first migration.
  other.exec('create table settings (name text)');
  await t.rejects(openSqlite({ file: `${file}.other`, monotonic }), /settings.* already exists/);
  t.strictSame(other.prepare('select name from sqlite_schema').pluck().all(), ['settings']);
  writeFileSync(`${file}.text`, 'This is no database, however long one reads it. '.repeat(100));
  await t.rejects(openSqlite({ file: `${file}.text`, monotonic }), { code: 'SQLITE_NOTADB' });
});

t.test(
  'no statement changes the audit trail, replaces a row of it, or removes one before its year is over',
  async (t) => {
    const { other: client, store } = await setUp(t);
    const young = anAuditRow({ at: Date.now() - 364 * 86_400_000 });
    const old = anAuditRow({ at: Date.now() - 366 * 86_400_000 });
    for (const row of [young, old]) await store.tx((tx) => tx.audit.insert(row));
    for (const statement of [
      "update audit_trail set actor = 'nobody'",
      `update audit_trail set at = 0 where id = '${old.id}'`,
      'delete from audit_trail',
      `delete from audit_trail where id = '${young.id}'`,
      `insert or replace into audit_trail select id, 0, actor_kind, 'nobody', null, action, null, subject, null, null from audit_trail`,
      `replace into audit_trail (rowid, id, at, actor_kind, actor, action, subject) values (1, 'x', 0, 'command', 'nobody', 'a', 's')`,
    ]) {
      t.throws(() => client.exec(statement), /the audit trail is (never changed|kept for 365 days)/, statement);
    }
    client.exec(`delete from audit_trail where id = '${old.id}'`);
    t.strictSame(await store.read.audit.list({}, 10), [young]);
  },
);
