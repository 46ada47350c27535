import {
  type Migrating,
  type MigrationTarget,
  migrate as migrateTarget,
  migrationsOf,
  mustMigrate,
  patiently,
  type ReportLine,
} from './migrate.ts';
import { codeOf, type SqliteClient } from './sqlite-client.ts';

/**
 * Applies the missing migrations as far as `migrating` allows; takes no lock where there are none. Throws a `SchemaError`
 * where the file cannot be used.
 */
export async function migrate(client: SqliteClient, migrating: Migrating, report: ReportLine): Promise<void> {
  const target = targetOf(client, report);
  if (await mustMigrate(target, migrating)) await migrateTarget(target);
}

export const targetOf = (client: SqliteClient, report: ReportLine): MigrationTarget => ({
  dialect: 'sqlite',
  migrations: migrationsOf('sqlite'),
  async run(sql, params = {}) {
    const statement = client.prepare(sql);
    if (statement.reader) return statement.all(params) as Record<string, unknown>[];
    statement.run(params);
    return [];
  },
  transaction: (work) =>
    patiently(
      () => within(client, 'begin immediate', work),
      (error) => codeOf(error).startsWith('SQLITE_BUSY'),
      report,
    ),
});

/** Runs the work between `begin` and `commit`. */
export async function within<T>(client: SqliteClient, begin: string, work: () => Promise<T>): Promise<T> {
  client.exec(begin);
  try {
    const result = await work();
    client.exec('commit');
    return result;
  } catch (error) {
    if (client.inTransaction) client.exec('rollback');
    throw error;
  }
}
