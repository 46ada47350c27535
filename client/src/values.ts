/**
 * What a call sends of the values that it was given. A value that has no text of its own in a query or in JSON is a
 * `TypeError` before anything is sent: left out, it would widen a filter or take a stored value away.
 */

/** The query of a call. Null and undefined are left out; a `Date` is sent as ISO 8601. */
export function queryText(query: unknown): string {
  const given = Object.entries(query ?? {}).filter(([, value]) => value !== undefined && value !== null);
  return given.map(([name, value]) => `${name}=${encodeURIComponent(textOf(value, `query.${name}`))}`).join('&');
}

/** The path of a call, with each parameter in its place. */
export function pathText(path: string, params: object): string {
  const values = params as Readonly<Record<string, unknown>>;
  return path.replace(/\{(\w+)\}/g, (_, name: string) => {
    const place = `path.${name}`;
    const text = textOf(values[name], place);
    // Both would name another address.
    if (['', '.', '..'].includes(text)) throw unsendable(place, 'names no record');
    return encodeURIComponent(text);
  });
}

/** The body of a call as JSON. */
export const bodyText = (body: unknown): string => JSON.stringify(asJson(body, 'body', 0));

/** Of text, a number, a boolean or a date. */
function textOf(value: unknown, place: string): string {
  if (typeof value === 'string' || typeof value === 'boolean' || typeof value === 'bigint') return String(value);
  if (typeof value === 'number') return String(finite(value, place));
  if (value instanceof Date) return isoOf(value, place);
  throw unsendable(place, `is ${kindOf(value)}; send text, a number, a boolean or a Date`);
}

/** Deeper than the API reads; a value that refers to itself ends here. */
const MAX_DEPTH = 100;

/** The same value, where JSON keeps all of it. Undefined fields are left out. */
function asJson(given: unknown, place: string, depth: number): unknown {
  if (depth > MAX_DEPTH) throw unsendable('body', `is nested more than ${MAX_DEPTH} deep`);
  if (given instanceof Date) return isoOf(given, place);
  const value = hasJson(given) ? given.toJSON() : given;
  if (value === null || typeof value === 'string' || typeof value === 'boolean') return value;
  if (typeof value === 'number') return finite(value, place);
  const within = (inner: unknown, name: string | number) => asJson(inner, `${place}.${name}`, depth + 1);
  if (Array.isArray(value)) return Array.from(value, within);
  if (!isPlain(value)) throw unsendable(place, `is ${kindOf(value)}, which JSON cannot hold`);
  const fields = Object.entries(value).filter(([, inner]) => inner !== undefined);
  return Object.fromEntries(fields.map(([name, inner]) => [name, within(inner, name)]));
}

const hasJson = (value: unknown): value is { toJSON(): unknown } =>
  typeof value === 'object' && value !== null && 'toJSON' in value && typeof value.toJSON === 'function';

/** An object of fields; one of a class, such as a `Map`, would be `{}`. Also one of another realm. */
function isPlain(value: unknown): value is object {
  if (typeof value !== 'object' || value === null) return false;
  const prototype = Object.getPrototypeOf(value);
  return prototype === null || Object.getPrototypeOf(prototype) === null;
}

function finite(value: number, place: string): number {
  if (!Number.isFinite(value)) throw unsendable(place, `is ${value}`);
  return value;
}

function isoOf(date: Date, place: string): string {
  if (Number.isNaN(date.getTime())) throw unsendable(place, 'is an invalid date');
  return date.toISOString();
}

function kindOf(value: unknown): string {
  if (value === null || value === undefined) return 'missing';
  if (typeof value === 'object') return `an object (${value.constructor?.name ?? 'Object'})`;
  return `a ${typeof value}`;
}

const unsendable = (place: string, why: string) => new TypeError(`${place} ${why}`);
