/**
 * A text as one line: every run of control characters and line separators becomes one space, and the ends are trimmed.
 * A line break in a subject would allow header injection, and a terminal runs the escape sequences that it prints.
 */
export const oneLine = (text: string): string => text.replace(/[\p{Cc}\u2028\u2029]+/gu, ' ').trim();

/**
 * Whether a text has no character that shows: white space, control characters, those that Unicode says may be ignored when
 * a text is shown (zero-width characters, Hangul fillers), and the blank of Braille.
 */
export const isBlank = (text: string): boolean =>
  /^[\p{White_Space}\p{Cc}\p{Default_Ignorable_Code_Point}\u2800]*$/u.test(text);
