import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Sqlite from 'better-sqlite3';
import t, { type Test } from 'tap';
import { openSqlite } from '../../../src/store/drivers/sqlite.ts';
import type { Store } from '../../../src/store/store.ts';
import { aBroker } from '../../support/rows.ts';

const MB = 1024 * 1024;

async function setUp(t: Test) {
  const directory = mkdtempSync(join(tmpdir(), 'broker-wal-'));
  const file = join(directory, 'broker.db');
  const time = { now: 0 };
  const open = () => openSqlite({ file, monotonic: () => time.now });
  const store = await open();
  const broker = aBroker();
  await store.tx((tx) => tx.brokers.insert(broker));
  const other = new Sqlite(file);
  t.teardown(async () => {
    other.close();
    await store.close();
    rmSync(directory, { recursive: true, force: true });
  });
  let written = 0;
  /** Changes one row so often that the log grows by so many megabytes where it is not cut back. */
  const write = async (megabytes: number, to: Store = store) => {
    for (let i = 0; i < megabytes; i += 1) {
      written += 1;
      await to.tx((tx) => tx.brokers.update(broker.id, { name: String(written % 10).repeat(MB) }));
    }
  };
  return { store, other, time, open, write, walBytes: () => statSync(`${file}-wal`).size };
}

t.test('the log stays below 16 MB however much is written', async (t) => {
  const { write, walBytes } = await setUp(t);
  for (let i = 0; i < 10; i += 1) {
    await write(5);
    t.ok(walBytes() < 16 * MB, `${walBytes()} bytes`);
  }
});

t.test('a log that a reader held up is cut back as soon as it lets go', async (t) => {
  const { other, time, write, walBytes } = await setUp(t);
  other.exec('begin; select * from brokers');
  await write(40);
  t.ok(walBytes() > 30 * MB, 'nothing can be taken from a reader');
  other.exec('commit');
  time.now += 1_000;
  await write(1);
  t.ok(walBytes() < 16 * MB, `${walBytes()} bytes`);
});

t.test('a long log that a reader holds up is tried once a second, not at every change', async (t) => {
  const { other, time, write } = await setUp(t);
  other.exec('begin; select * from brokers');
  const { pragma } = Sqlite.prototype;
  let tried = 0;
  Sqlite.prototype.pragma = function (source, options) {
    if (source.startsWith('wal_checkpoint')) tried += 1;
    return pragma.call(this, source, options);
  };
  t.teardown(() => {
    Sqlite.prototype.pragma = pragma;
  });
  time.now += 1_000;
  await write(25);
  t.equal(tried, 1);
  time.now += 1_000;
  await write(5);
  t.equal(tried, 2);
});

t.test('a log that was left behind is moved into the file at the start', async (t) => {
  const { other, open, write, walBytes } = await setUp(t);
  other.exec('begin; select * from brokers');
  await write(20);
  other.exec('commit');
  const again = await open();
  t.equal(walBytes(), 0);
  await again.close();
});

t.test('a disk without room even to move the log leaves the start alone, and anything else stops it', async (t) => {
  const { open } = await setUp(t);
  const { pragma } = Sqlite.prototype;
  let code = 'SQLITE_FULL';
  Sqlite.prototype.pragma = function (source, options) {
    if (source.startsWith('wal_checkpoint')) throw Object.assign(new Error('no'), { code });
    return pragma.call(this, source, options);
  };
  t.teardown(() => {
    Sqlite.prototype.pragma = pragma;
  });
  await (await open()).close();
  code = 'SQLITE_CORRUPT';
  await t.rejects(open(), { code });
});
