import { isMailbox } from '../rules/mailbox.ts';
import { parseTimestamp } from '../rules/timestamps.ts';
import { invalid } from './errors.ts';

/** How one value is read, whether it comes as it is, from a person's typing, a CSV cell or a JSON file. */
export interface Field<T> {
  /** Which JSON values stand for it: strings alone, numbers as well, or booleans. */
  readonly json: 'string' | 'number' | 'boolean';
  /** Takes trimmed, non-empty text. Throws a `FieldFault` that says what the value must be. */
  parse(text: string): T;
}

/** Why a value is refused; completes a sentence that begins with the field's name. */
export class FieldFault extends Error {
  override readonly name = 'FieldFault';
}

/** A value as it is, or as the text that a person wrote for it: an interface need not read numbers or dates itself. */
export type Given<T> = T | string;

/** Optional texts, by name. */
export type Texts<Name extends string> = { [name in Name]?: string | undefined };

/**
 * Reads a value given by the operator. Throws an `OperatorError` whose fault names the field.
 * @param name the field's name in the records
 */
export function read<T extends string | number | boolean>(name: string, field: Field<T>, value: Given<T>): T {
  const trimmed = String(value).trim();
  if (trimmed === '') throw invalid({ field: name, message: 'must not be blank' });
  try {
    return field.parse(trimmed);
  } catch (error) {
    throw invalid({ field: name, message: (error as FieldFault).message });
  }
}

/** The same for a value that null takes away. */
export const readOrNull = <T extends string | number | boolean>(
  name: string,
  field: Field<T>,
  value: Given<T> | null,
): T | null => (value === null ? null : read(name, field, value));

// A NUL ends a text too early in some engines, and half a surrogate pair is no character at all.
const UNSTORABLE = /\0|[\uD800-\uDBFF](?![\uDC00-\uDFFF])|(?<![\uD800-\uDBFF])[\uDC00-\uDFFF]/;
const CONTROL = /\p{Cc}/u;

/** Free text of at least `min` and at most `max` characters (code points). */
export const text = (max: number, min = 1): Field<string> => ({
  json: 'string',
  parse(value) {
    if (value.length > max && [...value].length > max) throw new FieldFault(`must have at most ${max} characters`);
    if ([...value.slice(0, 2 * min)].length < min) throw new FieldFault(`must have at least ${min} characters`);
    if (UNSTORABLE.test(value)) throw new FieldFault('must not hold NUL or half a character');
    return value;
  },
});

/** Text on one line. */
export const line = (max: number): Field<string> => {
  const field = text(max);
  return {
    json: 'string',
    parse(value) {
      if (CONTROL.test(value)) throw new FieldFault('must not hold control characters');
      return field.parse(value);
    },
  };
};

export const mailbox: Field<string> = {
  json: 'string',
  parse(value) {
    if (!isMailbox(value)) throw new FieldFault(`must be one email address, not "${value}"`);
    return value;
  },
};

export const pattern = (shape: RegExp, described: string): Field<string> => ({
  json: 'string',
  parse(value) {
    if (!shape.test(value)) throw new FieldFault(`must be ${described}`);
    return value;
  },
});

export const brokerSlug = pattern(/^[a-z0-9][a-z0-9_-]{0,63}$/, 'small letters, digits, "-" and "_", at most 64');

/** Of any script, for slugs are compared by Unicode's rules (contract, section 6). */
export const planSlug = pattern(
  /^[\p{L}\p{N}][\p{L}\p{M}\p{N}._-]{0,127}$/u,
  'letters, digits, ".", "-" and "_", at most 128',
);

export const oneOf = <const T extends string>(words: readonly T[]): Field<T> => ({
  json: 'string',
  parse(value) {
    const known = words.find((word) => word === value);
    if (known === undefined) throw new FieldFault(`must be one of ${words.join(', ')}`);
    return known;
  },
});

/** A whole number, read digit by digit, so that a large one is refused and not rounded. */
export const integer = (min: number, max: number): Field<number> => ({
  json: 'number',
  parse(value) {
    const number = /^-?\d{1,400}$/.test(value) ? BigInt(value) : undefined;
    if (number === undefined || number < BigInt(min) || number > BigInt(max)) {
      throw new FieldFault(`must be a whole number from ${min} to ${max}`);
    }
    return Number(number);
  },
});

export const serviceNumber = integer(1, Number.MAX_SAFE_INTEGER);

/** Money: a decimal number that is kept as it is written, for a float would change it. */
export const amount = ({ negative }: { negative: boolean }): Field<string> => ({
  json: 'number',
  parse(value) {
    const shape = negative ? /^-?\d{1,15}(\.\d{1,6})?$/ : /^\d{1,15}(\.\d{1,6})?$/;
    if (!shape.test(value)) throw new FieldFault('must be a decimal number such as 12.50');
    return value;
  },
});

export const currency = pattern(/^[A-Z]{3}$/, 'a currency code of three capital letters');

const FIRST_YEAR = 1970;

/** Epoch milliseconds, from a date or a date-time with offset that is in the years from 1970 to `lastYear` in UTC. */
const timestampUntil = (lastYear: number): Field<number> => ({
  json: 'string',
  parse(value) {
    const parsed = parseTimestamp(value);
    if (parsed === undefined) {
      throw new FieldFault('must be a date or an RFC 3339 date-time such as 2030-01-31 or 2030-01-31T12:00:00Z');
    }
    const year = new Date(parsed).getUTCFullYear();
    if (year < FIRST_YEAR || year > lastYear) throw new FieldFault(`must be in the years ${FIRST_YEAR} to ${lastYear}`);
    return parsed;
  },
});

/** A date that is stored; the last one that `isoTimestamp` can format is in 9999. */
export const timestamp = timestampUntil(9999);

/** A date from which renewals are computed; these have to stay before the year 10000. */
export const termTimestamp = timestampUntil(9899);

export const flag: Field<boolean> = {
  json: 'boolean',
  parse(value) {
    const word = value.toLowerCase();
    if (word === 'true' || word === '1') return true;
    if (word === 'false' || word === '0') return false;
    throw new FieldFault('must be true or false');
  },
};

const UNIT_MS = { s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 };

/** A length of time of at most `maxMs`: `90s`, `30m`, `24h`, `7d`, or 0. Milliseconds. */
export const duration = (maxMs: number): Field<number> => ({
  json: 'string',
  parse(value) {
    const [, count, unit] = /^(\d{1,9})([smhd])$/.exec(value) ?? [];
    const ms = value === '0' ? 0 : Number(count) * UNIT_MS[unit as keyof typeof UNIT_MS];
    if (!(ms <= maxMs))
      throw new FieldFault(`must be 0 or a time such as 30m, 24h or 7d, at most ${maxMs / UNIT_MS.d}d`);
    return ms;
  },
});

/** Requests in a window of the rate limit, or null for none of its own. Contract, section 5. */
export const readRateLimit = (value: Given<number> | null): number | null =>
  readOrNull('rate_limit', RATE_LIMIT, value);

const RATE_LIMIT = integer(1, 1_000_000);
