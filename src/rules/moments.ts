import { DAY_MS } from './renewals.ts';

const MOMENT = /^(\d{4}-\d{2}-\d{2})(?:[Tt](\d{2}:\d{2}:\d{2})(?:\.(\d+))?(?:[Zz]|([+-])([01]\d|2[0-3]):([0-5]\d)))?$/;

const EARLIEST = Date.parse('0000-01-01T00:00:00.000Z');
const LATEST = Date.parse('9999-12-31T23:59:59.999Z');

/**
 * Reads a date-time of RFC 3339 with its offset, or a date, which means its first moment in UTC. Returns epoch
 * milliseconds (finer fractions are cut off), or undefined for anything else: days and times that no calendar
 * or clock has, leap seconds, and moments outside the years 0000 to 9999 in UTC, which could not be shown again.
 */
export function parseMoment(text: string): number | undefined {
  const match = MOMENT.exec(text);
  if (!match) return undefined;
  const [, date, time = '00:00:00', fraction = '', sign, hours, minutes] = match;
  const written = `${date}T${time}.${fraction.slice(0, 3).padEnd(3, '0')}Z`;
  const parsed = new Date(written);
  // A day or an hour too many rolls over into the next month or day, and then reads back differently.
  if (parsed.toJSON() !== written) return undefined;

  const offsetMs = sign === undefined ? 0 : Number(`${sign}1`) * (Number(hours) * 60 + Number(minutes)) * 60_000;
  const moment = parsed.getTime() - offsetMs;
  return moment >= EARLIEST && moment <= LATEST ? moment : undefined;
}

/**
 * Whole epoch milliseconds as every answer shows them: ISO 8601 in UTC, with milliseconds and `Z`. The moments of a list
 * lie in few days, whose calendar is asked once: of a page's time a quarter was spent on writing its moments.
 */
export function isoMoment(ms: number): string {
  const day = Math.floor(ms / DAY_MS);
  const within = ms - day * DAY_MS;
  const seconds = Math.floor(within / 1000);
  const minutes = Math.floor(seconds / 60);
  const clock = `${TWO_DIGITS[Math.floor(minutes / 60)]}:${TWO_DIGITS[minutes % 60]}:${TWO_DIGITS[seconds % 60]}`;
  return `${dateOf(day)}${clock}.${String(within % 1000).padStart(3, '0')}Z`;
}

const TWO_DIGITS = Array.from({ length: 60 }, (_, number) => String(number).padStart(2, '0'));

/** Days whose text is known; when there are more, it begins anew. */
const MAX_DAYS = 1000;
const dates = new Map<number, string>();

/** A day's date, with the `T` behind it. */
function dateOf(day: number): string {
  let text = dates.get(day);
  if (text === undefined) {
    text = new Date(day * DAY_MS).toISOString().slice(0, -'00:00:00.000Z'.length);
    if (dates.size === MAX_DAYS) dates.clear();
    dates.set(day, text);
  }
  return text;
}

/** What callers are told to wait at most. */
const LONGEST_WAIT_MS = 3_600_000;

/** Whole seconds from `now` until a moment, both in epoch milliseconds: for callers to wait, 1 second to 1 hour. */
export const secondsUntil = (moment: number, now: number): number =>
  Math.min(Math.max(Math.ceil((moment - now) / 1000), 1), LONGEST_WAIT_MS / 1000);
