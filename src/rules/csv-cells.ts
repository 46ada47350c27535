/**
 * Characters with which a formula begins, in their full-width forms too; white space before them is skipped by
 * some programs, and a tab or line break in front can itself move what follows into a cell of its own.
 */
const FORMULA = /^(?:[\t\r\n]|\s*[=+\-@＝＋－＠])/;
const PLAIN_NUMBER = /^-?\d+(?:\.\d+)?$/;

/**
 * Keeps a spreadsheet from running a cell as a formula: it gets an apostrophe in front, which makes it text.
 * Plain decimal numbers are left alone, negative ones as well.
 */
export function defuse(cell: string): string {
  return FORMULA.test(cell) && !PLAIN_NUMBER.test(cell) ? `'${cell}` : cell;
}
