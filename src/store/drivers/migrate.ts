import { setTimeout } from 'node:timers/promises';
import { readMigrationFiles } from 'drizzle-orm/migrator';
import { systemClock } from '../../runtime/clock.ts';
import { packageFile } from '../../runtime/paths.ts';
import { VERSION } from '../../runtime/version.ts';
import { FINISHED_RELEASE, isOlder, OLDEST_RELEASE_SETTING } from '../queries/update-state.ts';
import { migrationNames } from '../session/migration-names.ts';
import type { Dialect } from '../session/session.ts';

/** The database has another schema than this program; the message is one line for the operator. */
export class SchemaError extends Error {
  override readonly name = 'SchemaError';
}

/**
 * What opening a database may do to its schema: make and migrate it (`always`), migrate one that holds our tables
 * (`existing`), make one where there is none (`new`), or nothing (`never`).
 */
export type Migrating = 'always' | 'existing' | 'new' | 'never';

/**
 * The oldest release that can run beside the schema of this program. A migration that takes away what a release uses
 * raises it; the database then refuses such a release (contract, section 10, "Updates").
 */
const OLDEST_RELEASE = '1.1.0';

/** The same of a database that no other release has used: all that is written now may be written there. */
const OLDEST_RELEASE_OF_NEW = FINISHED_RELEASE;

/** One file of drizzle/migrations (CONTRIBUTING.md, "Migrations"). */
export interface Migration {
  name: string;
  /** Its creation date in epoch milliseconds, by which a database remembers it. */
  madeAt: number;
  hash: string;
  statements: string[];
}

/** Runs one statement; `:name` stands for a parameter on both engines. */
export type Run = (sql: string, params?: Record<string, unknown>) => Promise<Record<string, unknown>[]>;

/** A database to migrate. */
export interface MigrationTarget {
  readonly dialect: Dialect;
  /** Those of this program in order, the baseline first. */
  readonly migrations: readonly Migration[];
  readonly run: Run;
  /** Runs the work in a transaction that waits for locks only briefly; repeated while it meets a lock, for ten minutes. */
  transaction<T>(work: () => Promise<T>): Promise<T>;
}

/**
 * Applies the missing migrations in order; all of them in one transaction where the database is empty. Resolves with
 * whether there were any.
 */
export async function migrate(target: MigrationTarget): Promise<boolean> {
  const { migrations, run } = target;
  const missing = await missingMigrations(target);
  if (missing.length < migrations.length) {
    for (const migration of missing) await apply(target, migration);
    return missing.length > 0;
  }
  await target.transaction(async () => {
    await run('create table if not exists schema_migrations (made_at bigint primary key, hash text)');
    for (const migration of migrations) {
      // Another process may have made them meanwhile, and there are no rows to rewrite.
      if (await isApplied(run, migration)) continue;
      for (const statement of migration.statements) await run(statement);
      await record(run, migration, OLDEST_RELEASE_OF_NEW);
    }
  });
  return true;
}

async function apply(target: MigrationTarget, migration: Migration): Promise<void> {
  const { run } = target;
  await target.transaction(async () => {
    if (await isApplied(run, migration)) return;
    for (const statement of migration.statements) await run(statement);
    await record(run, migration);
  });
}

const isApplied = async (run: Run, { madeAt }: Migration): Promise<boolean> =>
  (await run('select 1 from schema_migrations where made_at = :madeAt', { madeAt })).length > 0;

async function record(run: Run, { madeAt, hash }: Migration, release = OLDEST_RELEASE): Promise<void> {
  await run('insert into schema_migrations (made_at, hash) values (:madeAt, :hash)', { madeAt, hash });
  const oldest = await settingOf(run, OLDEST_RELEASE_SETTING);
  if (oldest !== undefined && !isOlder(oldest, release)) return;
  await run(
    'insert into settings (name, value) values (:name, :value) on conflict (name) do update set value = excluded.value',
    { name: OLDEST_RELEASE_SETTING, value: release },
  );
}

