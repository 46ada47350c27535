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

/** Epoch milliseconds as every answer shows them: ISO 8601 in UTC, with milliseconds and `Z`. */
export function isoMoment(ms: number): string {
  // Under load most moments of an answer, and of those around it, are the present millisecond.
  if (ms !== latest.ms) {
    latest.text = new Date(ms).toISOString();
    latest.ms = ms;
  }
  return latest.text;
}

const latest = { ms: 0, text: '1970-01-01T00:00:00.000Z' };

/** What callers are told to wait at most. */
export const LONGEST_WAIT_MS = 3_600_000;

/** Whole seconds from `now` until a moment, both in epoch milliseconds: for callers to wait, 1 second to 1 hour. */
export const secondsUntil = (moment: number, now: number): number =>
  Math.min(Math.max(Math.ceil((moment - now) / 1000), 1), LONGEST_WAIT_MS / 1000);
