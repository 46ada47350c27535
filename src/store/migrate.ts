import { fileURLToPath } from 'node:url';
import { type MigrationMeta, readMigrationFiles } from 'drizzle-orm/migrator';
import type { Dialect } from './session.ts';

/** What a migration needs of a connection that already holds the lock and an open transaction. */
export interface MigrationTarget {
  execute(statement: string): Promise<void> | void;
  /** When the applied migrations were made, in epoch milliseconds. */
  applied(): Promise<number[]> | number[];
  record(migration: MigrationMeta): Promise<void> | void;
}

/** Drizzle's generated files, in order. They lie beside the tables, in the source as in the build. */
export const migrationsOf = (dialect: Dialect): MigrationMeta[] =>
  readMigrationFiles({
    migrationsFolder: fileURLToPath(new URL(`../../drizzle/migrations/${dialect}`, import.meta.url)),
  });

/** Applies what is missing, all or nothing; the caller's lock lets several instances start at once. */
export async function applyMissing(dialect: Dialect, target: MigrationTarget): Promise<number> {
  const applied = new Set(await target.applied());
  const missing = migrationsOf(dialect).filter((migration) => !applied.has(migration.folderMillis));
  for (const migration of missing) {
    for (const statement of migration.sql) await target.execute(statement);
    await target.record(migration);
  }
  return missing.length;
}

export const MIGRATIONS_TABLE = 'create table if not exists schema_migrations (made_at bigint primary key, hash text)';
