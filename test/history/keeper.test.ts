import { existsSync, rmSync } from 'node:fs';
import { copyFile } from 'node:fs/promises';
import { join } from 'node:path';
import t, { type Test } from 'tap';
import { findHeartbeat } from '../../src/history/heartbeat.ts';
import { createRecordsKeeper, type RecordsKeeperParts } from '../../src/history/keeper.ts';
import { marksOfCopy } from '../../src/history/loss.ts';
import { readRemembered } from '../../src/history/seen-file.ts';
import { createIds } from '../../src/runtime/ids.ts';
import { openSqlite } from '../../src/store/drivers/sqlite.ts';
import { backupSqlite } from '../../src/store/drivers/sqlite-backup.ts';
import type { Store } from '../../src/store/store.ts';
import { AN_OPERATOR, createTestClock, type TestClock } from '../support/world.ts';

const newId = createIds();

/** A file with its server's keeper, which can be closed and opened again. */
async function setUp(t: Test, clock: TestClock = createTestClock()) {
  const file = join(t.testdir({}), 'broker.db');
  const lines: string[] = [];
  let store: Store | undefined;
  async function open(parts: Partial<RecordsKeeperParts> = {}) {
    store = await openSqlite({ file, monotonic: clock.monotonic });
    const keeper = createRecordsKeeper({
      store,
      clock,
      newId,
      actor: AN_OPERATOR,
      place: { name: 'a machine', address: null },
      seenFile: `${file}.seen`,
      hasFormerWorkers: async () => false,
      report: (line) => lines.push(line),
      ...parts,
    });
    await keeper.open();
    return { store, keeper };
  }
  async function close(): Promise<void> {
    await store?.close();
    store = undefined;
  }
  t.teardown(close);
  return { file, clock, lines, open, close };
}

const issue = (store: Store) => store.tx((tx) => tx.sequences.nextServiceNumber());

async function putBack(from: string, to: string): Promise<void> {
  for (const end of ['-wal', '-shm']) rmSync(to + end, { force: true });
  await copyFile(from, to);
}

t.test('a start finds nothing where nothing was put back', async (t) => {
  const { open, close, lines } = await setUp(t);
  const first = await open();
  await issue(first.store);
  await close();
  const { store, keeper } = await open();
  t.strictSame(await store.read.history.list(), []);
  t.strictSame(lines, []);
  t.match(keeper.info(), { history: 0, holding: null, unseen: ['a snapshot of the whole machine'] });
});

t.test('a start on a copy of broker backup has found a restore, and holds what goes out', async (t) => {
  const { file, open, close, clock, lines } = await setUp(t);
  const { store } = await open();
  const number = await issue(store);
  const madeAt = clock.now();
  await backupSqlite(file, `${file}.copy`, marksOfCopy(madeAt));
  clock.advance(100_000);
  await issue(store);
  await close();
  await putBack(`${file}.copy`, file);
  rmSync(`${file}.seen`);

  const again = await open();
  const [loss] = await again.store.read.history.list();
  t.match(loss, {
    history: Math.floor(clock.now() / 1000),
    cause: 'restore',
    state: 'held',
    lostFrom: madeAt,
    lostUntil: clock.now(),
    firstNumber: number + 1,
    lastNumber: number + 1_001_000,
    place: 'a machine',
  });
  t.equal(await issue(again.store), number + 1_001_001, 'numbers of what was lost are not issued again');
  t.equal(again.keeper.info().holding, 'held');
  t.match(lines, [/^the records went back \(restore, history \d+\): .*broker restored --go-on/]);
  const [row] = await again.store.read.audit.list({ action: 'records.went-back' }, 5);
  t.match(JSON.parse(row?.after as string), { cause: 'restore', found: 'marked_copy', first_number: number + 1 });
});

t.test('a loss is noted once, however often the program starts', async (t) => {
  const { file, open, close } = await setUp(t);
  const { store } = await open();
  await backupSqlite(file, `${file}.copy`, marksOfCopy(1));
  await store.close();
  await putBack(`${file}.copy`, file);
  await open();
  await close();
  const { store: last } = await open();
  t.equal((await last.read.history.list()).length, 1);
});

t.test('a restore of the same backup twice has two numbers of history, the second higher', async (t) => {
  const { file, open, close } = await setUp(t);
  await open();
  await backupSqlite(file, `${file}.copy`, marksOfCopy(1));
  const found: number[] = [];
  for (let restored = 0; restored < 2; restored += 1) {
    await close();
    await putBack(`${file}.copy`, file);
    const { store } = await open();
    found.push((await store.read.history.findLatest())?.lastNumber as number);
  }
  t.ok((found[1] as number) > (found[0] as number), 'the numbers of the first restore are not issued by the second');
});

