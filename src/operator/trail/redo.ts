import { isoTimestamp } from '../../rules/timestamps.ts';
import type { LossRow } from '../../store/queries/history.ts';
import { TRAIL_READ } from '../system/records.ts';
import { recordChange } from '../use-case/dependencies.ts';
import { OperatorError, refused } from '../use-case/errors.ts';
import type { UseCaseDeps } from '../use-case/use-case.ts';
import { readTrail, type TrailLine } from './lines.ts';
import { judge, thingOf } from './rules.ts';

/** What became of one thing that the trail names. */
export interface Redone {
  date: string;
  action: string;
  subject: string;
  /** `listed`: a person decides. */
  outcome: 'done' | 'as_it_was' | 'listed';
  /** Why it is listed, or that it is not there. */
  why: string | null;
}

export interface TrailReport {
  redone: Redone[];
  /** Lines that could not be read. */
  unread: number;
  /** Entries from before the loss, which the records have. */
  earlier: number;
}

/**
 * Does again what protected and was lost with the records (contract, section 15.6), each by its use case, whose rules hold.
 * Of the entries about one thing the last counts: one that widens or makes is listed, and nothing before it is done.
 * @param text lines of the log, or the JSON of `audit list`
 * Throws an `OperatorError` where there was no loss.
 */
export async function redoTrail(deps: UseCaseDeps, text: string): Promise<TrailReport> {
  const losses = await deps.store.read.history.list();
  if (losses.length === 0) throw refused('The records have never gone back: there is nothing to do again');
  const { lines, unread } = readTrail(text);
  const redone: Redone[] = [];
  const last = new Map<string, { line: TrailLine; loss: LossRow }>();
  let earlier = 0;
  for (const line of lines) {
    const place = placeOf(line, losses);
    if (place === 'earlier') earlier += 1;
    else if ('why' in place) redone.push(entry(line, 'listed', place.why));
    // In the order of their dates, so that the last one stays.
    else last.set(thingOf(line), { line, loss: place });
  }
  for (const { line, loss } of last.values()) redone.push(await redo(deps, line, loss));
  const outcomes = { done: count(redone, 'done'), listed: count(redone, 'listed'), unread };
  // Of a file that nothing of could be read, nobody knows what it said.
  if (lines.length > 0 || unread === 0)
    await deps.store.tx((tx) =>
      recordChange(deps, tx, { action: TRAIL_READ, brokerId: null, subject: 'database', after: outcomes }),
    );
  return { redone, unread, earlier };
}

const count = (redone: readonly Redone[], which: Redone['outcome']): number =>
  redone.filter(({ outcome }) => outcome === which).length;

/**
 * The loss that took an entry away; `earlier` where the records have it, or why it is not looked at.
 * @param losses newest first: their spans do not overlap
 */
function placeOf({ history, date }: TrailLine, losses: readonly LossRow[]): LossRow | { why: string } | 'earlier' {
  const at = Date.parse(date);
  const index = losses.findIndex(({ lostFrom }) => lostFrom <= at);
  const loss = losses[index];
  if (!loss) return 'earlier';
  const isLost = at < loss.lostUntil;
  const expected = isLost || index === 0 ? (losses[index + 1]?.history ?? 0) : loss.history;
  if (history !== null && history !== expected) return { why: `it belongs to the history ${history}` };
  if (isLost) return loss;
  return index === 0 ? { why: 'it is from after the loss' } : 'earlier';
}

async function redo(deps: UseCaseDeps, line: TrailLine, loss: LossRow): Promise<Redone> {
  const judged = judge(line);
  if ('why' in judged) return entry(line, 'listed', judged.why);
  try {
    const subject = await judged.subject(deps);
    if (await wasChangedSince(deps, subject, loss.lostUntil))
      return entry(line, 'listed', `it was changed since ${isoTimestamp(loss.lostUntil)}`);
    if (!(await judged.act(deps))) return entry(line, 'as_it_was', null);
    const { action, date, broker_id: brokerId } = line;
    await deps.store.tx((tx) =>
      recordChange(deps, tx, { action: 'records.redo', brokerId, subject, after: { action, lost_date: date } }),
    );
    return entry(line, 'done', null);
  } catch (error) {
    if (!(error instanceof OperatorError)) throw error;
    // What is not there, since it is lost itself, needs no protection.
    return entry(line, error.kind === 'unknown' ? 'as_it_was' : 'listed', error.message);
  }
}

/** What was done again before, by this command, is no change of a person's. */
async function wasChangedSince({ store }: UseCaseDeps, subject: string, since: number): Promise<boolean> {
  // An erasure has no subject of its own: what is erased stays so.
  if (subject === 'client') return false;
  const rows = await store.read.audit.list({ subjects: [subject], since }, MAX_SINCE);
  const redone = rows.filter(({ action }) => action === 'records.redo').length;
  return rows.length > 2 * redone;
}

/** Each thing done again has two rows: its own, and that it was. */
const MAX_SINCE = 100;

const entry = ({ date, action, subject }: TrailLine, outcome: Redone['outcome'], why: string | null): Redone => ({
  date,
  action,
  subject,
  outcome,
  why,
});
