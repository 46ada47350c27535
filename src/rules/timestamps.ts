import { DAY_MS, HOUR_MS, MINUTE_MS } from './durations.ts';

const TIMESTAMP =
  /^(\d{4}-\d{2}-\d{2})(?:[Tt](\d{2}:\d{2}:\d{2})(?:\.(\d+))?(?:[Zz]|([+-])([01]\d|2[0-3]):([0-5]\d)))?$/;

const EARLIEST = Date.parse('0000-01-01T00:00:00.000Z');
const LATEST = Date.parse('9999-12-31T23:59:59.999Z');

/**
 * Parses an RFC 3339 date-time with offset, or a date, which means 00:00 UTC. Returns epoch milliseconds (finer
 * fractions are cut off), or undefined for anything else: days and times that do not exist, leap seconds, and
 * timestamps outside the years 0000 to 9999 in UTC, which `isoTimestamp` could not format.
 */
export function parseTimestamp(text: string): number | undefined {
  const match = TIMESTAMP.exec(text);
  if (!match) return undefined;
  const [, date, time = '00:00:00', fraction = '', sign, hours, minutes] = match;
  const written = `${date}T${time}.${fraction.slice(0, 3).padEnd(3, '0')}Z`;
  const parsed = Date.parse(written);
  // A day or hour that does not exist rolls over into the next month or day, and is then formatted differently.
  if (Number.isNaN(parsed) || isoTimestamp(parsed) !== written) return undefined;

  const offsetMs = sign === undefined ? 0 : Number(`${sign}1`) * (Number(hours) * 60 + Number(minutes)) * MINUTE_MS;
  const timestamp = parsed - offsetMs;
  return timestamp >= EARLIEST && timestamp <= LATEST ? timestamp : undefined;
}

/**
 * Formats whole epoch milliseconds as in every answer: ISO 8601 in UTC, with milliseconds and `Z`. The text of each day
 * is cached, because the timestamps of a list share few days: formatting them took a quarter of a page's time.
 */
export function isoTimestamp(ms: number): string {
  const day = Math.floor(ms / DAY_MS);
  const within = ms - day * DAY_MS;
  const seconds = Math.floor(within / 1000);
  const minutes = Math.floor(seconds / 60);
  const clock = `${TWO_DIGITS[Math.floor(minutes / 60)]}:${TWO_DIGITS[minutes % 60]}:${TWO_DIGITS[seconds % 60]}`;
  return `${dateOf(day)}${clock}.${String(within % 1000).padStart(3, '0')}Z`;
}

const TWO_DIGITS = Array.from({ length: 60 }, (_, number) => String(number).padStart(2, '0'));

/** Days in the cache; when it is full, it is cleared. */
const MAX_DAYS = 1000;
const dates = new Map<number, string>();

/** The date of a day (counted from the epoch), with a trailing `T`. */
function dateOf(day: number): string {
  let text = dates.get(day);
  if (text === undefined) {
    text = new Date(day * DAY_MS).toISOString().slice(0, -'00:00:00.000Z'.length);
    if (dates.size === MAX_DAYS) dates.clear();
    dates.set(day, text);
  }
  return text;
}

/** The longest wait that answers name. */
const MAX_WAIT_MS = HOUR_MS;

/** How long callers shall wait, in whole seconds from 1 to 3600: from `now` until `timestamp`, both in epoch milliseconds. */
export const secondsUntil = (timestamp: number, now: number): number =>
  Math.min(Math.max(Math.ceil((timestamp - now) / 1000), 1), MAX_WAIT_MS / 1000);

/** The same for a date that may be missing. */
export const isoTimestampOrNull = (ms: number | null): string | null => (ms === null ? null : isoTimestamp(ms));

/**
 * A service's `updated_date` after a change: the present, or a millisecond later than before where a clock is behind
 * (contract, section 6, "Services"). Both in epoch milliseconds, as is the result. Changes of services whose row was not
 * read first have the same rule in SQL (src/store/queries/services.ts).
 */
export const lastChangeAt = (before: number, now: number): number => Math.max(before + 1, now);