t.test('a file that was put back without a mark is found by what a server had seen', async (t) => {
  const { file, open, close, clock } = await setUp(t);
  const first = await open();
  await close();
  await copyFile(file, `${file}.before`);
  const { store, keeper } = await open();
  await issue(store);
  clock.advance(120_000);
  await keeper.open();
  t.ok(readRemembered(`${file}.seen`));
  await close();
  await putBack(`${file}.before`, file);
  const again = await open();
  t.match(await again.store.read.history.list(), [{ cause: 'restore', state: 'held' }]);
  t.ok(first);
});

t.test('a file that is put back right after a start is found, also where the server was killed', async (t) => {
  const { file, open, close, clock } = await setUp(t);
  await open();
  await close();
  await copyFile(file, `${file}.before`);
  clock.advance(1_000);
  const { store } = await open();
  await issue(store);
  await close();
  await putBack(`${file}.before`, file);
  const again = await open();
  t.match(await again.store.read.history.list(), [{ cause: 'restore', state: 'held' }]);
});

t.test('a server that stops notes what it has seen last', async (t) => {
  const { file, open, close } = await setUp(t);
  const { store, keeper } = await open();
  keeper.start();
  await store.tx((tx) => tx.sequences.skip(5_000));
  await keeper.stop();
  const { nextNumber } = await store.read.history.findState();
  await close();
  t.equal(readRemembered(`${file}.seen`)?.number, nextNumber);
});

t.test('nothing follows where the note of what was seen is missing', async (t) => {
  const { file, open, close, clock } = await setUp(t);
  await open();
  await close();
  await copyFile(file, `${file}.before`);
  const { store } = await open();
  await issue(store);
  clock.advance(120_000);
  await close();
  await putBack(`${file}.before`, file);
  rmSync(`${file}.seen`);
  const again = await open();
  t.strictSame(await again.store.read.history.list(), []);
});

t.test('a process whose records are behind what it remembers has found a restore', async (t) => {
  const { open } = await setUp(t);
  const { store, keeper } = await open();
  const number = await issue(store);
  await keeper.open();
  await store.tx((tx) => tx.history.note({ system: null, table: null, timeline: null, address: null }, number));
  await keeper.open();
  t.match(await store.read.history.list(), [{ cause: 'restore', state: 'held' }]);
  t.ok((await issue(store)) > number + 1_000_000);
});

t.test('a loss is noted once by a process, also where the clock was set back with the records', async (t) => {
  const { open, clock } = await setUp(t);
  const { store, keeper } = await open();
  const number = await issue(store);
  await keeper.open();
  clock.advance(-3_600_000);
  await store.tx(async (tx) => {
    await tx.history.note({ system: null, table: null, timeline: null, address: null }, number);
    await tx.settings.put({ name: 'heartbeat', value: String(clock.now()) });
  });
  await keeper.open();
  await keeper.open();
  t.equal((await store.read.history.list()).length, 1);
});

t.test('the heartbeat never goes back, and a command leaves none', async (t) => {
  const { open, clock, file, close } = await setUp(t);
  const { store } = await open();
  const at = await findHeartbeat(store.read);
  t.equal(at, clock.now());
  await close();
  rmSync(`${file}.seen`);
  clock.advance(60_000);
  const again = await openSqlite({ file, monotonic: clock.monotonic });
  const keeper = createRecordsKeeper({
    store: again,
    clock,
    newId,
    actor: AN_OPERATOR,
    place: { name: 'a machine', address: null },
    seenFile: `${file}.seen`,
    hasFormerWorkers: async () => false,
    report: () => undefined,
  });
  await keeper.openForCommand();
  t.equal(await findHeartbeat(again.read), at);
  t.notOk(existsSync(`${file}.seen`));
  await again.close();
});

t.test('a restore ends the sessions and the sign-in links of the console', async (t) => {
  const { file, open, close, clock } = await setUp(t);
  const { store } = await open();
  const operatorId = 'opr_1';
  await store.tx(async (tx) => {
    await tx.operators.insert({
      id: operatorId,
      email: 'ada@example.com',
      emailFolded: 'ada@example.com',
      name: 'Ada',
      role: 'admin',
      active: true,
      updatedAt: clock.now(),
      createdAt: clock.now(),
    } as never);
    await tx.operators.insertLink({
      tokenHash: 'hash',
      operatorId,
      createdAt: clock.now(),
      expiresAt: clock.now() + 900_000,
    } as never);
  });
  await backupSqlite(file, `${file}.copy`, marksOfCopy(clock.now()));
  await close();
  await putBack(`${file}.copy`, file);
  const again = await open();
  t.strictSame(await again.store.read.operators.countLinks(operatorId), { made: 0, unused: 0 });
});
