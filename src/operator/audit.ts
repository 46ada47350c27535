import { isoMoment } from '../rules/moments.ts';
import { csvOf } from '../store/csv.ts';
import { integer, read } from './fields.ts';
import { namesOf, readOwner, readSince } from './look-back.ts';
import type { OperatorParts } from './parts.ts';

/** Who changed what, newest first; all that is kept unless told how far back. Contract, section 11. */
export async function listAudit(
  { store, clock }: Pick<OperatorParts, 'store' | 'clock'>,
  input: {
    broker?: string | undefined;
    /** An operator's email, the name of whoever ran a command, or a key's id. */
    actor?: string | undefined;
    action?: string | undefined;
    /** As the rows show it: `service/1000001`. */
    subject?: string | undefined;
    since?: string | undefined;
    limit?: string | undefined;
  } = {},
) {
  const since = input.since === undefined ? undefined : readSince(clock.now(), input.since);
  const limit = read('limit', integer(1, 1_000_000), input.limit ?? '1000');
  const { brokerId } = await readOwner(store.read, { broker: input.broker });
  const { actor, action, subject } = input;
  const rows = await store.read.audit.list({ brokerId, actor, action, subject, since }, limit);
  const names = await namesOf(store.read, []);
  return rows.map((row) => ({
    date: isoMoment(row.at),
    actor: row.actor,
    actor_kind: row.actorKind,
    client_ip: row.clientIp,
    action: row.action,
    /** The id of a broker that is no more. */
    broker: names.broker(row.brokerId) ?? row.brokerId,
    subject: row.subject,
    before: row.before === null ? null : (JSON.parse(row.before) as object),
    after: row.after === null ? null : (JSON.parse(row.after) as object),
  }));
}

type Row = Awaited<ReturnType<typeof listAudit>>[number];

const COLUMNS = [
  'date',
  'actor',
  'actor_kind',
  'client_ip',
  'action',
  'broker',
  'subject',
  'before',
  'after',
] as const satisfies readonly (keyof Row)[];

/** The rows as CSV, without the last line's end; no cell runs as a formula in a spreadsheet. */
export function csvOfAudit(rows: Row[]): string {
  const cell = (value: string | object | null) => (typeof value === 'object' && value ? JSON.stringify(value) : value);
  const lines = rows.map((row) => COLUMNS.map((name) => cell(row[name])));
  return String(csvOf([...COLUMNS], lines, Number.POSITIVE_INFINITY)?.content).trimEnd();
}
