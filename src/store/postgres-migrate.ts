import { MIGRATIONS_TABLE, missingMigrations } from './migrate.ts';
import { connectAlone, type PostgresClient, undo, within } from './postgres-client.ts';

/** All instances that start at once take turns at migrating under this advisory lock; the number is arbitrary. */
const MIGRATION_LOCK = 7_216_408_113;

/** How long an instance waits for the one that migrates: an index over many millions of rows takes minutes. */
const MIGRATION_PATIENCE_MS = 600_000;

/**
 * How long a migration waits for a table that others use. They queue up behind it meanwhile, so it is short; a start
 * that was too unlucky is repeated by the supervisor.
 */
const TABLE_PATIENCE_MS = 5_000;

/**
 * Applies what is missing; whether that made a database which has no broker yet. Over a connection of its own, because
 * the limits of a call's statements are not for this.
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

/** When the migrations were made that this database has; none where it is no database of ours. */
export async function appliedTo(client: PostgresClient): Promise<number[]> {
  const { rows: tables } = await client.query("select 1 where to_regclass('schema_migrations') is not null");
  if (tables.length === 0) return [];
  const { rows } = await client.query<{ made_at: string }>('select made_at from schema_migrations');
  return rows.map((row) => Number(row.made_at));
}
