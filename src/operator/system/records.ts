import { Type } from '@sinclair/typebox';
import { Nullable, OneOf, Shown, Timestamp, Whole } from '../../../schemas/atoms.ts';
import { unseenOf } from '../../history/keeper.ts';
import { isoTimestampOrNull } from '../../rules/timestamps.ts';
import type { Reads } from '../../store/store.ts';

/** What the audit trail calls that a trail was read (contract, section 15.6). */
export const TRAIL_READ = 'records.trail';

const HELD_BY = ['held', 'copy', 'not_noted'] as const;

/** What keeps work and emails back; null: nothing does. */
export const HOLDING = Nullable(OneOf(HELD_BY, { description: 'What keeps work and emails back' }));

/** The number of history, as the operator's answers have it. */
export const HISTORY = Whole(0, Number.MAX_SAFE_INTEGER, 'The number of history; 0: the records never went back');

export const RECORDS = Type.Object(
  {
    history: HISTORY,
    holding: HOLDING,
    lost_from: Nullable(Timestamp('The last heartbeat before the last loss.')),
    lost_until: Nullable(Timestamp('When that was found.')),
    place: Nullable(Shown(1000, 'The machine and the database of it')),
    unseen: Type.Array(Shown(100), { description: 'Losses that cannot be seen here' }),
  },
  { description: 'Whether the records went back' },
);

/** Whether the records went back (contract, section 15.1). Costs three reads. */
export async function showRecords({ history }: Pick<Reads, 'history'>) {
  const latest = await history.findLatest();
  return {
    history: latest?.history ?? 0,
    holding: await history.findHolding(),
    lost_from: isoTimestampOrNull(latest?.lostFrom ?? null),
    lost_until: isoTimestampOrNull(latest?.lostUntil ?? null),
    place: latest?.place ?? null,
    unseen: unseenOf(await history.findHere()),
  };
}

export type ShownRecords = Awaited<ReturnType<typeof showRecords>>;
