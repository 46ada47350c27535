import { tables } from '../../../drizzle/sqlite.ts';
import type { TableAccess, TableOptions } from './copy.ts';
import { openSqlite, type SqliteOptions } from './sqlite.ts';
import { connect, connectUnchanged, databaseOf } from './sqlite-client.ts';
import { migrate, within } from './sqlite-migrate.ts';

/** Long, because no caller waits for a copy. */
const LOCK_PATIENCE_MS = 30_000;

/**
 * Opens (and where needed creates and migrates) a SQLite file for moving whole tables. With `readOnly` the file is not
 * changed: one that would have to be migrated is refused with a `SchemaError`.
 */
export async function openSqliteTables({
  readOnly = false,
  ...options
}: SqliteOptions & TableOptions): Promise<TableAccess> {
  if (!readOnly) await (await openSqlite(options)).close();
  const client = (readOnly ? connectUnchanged : connect)(options.file, LOCK_PATIENCE_MS);
  try {
    if (readOnly) await migrate(client, 'never', () => undefined);
  } catch (error) {
    client.close();
    throw error;
  }
  return {
    db: databaseOf(client),
    tables,
    // Deferred: the first read fixes what is seen.
    snapshot: (work) => within(client, 'begin', work),
    transaction: (work) => within(client, 'begin immediate', work),
    async close() {
      client.close();
    },
  };
}
