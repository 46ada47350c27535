import { normaliseAddress } from './ip-rules.ts';

/**
 * Folds a text for comparison without case, for all of Unicode: texts that look the same compare equal, whether their
 * letters are composed or not (NFC), and the Turkish İ is an i in either case.
 *
 * It folds each letter by itself, so that a part of a text folds to a part of the folded text: lower-casing a whole
 * text would make a sigma depend on the letter after it. Lower, upper and lower case again, because not every letter has
 * exactly one counterpart: the capital sharp s becomes "ß", "SS", "ss", and all three sigmas become the same letter. That
 * may leave letters apart from their accents, so it is normalised again.
 */
export function fold(text: string): string {
  const folded = Array.from(text.normalize('NFC'), (letter) => letter.toLowerCase().toUpperCase().toLowerCase());
  return folded.join('').replaceAll('i\u0307', 'i').normalize('NFC');
}

/**
 * What a person searches for, in the form of the text that is searched: without blanks around it, and an address as it is
 * stored, however it was written.
 */
export function searchTerm(text: string): string {
  const term = text.trim();
  return fold((term.includes(':') && normaliseAddress(term.replace(/^\[(.*)\]$/, '$1'))) || term);
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
