import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  renameSync,
  rmSync,
  statfsSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import Sqlite from 'better-sqlite3';
import t, { type Test } from 'tap';
import { loadConfig } from '../../../src/config.ts';
import { openSqlite } from '../../../src/store/drivers/sqlite.ts';
import { backupSqlite } from '../../../src/store/drivers/sqlite-backup.ts';
import { prepareFile } from '../../../src/store/drivers/sqlite-file.ts';
import type { Store } from '../../../src/store/store.ts';
import { aBroker } from '../../support/rows.ts';

function scratch(t: Test): string {
  const directory = mkdtempSync(join(tmpdir(), 'broker-file-'));
  t.teardown(() => rmSync(directory, { recursive: true, force: true }));
  return join(directory, 'data', 'broker.db');
}

/** A store on a file of its own, with a clock that moves only when the test says so. */
async function setUp(t: Test, path = scratch(t)) {
  const time = { now: 0 };
  const reports: string[] = [];
  const store = await openSqlite({ file: path, monotonic: () => time.now, report: (message) => reports.push(message) });
  t.teardown(() => store.close());
  return { file: path, store, time, reports };
}

const addBroker = (store: Store) => store.tx((tx) => tx.brokers.insert(aBroker()));
const modeOf = (path: string) => statSync(path).mode & 0o777;
const isAway = { code: 'server_error', statusCode: 500, retryAfterSeconds: 1 };

/** That nothing is acknowledged, read or called healthy any more. */
async function isOutOfService(t: Test, { store, time }: Pick<Awaited<ReturnType<typeof setUp>>, 'store' | 'time'>) {
  await t.rejects(store.ping(), isAway);
  await t.rejects(addBroker(store), isAway);
  time.now += 1_000;
  await t.rejects(store.read.brokers.list(), isAway);
}

t.test('database, log, shared memory and backup are their owner’s alone, whatever the umask', async (t) => {
  const umask = process.umask(0);
  t.teardown(() => process.umask(umask));
  const { file, store } = await setUp(t);
  await addBroker(store);
  await backupSqlite(file, `${file}.copy`);
  for (const path of [file, `${file}-wal`, `${file}-shm`, `${file}.copy`]) t.equal(modeOf(path), 0o600, path);
  t.equal(modeOf(dirname(file)), 0o700, 'and so is a folder that is made for them');
});

t.test('a setting with a Windows line end names the same file, and its mode is the same', async (t) => {
  const umask = process.umask(0);
  t.teardown(() => process.umask(umask));
  const file = scratch(t);
  const { database } = loadConfig({ DATABASE_URL: `file:${file} \r` });
  const { store } = await setUp(t, (database as { file: string }).file);
  await addBroker(store);
  t.strictSame(
    readdirSync(dirname(file)).sort(),
    ['', '-shm', '-wal'].map((end) => `${basename(file)}${end}`),
  );
  for (const path of [file, `${file}-wal`, `${file}-shm`]) t.equal(modeOf(path), 0o600, path);
});

t.test('files that others can read are taken from them at the start', async (t) => {
  const { file, store } = await setUp(t);
  await addBroker(store);
  const paths = [file, `${file}-wal`, `${file}-shm`];
  for (const path of paths) chmodSync(path, 0o664);
  await setUp(t, file);
  for (const path of paths) t.equal(modeOf(path), 0o600, path);
});

t.test('a backup that fails leaves no file, and one that stands already is not written over', async (t) => {
  const { file } = await setUp(t);
  await t.rejects(backupSqlite(file, file), { code: 'EEXIST' });
  const { backup } = Sqlite.prototype;
  Sqlite.prototype.backup = async () => {
    throw new Error('no room');
  };
  t.teardown(() => {
    Sqlite.prototype.backup = backup;
  });
  await t.rejects(backupSqlite(file, `${file}.copy`), { message: 'no room' });
  t.notOk(existsSync(`${file}.copy`));
});

t.test('nothing is written, read or called healthy once the file is deleted, and it is said once', async (t) => {
  const world = await setUp(t);
  await addBroker(world.store);
  rmSync(world.file);
  await isOutOfService(t, world);
  await isOutOfService(t, world);
  t.strictSame(world.reports, ['the database cannot be used']);
});

t.test('nor once another file stands in its place, or its log was taken away', async (t) => {
  const replaced = await setUp(t);
  await addBroker(replaced.store);
  copyFileSync(replaced.file, `${replaced.file}.new`);
  renameSync(`${replaced.file}.new`, replaced.file);
  await isOutOfService(t, replaced);

  const bare = await setUp(t);
  rmSync(`${bare.file}-wal`);
  await isOutOfService(t, bare);
});

t.test('nor when a link leads to another file, and all is well when it leads back', async (t) => {
  const { file } = await setUp(t);
  const { file: other } = await setUp(t);
  const link = join(dirname(file), 'link.db');
  symlinkSync(file, link);
  const world = await setUp(t, link);
  await addBroker(world.store);
  rmSync(link);
  symlinkSync(other, link);
  await isOutOfService(t, world);
  rmSync(link);
  symlinkSync(file, link);
  world.time.now += 1_000;
  await world.store.ping();
  await addBroker(world.store);
  t.equal((await world.store.read.brokers.list()).length, 2);
  t.strictSame(world.reports, ['the database cannot be used', 'the database can be used again']);
});

