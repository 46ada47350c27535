/**
 * Brings a text into the form in which case no longer counts, for any letter of Unicode.
 *
 * Letter by letter, so that a part of a text folds to a part of the folded text: on a whole text, lower-casing
 * makes a sigma depend on what follows it. Down, up and down again, because not every letter has a single
 * partner: it takes the capital sharp s to "ß" to "SS" to "ss", and all three sigmas to one.
 */
export function fold(text: string): string {
  return Array.from(text, (letter) => letter.toLowerCase().toUpperCase().toLowerCase()).join('');
}

/**
 * What a service's search looks in: its fields, folded, in one text. They are joined by a capital letter: a
 * folded search term holds none, so it can match inside a field but never across two of them.
 */
export function searchText(fields: readonly (string | null)[]): string {
  return fields
    .filter((field) => field !== null)
    .map(fold)
    .join('Z');
}
