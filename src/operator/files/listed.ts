import { isDeepStrictEqual } from 'node:util';
import { cellOf, inCell } from '../use-case/exports.ts';
import { valueAt } from '../use-case/stale.ts';
import { isObject, plainJson } from './json.ts';

/*
 * What a list prints can be imported again (contract, section 14.8): its names are taken, and what an import cannot set has to
 * be as it is stored.
 */

/** The names of a list's record beyond those of the import. */
export interface ListedNames {
  /** Fields of the import by paths of the list: the slug of a service's plan stands at `plan.slug`. */
  readonly aliases?: Readonly<Record<string, string>>;
  /** What only the list has, by the first part of its path. */
  readonly others: readonly string[];
}

/** The fields of a record as a file has them, and those that only a list has. */
export interface Separated {
  own: Map<string, unknown>;
  listed: Map<string, unknown>;
}

const rootOf = (path: string): string => path.replace(/\..*/s, '');

/** The field of the import that has another name in a list. */
export const aliasOf = ({ aliases = {} }: ListedNames, path: string): string | undefined =>
  Object.hasOwn(aliases, path) ? aliases[path] : undefined;

/** Whether a list has a column of this name that no import has. */
export const isListed = ({ aliases = {}, others }: ListedNames, path: string): boolean =>
  Object.hasOwn(aliases, path) || others.includes(rootOf(path)) || isBesideAlias(aliases, path);

/** Another field of a record whose name is a field of the import: `plan.id` beside `plan.slug`. */
const isBesideAlias = (aliases: NonNullable<ListedNames['aliases']>, path: string): boolean =>
  path.includes('.') && Object.keys(aliases).some((alias) => rootOf(alias) === rootOf(path));

/** @param open objects with names that no declaration knows: a list has each in one cell, as JSON */
export function separate(fields: ReadonlyMap<string, unknown>, names: ListedNames, open: readonly string[]): Separated {
  const { aliases = {} } = names;
  const separated: Separated = { own: new Map(), listed: new Map() };
  const { own, listed } = separated;
  for (const [path, value] of fields) {
    const alias = Object.keys(aliases).find((each) => rootOf(each) === path && hasPath(value, each));
    const object = open.includes(path) && typeof value === 'string' ? jsonObject(value) : undefined;
    if (alias !== undefined) {
      for (const [name, each] of Object.entries(value as object)) {
        if (`${path}.${name}` === alias) own.set(path, each);
        else listed.set(`${path}.${name}`, each);
      }
    } else if (object !== undefined) {
      for (const [name, each] of Object.entries(object)) own.set(`${path}.${name}`, each);
    } else if (isListed(names, path)) listed.set(path, value);
    else own.set(path, value);
  }
  return separated;
}

/** Whether a value is an object with the last part of a path, such as `slug` of `plan.slug`. */
const hasPath = (value: unknown, path: string): boolean =>
  isObject(value) && Object.hasOwn(value, path.slice(rootOf(path).length + 1));

/** The object that a cell has as JSON, an empty one in an empty cell; undefined for anything else. */
function jsonObject(cell: string): object | undefined {
  if (cell.trim() === '') return {};
  try {
    const value: unknown = JSON.parse(cell);
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

/**
 * The fields that a list has and an import cannot set, where they are not as they are stored.
 * @param stored the record as the list shows it now; null for a new one, which has nothing
 */
export const differing = (listed: ReadonlyMap<string, unknown>, stored: object | null, format: string): string[] =>
  [...listed].flatMap(([path, value]) => (isAsStored(path, value, stored, format) ? [] : [path]));

function isAsStored(path: string, value: unknown, stored: object | null, format: string): boolean {
  if (format === 'csv') return String(value).trim() === String(inCell(cellOf(stored ?? {}, path)) ?? '').trim();
  const before = valueAt(stored ?? {}, path);
  return isDeepStrictEqual(plainJson(value), before) || (isEmpty(value) && isEmpty(before));
}

const isEmpty = (value: unknown): boolean => value === null || (Array.isArray(value) && value.length === 0);
