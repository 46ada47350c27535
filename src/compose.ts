import { createHash } from 'node:crypto';
import { hostname, userInfo } from 'node:os';
import type { Actor } from './audit/audit.ts';
import { type ClockKeeper, createClockKeeper } from './clock-keeper.ts';
import { type Config, ConfigError, databaseName } from './config.ts';
import { innermost } from './errors.ts';
import { createRecordsKeeper, type RecordsKeeper, type RecordsKeeperParts } from './history/keeper.ts';
import type { RecordsPlace } from './history/loss.ts';
import { openOutboxMailer } from './mail/outbox.ts';
import { createPostmarkMailer } from './mail/postmark.ts';
import type { Mailer } from './ports.ts';
import { type Clock, createProcessClock, type Machine, type ProcessClock, systemClock } from './runtime/clock.ts';
import { createIds, type NewId } from './runtime/ids.ts';
import type { TableAccess, TableOptions } from './store/drivers/copy.ts';
import { type Migrating, SchemaError } from './store/drivers/migrate.ts';
import type { Report } from './store/drivers/outage.ts';
import type { PostgresStore } from './store/drivers/postgres.ts';
import type { Store } from './store/store.ts';
import { createDueSignal, type DueSignal } from './worker/due-signal.ts';
import { hasFormerWorkers } from './worker/registry.ts';

/** The parts that the server and the operator's commands have in common, made from the configuration. */
export interface Parts {
  store: Store;
  /** Whether opening the store made a new, empty database. */
  created: boolean;
  mailer: Mailer;
  clock: ProcessClock;
  /** When work becomes due, for the worker of this process. */
  due: DueSignal;
  /** Has looked once; a process that stays has to start it. */
  clockKeeper: ClockKeeper;
  /** A process that stays has to open it before it does anything, and to start it; a command's first change does so. */
  recordsKeeper: RecordsKeeper;
  /** Where this process finds the records. */
  recordsPlace: RecordsPlace;
  newId: NewId;
  /** Whether an endpoint of the operator carries work out, and not the records alone. */
  hasProvisioner: boolean;
  /** Calls a minute of a key without a limit of its own. */
  defaultRateLimit: number;
  /** The user who started the program, for the audit trail. */
  actor: Actor;
  close(): Promise<void>;
}

export interface ComposeOptions {
  machine?: Machine;
  /** Whether this is an operator's command, which may take its time. */
  isCommand?: boolean;
  /** What opening may do to the schema; by default all that is needed. */
  migrating?: Migrating;
}

/**
 * Opens the database (migrating it where needed) and makes the ports that the configuration asks for.
 * @param reportOutage called at each outage and its end of the database, and where the records went back
 */
export async function composeParts(
  config: Config,
  reportOutage: Report,
  { machine = systemClock, isCommand = false, migrating = 'always' }: ComposeOptions = {},
): Promise<Parts> {
  const clock = createProcessClock(machine);
  const due = createDueSignal();
  const newId = createIds();
  const actor: Actor = { kind: 'command', name: userName(), clientIp: null };
  const opened = await openStore(config, { clock, due, reportOutage, isCommand, migrating }).catch((error: unknown) => {
    const why = error instanceof SchemaError ? error.message : `cannot be opened: ${innermost(error)}`;
    throw new ConfigError(`DATABASE_URL: ${why}`, { cause: error });
  });
  const kept = keptBy(config);
  const recordsKeeper = createRecordsKeeper({
    ...kept,
    store: opened,
    clock,
    newId,
    actor,
    hasFormerWorkers: () => hasFormerWorkers({ store: opened, clock }),
    report: reportOutage,
  });
  const store = isCommand ? withFirstLook(opened, recordsKeeper) : opened;
  const clockKeeper = createClockKeeper(store, clock, reportOutage);
  await clockKeeper.poll();
  const mailer = await createMailer(config, clock).catch(async (error: unknown) => {
    await store.close();
    throw error;
  });
  return {
    store,
    created: opened.created,
    mailer,
    clock,
    due,
    clockKeeper,
    recordsKeeper,
    recordsPlace: isCommand ? { ...kept.place, address: null } : kept.place,
    newId,
    hasProvisioner: config.provisioner !== undefined,
    defaultRateLimit: config.rateLimit.max,
    actor,
    async close() {
      await clockKeeper.stop();
      await recordsKeeper.stop();
      await store.close();
    },
  };
}

