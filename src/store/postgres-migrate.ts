import { MIGRATIONS_TABLE, missingMigrations } from './migrate.ts';
import { connectAlone, type PostgresClient, undo, within } from './postgres-client.ts';

/** The advisory lock under which one instance at a time migrates; the number is arbitrary. */
const MIGRATION_LOCK = 7_216_408_113;

/** How long an instance waits for another's migration: an index over many millions of rows takes minutes. */
const MIGRATION_PATIENCE_MS = 600_000;

/** How long a migration waits for a table lock; short, because calls queue behind it. A failed start is repeated. */
const TABLE_PATIENCE_MS = 5_000;

/**
 * Applies the missing migrations; resolves with whether that created a database without brokers. Uses a connection
 * without the statement limits of calls.
 */
export async function migrate(url: string): Promise<boolean> {
  const client = await connectAlone(url, 'migration', MIGRATION_PATIENCE_MS);
  try {
    return await within(client, 'begin', async () => {
      await client.query('select pg_advisory_xact_lock($1)', [MIGRATION_LOCK]);
      await client.query(`set local lock_timeout = ${TABLE_PATIENCE_MS}`);
      await client.query(MIGRATIONS_TABLE);
      const missing = missingMigrations('postgres', await appliedTo(client));
      for (const migration of missing) {
        for (const statement of migration.sql) await client.query(statement);
        const { folderMillis, hash } = migration;
        await client.query('insert into schema_migrations values ($1, $2)', [folderMillis, hash]);
      }
      return missing.length > 0 && (await client.query('select 1 from brokers limit 1')).rowCount === 0;
    });
  } finally {
    await undo(client);
    await client.end();
  }
}

/** The creation dates of the applied migrations; none for a foreign or empty database. */
export async function appliedTo(client: PostgresClient): Promise<number[]> {
  const { rows: tables } = await client.query("select 1 where to_regclass('schema_migrations') is not null");
  if (tables.length === 0) return [];
  const { rows } = await client.query<{ made_at: string }>('select made_at from schema_migrations');
  return rows.map((row) => Number(row.made_at));
}
