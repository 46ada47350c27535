import { isDeepStrictEqual } from 'node:util';
import { changed } from './errors.ts';

/**
 * What a form showed of the fields that were changed in it: values of the record by their paths, such as `client.email`.
 * Without it nothing is compared: a command changes what it names.
 */
export type Seen = Readonly<Record<string, unknown>>;

/** The value at a path of a record; null where there is none. */
export const valueAt = (record: object, path: string): unknown =>
  path
    .split('.')
    .reduce<unknown>(
      (value, name) =>
        typeof value === 'object' && value !== null && Object.hasOwn(value, name)
          ? (value as Record<string, unknown>)[name]
          : null,
      record,
    );

/** The values at these paths of a record, for a form to show and a use case to compare. */
export const seenOf = (record: object, paths: readonly string[]): Seen =>
  Object.fromEntries(paths.map((path) => [path, valueAt(record, path)]));

/**
 * Throws an `OperatorError` that names each value which is not the one that the operator saw. For the transaction of the
 * change, behind the record's lock.
 */
export function refuseStale(seen: Seen = {}, record: object): void {
  const faults = Object.entries(seen).flatMap(([field, was]) => {
    const is = valueAt(record, field);
    return isDeepStrictEqual(was, is)
      ? []
      : [{ field, message: `was ${shown(was)}, is ${shown(is)} now`, current: is }];
  });
  if (faults.length > 0) throw changed(...faults);
}

/** Whether a row has all these values. */
export const isAlready = <Row extends object>(row: Row | undefined, values: Partial<Row>): boolean =>
  Object.entries(values).every(([column, value]) => isDeepStrictEqual(row?.[column as keyof Row], value));

/** A text as long as a person compares at a glance. */
const MAX_SHOWN = 100;

function shown(value: unknown): string {
  if (value === null) return 'none';
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  if (Array.isArray(value) && value.every((item) => typeof item !== 'object')) return value.join(', ') || 'none';
  const text = JSON.stringify(value);
  return text.length > MAX_SHOWN ? `${text.slice(0, MAX_SHOWN)}…"` : text;
}
