import { MIGRATIONS_TABLE, missingMigrations } from './migrate.ts';
import type { SqliteClient } from './sqlite-client.ts';

/** How long a start waits for another process that migrates, or for an import that is in its way. */
export const MIGRATION_PATIENCE_MS = 600_000;

/** Applies what is missing. Where nothing is, it waits for nobody. */
export function migrate(client: SqliteClient): void {
  if (missing(client).length === 0) return;
  const apply = client.transaction(() => {
    client.exec(MIGRATIONS_TABLE);
    // Whoever was faster has done it.
    for (const { sql, folderMillis, hash } of missing(client)) {
      for (const statement of sql) client.exec(statement);
      client.prepare('insert into schema_migrations values (?, ?)').run(folderMillis, hash);
    }
  });
  apply.immediate();
}

const missing = (client: SqliteClient) => missingMigrations('sqlite', appliedTo(client));

/** When the migrations were made that this file has; none where it is no database of ours. */
export function appliedTo(client: SqliteClient): number[] {
  const table = client.prepare("select 1 from sqlite_schema where name = 'schema_migrations'").get();
  return table ? (client.prepare('select made_at from schema_migrations').pluck().all() as number[]) : [];
}
