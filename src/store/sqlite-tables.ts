import { tables } from '../../drizzle/sqlite.ts';
import type { AsItIs, TableAccess } from './copy.ts';
import { requireCurrent } from './migrate.ts';
import { openSqlite, type SqliteOptions } from './sqlite.ts';
import { connect, connectAsItIs, databaseOf } from './sqlite-client.ts';
import { appliedTo } from './sqlite-migrate.ts';

/** Long, because no caller waits for a copy. */
const LOCK_PATIENCE_MS = 30_000;

/**
 * Opens (and where needed creates and migrates) a SQLite file for moving whole tables. With `asItIs` the file is not
 * changed: one that would have to be migrated is refused with a `SchemaError`.
 */
export async function openSqliteTables({ asItIs = false, ...options }: SqliteOptions & AsItIs): Promise<TableAccess> {
  if (!asItIs) await (await openSqlite(options)).close();
  const client = (asItIs ? connectAsItIs : connect)(options.file, LOCK_PATIENCE_MS);
  try {
    if (asItIs) requireCurrent('sqlite', appliedTo(client));
  } catch (error) {
    client.close();
    throw error;
  }
  const within =
    (begin: string) =>
    async <T>(work: () => Promise<T>): Promise<T> => {
      client.exec(begin);
      try {
        const result = await work();
        client.exec('commit');
        return result;
      } catch (error) {
        if (client.inTransaction) client.exec('rollback');
        throw error;
      }
    };
  return {
    db: databaseOf(client),
    tables,
    // Deferred: the first read fixes what is seen.
    snapshot: within('begin'),
    transaction: within('begin immediate'),
    async close() {
      client.close();
    },
  };
}
