import { type SQL, sql } from 'drizzle-orm';
import { IS_LIVING, type Tables } from '../../drizzle/tables.ts';
import { DAY_MS, monthsAround } from '../rules/renewals.ts';
import { param } from './session.ts';

/*
 * The rule of src/rules/renewals.ts in SQL, for lists and for the worker. Months are passed as numbers, so that the engines'
 * date functions are not used.
 */

type Columns = Pick<Tables['services'], 'renewalAt' | 'renewalAnchor'>;

// PostgreSQL would infer a narrower type.
const given = (name: keyof ReturnType<typeof renewalValues>): SQL => sql`cast(${param(name)} as bigint)`;

/** The current and the next month, for a renewal date that has passed. */
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

/** Whether the renewal date of a service that has not ended has passed. */
export const isDue = ({ renewalAt }: Columns): SQL => sql`${renewalAt} <= ${given('now')} and ${sql.raw(IS_LIVING)}`;

/** Its next renewal date. */
export function nextOf({ renewalAnchor }: Columns): SQL<number> {
  const within = (month: 'current' | 'next') => sql`${given(`${month}StartsAt`)} + case
    when ${renewalAnchor} < ${given(`${month}Ms`)} then ${renewalAnchor}
    else ${given(`${month}LastDayMs`)} + ${renewalAnchor} % ${sql.raw(String(DAY_MS))} end`;
  return sql<number>`case when ${within('current')} > ${given('now')} then ${within('current')} else ${within('next')} end`;
}

/** The date that readers see. */
export const shownRenewal = (columns: Columns): SQL<number | null> =>
  sql<number | null>`case when ${isDue(columns)} then ${nextOf(columns)} else ${columns.renewalAt} end`;

/** Whether the shown date is before `renewalBefore`; the first condition uses the index, as the stored date is never later. */
export const renewsBefore = (columns: Columns): SQL =>
  sql`(${columns.renewalAt} < ${param('renewalBefore')} and ${shownRenewal(columns)} < ${param('renewalBefore')})`;
