import { DAY_MS } from './durations.ts';
import { type BillingType, isEnded, type ServiceStatus } from './words.ts';

/**
 * When services renew (contract, section 6, "Renewal"). Months are in UTC; timestamps are epoch milliseconds. A service's
 * anchor is its position within the month, in milliseconds from the month's beginning. Each term ends at that position,
 * or on the month's last day where the month is too short.
 */
export interface Renewal {
  /** When the term ends that was current at the time of writing; null where the service has no terms. */
  renewalAt: number | null;
  renewalAnchor: number | null;
}

export const NO_RENEWAL: Renewal = { renewalAt: null, renewalAnchor: null };

interface Month {
  startsAt: number;
  lengthMs: number;
}

function monthOf(timestamp: number, monthsLater = 0): Month {
  const date = new Date(timestamp);
  const startOf = (months: number) => {
    const start = new Date(date);
    start.setUTCHours(0, 0, 0, 0);
    return start.setUTCMonth(date.getUTCMonth() + months, 1);
  };
  const startsAt = startOf(monthsLater);
  return { startsAt, lengthMs: startOf(monthsLater + 1) - startsAt };
}

export const anchorOf = (timestamp: number): number => timestamp - monthOf(timestamp).startsAt;

/** The first renewal later than `after`. */
export function nextRenewal(anchor: number, after: number): number {
  const inThisMonth = renewalIn(monthOf(after), anchor);
  return inThisMonth > after ? inThisMonth : renewalIn(monthOf(after, 1), anchor);
}

const renewalIn = ({ startsAt, lengthMs }: Month, anchor: number): number =>
  startsAt + (anchor < lengthMs ? anchor : lengthMs - DAY_MS + (anchor % DAY_MS));

/**
 * The renewal date from which another date is computed at `now`, such as an end of term. For a service that has not
 * ended it is in the future, even where the stored one has passed and waits for the worker.
 */
export function renewalAsOf({ status, renewalAt, renewalAnchor }: Renewal & { status: ServiceStatus }, now: number) {
  if (renewalAt === null || renewalAnchor === null || renewalAt > now || isEnded(status)) return renewalAt;
  return nextRenewal(renewalAnchor, now);
}

/**
 * The renewal to store for a new or changed service: as given, else as stored before, else counted from its creation.
 * @param given a renewal date; where it has passed, the next one in monthly steps is used. The date that stands already
 * changes nothing: on 28 February a service of the 31st keeps its day
 */
export function renewalOf(
  { billingType, status, createdAt }: { billingType: BillingType; status: ServiceStatus; createdAt: number },
  { given, before, now }: { given?: number | null; before?: Renewal & { status: ServiceStatus }; now: number },
): Renewal {
  if (billingType === 'hourly') return NO_RENEWAL;
  const stored = before ? { ...before, renewalAt: renewalAsOf(before, now) } : NO_RENEWAL;
  const isNew = typeof given === 'number' && given !== before?.renewalAt && given !== stored.renewalAt;
  const known = isNew ? { renewalAt: given, renewalAnchor: anchorOf(given) } : stored;
  const { renewalAt, renewalAnchor } = known;
  if (renewalAt !== null) return { renewalAt: renewalAsOf({ status, renewalAt, renewalAnchor }, now), renewalAnchor };
  if (isEnded(status)) return NO_RENEWAL;
  const anchor = anchorOf(createdAt);
  return { renewalAt: nextRenewal(anchor, Math.max(createdAt, now)), renewalAnchor: anchor };
}
