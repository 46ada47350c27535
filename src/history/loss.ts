import { type Actor, audit } from '../audit/audit.ts';
import { SECOND_MS } from '../rules/durations.ts';
import { isoTimestamp } from '../rules/timestamps.ts';
import type { LossCause } from '../rules/words.ts';
import type { Change } from '../store/change.ts';
import type { Identity, LossRow } from '../store/queries/history.ts';
import { NONE_MOVED } from '../store/queries/moved-dates.ts';
import type { Tx } from '../store/store.ts';
import { findHeartbeat, heartbeatOf, raiseHeartbeat } from './heartbeat.ts';

/** How a loss was found. */
export type Finding = 'marked_copy' | 'behind_what_was_seen' | 'other_history' | 'behind_this_process' | 'declared';

/** Numbers that are passed over for a loss, and in addition for each second of it: far more than are ever issued. */
const PASSED_OVER = 1_000_000;
const PASSED_OVER_A_SECOND = 10;

/** The mark of a copy that `broker backup` made. */
export const COPY_MARK = 'backup copy';

/** What a copy says of itself that `broker backup` makes at a moment, in epoch milliseconds. */
export const marksOfCopy = (at: number) => [{ name: COPY_MARK, value: isoTimestamp(at) }, heartbeatOf(at)];

/** Until when a change of history is known to lose nothing; epoch milliseconds. */
export const NOTHING_LOST = 'nothing lost until';

/** Where this process finds the records. */
export interface RecordsPlace {
  /** A hash of the address by which the database is reached; null where it is not compared. */
  address: string | null;
  /** The machine and the database, for people. */
  name: string;
}

export interface FoundLoss {
  cause: LossCause;
  finding: Finding;
  /** The next number that this process remembers. */
  leastNumber?: number | undefined;
}

const AUDITED = { brokerId: null, subject: 'database' };

/**
 * Notes a loss in the transaction: passes over the numbers that it may have issued, takes the records' history as its own,
 * and holds what goes out where it is a restore (contract, sections 15.1 and 15.2). The counter is locked already.
 */
export async function noteLoss(
  change: Change,
  { cause, finding, leastNumber = 0 }: FoundLoss,
  { place, actor }: { place: RecordsPlace; actor: Actor },
): Promise<LossRow> {
  const { tx, now: lostUntil } = change;
  const { nextNumber } = await tx.history.findState();
  const lostFrom = Math.min((await findHeartbeat(tx)) ?? lostUntil, lostUntil);
  const firstNumber = nextNumber;
  const next = Math.max(firstNumber, leastNumber) + passedOver(lostUntil - lostFrom);
  const row: LossRow = {
    history: Math.max(Math.floor(lostUntil / SECOND_MS), ((await tx.history.findLatest())?.history ?? 0) + 1),
    cause,
    state: cause === 'restore' ? 'held' : 'over',
    lostFrom,
    lostUntil,
    firstNumber,
    lastNumber: next - 1,
    place: place.name,
    endedAt: cause === 'restore' ? null : lostUntil,
    moving: NONE_MOVED,
  };
  await takeHistory(tx, place, next);
  await tx.history.insert(row);
  await tx.settings.remove(COPY_MARK);
  await raiseHeartbeat(tx, lostUntil);
  if (cause === 'restore') await tx.operators.endAllAccess();
  await audit(change, actor, {
    ...AUDITED,
    action: 'records.went-back',
    after: {
      history: row.history,
      cause,
      found: finding,
      lost_from: isoTimestamp(lostFrom),
      lost_until: isoTimestamp(lostUntil),
      first_number: firstNumber,
      last_number: row.lastNumber,
      place: place.name,
    },
  });
  return row;
}

/** How many numbers are passed over for a loss of so many milliseconds. */
export const passedOver = (lostMs: number): number =>
  PASSED_OVER + PASSED_OVER_A_SECOND * Math.ceil(lostMs / SECOND_MS);

/** Takes the history that the database has now as that of the records, which lost nothing. */
export async function noteNothingLost(
  change: Change,
  { place, actor }: { place: RecordsPlace; actor: Actor },
  saidBy: 'servers' | 'operator',
): Promise<void> {
  const { tx } = change;
  const { nextNumber, noted } = await tx.history.findState();
  await takeHistory(tx, place, nextNumber);
  await tx.settings.remove(NOTHING_LOST);
  await audit(change, actor, {
    ...AUDITED,
    action: 'records.nothing-lost',
    before: timelineOf(noted),
    after: { ...timelineOf(await tx.history.findHere()), said_by: saidBy },
  });
}

const timelineOf = (identity: Identity | null) => ({ timeline: identity?.timeline ?? null });

/** @param nextNumber what the counter stands at from now on */
export async function takeHistory(
  tx: Pick<Tx, 'history'>,
  { address }: RecordsPlace,
  nextNumber: number,
): Promise<void> {
  const { noted } = await tx.history.findState();
  const here = (await tx.history.findHere()) ?? { system: null, table: null, timeline: null };
  await tx.history.note({ ...here, address: address ?? noted.address }, nextNumber);
}
