import { type Static, type TObject, type TSchema, type TUnsafe, Type } from '@sinclair/typebox';
import type { ErrorObject } from 'ajv';
import { ajv } from '../../fields/keywords.ts';
import { ACCESS_RULES, loginUrlOf, readAddresses } from '../../rules/access.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../rules/durations.ts';
import { parseIpRule } from '../../rules/ip-rules.ts';
import { keysOf } from '../../rules/keys.ts';
import { mailboxAdvice } from '../../rules/mailbox.ts';
import type { PlanOffer } from '../../rules/offers.ts';
import { isHostname } from '../../rules/options.ts';
import { isBlank, oneLine } from '../../rules/text.ts';
import { parseTimestamp } from '../../rules/timestamps.ts';
import { type Fault, invalid, OperatorError } from './errors.ts';
import { type OfferPart, readOfferPart } from './offer-fields.ts';

/**
 * A field of a record or a filter: a JSON schema, checked by the validator of the API. Whether it is typed into a form or
 * a terminal, or stands in a CSV cell or a JSON file, it is read from its text. `T` is what it is read as.
 */
export type Field<T> = TUnsafe<T>;

/** How the two interfaces describe a field. */
export interface Words {
  /** The label of the form. */
  title?: string;
  /** The help of the option and the hint of the form. */
  description?: string;
  /** The same in the operator's API, where a text is no option and no box of a form. */
  inJson?: string;
  /** The option or argument, where the contract's section 9 names it otherwise than the record does. */
  option?: string;
  /** The option that gives `false`, such as `inactive`. */
  negative?: string;
  /** What the choices of a form are called, by value; those of a boolean by `true` and `false`. */
  choices?: Readonly<Record<string, string>>;
  /** Several lines. */
  multiline?: boolean;
  /** The command takes the name of a file in place of its text. */
  file?: boolean;
  /** The value of a new record. */
  default?: unknown;
  /** The form requires it, though a command may leave it out. */
  inForm?: boolean;
}

/** The keywords of a field that say how it is typed and described, and nothing of its value. */
export const OF_ADAPTERS = keysOf({
  option: true,
  negative: true,
  choices: true,
  multiline: true,
  file: true,
  emptied: true,
  inForm: true,
  inJson: true,
} satisfies Record<Exclude<keyof Words, 'title' | 'description' | 'default'> | 'emptied', true>);

/** The keywords by which a value is read, which no tool knows. */
export const OF_READING = ['must', 'latestYear', 'maxMs'] as const;

/** Why a value is refused; completes a sentence that begins with the field's name. */
export class InputFault extends Error {
  override readonly name = 'FieldFault';
  /** What is wrong within the value, by whole paths; empty where it is the value itself. */
  readonly within: readonly Fault[];

  constructor(message: string, within: readonly Fault[] = []) {
    super(message);
    this.within = within;
  }
}

/** Optional texts, by name. */
export type OptionalTexts<Name extends string> = { [name in Name]?: string | undefined };

/** A value as it is, or as the text that a person wrote for it. */
export type Given<T> = T | string;

// A NUL ends a text too early in some engines, and half a surrogate pair is no character at all.
const UNSTORABLE = /\0|[\uD800-\uDBFF](?![\uDC00-\uDFFF])|(?<![\uD800-\uDBFF])[\uDC00-\uDFFF]/;
const CONTROL = /\p{Cc}/u;
const UNIT_MS = { s: 1_000, m: MINUTE_MS, h: HOUR_MS, d: DAY_MS };

/** How far back a list may begin. */
const MAX_PAST_MS = 3650 * UNIT_MS.d;

/** `90s`, `30m`, `24h`, `7d` or 0 in milliseconds; undefined for any other text. */
export function durationMs(text: string): number | undefined {
  const [, count, unit] = /^(\d{1,9}) ?([smhd])$/.exec(text) ?? [];
  if (text === '0') return 0;
  return unit === undefined ? undefined : Number(count) * UNIT_MS[unit as keyof typeof UNIT_MS];
}

