import { readFileSync } from 'node:fs';
import { setTimeout } from 'node:timers/promises';
import { readMigrationFiles } from 'drizzle-orm/migrator';
import { systemClock } from '../clock.ts';
import { packageFile } from '../paths.ts';
import { VERSION } from '../version.ts';
import type { Dialect } from './session.ts';

/** The database has another schema than this program; the message is one line for the operator. */
export class SchemaError extends Error {
  override readonly name = 'SchemaError';
}

/**
 * What opening a database may do to its schema: make and migrate it (`always`), migrate one that holds our tables
 * (`existing`), make one where there is none (`new`), or nothing (`never`).
 */
export type Migrating = 'always' | 'existing' | 'new' | 'never';

/** Statements that share a transaction; or an index that is built outside of one; or one statement for each batch of rows. */
type Step =
  | { kind: 'transaction'; statements: string[] }
  | { kind: 'index'; index: string; statement: string }
  | { kind: 'batches'; table: string; key: string; statement: string };

export interface Migration {
  name: string;
  /** Its creation date in epoch milliseconds, by which a database remembers it. */
  madeAt: number;
  hash: string;
  steps: Step[];
}

/** Runs one statement; `:name` stands for a parameter on both engines. */
export type Run = (sql: string, params?: Record<string, unknown>) => Promise<Record<string, unknown>[]>;

/** A database to migrate. */
export interface MigrationTarget {
  readonly dialect: Dialect;
  /** The creation dates of the applied migrations. */
  applied(): Promise<number[]>;
  /** Runs the work in a transaction that waits for locks only briefly; repeated while it meets a lock, for ten minutes. */
  transaction<T>(work: (run: Run) => Promise<T>): Promise<T>;
  /** Builds an index while others write. One that an earlier attempt left invalid is dropped first. */
  buildIndex(index: string, statement: string): Promise<void>;
}

/** Rows per transaction: few enough that callers do not wait for it. */
const BATCH_ROWS = 500;

/** The row of `settings` that says how far an unfinished migration is. */
const PROGRESS = 'migration';

const BATCHED = /^-- in batches of (\w+)\.(\w+)$/m;
const CONCURRENT = /^\s*create (?:unique )?index concurrently "?(\w+)"?/im;

/**
 * Applies the missing migrations in order, and resolves with whether there were any. A new database is made in one
 * transaction. On an existing one every step is a transaction of its own that also notes the progress, so that a killed
 * migration continues where it was (CONTRIBUTING.md, "Migrations").
 */
export async function migrate(target: MigrationTarget): Promise<boolean> {
  let missing = missingMigrations(target.dialect, await target.applied());
  const any = missing.length > 0;
  while (missing.length > 0) {
    const [next] = missing as [Migration];
    if (next.madeAt === allMigrations(target.dialect)[0]?.madeAt) await makeAll(target);
    else if (!(await isApplied(target, next))) await apply(target, next);
    missing = missingMigrations(target.dialect, await target.applied());
  }
  return any;
}

const makeAll = (target: MigrationTarget): Promise<void> =>
  target.transaction(async (run) => {
    await run('create table if not exists schema_migrations (made_at bigint primary key, hash text)');
    // Read again: another process may have made them.
    for (const migration of missingMigrations(target.dialect, await target.applied())) {
      for (const step of migration.steps) {
        if (step.kind === 'transaction') for (const statement of step.statements) await run(statement);
        else if (step.kind === 'index') await run(step.statement.replace(/ concurrently/i, ''));
        else await run(step.statement, { after: -1, last: Number.MAX_SAFE_INTEGER });
      }
      await record(run, migration);
    }
  });

const isApplied = async (target: MigrationTarget, { madeAt }: Migration) => (await target.applied()).includes(madeAt);

async function apply(target: MigrationTarget, migration: Migration): Promise<void> {
  for (;;) {
    const startedAt = systemClock.monotonic();
    const outcome = await target.transaction(async (run) => {
      if ((await run('select 1 from schema_migrations where made_at = :at', { at: migration.madeAt })).length > 0) {
        return 'applied' as const;
      }
      const { step: position, after } = await progressOf(run, migration);
      const step = migration.steps[position] as Step;
      const advance = async () => {
        if (position + 1 < migration.steps.length)
          return note(run, { migration: migration.madeAt, step: position + 1 });
        await run('delete from settings where name = :name', { name: PROGRESS });
        await record(run, migration);
      };
      if (step.kind === 'index') return { step, advance: position };
      if (step.kind === 'transaction') {
        for (const statement of step.statements) await run(statement);
        await advance();
        return 'step' as const;
      }
      const last = await lastOfBatch(run, step, after);
      if (last === null) await advance();
      else {
        await run(step.statement, { after, last });
        await note(run, { migration: migration.madeAt, step: position, after: last });
      }
      return 'batch' as const;
    });
    if (outcome === 'applied') return;
    // As long as the batch took: callers that waited for it come first.
    if (outcome === 'batch') await setTimeout(systemClock.monotonic() - startedAt);
    if (typeof outcome === 'object') {
      await target.buildIndex(outcome.step.index, outcome.step.statement);
      await target.transaction(async (run) => {
        const last = outcome.advance + 1 === migration.steps.length;
        if (last) {
          await run('delete from settings where name = :name', { name: PROGRESS });
          await record(run, migration);
        } else await note(run, { migration: migration.madeAt, step: outcome.advance + 1 });
      });
    }
  }
}

interface Progress {
  migration: number;
  step: number;
  /** The key of the last row that is done. */
  after?: number;
}

