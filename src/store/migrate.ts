import { fileURLToPath } from 'node:url';
import { type MigrationMeta, readMigrationFiles } from 'drizzle-orm/migrator';
import { VERSION } from '../version.ts';
import type { Dialect } from './session.ts';

/** A database that is not of this program's version; the message is one line for the operator. */
export class SchemaError extends Error {
  override readonly name = 'SchemaError';
}

/**
 * What is to be applied, in order, beside the migrations that have been (told by when they were made, in epoch
 * milliseconds). Drizzle's generated files lie beside the tables, in the source as in the build.
 *
 * Each engine applies them in one transaction, under a lock that lets several processes start at once. Throws a
 * `SchemaError` where one has been applied that this program does not know: a newer one has changed the database, and
 * nobody can tell what it would mean to go on.
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

/** For whoever only reads a database: throws a `SchemaError` unless it is as this program knows it. */
export function requireCurrent(dialect: Dialect, applied: readonly number[]): void {
  if (missingMigrations(dialect, applied).length === 0) return;
  throw new SchemaError(
    applied.length === 0
      ? 'this is no database of this program'
      : `this database is older than this program (version ${VERSION}); stop what runs on it and bring it up to date with "broker migrate", or use the version that it belongs to`,
  );
}

export const MIGRATIONS_TABLE = 'create table if not exists schema_migrations (made_at bigint primary key, hash text)';
