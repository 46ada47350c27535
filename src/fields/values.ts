import type { FieldFault } from '../errors.ts';
import { below, isReadable, type Part } from './names.ts';

/** A part of a request by its fields' names. */
export type Values = Record<string, unknown>;

/** No body of ours nests as deep: what lies below is of no known field, and thousands of levels end the stack. */
const MAX_DEPTH = 8;

/** Strings that neither engine can store and no client can mean: U+0000 and halves of surrogate pairs. */
export function unreadable(part: Part, value: unknown, path: string = part, depth = 0): FieldFault[] {
  if (typeof value === 'string') {
    return isReadable(value) ? [] : [{ path, rule: 'format', message: 'holds a character that cannot be stored' }];
  }
  if (typeof value !== 'object' || value === null || depth > MAX_DEPTH) return [];
  return Object.entries(value).flatMap(([name, inner]) => unreadable(part, inner, below(path, name), depth + 1));
}

/** Query parameters are not trimmed, but one of white space alone says as little as in a body. */
export const blank = (query: Values): FieldFault[] =>
  Object.entries(query)
    .filter(([, value]) => typeof value === 'string' && value.trim() === '')
    .map(([name]) => ({ path: below('query', name), rule: 'blank', message: 'must not be blank' }));

/** A parameter given more than once arrives as a list; only its first value is looked at further. */
export function withoutRepeats(query: Values): { single: Values; repeated: FieldFault[] } {
  const repeated: FieldFault[] = [];
  // Without a prototype, or a parameter named __proto__ would vanish into it instead of being unknown.
  const single: Values = Object.create(null);
  for (const [name, value] of Object.entries(query)) {
    single[name] = Array.isArray(value) ? value[0] : value;
    if (Array.isArray(value)) {
      repeated.push({ path: below('query', name), rule: 'repeated', message: 'stands there twice' });
    }
  }
  return { single, repeated };
}

/** Node joins repeated headers with a comma; the raw list still knows. */
export function repeatedHeaders(rawHeaders: readonly string[], names: readonly string[]): FieldFault[] {
  const sent = rawHeaders.filter((_, index) => index % 2 === 0).map((name) => name.toLowerCase());
  return names
    .filter((name) => sent.indexOf(name) !== sent.lastIndexOf(name))
    .map((name) => ({ path: `header.${name}`, rule: 'repeated', message: 'stands there twice' }));
}

export function trimmed(value: unknown, depth = 0): unknown {
  if (typeof value === 'string') return value.trim();
  if (typeof value !== 'object' || value === null || depth > MAX_DEPTH) return value;
  if (Array.isArray(value)) return value.map((inner) => trimmed(inner, depth + 1));
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, trimmed(inner, depth + 1)]));
}
