import {
  type Migrating,
  type MigrationTarget,
  migrate as migrateTarget,
  migrationsOf,
  mustMigrate,
  patiently,
  type ReportLine,
  SchemaError,
} from './migrate.ts';
import { connectAlone, losesStatements, type PostgresClient, rollBack, within } from './postgres-client.ts';
import { isLockedOut } from './postgres-faults.ts';

/** The advisory lock of the process that migrates, of every release; the number is arbitrary. */
const MIGRATION_LOCK = 7_216_408_114;

/** How long a migration waits for a lock; short, because calls queue behind it. */
const LOCK_PATIENCE_MS = 500;

export interface PostgresMigration {
  url: string;
  migrating: Migrating;
  report: ReportLine;
}

/**
 * Applies the missing migrations as far as `migrating` allows; resolves with whether that created a database without
 * brokers. Uses a connection without the statement limits of calls. Throws a `SchemaError` where the database cannot be used.
 */
export async function migrate({ url, migrating, report }: PostgresMigration): Promise<boolean> {
  const client = await connectAlone(url, 'migration', LOCK_PATIENCE_MS);
  try {
    await requireUsable(client, url, migrating);
    const target = targetOf(client, report);
    if (!(await mustMigrate(target, migrating))) return false;
    await patiently(
      async () => {
        const { rows } = await client.query('select pg_try_advisory_lock($1) as held', [MIGRATION_LOCK]);
        if (!rows[0].held) throw new LockTaken();
      },
      (error) => error instanceof LockTaken,
      report,
    );
    const migrated = await migrateTarget(target);
    return migrated && (await client.query('select 1 from brokers limit 1')).rowCount === 0;
  } finally {
    await client.end();
  }
}

/** Throws a `SchemaError` where calls would fail whatever the schema is. From another encoding a database can still be copied. */
async function requireUsable(client: PostgresClient, url: string, migrating: Migrating): Promise<void> {
  if (await losesStatements(client, url)) {
    throw new SchemaError(
      'the pooler in between loses prepared statements: use session pooling, or PgBouncer 1.21 or later with max_prepared_statements (docs/parts.md)',
    );
  }
  const [{ server_encoding: encoding }] = (await client.query('show server_encoding')).rows;
  if (migrating !== 'never' && encoding !== 'UTF8') {
    throw new SchemaError(`the database's encoding is ${encoding} and must be UTF8 (docs/parts.md)`);
  }
}

export const targetOf = (client: PostgresClient, report: ReportLine): MigrationTarget => ({
  dialect: 'postgres',
  migrations: migrationsOf('postgres'),
  async run(sql, params = {}) {
    const values: unknown[] = [];
    const text = sql.replaceAll(/(?<!:):(\w+)/g, (whole, name: string) => {
      if (!(name in params)) return whole;
      values.push(params[name]);
      return `$${values.length}`;
    });
    return (await client.query(text, values)).rows ?? [];
  },
  transaction: (work) =>
    patiently(
      () =>
        within(client, 'begin', work).catch(async (error: unknown) => {
          await rollBack(client);
          throw error;
        }),
      isLockedOut,
      report,
    ),
});

/** Another process migrates. */
class LockTaken extends Error {
  override readonly message = 'another process migrates this database';
}