/** Whether a database has to be migrated. Throws a `SchemaError` where it cannot be used, or that is not allowed. */
export async function mustMigrate(target: MigrationTarget, migrating: Migrating): Promise<boolean> {
  const { migrations } = target;
  const missing = await missingMigrations(target);
  const isNew = missing.length === migrations.length;
  if (missing.length === 0 || migrating === 'always' || migrating === (isNew ? 'new' : 'existing')) {
    return missing.length > 0;
  }
  if (isNew) {
    throw new SchemaError('this is no database of this program; "broker migrate" makes its tables in an empty one');
  }
  const found = migrations.findLast((migration) => !missing.includes(migration))?.name;
  throw new SchemaError(
    `this database is older than this program (it is at ${found}, version ${VERSION} needs ${missing.at(-1)?.name}); bring it up to date with "broker migrate", or use the version that it belongs to`,
  );
}

const HAS_MIGRATIONS: Record<Dialect, string> = {
  sqlite: "select 1 from sqlite_schema where name = 'schema_migrations'",
  postgres: "select 1 where to_regclass('schema_migrations') is not null",
};

/** The missing migrations in order: all of them for an empty or foreign database. Throws a `SchemaError` for unusable ones. */
async function missingMigrations({ dialect, migrations, run }: MigrationTarget): Promise<readonly Migration[]> {
  if ((await run(HAS_MIGRATIONS[dialect])).length === 0) return migrations;
  const applied = (await run('select made_at from schema_migrations')).map((row) => Number(row.made_at));
  if (applied.length === 0) return migrations;
  const dates = migrations.map(({ madeAt }) => madeAt);
  const baseline = dates[0] as number;
  if (!applied.includes(baseline)) {
    throw new SchemaError(
      'this database is of a release before 1.1, or its update to 1.1 is not finished; update it with release 1.1 first',
    );
  }
  const oldest = await settingOf(run, OLDEST_RELEASE_SETTING);
  if (oldest === undefined || isOlder(oldest, OLDEST_RELEASE)) {
    throw new SchemaError(
      'the update of this database to 1.1 is not finished; finish it with release 1.1 first ("broker migrate --finish")',
    );
  }
  const isNewer = applied.some((at) => at > baseline && !dates.includes(at));
  if (isNewer && isOlder(VERSION, oldest)) {
    throw new SchemaError(
      `a newer version of this program has changed this database, which needs ${oldest} or later (this is ${VERSION}); use a newer one, or a backup from before`,
    );
  }
  return migrations.filter(({ madeAt }) => !applied.includes(madeAt));
}

const settingOf = async (run: Run, name: string): Promise<string | undefined> =>
  (await run('select value from settings where name = :name', { name }))[0]?.value as string | undefined;

/** The migrations of this program in order. */
export function migrationsOf(dialect: Dialect): Migration[] {
  const migrationsFolder = packageFile(`drizzle/migrations/${dialect}`);
  const names = migrationNames(dialect);
  return readMigrationFiles({ migrationsFolder }).map(({ sql: statements, folderMillis: madeAt, hash }, index) => {
    return { name: names[index]?.name as string, madeAt, hash, statements };
  });
}

/** How long a migration tries to get a lock, and waits for another process's migration. */
const MIGRATION_PATIENCE_MS = 600_000;

const PAUSE_MS = 500;

/** Called with a line now and then while a migration waits. */
export type ReportLine = (line: string) => void;

/** Repeats the work while it fails by a lock, with pauses in which the other work goes on. */
export async function patiently<T>(
  work: () => Promise<T> | T,
  isLocked: (error: unknown) => boolean,
  report: ReportLine,
): Promise<T> {
  const startedAt = systemClock.monotonic();
  for (let failures = 1; ; failures += 1) {
    try {
      return await work();
    } catch (error) {
      if (!isLocked(error) || systemClock.monotonic() - startedAt > MIGRATION_PATIENCE_MS) throw error;
    }
    // Not at once: two processes that start together wait for each other briefly.
    if (failures % 20 === 2) report('a migration waits for a lock in the database and tries again');
    await setTimeout(PAUSE_MS);
  }
}
