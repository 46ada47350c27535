/** How deep the value of a client's field is nested at most (contract, section 14.8). */
export const MAX_NESTING = 20;

export const TOO_DEEP = `must be nested at most ${MAX_NESTING} deep`;

/**
 * Whether a value of JSON holds objects or lists more than so many levels deep. It calls itself so many times at most: what
 * works on the value afterwards may do so too.
 */
export function isNestedDeeper(value: unknown, levels: number = MAX_NESTING): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return levels === 0 || Object.values(value).some((inner) => isNestedDeeper(inner, levels - 1));
}
