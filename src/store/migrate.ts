import { fileURLToPath } from 'node:url';
import { type MigrationMeta, readMigrationFiles } from 'drizzle-orm/migrator';
import type { Dialect } from './session.ts';

/**
 * What is to be applied, in order, beside the migrations that have been (told by when they were made, in epoch
 * milliseconds). Drizzle's generated files lie beside the tables, in the source as in the build.
 *
 * Each engine applies them in one transaction, under a lock that lets several processes start at once.
 */
export function missingMigrations(dialect: Dialect, applied: readonly number[]): MigrationMeta[] {
  const migrationsFolder = fileURLToPath(new URL(`../../drizzle/migrations/${dialect}`, import.meta.url));
  return readMigrationFiles({ migrationsFolder }).filter(({ folderMillis }) => !applied.includes(folderMillis));
}

export const MIGRATIONS_TABLE = 'create table if not exists schema_migrations (made_at bigint primary key, hash text)';
