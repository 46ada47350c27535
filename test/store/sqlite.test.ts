import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import t from 'tap';
import { openSqlite } from '../../src/store/sqlite.ts';
import { storeContract } from './contract.ts';

const monotonic = () => performance.now();

t.test('SQLite keeps the store’s contract, opened twice at the same time', async (t) => {
  const directory = mkdtempSync(join(tmpdir(), 'broker-store-'));
  const file = join(directory, 'new', 'broker.db');
  await storeContract(t, async () => ({
    store: await openSqlite({ file, monotonic }),
    beside: await openSqlite({ file, monotonic }),
  }));
  t.teardown(() => rmSync(directory, { recursive: true, force: true }));
});
