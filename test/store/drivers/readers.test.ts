import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { threadId, type Worker } from 'node:worker_threads';
import t, { type Test } from 'tap';
import { packageFile } from '../../../src/runtime/paths.ts';
import { closeFile, comeSecond, default as read } from '../../../src/store/drivers/reader-thread.ts';
import { createReaders } from '../../../src/store/drivers/readers.ts';
import { openSqlite } from '../../../src/store/drivers/sqlite.ts';
import { reportedNumbers } from '../../support/reports.ts';
import { aBroker, stock } from '../../support/rows.ts';

const FAILING_THREAD = packageFile('dist.test/test/store/drivers/failing-thread.js');

function scratchFile(t: Test): string {
  const directory = mkdtempSync(join(tmpdir(), 'broker-readers-'));
  t.teardown(() => rmSync(directory, { recursive: true, force: true }));
  return join(directory, 'broker.db');
}

/** A store with services of one broker, and the threads that the process starts from now on. */
async function setUp(t: Test) {
  const file = scratchFile(t);
  const store = await openSqlite({ file, monotonic: () => performance.now() });
  t.teardown(() => store.close());
  const { broker, rows } = await stock(store, 3);
  const threads: Worker[] = [];
  const onThread = (thread: Worker) => threads.push(thread);
  process.on('worker', onThread);
  t.teardown(() => process.off('worker', onThread));
  return { file, store, broker, numbers: rows.map((row) => row.number), threads };
}

t.test('slow reads and reports are run by threads, and nothing else starts one', async (t) => {
  const { store, broker, numbers, threads } = await setUp(t);
  await store.read.services.page(broker.id, {}, { limit: 1, offset: 0 });
  await store.read.services.countMatches(broker.id, { search: 'ada' });
  t.equal(threads.length, 0, 'a store that is asked for little has none');
  t.equal(await store.slow({ key: broker.id }, (reads) => reads.services.countMatches(broker.id, {})), 3);
  t.equal(threads.length, 1);
  t.strictSame((await reportedNumbers(store, broker.id)).sort(), numbers.sort());
  t.ok(threads.length <= 2);
});

t.test('a thread reads the same as the event loop, and what was committed just before', async (t) => {
  const { store, broker, numbers } = await setUp(t);
  const page = { limit: 10, offset: 0 };
  for (const filter of [{}, { search: 'ada' }, { status: 'active' as const }]) {
    t.strictSame(
      await store.slow({ key: broker.id }, (reads) => reads.services.page(broker.id, filter, page)),
      await store.read.services.page(broker.id, filter, page),
    );
  }
  for (const [at, number] of numbers.entries()) {
    await store.tx((tx) => tx.services.update(broker.id, number, { label: `changed ${at}` }));
    const view = await store.slow({ key: broker.id }, (reads) => reads.services.findView(broker.id, number));
    t.equal(view?.service.label, `changed ${at}`);
  }
});

t.test(
  'a database that fails in a thread says what it says everywhere, and without the values asked for',
  async (t) => {
    const file = scratchFile(t);
    const readers = createReaders({ file });
    t.teardown(() => readers.close());
    const failing = readers.read.services.countMatches('brk', { clientEmailFolded: 'ada@example.com' });
    await t.rejects(failing, { code: 'SQLITE_CANTOPEN', message: /^(?!.*ada)/ });
    t.notOk(existsSync(file), 'and it makes none');
    const store = await openSqlite({ file, monotonic: () => 0 });
    await store.tx((tx) => tx.brokers.insert(aBroker({ id: 'brk' })));
    t.equal((await readers.read.brokers.list()).length, 1, 'the same thread finds it later');
    await t.rejects(readers.read.services.page('brk', {}, {} as never), { message: /No value for placeholder/ });
    await t.rejects(readers.csv({ sql: 'select nothing', params: [], columns: [] }, 100), { code: 'SQLITE_ERROR' });
    await store.close();
  },
);

t.test('a thread that dies fails its own read alone and is replaced', async (t) => {
  const readers = createReaders({ file: 'none', threadModule: FAILING_THREAD });
  t.teardown(() => readers.close());
  const ask = (word: string) => readers.read.settings.find(word);
  const first = await ask('a');
  t.not(first, threadId, 'another thread than this one');
  await t.rejects(ask('die'), { code: 'server_error', retryAfterSeconds: 1 });
  t.not(await ask('a'), first);
});

t.test('the heap of a thread is at most 64 MB', async (t) => {
  const readers = createReaders({ file: 'none', threadModule: FAILING_THREAD });
  t.teardown(() => readers.close());
  t.equal(await readers.read.settings.find('heap'), 64);
});

t.test('closing ends the threads; what they are asked for afterwards is refused', async (t) => {
  const { store, broker, threads } = await setUp(t);
  const count = () => store.slow({ key: broker.id }, (reads) => reads.services.countMatches(broker.id, {}));
  await count();
  const ended = new Promise((resolve) => threads[0]?.once('exit', resolve));
  await store.close();
  await ended;
  await t.rejects(count(), { code: 'server_error', retryAfterSeconds: 5 });
  t.equal(threads.length, 1);
});

t.test('what a thread does: rows, files, faults, statements kept up to a bound', async (t) => {
  const { file, broker } = await setUp(t);
  t.teardown(closeFile);
  t.strictSame(read({ file, sql: 'select id from brokers', params: [] }), { rows: [[broker.id]] });
  t.match(read({ file, sql: "select 'one', 1", params: [], csv: { columns: ['a', 'b'], maxBytes: 100 } }), {
    csv: { content: Buffer.from('a,b\r\none,1\r\n'), rowCount: 1 },
  });
  t.strictSame(read({ file, sql: "select 'one', 1", params: [], csv: { columns: ['a', 'b'], maxBytes: 9 } }), {
    csv: null,
  });
  t.match(read({ file, sql: 'delete from brokers', params: [] }), { error: { message: String } });
  for (let index = 0; index < 250; index += 1) {
    t.match(read({ file, sql: `select ${index}`, params: [] }), { rows: [[index]] });
  }
  t.match(read({ file: `${file}.none`, sql: 'select 1', params: [] }), { error: { code: 'SQLITE_CANTOPEN' } });
});

t.test('threads come behind requests on Linux, and a process that may not have that is none the worse', async (t) => {
  const asked: number[][] = [];
  const note = (...call: number[]) => void asked.push(call);
  comeSecond(note, 'darwin');
  t.strictSame(asked, [], 'there it would be the whole process');
  comeSecond(note, 'linux');
  t.strictSame(asked, [[0, 10]]);
  t.doesNotThrow(() =>
    comeSecond(() => {
      throw Object.assign(new Error('not permitted'), { code: 'EPERM' });
    }, 'linux'),
  );
});