/** Where the records are, for people and to be compared, and where it is noted what was seen of them. */
function keptBy({ database }: Config): Pick<RecordsKeeperParts, 'place' | 'seenFile'> {
  const name = `${hostname()}, ${databaseName(database)}`;
  if (database.kind === 'sqlite') return { place: { name, address: null }, seenFile: `${database.file}.seen` };
  const { host, pathname, searchParams } = new URL(database.url);
  const reached = [host, pathname, searchParams.get('host'), searchParams.get('port')].join(' ');
  return { place: { name, address: createHash('sha256').update(reached).digest('hex') }, seenFile: undefined };
}

/** The same store, whose first change is preceded by a look at whether the records went back. */
function withFirstLook<S extends Store>(store: S, keeper: RecordsKeeper): S {
  let looked: Promise<void> | undefined;
  return {
    ...store,
    async tx(work) {
      looked ??= keeper.openForCommand();
      await looked;
      return store.tx(work);
    },
  };
}

/** As the operating system knows them; a container may run under a number that has no name. */
function userName(): string {
  try {
    return userInfo().username;
    /* c8 ignore next 3 -- needs a process whose user has no entry */
  } catch {
    return `uid ${process.getuid?.()}`;
  }
}

/** Of the two engines the one that is used is loaded. */
async function openStore(
  { database }: Config,
  {
    clock: { monotonic },
    due: { report: onDue },
    reportOutage,
    isCommand,
    migrating,
  }: { clock: Clock; due: DueSignal; reportOutage: Report; isCommand: boolean; migrating: Migrating },
) {
  if (database.kind === 'sqlite') {
    const { openSqlite } = await import('./store/drivers/sqlite.ts');
    const store = await openSqlite({ file: database.file, monotonic, report: reportOutage, migrating, onDue });
    // Commands and the separate worker take no calls that a slow query could delay, and the heap of a reader thread is too
    // small for the longest lists.
    const slow: Store['slow'] = (_owner, work) => work(store.read);
    return isCommand ? { ...store, slow } : store;
  }
  const { openPostgres } = await import('./store/drivers/postgres.ts');
  return openPostgres({
    url: database.url,
    report: reportOutage,
    longTimeouts: isCommand,
    monotonic,
    migrating,
    onDue,
  });
}

/**
 * Reports to the worker of this process what becomes due in others. On SQLite it polls more often instead
 * (`composeWorker`).
 * @returns ends it
 */
export async function listenElsewhere(
  { database }: Pick<Config, 'database'>,
  due: DueSignal,
): Promise<() => Promise<void>> {
  if (database.kind === 'sqlite') return async () => undefined;
  const { listenForDue } = await import('./store/drivers/postgres-due.ts');
  return listenForDue(database.url, due.report);
}

/** The file of the sandboxes, beside the database. */
export const sandboxFileOf = (file: string): string => `${file.replace(/\.(db|sqlite3?)$/, '')}.sandbox.db`;

/**
 * Opens the tables of the brokers' sandboxes, and makes them where they are missing: in a file of its own, or in a schema of
 * the same database.
 */
export async function openSandboxStore(
  { database }: Pick<Config, 'database'>,
  { store, clock }: { store: Store; clock: Clock },
  reportOutage: Report,
): Promise<Store> {
  const { preparePostgresSandbox, prepareSqliteSandbox } = await import('./store/drivers/sandbox-schema.ts');
  if (database.kind === 'postgres') {
    const { postgresSandboxTables } = await import('../drizzle/sandbox.ts');
    return (store as PostgresStore).openTables(postgresSandboxTables, preparePostgresSandbox);
  }
  const { openSqlite } = await import('./store/drivers/sqlite.ts');
  const { monotonic } = clock;
  return openSqlite({
    file: sandboxFileOf(database.file),
    monotonic,
    report: reportOutage,
    prepare: prepareSqliteSandbox,
  });
}

/** Opens a database for moving whole tables; `readOnly` for one that is only read. */
export async function openTables(
  database: Config['database'],
  clock: Clock,
  { readOnly = false }: TableOptions = {},
): Promise<TableAccess> {
  if (database.kind === 'sqlite') {
    const { openSqliteTables } = await import('./store/drivers/sqlite-tables.ts');
    return openSqliteTables({ file: database.file, monotonic: clock.monotonic, readOnly });
  }
  const { openPostgresTables } = await import('./store/drivers/postgres-tables.ts');
  return openPostgresTables(database.url, { readOnly });
}

async function createMailer({ mail }: Config, clock: Clock): Promise<Mailer> {
  switch (mail.kind) {
    case 'postmark':
      return createPostmarkMailer(mail);
    case 'smtp':
      return (await import('./mail/smtp.ts')).createSmtpMailer({ ...mail, clock });
    case 'outbox':
      return openOutboxMailer({ ...mail, clock }).catch((error: unknown) => {
        throw new ConfigError(`MAIL_OUTBOX_DIR: ${innermost(error)}`, { cause: error });
      });
  }
}
