import type { ShownSetting } from '../../config.ts';
import { operatorOwner } from '../../limits/operator-slot.ts';
import { HOUR_MS } from '../../rules/durations.ts';
import { isoTimestamp } from '../../rules/timestamps.ts';
import type { EMAIL_STATUSES } from '../../rules/words.ts';
import { VERSION } from '../../runtime/version.ts';
import type { Reads } from '../../store/store.ts';
import { AWAY_AFTER_MS, listWorkers } from '../../worker/registry.ts';
import { changeRecord } from '../audit/access-changes.ts';
import { type ChangeDeps, type OperatorContext, type ReadDeps, recordChange } from '../use-case/dependencies.ts';
import { showProvisioner } from './provisioner.ts';
import { showRecords } from './records.ts';
import { showUpdate } from './update.ts';

/** What the process knows of itself and the database does not. */
export interface SandboxFigures {
  services: number;
  requests: number;
  /** By the sandbox's own clock. */
  sandbox_date: string;
  /** When it was last called, exact to a day. */
  called_date: string;
}

export interface ProcessInfo {
  settings: readonly ShownSetting[];
  /** The base address of the API. */
  apiUrl: string;
  /** The scopes of which a key needs one for an operation of v1. */
  scopesOf(operationId: string): readonly string[];
  /** Optional parts by name, and whether they are away. */
  away(): Record<string, boolean>;
  sandboxes: {
    /** A broker's sandbox, null where it has none. */
    find(brokerId: string): Promise<SandboxFigures | null>;
    remove(brokerId: string): Promise<void>;
    count(): Promise<number>;
  };
}

/** Whether the parts can be used: the database, optional ones that this process has, and the workers seen lately. */
export async function showHealth({ store, clock }: ReadDeps, { away }: Pick<ProcessInfo, 'away'>) {
  const startedAt = clock.monotonic();
  const reached = await store.ping().then(
    () => true,
    () => false,
  );
  const now = clock.now();
  const workers = reached ? await listWorkers(store.read) : [];
  return {
    database: { is_away: !reached, milliseconds: Math.round((clock.monotonic() - startedAt) * 10) / 10 },
    clock: clock.state(),
    parts: Object.entries(away()).map(([name, is_away]) => ({ name, is_away })),
    workers: workers.map(({ id, version, host, pid, startedAt, seenAt }) => ({
      worker_id: id,
      version,
      host,
      pid,
      started_date: isoTimestamp(startedAt),
      seen_date: isoTimestamp(seenAt),
      is_away: now - seenAt > AWAY_AFTER_MS,
    })),
  };
}

/** What the audit trail calls the database, and a copy of it. */
const DATABASE = 'database';
const BACKUP = 'database.backup';

/** Due requests, emails and failures that are counted at most. */
const MAX_COUNTED = 100_000;

/** The row of the last copy that `broker backup` made. */
export async function findBackup({ audit }: Pick<Reads, 'audit'>) {
  const [row] = await audit.list({ subjects: [DATABASE], action: BACKUP }, 1);
  return row;
}

/** Notes in the audit trail that the database was copied to a file. */
export const recordBackup = (parts: ChangeDeps, { file }: { file: string }) =>
  parts.store.tx((tx) =>
    recordChange(parts, tx, { action: BACKUP, brokerId: null, subject: DATABASE, after: { file } }),
  );

export type Health = Awaited<ReturnType<typeof showHealth>>;

/** The program, its settings without a secret, its health, and what lies in the database. */
export async function showSystem(
  parts: ReadDeps & Pick<OperatorContext, 'mailer' | 'hasProvisioner'>,
  processInfo: Pick<ProcessInfo, 'settings' | 'away'>,
) {
  const { store, clock, mailer } = parts;
  const health = await showHealth(parts, processInfo);
  const backup = await findBackup(store.read);
  const hourAgo = clock.now() - HOUR_MS;
  const figures = await store.slow(operatorOwner(), async (read) => ({
    engine: await read.sizes.findEngine(),
    queue: await read.allRequests.countDue(clock.now(), MAX_COUNTED),
    open: await read.requests.tally(),
    emails: await read.emails.countByStatus(hourAgo, MAX_COUNTED),
    unknown: await read.emails.countMatches({ status: 'unknown', now: clock.now() }),
    finished: await read.allRequests.countFinished(hourAgo, MAX_COUNTED),
    bytes: await read.sizes.totalBytes(),
    provisioner: await showProvisioner(parts, read),
    records: await showRecords(read),
    tables: await read.sizes.listTables(),
    migrations: await read.sizes.listMigrations(),
    exact: new Map([
      ['services', await read.allServices.total({})],
      ['requests', await read.allRequests.count({})],
    ]),
  }));
  const { engine, queue, open, emails, bytes, tables, migrations, exact } = figures;
  const emailsOf = (status: (typeof EMAIL_STATUSES)[number]) => emails.find((row) => row.status === status)?.total ?? 0;
  return {
    version: VERSION,
    node: process.version,
    health,
    settings: processInfo.settings,
    date: isoTimestamp(clock.now()),
    queue: {
      due: queue.due,
      oldest_due_date: queue.oldestDueAt === null ? null : isoTimestamp(queue.oldestDueAt),
      accepted: open.find(({ status }) => status === 'accepted')?.total ?? 0,
    },
    /** Null where none is set. */
    provisioner: figures.provisioner,
    records: figures.records,
    /** Within the last hour, of unknown outcome in all; `outbox`: the folder where they stay without a provider. */
    emails: {
      outbox: mailer.outbox ?? null,
      sent: emailsOf('sent'),
      failed: emailsOf('failed'),
      unknown: figures.unknown,
    },
    /** Requests that failed within the last hour. */
    failed_requests: figures.finished.failed,
    update: await showUpdate(parts),
    /** The last one that `broker backup` made; null where it made none. */
    backup: backup
      ? { ...changeRecord(backup), file: (JSON.parse(backup.after as string) as { file: string }).file }
      : null,
    database: {
      engine,
      /** Null where the engine has no pool of them. */
      connections: store.connections?.() ?? null,
      bytes,
      tables: tables
        .map(({ table, rows }) => ({ table, rows: exact.get(table) ?? rows }))
        .sort((a, b) => b.rows - a.rows),
      migrations,
    },
  };
}

export type System = Awaited<ReturnType<typeof showSystem>>;
