import {
  MIGRATION_PATIENCE_MS,
  type Migrating,
  type MigrationTarget,
  migrate as migrateTarget,
  mustMigrate,
  patiently,
  type Run,
  type TellLine,
} from './migrate.ts';
import { connectAlone, type PostgresClient, undo, within } from './postgres-client.ts';
import { isLockedOut } from './postgres-faults.ts';

/**
 * The advisory lock of the process that migrates; the numbers are arbitrary. It is asked for again and again instead of
 * waited for: a statement that waits has a snapshot, for which a concurrent index would wait in turn.
 */
const MIGRATION_LOCK = 7_216_408_114;

/** The lock under which 0.2.0 migrates in one transaction. */
const FORMER_LOCK = 7_216_408_113;

/** How long a migration waits for a lock; short, because calls queue behind it. */
const LOCK_PATIENCE_MS = 500;

export interface PostgresMigration {
  url: string;
  migrating: Migrating;
  tell: TellLine;
}

/**
 * Applies the missing migrations as far as `migrating` allows; resolves with whether that created a database without
 * brokers. Uses a connection without the statement limits of calls.
 */
export async function migrate({ url, migrating, tell }: PostgresMigration): Promise<boolean> {
  const client = await connectAlone(url, 'migration', LOCK_PATIENCE_MS);
  try {
    if (!mustMigrate('postgres', await appliedTo(client), migrating)) return false;
    await patiently(
      async () => {
        const { rows } = await client.query('select pg_try_advisory_lock($1) as held', [MIGRATION_LOCK]);
        if (!rows[0].held) throw new LockTaken();
      },
      (error) => error instanceof LockTaken,
      tell,
    );
    const migrated = await migrateTarget(targetOf(client, tell));
    return migrated && (await client.query('select 1 from brokers limit 1')).rowCount === 0;
  } finally {
    await undo(client);
    await client.end();
  }
}

/** Another process migrates. */
class LockTaken extends Error {
  override readonly message = 'another process migrates this database';
}

function targetOf(client: PostgresClient, tell: TellLine): MigrationTarget {
  const run: Run = async (sql, params = {}) => {
    const values: unknown[] = [];
    const text = sql.replaceAll(/(?<!:):(\w+)/g, (whole, name: string) => {
      if (!(name in params)) return whole;
      values.push(params[name]);
      return `$${values.length}`;
    });
    return (await client.query(text, values)).rows ?? [];
  };
  return {
    dialect: 'postgres',
    applied: () => appliedTo(client),
    transaction: (work) =>
      patiently(
        async () => {
          try {
            return await within(client, 'begin', async () => {
              await client.query('select pg_advisory_xact_lock($1)', [FORMER_LOCK]);
              return work(run);
            });
          } catch (error) {
            await undo(client);
            throw error;
          }
        },
        isLockedOut,
        tell,
      ),
    async buildIndex(index, statement) {
      // It waits for other transactions without holding any up.
      await client.query(`set lock_timeout = ${MIGRATION_PATIENCE_MS}`);
      tell(`builds the index ${index} beside what is going on`);
      await patiently(
        async () => {
          const found = await client.query(
            'select indisvalid as valid from pg_index where indexrelid = to_regclass($1)',
            [index],
          );
          if (found.rows[0]?.valid) return;
          if (found.rows.length > 0) await client.query(`drop index concurrently "${index}"`);
          await client.query(statement);
        },
        isLockedOut,
        tell,
      );
      await client.query(`set lock_timeout = ${LOCK_PATIENCE_MS}`);
    },
  };
}

/** The creation dates of the applied migrations; none for a foreign or empty database. */
export async function appliedTo(client: PostgresClient): Promise<number[]> {
  const { rows: tables } = await client.query("select 1 where to_regclass('schema_migrations') is not null");
  if (tables.length === 0) return [];
  const { rows } = await client.query<{ made_at: string }>('select made_at from schema_migrations');
  return rows.map((row) => Number(row.made_at));
}