/** The formats that a pattern says as a whole: documents have the pattern, since no tool knows the format. */
export const PATTERNS: Readonly<Record<string, string>> = {
  amount: '^\\d{1,15}(\\.\\d{1,6})?$',
  'signed-amount': '^-?\\d{1,15}(\\.\\d{1,6})?$',
  quantity: '^\\d{1,12}(\\.\\d{1,3})?$',
};
for (const [format, pattern] of Object.entries(PATTERNS)) ajv.addFormat(format, new RegExp(pattern));

ajv
  .addFormat('text', (text) => !UNSTORABLE.test(text))
  .addFormat('line', (text) => !UNSTORABLE.test(text) && !CONTROL.test(text))
  .addFormat('ip-rule', (text) => parseIpRule(text) !== undefined)
  .addFormat('hostname', isHostname)
  // Entries that are none are left out, unless all of them are: then something else was typed.
  .addFormat('addresses', (text) => addressesIn(text).length > 0)
  .addFormat('login-url', (text) => loginUrlOf(text) !== undefined)
  .addFormat('duration', (text) => durationMs(text) !== undefined)
  .addFormat('past-time', (text) => parseTimestamp(text) !== undefined || Number(durationMs(text)) <= MAX_PAST_MS)
  .addKeyword({
    keyword: 'latestYear',
    validate: (latest: number, text: string) => {
      const year = new Date(parseTimestamp(text) ?? Number.NaN).getUTCFullYear();
      return !(year < FIRST_YEAR || year > latest);
    },
  })
  .addKeyword({ keyword: 'maxMs', validate: (most: number, text: string) => !(Number(durationMs(text)) > most) })
  .addVocabulary([...OF_ADAPTERS, 'json', 'open']);

/** The items of a text, which blanks and commas separate. */
const listed = (text: string): string[] => text.split(/[\s,]+/).filter(Boolean);

const addressesIn = (text: string): string[] => readAddresses(listed(text))?.addresses ?? [];

/** The entries of a list of addresses that are left out. */
export const addressesDropped = (text: string): unknown[] => readAddresses(listed(text))?.dropped ?? [];

/** Free text of at least `min` and at most `max` characters (code points). */
export const text = (max: number, words: Words = {}, min = 1): Field<string> =>
  Type.Unsafe<string>({ type: 'string', format: 'text', minLength: min, maxLength: max, ...words });

/** Text that becomes one line: a run of line breaks and other control characters is read as a blank. */
export const folded = (max: number, words: Words = {}): Field<string> =>
  Type.Unsafe<string>({ ...text(max, words), oneLine: true });

/** Text on one line. */
export const line = (max: number, words: Words = {}): Field<string> =>
  Type.Unsafe<string>({ ...text(max, words), format: 'line' });

export const mailbox = (words: Words = {}): Field<string> =>
  Type.Unsafe<string>({ type: 'string', format: 'mailbox', maxLength: 254, ...words });

export const hostname = (words: Words = {}): Field<string> =>
  Type.Unsafe<string>({ type: 'string', format: 'hostname', maxLength: 253, ...words });

/** IPv4 and IPv6 addresses, which become a list in normal form; those that clients cannot reach are left out. */
export const addresses = (words: Words = {}): Field<readonly string[]> =>
  Type.Unsafe<readonly string[]>({ type: 'string', format: 'addresses', maxLength: 20_000, ...words });

export const loginUrl = (maxLength: number, words: Words = {}): Field<string> =>
  Type.Unsafe<string>({ type: 'string', format: 'login-url', maxLength, ...words });

/** Values by names that no declaration knows: an object, which a form and a command take as JSON; in CSV a column for each. */
export const openObject = (words: Words = {}): Field<Readonly<Record<string, unknown>>> =>
  Type.Unsafe<Readonly<Record<string, unknown>>>({ type: 'string', open: true, ...words });

/** @param must what it must be, in words */
export const pattern = (shape: RegExp, must: string, words: Words & { maxLength?: number } = {}): Field<string> =>
  Type.Unsafe<string>({ type: 'string', pattern: shape.source, must, ...words });

