import { type BillingType, isEnded, type ServiceStatus } from './words.ts';

/**
 * When services renew (contract, section 6, "Renewal"). Months are those of UTC; moments are epoch milliseconds. A
 * service's anchor is the place of its date once given within that date's month, in milliseconds from the month's
 * beginning: whatever month a term ends in, it ends in that place, or on the month's last day where it is shorter.
 */
export interface Renewal {
  /** When the term ends that was running when this was written; null where there are no terms. */
  renewalAt: number | null;
  renewalAnchor: number | null;
}

export const NO_RENEWAL: Renewal = { renewalAt: null, renewalAnchor: null };

export const DAY_MS = 86_400_000;

interface Month {
  startsAt: number;
  lengthMs: number;
}

function monthOf(moment: number, monthsLater = 0): Month {
  const date = new Date(moment);
  const startOf = (months: number) => {
    const start = new Date(date);
    start.setUTCHours(0, 0, 0, 0);
    return start.setUTCMonth(date.getUTCMonth() + months, 1);
  };
  const startsAt = startOf(monthsLater);
  return { startsAt, lengthMs: startOf(monthsLater + 1) - startsAt };
}

/** The month of a moment and the one behind it: in one of the two lies whatever renews next. */
export const monthsAround = (moment: number): { current: Month; next: Month } => ({
  current: monthOf(moment),
  next: monthOf(moment, 1),
});

export const anchorOf = (moment: number): number => moment - monthOf(moment).startsAt;

/** The first renewal behind a moment. */
export function nextRenewal(anchor: number, after: number): number {
  const { current, next } = monthsAround(after);
  const inCurrent = renewalIn(current, anchor);
  return inCurrent > after ? inCurrent : renewalIn(next, anchor);
}

const renewalIn = ({ startsAt, lengthMs }: Month, anchor: number): number =>
  startsAt + (anchor < lengthMs ? anchor : lengthMs - DAY_MS + (anchor % DAY_MS));

/** What readers see: of a service that has not ended a date to come, whether or not a worker has moved it on yet. */
export function renewalAsOf({ status, renewalAt, renewalAnchor }: Renewal & { status: ServiceStatus }, now: number) {
  if (renewalAt === null || renewalAnchor === null || renewalAt > now || isEnded(status)) return renewalAt;
  return nextRenewal(renewalAnchor, now);
}

/**
 * The renewal of a service that is written anew: as given, else as it stood, else counted from its creation.
 * @param given a date that may have passed; its months go on
 */
export function renewalOf(
  { billingType, status, createdAt }: { billingType: BillingType; status: ServiceStatus; createdAt: number },
  { given, before, now }: { given?: number | null; before?: Renewal & { status: ServiceStatus }; now: number },
): Renewal {
  if (billingType === 'hourly') return NO_RENEWAL;
  const stood = before ? { ...before, renewalAt: renewalAsOf(before, now) } : NO_RENEWAL;
  const told = typeof given === 'number' ? { renewalAt: given, renewalAnchor: anchorOf(given) } : stood;
  const { renewalAt, renewalAnchor } = told;
  if (renewalAt !== null) return { renewalAt: renewalAsOf({ status, renewalAt, renewalAnchor }, now), renewalAnchor };
  if (isEnded(status)) return NO_RENEWAL;
  const anchor = anchorOf(createdAt);
  return { renewalAt: nextRenewal(anchor, Math.max(createdAt, now)), renewalAnchor: anchor };
}
