import { isoTimestamp } from '../rules/timestamps.ts';
import type { AuditFilter, AuditRow } from '../store/audit.ts';
import { BYTE_ORDER_MARK, csvOf, linesOf } from '../store/csv.ts';
import { OPERATOR } from '../store/slow-queries.ts';
import type { Reads } from '../store/store.ts';
import type { ReadDeps } from './dependencies.ts';
import { refused } from './errors.ts';
import { integer, read, type Texts } from './fields.ts';
import { COUNTED_MOST, countedPage, type Limited, limitedTo, type PageInput, windowOf } from './pages.ts';
import { namesOf, publicIdOf, readOwner, readSince } from './time-range.ts';

/**
 * Who changed what, newest first; without `since` all that is kept. Contract, section 11.
 * @param input `actor`: an operator's email, the name of a command's user, or a key's id; `subject` as the rows show it:
 * `service/1000001`
 */
export const listAudit = async (deps: ReadDeps, input: AuditListInput = {}): Promise<AuditRecord[]> =>
  (await findAudit(deps, input)).records;

type AuditListInput = Texts<'broker' | 'actor' | 'action' | 'subject' | 'since' | 'limit'>;

/** The same, and whether the limit has cut it. */
export async function findAudit({ store, clock }: ReadDeps, input: AuditListInput = {}): Promise<Limited<AuditRecord>> {
  const since = input.since === undefined ? undefined : readSince(clock.now(), input.since);
  const limit = read('limit', integer(1, 1_000_000), input.limit ?? '1000');
  const { brokerId } = await readOwner(store.read, { broker: input.broker });
  const { actor, action } = input;
  const subjects = input.subject === undefined ? undefined : [input.subject];
  const rows = await store.read.audit.list({ brokerId, actor, action, subjects, since }, limit + 1);
  const { truncated, records } = limitedTo(limit, rows);
  return { truncated, records: await recordsOf(store.read, records) };
}

type AuditRecord = Awaited<ReturnType<typeof recordsOf>>[number];

async function recordsOf(reads: Pick<Reads, 'brokers' | 'keys'>, rows: AuditRow[]) {
  const names = await namesOf(reads, []);
  return rows.map((row) => ({
    date: isoTimestamp(row.at),
    actor: row.actor,
    actor_kind: row.actorKind,
    client_ip: row.clientIp,
    action: row.action,
    /** The slug, or the id of a broker that has been removed. */
    broker: names.broker(row.brokerId) ?? row.brokerId,
    subject: row.subject,
    before: row.before === null ? null : (JSON.parse(row.before) as object),
    after: row.after === null ? null : (JSON.parse(row.after) as object),
  }));
}

/** Filters of the audit trail. */
export interface AuditInput {
  broker?: string | undefined;
  /** Who: an operator's email, the name of a command's user, a key by its id or prefix. */
  actor?: string | undefined;
  action?: string | undefined;
  /** To what: as the rows show it, or its name alone: `service/1000001`, `1000001`. */
  thing?: string | undefined;
  /** A length of time before now (`24h`), or a date: included. */
  since?: string | undefined;
  /** The same, excluded. */
  until?: string | undefined;
}

/** Prefixes of a subject, tried where only its name is given. */
const THINGS = ['broker', 'service', 'request', 'key', 'plan', 'template', 'email', 'operator', 'report'];

/** A key that is named by what people see of it, by its id. Of a whole key that was pasted the public part is looked at. */
async function keyNamed(reads: Pick<Reads, 'keys'>, text: string): Promise<string> {
  const publicId = publicIdOf(text);
  if (publicId === undefined) return text;
  return (await reads.keys.findAccess(publicId))?.key.id ?? publicId;
}

/** Null where no broker has that slug. */
async function filterOf({ store, clock }: ReadDeps, input: AuditInput): Promise<AuditFilter | null> {
  const now = clock.now();
  const since = input.since === undefined ? undefined : readSince(now, input.since);
  const until = input.until === undefined ? undefined : readSince(now, input.until, 'until');
  const broker = input.broker === undefined ? undefined : await store.read.brokers.findBySlug(input.broker);
  if (broker === null) return null;
  const [actor, thing] = await Promise.all(
    [input.actor, input.thing].map((text) => (text === undefined ? undefined : keyNamed(store.read, text))),
  );
  const subjects = thing?.includes('/') ? [thing] : thing && THINGS.map((kind) => `${kind}/${thing}`);
  return { brokerId: broker?.id, actor, action: input.action, subjects: subjects || undefined, since, until };
}