export const oneOf = <const T extends string>(values: readonly T[], words: Words = {}): Field<T> =>
  Type.Unsafe<T>({ type: 'string', enum: [...values], ...words });

/** Any of several values, as a list. */
export const someOf = <const T extends string>(values: readonly T[], words: Words = {}): Field<T[]> =>
  Type.Unsafe<T[]>({ type: 'array', items: { type: 'string', enum: [...values] }, ...words });

/** Several addresses or CIDRs, as a list. */
export const ranges = (most: number, words: Words = {}): Field<string[]> =>
  Type.Unsafe<string[]>({
    type: 'array',
    items: { type: 'string', format: 'ip-rule', maxLength: 49 },
    maxItems: most,
    ...words,
  });

/** Several whole numbers from 1 on, as a list. */
export const numbersOf = (most: number, words: Words = {}): Field<number[]> =>
  Type.Unsafe<number[]>({ type: 'array', items: integer(1, Number.MAX_SAFE_INTEGER), maxItems: most, ...words });
/** A measured quantity: a decimal number of at most three places that is kept as it is written. */
export const quantity = (words: Words = {}): Field<string> =>
  Type.Unsafe<string>({ type: 'string', format: 'quantity', ...words });

/** A whole number, read digit by digit, so that a large one is refused and not rounded. */
export const integer = (minimum: number, maximum: number, words: Words = {}): Field<number> =>
  Type.Unsafe<number>({ type: 'integer', minimum, maximum, ...words });

/** Money: a decimal number that is kept as it is written, for a float would change it. */
export const amount = ({ negative }: { negative: boolean }, words: Words = {}): Field<string> =>
  Type.Unsafe<string>({ type: 'string', format: negative ? 'signed-amount' : 'amount', ...words });

export const flag = (words: Words = {}): Field<boolean> => Type.Unsafe<boolean>({ type: 'boolean', ...words });

/** A part of a plan that is written as JSON, and read as what it is stored as. */
export const json = <P extends OfferPart>(part: P, words: Words = {}): Field<PlanOffer[P]> =>
  Type.Unsafe<PlanOffer[P]>({ type: 'string', json: part, maxLength: 100_000, multiline: true, file: true, ...words });

const FIRST_YEAR = 1970;

/** Epoch milliseconds, from a date or a date-time with offset; the last one that `isoTimestamp` can format is in 9999. */
export const timestamp = (words: Words = {}, latestYear = 9999): Field<number> =>
  Type.Unsafe<number>({ type: 'string', format: 'timestamp', latestYear, ...words });

/** A date from which renewals are computed; these have to stay before the year 10000. */
export const termTimestamp = (words: Words = {}): Field<number> => timestamp(words, 9899);

/** A length of time of at most `maxMs`: `90s`, `30m`, `24h`, `7d`, or 0. Milliseconds. */
export const duration = (maxMs: number, words: Words = {}): Field<number> =>
  Type.Unsafe<number>({ type: 'string', format: 'duration', maxMs, ...words });

/** A date, a date-time, or a length of time before now. It stays a text: which date it is depends on a clock. */
export const pastTime = (words: Words = {}): Field<string> =>
  Type.Unsafe<string>({ type: 'string', format: 'past-time', ...words });

/** The same field, which null empties. @param emptied the word for null on the command line */
export const nullable = <T>(field: Field<T>, emptied = 'none'): Field<T | null> =>
  Type.Unsafe<T | null>({ ...field, nullable: true, emptied });

export const brokerSlug = (words: Words = {}) =>
  pattern(/^[a-z0-9][a-z0-9_-]{0,63}$/, 'small letters, digits, "-" and "_", at most 64', words);

/** Of any script, for slugs are compared by Unicode's rules (contract, section 6). */
export const planSlug = (words: Words = {}) =>
  pattern(/^[\p{L}\p{N}][\p{L}\p{M}\p{N}._-]{0,127}$/u, 'letters, digits, ".", "-" and "_", at most 128', {
    ...words,
    maxLength: 128,
  });

export const currency = (words: Words = {}) => pattern(/^[A-Z]{3}$/, 'a currency code of three capital letters', words);