t.test('a change that was written into a file which vanished meanwhile is not acknowledged', async (t) => {
  const { file, store } = await setUp(t);
  const work = store.tx(async (tx) => {
    await tx.brokers.insert(aBroker());
    rmSync(file);
  });
  await t.rejects(work, isAway);
});

t.test('health tries to write, once a second at most', async (t) => {
  const { file, store, time } = await setUp(t);
  const other = new Sqlite(file);
  t.teardown(() => other.close());
  const version = () => other.pragma('data_version', { simple: true });
  const before = version();
  await Promise.all([store.ping(), store.ping(), store.ping()]);
  const tried = version();
  t.not(tried, before, 'something was written');
  time.now = 999;
  await store.ping();
  t.equal(version(), tried);
  time.now = 1_000;
  await store.ping();
  t.not(version(), tried);
});

t.test('waiting for another writer is no failure of health', async (t) => {
  const { file, store } = await setUp(t);
  const other = new Sqlite(file);
  t.teardown(() => other.close());
  other.exec('begin immediate');
  await t.resolves(store.ping());
});

t.test('a file that has become read-only, or a full disk, shows in health, and passes by itself', async (t) => {
  const { store, time } = await setUp(t);
  const { pragma } = Sqlite.prototype;
  let code: string | undefined;
  // Nobody is refused a write for certain on every machine that tests: the driver says it for the disk.
  Sqlite.prototype.pragma = function (source, options) {
    if (code && source.startsWith('user_version')) throw Object.assign(new Error('no'), { code });
    return pragma.call(this, source, options);
  };
  t.teardown(() => {
    Sqlite.prototype.pragma = pragma;
  });
  for (code of ['SQLITE_READONLY', 'SQLITE_FULL', 'SQLITE_IOERR_WRITE']) {
    time.now += 2_000;
    await t.rejects(store.ping(), isAway);
    await t.rejects(store.ping(), isAway, 'the outcome holds for a second');
    t.ok((await store.read.brokers.list()).length === 0, 'reads go on');
  }
  code = undefined;
  time.now += 1_000;
  await t.resolves(store.ping());
});

const cannotMount = process.getuid?.() === 0 ? false : 'only root mounts a disk in memory';

t.test(
  'a disk with less than a megabyte left shows in health before a change finds it',
  { skip: cannotMount },
  async (t) => {
    const disk = mkdtempSync(join(tmpdir(), 'broker-disk-'));
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=16m', 'tmpfs', disk]);
    t.teardown(() => {
      execFileSync('umount', [disk]);
      rmSync(disk, { recursive: true });
    });
    const { store, time } = await setUp(t, join(disk, 'broker.db'));
    await t.resolves(store.ping());
    const { bavail, bsize } = statfsSync(disk);
    const filler = join(disk, 'filler');
    writeFileSync(filler, Buffer.alloc(bavail * bsize - 500_000));
    time.now += 1_000;
    await t.rejects(store.ping(), isAway, 'a page or two still fit');
    rmSync(filler);
    time.now += 1_000;
    await t.resolves(store.ping());
  },
);

t.test('a disk that is full refuses what does not fit, and takes it when there is room', async (t) => {
  const clients = new Set<Sqlite.Database>();
  const { pragma } = Sqlite.prototype;
  Sqlite.prototype.pragma = function (source, options) {
    clients.add(this);
    return pragma.call(this, source, options);
  };
  t.teardown(() => {
    Sqlite.prototype.pragma = pragma;
  });
  const { store, time } = await setUp(t);
  const [writer] = clients;
  const pages = writer?.pragma('page_count', { simple: true });
  const large = () => store.tx((tx) => tx.brokers.insert(aBroker({ name: 'x'.repeat(100_000) })));
  writer?.pragma(`max_page_count = ${pages}`);
  time.now = 2_000;
  await t.rejects(large(), isAway);
  t.strictSame(await store.read.brokers.list(), []);
  writer?.pragma('max_page_count = 1000000');
  await large();
  t.equal((await store.read.brokers.list()).length, 1);
});

t.test('a file or folder that cannot be written stops the start with one line', async (t) => {
  const file = scratch(t);
  prepareFile(file);
  const refuse = (path: string) => (asked: string) => {
    if (asked === path) throw Object.assign(new Error('EROFS'), { code: 'EROFS' });
  };
  t.throws(() => prepareFile(file, refuse(file)), { message: `${file} cannot be written` });
  t.throws(() => prepareFile(file, refuse(dirname(file))), { message: `${dirname(file)} cannot be written` });
});

t.test('a start waits for no writer where there is nothing to migrate', async (t) => {
  const { file } = await setUp(t);
  const other = new Sqlite(file);
  t.teardown(() => other.close());
  other.exec('begin immediate');
  const { store } = await setUp(t, file);
  t.strictSame(await store.read.brokers.list(), []);
});
