import { MIGRATIONS_TABLE, missingMigrations } from './migrate.ts';
import type { SqliteClient } from './sqlite-client.ts';

/** How long a start waits for another process's migration or import. */
export const MIGRATION_PATIENCE_MS = 600_000;

/** Applies the missing migrations; takes no lock where there are none. */
export function migrate(client: SqliteClient): void {
  if (missing(client).length === 0) return;
  const apply = client.transaction(() => {
    client.exec(MIGRATIONS_TABLE);
    // Read again: another process may have applied them.
    for (const { sql, folderMillis, hash } of missing(client)) {
      for (const statement of sql) client.exec(statement);
      client.prepare('insert into schema_migrations values (?, ?)').run(folderMillis, hash);
    }
  });
  apply.immediate();
}

const missing = (client: SqliteClient) => missingMigrations('sqlite', appliedTo(client));

/** The creation dates of the applied migrations; none for a foreign or empty database. */
export function appliedTo(client: SqliteClient): number[] {
  const table = client.prepare("select 1 from sqlite_schema where name = 'schema_migrations'").get();
  return table ? (client.prepare('select made_at from schema_migrations').pluck().all() as number[]) : [];
}
