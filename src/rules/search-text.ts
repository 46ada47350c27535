/**
 * Folds a text for case-insensitive comparison, for all of Unicode.
 *
 * It folds each letter by itself, so that a part of a text folds to a part of the folded text: lower-casing a whole
 * text would make a sigma depend on the letter after it. Lower, upper and lower case again, because not every letter has
 * exactly one counterpart: the capital sharp s becomes "ß", "SS", "ss", and all three sigmas become the same letter.
 */
export function fold(text: string): string {
  return Array.from(text, (letter) => letter.toLowerCase().toUpperCase().toLowerCase()).join('');
}

/**
 * The text that a search of services matches: the folded fields, joined by a capital letter. A folded search term has
 * no capital letters, so it matches within a field but never across two fields.
 */
export function searchText(fields: readonly (string | null)[]): string {
  return fields
    .filter((field) => field !== null)
    .map(fold)
    .join('Z');
}