export const serviceNumber = (words: Words = {}) => integer(1, Number.MAX_SAFE_INTEGER, words);

/** Any text that a provisioner could have been given. Contract, section 15.3. */
export const serviceUidField = (words: Words = {}) =>
  pattern(/^[!-~]{1,128}$/, 'letters, digits and signs without blanks, at most 128', { ...words, maxLength: 128 });

/** Requests in a window of the rate limit. Contract, section 5. */
export const rateLimit = (words: Words = {}) => integer(1, 1_000_000, words);

/** A field that names a record which exists: what was typed is looked up, whatever it is. */
export const named = (option: string, description: string): Field<string> =>
  Type.Unsafe<string>({ type: 'string', option, description });

/** The JSON type of a field in a file: numbers also stand for amounts. */
export function jsonTypeOf({ type, format, json, open }: TSchema): 'string' | 'number' | 'boolean' | 'list' | 'object' {
  if (format === 'addresses') return 'list';
  if (open) return 'object';
  if (json) return json === 'provisioning' ? 'object' : 'list';
  if (type === 'integer' || ['amount', 'signed-amount', 'quantity'].includes(format)) return 'number';
  return type === 'boolean' ? 'boolean' : 'string';
}

/** Reads a trimmed text that is not blank. Throws a `FieldFault`. */
export function parseText<T>(field: Field<T>, text: string): T {
  const value = typed(field, text);
  const validate = ajv.compile(field);
  if (!validate(value)) throw new InputFault(messageOf(field, text, validate.errors?.[0]));
  if (field.json) return readJson(field.json, text) as T;
  if (field.open) return readObject(field, text) as T;
  if (field.format === 'timestamp') return parseTimestamp(text) as T;
  if (field.format === 'addresses') return addressesIn(text) as T;
  return (field.format === 'duration' ? durationMs(text) : value) as T;
}

function readJson(part: OfferPart, text: string): unknown {
  const read = readOfferPart(part, text);
  if ('faults' in read) throw new InputFault('is not valid', read.faults);
  return read.value;
}

/** An object as a person writes it, in JSON. */
function readObject(field: TSchema, text: string): object {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value;
  } catch {
    // Said below.
  }
  throw new InputFault(`must be ${ruleOf(field)}, as JSON`);
}

function typed(field: TSchema, text: string): unknown {
  if (field.type === 'integer') return /^-?\d{1,400}$/.test(text) && isSafe(BigInt(text)) ? Number(text) : text;
  if (field.type === 'boolean') return parseFlag(text) ?? text;
  if (field.type === 'array') {
    // Addresses are pasted in lines as well.
    const items = field.items.format === 'ip-rule' ? listed(text) : text.split(',').map((item) => item.trim());
    return items.map((item) => typed(field.items, item));
  }
  return field.oneLine ? oneLine(text) : text;
}

/** Undefined where the text is no word for it. */
export const parseFlag = (text: string): boolean | undefined => WORDS.get(text.toLowerCase());

const isSafe = (value: bigint): boolean => value === BigInt(Number(value));

const WORDS = new Map([
  ...['true', '1', 'yes'].map((word) => [word, true] as const),
  ...['false', '0', 'no'].map((word) => [word, false] as const),
]);

