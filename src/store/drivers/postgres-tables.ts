import { tables } from '../../../drizzle/postgres.ts';
import type { TableAccess, TableOptions } from './copy.ts';
import { connectAlone, databaseOf, rollBack, within } from './postgres-client.ts';
import { migrate } from './postgres-migrate.ts';

/** Long, because no caller waits for a copy. */
const LOCK_PATIENCE_MS = 30_000;

/** Opens (and where needed migrates) a PostgreSQL database for moving whole tables; `readOnly` as on SQLite. */
export async function openPostgresTables(url: string, { readOnly = false }: TableOptions = {}): Promise<TableAccess> {
  await migrate({ url, migrating: readOnly ? 'never' : 'always', report: () => undefined });
  const client = await connectAlone(url, 'copy', LOCK_PATIENCE_MS);
  const between =
    (begin: string) =>
    <T>(work: () => Promise<T>): Promise<T> =>
      within(client, begin, work).catch(async (error: unknown) => {
        await rollBack(client);
        throw error;
      });
  return {
    db: databaseOf(client),
    tables,
    snapshot: between('begin isolation level repeatable read read only'),
    transaction: between('begin'),
    close: () => client.end(),
  };
}
