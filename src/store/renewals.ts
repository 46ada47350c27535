import { type SQL, sql } from 'drizzle-orm';
import { IS_LIVING, type Tables } from '../../drizzle/tables.ts';
import { DAY_MS, monthsAround } from '../rules/renewals.ts';
import { param } from './session.ts';

/*
 * The rule of src/rules/renewals.ts in the engines' own words, for lists and for the worker: months are handed in as
 * numbers, so that no engine's calendar has a say.
 */

type Columns = Pick<Tables['services'], 'renewalAt' | 'renewalAnchor'>;

// Said out loud, because PostgreSQL would guess a narrower type.
const given = (name: keyof ReturnType<typeof renewalValues>): SQL => sql`cast(${param(name)} as bigint)`;

/** Where the months lie that a date passed now moves on to. */
export function renewalValues(now: number) {
  const { current, next } = monthsAround(now);
  return {
    now,
    currentStartsAt: current.startsAt,
    currentMs: current.lengthMs,
    currentLastDayMs: current.lengthMs - DAY_MS,
    nextStartsAt: next.startsAt,
    nextMs: next.lengthMs,
    nextLastDayMs: next.lengthMs - DAY_MS,
  };
}

/** Which services' dates have passed, of those that go on. */
export const isDue = ({ renewalAt }: Columns): SQL => sql`${renewalAt} <= ${given('now')} and ${sql.raw(IS_LIVING)}`;

/** The next date of one of them. */
export function nextOf({ renewalAnchor }: Columns): SQL<number> {
  const within = (month: 'current' | 'next') => sql`${given(`${month}StartsAt`)} + case
    when ${renewalAnchor} < ${given(`${month}Ms`)} then ${renewalAnchor}
    else ${given(`${month}LastDayMs`)} + ${renewalAnchor} % ${sql.raw(String(DAY_MS))} end`;
  return sql<number>`case when ${within('current')} > ${given('now')} then ${within('current')} else ${within('next')} end`;
}

/** The date that readers see. */
export const shownRenewal = (columns: Columns): SQL<number | null> =>
  sql<number | null>`case when ${isDue(columns)} then ${nextOf(columns)} else ${columns.renewalAt} end`;

/** Whether readers see a date before `renewalBefore`; the index is asked for the stored one, which is never later. */
export const renewsBefore = (columns: Columns): SQL =>
  sql`(${columns.renewalAt} < ${param('renewalBefore')} and ${shownRenewal(columns)} < ${param('renewalBefore')})`;
