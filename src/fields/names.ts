/** The part of a request that a field is in. */
export type Part = 'path' | 'query' | 'header' | 'body';

/** Code points of an unknown field's name that an answer repeats: enough to find the field. */
const MAX_NAME_LENGTH = 100;

/** The path of a field whose name the caller chose; a name that is no valid text is left out. */
export function below(path: string, name: string): string {
  if (!isReadable(name)) return path;
  // A code point has at most two UTF-16 units, so the slice holds enough of them.
  return `${path}.${name.length <= MAX_NAME_LENGTH ? name : [...name.slice(0, 2 * MAX_NAME_LENGTH)].slice(0, MAX_NAME_LENGTH).join('')}`;
}

export const isReadable = (text: string): boolean => !text.includes('\0') && text.isWellFormed();
