/**
 * Whether a text has no character that shows: white space, control characters, those that Unicode says may be ignored when
 * a text is shown (zero-width characters, Hangul fillers), and the blank of Braille.
 */
export const isBlank = (text: string): boolean =>
  /^[\p{White_Space}\p{Cc}\p{Default_Ignorable_Code_Point}\u2800]*$/u.test(text);