/** What a value of the field has to be; completes "must be". */
export function ruleOf(field: TSchema): string {
  if (field.type === 'integer') return `a whole number from ${field.minimum} to ${field.maximum}`;
  if (field.type === 'boolean') return 'true or false';
  if (field.type === 'array' && field.items.enum)
    return `a list of ${field.items.enum.join(', ')}, separated by commas`;
  if (field.type === 'array') {
    const what = field.items.type === 'integer' ? 'whole numbers' : 'addresses or CIDRs such as 203.0.113.0/28';
    return `a list of at most ${field.maxItems} ${what}, separated by commas`;
  }
  if (field.enum) return `one of ${field.enum.join(', ')}`;
  if (field.must) return field.must;
  if (field.open) return 'an object of texts, whole numbers, true and false';
  if (field.json) return `a JSON ${field.json === 'provisioning' ? 'object' : 'list'}`;
  switch (field.format) {
    case 'quantity':
      return 'a decimal number of at most three places, such as 12.5';
    case 'mailbox':
      return 'one email address';
    case 'hostname':
      return ACCESS_RULES.hostname.replace('must be ', '');
    case 'addresses':
      return ACCESS_RULES.ip_addresses.replace('must be ', '');
    case 'login-url':
      return ACCESS_RULES.login_url.replace('must be ', '');
    case 'timestamp':
      return 'a date such as 2030-01-31, or a time such as 2030-01-31T12:00:00Z';
    case 'past-time':
      return `a date, or a time before now such as 30m, 24h or 7d, at most ${MAX_PAST_MS / UNIT_MS.d}d`;
    case 'duration':
      return `0 or a time such as 30m, 24h or 7d, at most ${field.maxMs / UNIT_MS.d}d`;
    case 'line':
      return `one line of at most ${field.maxLength} characters`;
    case 'text':
      return `at most ${field.maxLength} characters`;
    default:
      return 'a decimal number such as 12.50';
  }
}

function messageOf(field: TSchema, text: string, error: ErrorObject | undefined): string {
  if (error?.keyword === 'maxLength') return `must have at most ${field.maxLength} characters`;
  if (error?.keyword === 'minLength') return `must have at least ${field.minLength} characters`;
  if (error?.keyword === 'latestYear') return `must be in the years ${FIRST_YEAR} to ${field.latestYear}`;
  if (field.format === 'line' && CONTROL.test(text)) return 'must not hold control characters';
  if (field.format === 'line' || field.format === 'text') return 'must not hold NUL or half a character';
  const rule = `must be ${ruleOf(field)}`;
  if (field.items?.format === 'ip-rule') {
    const faulty = listed(text).find((item) => parseIpRule(item) === undefined);
    return faulty === undefined ? rule : `${rule}; "${faulty}" is none`;
  }
  return field.format === 'mailbox' ? `${rule}, not "${text}"${mailboxAdvice(text)}` : rule;
}

const textOf = (value: unknown): string => (Array.isArray(value) ? value.join(',') : String(value).trim());

/**
 * Reads a value given by the operator. Throws an `OperatorError` whose fault names the field.
 * @param name the field's name in the records
 */
export function read<T>(name: string, field: Field<T>, value: unknown): T {
  if (field.open && typeof value === 'object') return value as T;
  const text = field.json && typeof value !== 'string' ? JSON.stringify(value) : textOf(value);
  const isList = field.type === 'array' || (field.format === 'addresses' && Array.isArray(value));
  if (text === '' && isList) return [] as T;
  if (isBlank(text)) throw invalid({ field: name, message: 'must not be blank', rule: 'blank' });
  try {
    return parseText(field, text);
  } catch (error) {
    if (!(error instanceof InputFault)) throw error;
    const { within, message } = error;
    throw invalid(...(within.length > 0 ? within : [{ field: name, message }]));
  }
}

/** Whether an object needs this property. */
export const isRequired = (schema: TObject, name: string): boolean => schema.required?.includes(name) ?? false;

/**
 * Reads the fields that are given. Throws an `OperatorError` that names every faulty field.
 * @param options.defaults whether a field that is not given takes its default
 */
export function readAll<I extends TObject>(
  schema: I,
  given: { readonly [K in keyof Static<I>]?: unknown },
  { defaults }: { defaults: boolean } = { defaults: true },
): Static<I> {
  const values: Record<string, unknown> = {};
  const faults: Fault[] = [];
  for (const [name, field] of Object.entries(schema.properties)) {
    const found = (given as Record<string, unknown>)[name];
    const value = found === undefined && defaults ? field.default : found;
    try {
      if (value === undefined && isRequired(schema, name))
        throw invalid({ field: name, message: 'is required', rule: 'required' });
      if (value !== undefined)
        values[name] = value === null && field.nullable ? null : read(name, field as never, value);
    } catch (error) {
      if (!(error instanceof OperatorError)) throw error;
      faults.push(...error.faults);
    }
  }
  if (faults.length > 0) throw invalid(...faults);
  return values as Static<I>;
}