async function progressOf(run: Run, { madeAt }: Migration): Promise<{ step: number; after: number }> {
  const [row] = await run('select value from settings where name = :name', { name: PROGRESS });
  const noted = row && (JSON.parse(String(row.value)) as Progress);
  return noted?.migration === madeAt ? { step: noted.step, after: noted.after ?? -1 } : { step: 0, after: -1 };
}

const note = (run: Run, progress: Progress) =>
  run('insert into settings (name, value) values (:name, :value) on conflict (name) do update set value = :value', {
    name: PROGRESS,
    value: JSON.stringify(progress),
  });

const record = (run: Run, { madeAt, hash }: Migration) =>
  run('insert into schema_migrations values (:madeAt, :hash)', { madeAt, hash });

async function lastOfBatch(
  run: Run,
  { table, key }: { table: string; key: string },
  after: number,
): Promise<number | null> {
  const [row] = await run(
    `select max(${key}) as last from (select ${key} from ${table} where ${key} > :after order by ${key} limit ${BATCH_ROWS}) as batch`,
    { after },
  );
  return row?.last == null ? null : Number(row.last);
}

/**
 * Whether a database with these migrations has to be migrated. Throws a `SchemaError` where that is not allowed.
 * @param applied the creation dates of the applied migrations, in epoch milliseconds
 */
export function mustMigrate(dialect: Dialect, applied: readonly number[], migrating: Migrating): boolean {
  const missing = missingMigrations(dialect, applied);
  if (missing.length === 0) return false;
  if (migrating === 'always' || migrating === (applied.length === 0 ? 'new' : 'existing')) return true;
  if (applied.length === 0) {
    throw new SchemaError('this is no database of this program; "broker migrate" makes its tables in an empty one');
  }
  const found = allMigrations(dialect).findLast(({ madeAt }) => applied.includes(madeAt))?.name;
  throw new SchemaError(
    `this database is older than this program (it is at ${found}, version ${VERSION} needs ${missing.at(-1)?.name}); bring it up to date with "broker migrate", or use the version that it belongs to`,
  );
}

/** Throws a `SchemaError` unless the database has this program's schema. */
export const requireCurrent = (dialect: Dialect, applied: readonly number[]): void =>
  void mustMigrate(dialect, applied, 'never');

/** The missing migrations in order. Throws a `SchemaError` where one was applied that this program does not know. */
export function missingMigrations(dialect: Dialect, applied: readonly number[]): Migration[] {
  const known = allMigrations(dialect);
  const newer = applied.filter((at) => known.every(({ madeAt }) => madeAt !== at));
  if (newer.length > 0) {
    throw new SchemaError(
      `a newer version of this program has changed this database (${newer.length} unknown to version ${VERSION}); use that version, or a backup from before`,
    );
  }
  return known.filter(({ madeAt }) => !applied.includes(madeAt));
}

const read: Partial<Record<Dialect, Migration[]>> = {};

function allMigrations(dialect: Dialect): Migration[] {
  read[dialect] ??= readAll(dialect);
  return read[dialect];
}

function readAll(dialect: Dialect): Migration[] {
  const migrationsFolder = packageFile(`drizzle/migrations/${dialect}`);
  const { entries } = JSON.parse(readFileSync(`${migrationsFolder}/meta/_journal.json`, 'utf8')) as {
    entries: { tag: string; when: number }[];
  };
  return readMigrationFiles({ migrationsFolder }).map(({ sql, folderMillis, hash }, index) => ({
    name: entries[index]?.tag as string,
    madeAt: folderMillis,
    hash,
    steps: stepsOf(sql),
  }));
}

/** Consecutive statements without a mark share a transaction. */
function stepsOf(statements: string[]): Step[] {
  const steps: Step[] = [];
  for (const statement of statements) {
    const [, table, key] = BATCHED.exec(statement) ?? [];
    const [, index] = CONCURRENT.exec(statement) ?? [];
    const last = steps.at(-1);
    if (table && key) steps.push({ kind: 'batches', table, key, statement });
    else if (index) steps.push({ kind: 'index', index, statement });
    else if (last?.kind === 'transaction') last.statements.push(statement);
    else steps.push({ kind: 'transaction', statements: [statement] });
  }
  return steps;
}

/** How long a migration tries to get a lock, and waits for another process's migration. */
export const MIGRATION_PATIENCE_MS = 600_000;

const TELL_EVERY_MS = 10_000;
const FIRST_PAUSE_MS = 50;
const LONGEST_PAUSE_MS = 2_000;

/** Told a line now and then while a migration waits. */
export type TellLine = (line: string) => void;

/** Repeats the work while it fails by a lock, with growing pauses in which the other work goes on. */
export async function patiently<T>(
  work: () => Promise<T> | T,
  isLocked: (error: unknown) => boolean,
  tell: TellLine,
): Promise<T> {
  const startedAt = systemClock.monotonic();
  // Two processes that start together wait for each other briefly, which is not worth a line.
  let toldAt = startedAt - TELL_EVERY_MS + 1_000;
  for (let pauseMs = FIRST_PAUSE_MS; ; pauseMs = Math.min(pauseMs * 2, LONGEST_PAUSE_MS)) {
    try {
      return await work();
    } catch (error) {
      const now = systemClock.monotonic();
      if (!isLocked(error) || now - startedAt > MIGRATION_PATIENCE_MS) throw error;
      if (now - toldAt >= TELL_EVERY_MS) {
        tell('a migration waits for a lock in the database and tries again');
        toldAt = now;
      }
    }
    await setTimeout(pauseMs);
  }
}
