/** Where a field stands in a request. */
export type Part = 'path' | 'query' | 'header' | 'body';

/** Of a name that is not ours so much is repeated: enough to find it, and no more than that. */
const MAX_NAME_LENGTH = 100;

/** The path of a field with a name of the caller's choosing; what is no valid text is not repeated at all. */
export function below(path: string, name: string): string {
  if (!isReadable(name)) return path;
  // Twice as many units hold that many code points in any case.
  return `${path}.${name.length <= MAX_NAME_LENGTH ? name : [...name.slice(0, 2 * MAX_NAME_LENGTH)].slice(0, MAX_NAME_LENGTH).join('')}`;
}

export const isReadable = (text: string): boolean => !text.includes('\0') && text.isWellFormed();
