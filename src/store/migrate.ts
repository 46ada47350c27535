import { fileURLToPath } from 'node:url';
import { type MigrationMeta, readMigrationFiles } from 'drizzle-orm/migrator';
import { VERSION } from '../version.ts';
import type { Dialect } from './session.ts';

/** The database has another version than this program; the message is one line for the operator. */
export class SchemaError extends Error {
  override readonly name = 'SchemaError';
}

/**
 * The migrations that are missing, in order. Each engine applies them in one transaction under a lock, so that several
 * processes can start at once. Throws a `SchemaError` where a migration was applied that this program does not know.
 * @param applied the creation dates of the applied migrations, in epoch milliseconds
 */
export function missingMigrations(dialect: Dialect, applied: readonly number[]): MigrationMeta[] {
  const migrationsFolder = fileURLToPath(new URL(`../../drizzle/migrations/${dialect}`, import.meta.url));
  const known = readMigrationFiles({ migrationsFolder });
  const newer = applied.filter((madeAt) => known.every(({ folderMillis }) => folderMillis !== madeAt));
  if (newer.length > 0) {
    throw new SchemaError(
      `a newer version of this program has changed this database (${newer.length} unknown to version ${VERSION}); use that version, or a backup from before`,
    );
  }
  return known.filter(({ folderMillis }) => !applied.includes(folderMillis));
}

/** Throws a `SchemaError` unless the database has this program's version; for reading it without migrating. */
export function requireCurrent(dialect: Dialect, applied: readonly number[]): void {
  if (missingMigrations(dialect, applied).length === 0) return;
  throw new SchemaError(
    applied.length === 0
      ? 'this is no database of this program'
      : `this database is older than this program (version ${VERSION}); stop what runs on it and bring it up to date with "broker migrate", or use the version that it belongs to`,
  );
}

export const MIGRATIONS_TABLE = 'create table if not exists schema_migrations (made_at bigint primary key, hash text)';
