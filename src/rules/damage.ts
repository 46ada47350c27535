import { isUtf8 } from 'node:buffer';

/* What spreadsheets and other programs make of a text on its way through a file (contract, section 14.8). */

/** A long number that a spreadsheet rounded: `1.23457E+11`. */
const EXPONENT = /^[+-]?\d(?:[.,]\d+)?E[+-]?\d{1,3}$/i;
/** `#REF!`, `#NAME?`, `#DIV/0!`, `#N/A`, and a column that was too narrow. */
const ERROR_VALUE = /^(?:#[A-Z0-9/]+[!?]|#N\/A|#{2,})$/;
/** Null, as databases write it into files. */
const NULL = '\\N';

/** Characters that Windows' code page 1252 has in place of the control characters of Latin-1, from 0x80 on. */
const CP1252 =
  '\u20ac\u0081\u201a\u0192\u201e\u2026\u2020\u2021\u02c6\u2030\u0160\u2039\u0152\u008d\u017d\u008f\u0090\u2018\u2019\u201c\u201d\u2022\u2013\u2014\u02dc\u2122\u0161\u203a\u0153\u009d\u017e\u0178';

/** Whether a text is UTF-8 that was read as Latin-1 or Windows-1252, as `MÃ¼ller` is. */
function isMisread(text: string): boolean {
  // Most texts of a file end here.
  if (!/[^\0-\x7f]/.test(text)) return false;
  const bytes: number[] = [];
  for (const character of text) {
    const code = character.codePointAt(0) as number;
    const windows = CP1252.indexOf(character);
    const byte = windows >= 0 ? 0x80 + windows : code;
    if (byte > 0xff) return false;
    bytes.push(byte);
  }
  return isUtf8(Uint8Array.from(bytes));
}

/** What looks damaged about the text of a field; undefined where nothing does. @param isText whether it may hold any text */
export function damageOf(text: string, isText: boolean): string | undefined {
  const value = text.trim();
  if (ERROR_VALUE.test(value)) return `"${value.slice(0, 20)}" looks like an error of a spreadsheet`;
  if (value === NULL) return '"\\N" looks like an empty value of a database';
  if (isText && EXPONENT.test(value)) return `"${value}" looks like a number that a spreadsheet rounded`;
  return isMisread(value) ? 'looks like UTF-8 that was read in another encoding' : undefined;
}
