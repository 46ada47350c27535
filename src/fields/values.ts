import type { FieldFault } from '../errors.ts';
import { isNestedDeeper, TOO_DEEP } from '../rules/nesting.ts';
import { isBlank } from '../rules/text.ts';
import { below, isReadable, type Part } from './names.ts';

/** The fields of one part of a request, by name. */
export type Values = Record<string, unknown>;

/** No schema nests this deep, so deeper values belong to no known field; thousands of levels would overflow the stack. */
const MAX_DEPTH = 8;

/** Finds strings that cannot be stored in both databases: with U+0000 or with lone surrogates. */
export function unreadableFaults(part: Part, value: unknown, path: string = part, depth = 0): FieldFault[] {
  if (typeof value === 'string') {
    return isReadable(value) ? [] : [{ path, rule: 'format', message: 'holds a character that cannot be stored' }];
  }
  if (typeof value !== 'object' || value === null || depth > MAX_DEPTH) return [];
  return Object.entries(value).flatMap(([name, inner]) => unreadableFaults(part, inner, below(path, name), depth + 1));
}

/** A body with an empty object in place of each value that is nested too deep for what works on it. */
export function withoutDeep(body: Values): { body: Values; faults: FieldFault[] } {
  const deep = Object.keys(body).filter((name) => isNestedDeeper(body[name]));
  if (deep.length === 0) return { body, faults: [] };
  return {
    body: { ...body, ...Object.fromEntries(deep.map((name) => [name, {}])) },
    faults: deep.map((name) => ({ path: below('body', name), rule: 'range', message: TOO_DEEP })),
  };
}

/** Query parameters are not trimmed, but one that shows nothing is refused as in a body. */
export const blank = (query: Values): FieldFault[] =>
  Object.entries(query)
    .filter(([, value]) => typeof value === 'string' && isBlank(value))
    .map(([name]) => ({ path: below('query', name), rule: 'blank', message: 'must not be blank' }));

/** A repeated parameter arrives as a list and is a fault; only its first value is checked further. */
export function withoutRepeats(query: Values): { single: Values; repeated: FieldFault[] } {
  const repeated: FieldFault[] = [];
  // Without a prototype: otherwise a parameter named __proto__ would set it instead of being refused as unknown.
  const single: Values = Object.create(null);
  for (const [name, value] of Object.entries(query)) {
    single[name] = Array.isArray(value) ? value[0] : value;
    if (Array.isArray(value)) {
      repeated.push({ path: below('query', name), rule: 'repeated', message: 'is sent twice' });
    }
  }
  return { single, repeated };
}

/** Finds repeated headers in the raw list, because Node joins them with a comma. */
export function repeatedHeaders(rawHeaders: readonly string[], names: readonly string[]): FieldFault[] {
  const sent = rawHeaders.filter((_, index) => index % 2 === 0).map((name) => name.toLowerCase());
  return names
    .filter((name) => sent.indexOf(name) !== sent.lastIndexOf(name))
    .map((name) => ({ path: `header.${name}`, rule: 'repeated', message: 'is sent twice' }));
}

/** Trims every text; one that shows nothing becomes empty, which the schemas refuse as blank. */
export function trimmed(value: unknown, depth = 0): unknown {
  if (typeof value === 'string') return isBlank(value) ? '' : value.trim();
  if (typeof value !== 'object' || value === null || depth > MAX_DEPTH) return value;
  if (Array.isArray(value)) return value.map((inner) => trimmed(inner, depth + 1));
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, trimmed(inner, depth + 1)]));
}
