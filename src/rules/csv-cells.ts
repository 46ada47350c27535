/**
 * Matches the characters that begin a formula, in their full-width forms too. Some programs skip white space before
 * them, and a leading tab or line break can move the text after it into a cell of its own. Apostrophes in front are matched
 * too, so that one more of them can be told from those that the text has.
 */
const FORMULA = /^'*(?:[\t\r\n]|\s*[=+\-@＝＋－＠])/;
const PLAIN_NUMBER = /^-?\d+(?:\.\d+)?$/;

/**
 * Keeps a spreadsheet from running a cell as a formula: a leading apostrophe makes it text.
 * Plain decimal numbers, also negative ones, stay unchanged.
 */
export function defuse(cell: string): string {
  return FORMULA.test(cell) && !PLAIN_NUMBER.test(cell) ? `'${cell}` : cell;
}

/** The text that `defuse` made the cell of; any other cell stays as it is. */
export function undefuse(cell: string): string {
  if (!cell.startsWith("'")) return cell;
  const text = cell.slice(1);
  return defuse(text) === cell ? text : cell;
}