/** The trail page by page, newest first; a slow query, for rare rows may be far back. */
export async function pageAudit(parts: ReadDeps, input: PageInput & AuditInput = {}) {
  const { store } = parts;
  const window = windowOf(input);
  const filter = await filterOf(parts, input);
  if (!filter) return { items: [], ...countedPage(window, 0) };
  const [rows, total] = await store.slow(
    OPERATOR,
    async ({ audit }) => [await audit.page(filter, window), await audit.countUpTo(filter, COUNTED_MOST + 1)] as const,
  );
  const records = await recordsOf(store.read, rows);
  const numbers = records.flatMap(({ subject }) => serviceOf(subject) ?? []);
  const owners = await store.read.services.owners([...new Set(numbers)]);
  const keyIds = records.filter(({ actor_kind }) => actor_kind === 'api_key').map(({ actor }) => actor);
  const names = await namesOf(store.read, keyIds);
  const items = records.map((record, index) => {
    const { id, brokerId } = rows[index] as AuditRow;
    const number = serviceOf(record.subject);
    const broker_exists = names.broker(brokerId) !== null;
    return {
      ...record,
      audit_id: id,
      broker_exists,
      /** All that is a broker's goes with it, services also by themselves. */
      subject_exists: broker_exists && (number === undefined || owners.get(number) === brokerId),
      /** What people see of the key that did it. */
      key_prefix: record.actor_kind === 'api_key' ? names.keyPrefix(record.actor) : null,
    };
  });
  return { items, ...countedPage(window, total) };
}

/** The number of the service that a subject names. */
function serviceOf(subject: string): number | undefined {
  const number = Number(/^service\/(\d{1,16})$/.exec(subject)?.[1]);
  return Number.isSafeInteger(number) ? number : undefined;
}

/** Rows of one file, at most: an export of so many takes half a minute. */
export const EXPORTED_MOST = 100_000;

/** Rows of one read: what an export holds in memory. */
const EXPORTED_AT_ONCE = 500;

/**
 * The same rows as a CSV file that no spreadsheet runs, piece by piece. Throws an `OperatorError` before its first piece
 * where there are more than `EXPORTED_MOST`.
 */
export async function exportAudit(
  parts: ReadDeps,
  input: AuditInput,
  most = EXPORTED_MOST,
): Promise<AsyncGenerator<Buffer>> {
  const filter = await filterOf(parts, input);
  const total = filter ? await parts.store.slow(OPERATOR, ({ audit }) => audit.countUpTo(filter, most + 1)) : 0;
  if (total > most) throw refused(`These are more than ${most} rows; narrow them down, by time for one`);
  return piecesOf(parts, filter);
}

async function* piecesOf({ store }: ReadDeps, filter: AuditFilter | null): AsyncGenerator<Buffer> {
  yield Buffer.concat([BYTE_ORDER_MARK, linesOf([[...AUDIT_COLUMNS]])]);
  for (let olderThan: string | undefined, isMore = filter !== null; isMore; ) {
    const rows = await store.slow(OPERATOR, ({ audit }) => audit.list({ ...filter, olderThan }, EXPORTED_AT_ONCE));
    if (rows.length > 0) yield linesOf((await recordsOf(store.read, rows)).map(cellsOf));
    olderThan = rows.at(-1)?.id;
    isMore = rows.length === EXPORTED_AT_ONCE;
  }
}

/** The columns of an export, in their order. */
export const AUDIT_COLUMNS = [
  'date',
  'actor',
  'actor_kind',
  'client_ip',
  'action',
  'broker',
  'subject',
  'before',
  'after',
] as const satisfies readonly (keyof AuditRecord)[];

/** The rows as CSV, without the last line's end; no cell runs as a formula in a spreadsheet. */
export function csvOfAudit(rows: AuditRecord[]): string {
  return String(csvOf([...AUDIT_COLUMNS], rows.map(cellsOf), Number.POSITIVE_INFINITY)?.content).trimEnd();
}

const cellsOf = (row: AuditRecord): Array<string | null> => AUDIT_COLUMNS.map((name) => cellOf(row[name]));

const cellOf = (value: string | object | null): string | null =>
  typeof value === 'object' && value ? JSON.stringify(value) : value;

export type AuditPage = Awaited<ReturnType<typeof pageAudit>>;
