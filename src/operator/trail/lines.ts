import { isoTimestamp, parseTimestamp } from '../../rules/timestamps.ts';
import type { AuditRow } from '../../store/queries/audit.ts';
import type { LossRow } from '../../store/queries/history.ts';

/**
 * What the log says of entries of the audit trail, so that what protected can be done again after a loss of records
 * (contract, section 15.6): no secret, and no name, address or text of a person.
 */

/** The fields of the values that stand in a line, by action; an action that is not here has no line. */
const FIELDS: Readonly<Record<string, readonly string[]>> = {
  'broker.create': [],
  'broker.remove': [],
  'broker.resume': [],
  'broker.set': ['rate_limit'],
  'broker.suspend': ['status'],
  'client.erase': ['service_numbers'],
  'firewall.allow': ['rule'],
  'firewall.disable': [],
  'firewall.enable': [],
  'firewall.remove': ['rule'],
  'key.create': ['mode', 'scopes'],
  'key.revoke': [],
  'key.rotate': ['key_status', 'expires_date', 'rotated_to', 'rotated_from'],
  'key.set': ['scopes', 'rate_limit', 'expires_date'],
  'operator.add': ['operator_id', 'role'],
  'operator.remove': ['operator_id'],
  'operator.set': ['role', 'active'],
  'ops_key.create': ['role'],
  'ops_key.revoke': [],
  'recipient.add': [],
  'recipient.remove': [],
};

export const TRAIL_ACTIONS: readonly string[] = Object.keys(FIELDS);

type Values = Readonly<Record<string, unknown>>;

/** A line, as it is logged and as it is read again. */
export interface TrailLine {
  /** The row's id; null in the JSON of `audit list`. */
  id: string | null;
  date: string;
  action: string;
  /** The slug in the JSON of `audit list`. */
  broker_id: string | null;
  /** `<kind>/<name>`; a person by the id, if that is known. */
  subject: string;
  before: Values | null;
  after: Values | null;
  /** The number of history that it belongs to; null in the JSON of `audit list`. */
  history: number | null;
}

/** @param personId the id of the operator with the address in the subject, where there is one */
export function trailLine(row: AuditRow, history: number, personId: string | undefined): TrailLine {
  const names = FIELDS[row.action] ?? [];
  const values = (text: string | null): Values | null => (text === null ? null : picked(JSON.parse(text), names));
  const [before, after] = [values(row.before), values(row.after)];
  const known = personId ?? after?.operator_id ?? before?.operator_id;
  return {
    id: row.id,
    date: isoTimestamp(row.at),
    action: row.action,
    broker_id: row.brokerId,
    subject: row.subject.startsWith('operator/') ? `operator/${known ?? 'unknown'}` : row.subject,
    before,
    after,
    history,
  };
}

const picked = (values: Values, names: readonly string[]): Values =>
  Object.fromEntries(names.flatMap((name) => (Object.hasOwn(values, name) ? [[name, values[name]]] : [])));

/** The number of history that was valid at a date. @param losses newest first */
export const historyAt = (losses: readonly LossRow[], at: number): number =>
  losses.find(({ lostUntil }) => lostUntil <= at)?.history ?? 0;

export interface TrailRead {
  /** By date, each once. */
  lines: TrailLine[];
  /** Lines that say something else, or were cut. */
  unread: number;
}

/** Reads lines of the log (other lines are passed over), or the JSON of `audit list`; in any order, each entry once. */
export function readTrail(text: string): TrailRead {
  const found = new Map<string, TrailLine>();
  let unread = 0;
  for (const value of valuesIn(text)) {
    if (value === undefined) unread += 1;
    const line = lineOf(value);
    if (line) found.set(line.id ?? JSON.stringify(line), line);
  }
  const byDate = (one: TrailLine, other: TrailLine) =>
    one.date < other.date ? -1 : one.date > other.date ? 1 : String(one.id) < String(other.id) ? -1 : 1;
  return { lines: [...found.values()].sort(byDate), unread };
}

/** A JSON document, or one a line; undefined where a line is none. */
function valuesIn(text: string): unknown[] {
  const whole = parsed(text);
  if (Array.isArray(whole)) return whole;
  const { records } = (whole ?? {}) as { records?: unknown };
  if (Array.isArray(records)) return records;
  if (text.trimStart().startsWith('[')) return elementsOf(text);
  return text
    .split('\n')
    .flatMap((line) => (line.trim() === '' ? [] : [parsed(line.slice(Math.max(line.indexOf('{'), 0)))]));
}

/** The whole objects of an array that was cut, and undefined for what is left. */
function elementsOf(text: string): unknown[] {
  const found: unknown[] = [];
  let depth = 0;
  let from = 0;
  for (const { 0: token, index } of text.matchAll(/"(?:[^"\\]|\\.)*"?|[{}]/gs)) {
    if (token === '{' && depth++ === 0) from = index;
    if (token === '}' && --depth === 0) found.push(parsed(text.slice(from, index + 1)));
  }
  return [...found, undefined];
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function lineOf(value: unknown): TrailLine | null {
  const { audit = value } = (value ?? {}) as { audit?: unknown };
  const {
    id,
    date,
    action,
    broker,
    broker_id = broker,
    subject,
    before,
    after,
    history,
  } = (audit ?? {}) as Record<string, unknown>;
  const at = typeof date === 'string' ? parseTimestamp(date) : undefined;
  if (at === undefined || typeof subject !== 'string' || typeof action !== 'string') return null;
  if (!Object.hasOwn(FIELDS, action)) return null;
  return {
    id: typeof id === 'string' ? id : null,
    date: isoTimestamp(at),
    action,
    broker_id: typeof broker_id === 'string' ? broker_id : null,
    subject,
    before: valuesOf(before),
    after: valuesOf(after),
    history: typeof history === 'number' ? history : null,
  };
}

const valuesOf = (value: unknown): Values | null =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Values) : null;
