/**
 * A text as one line: every run of control characters and line separators becomes one space, and the ends are trimmed.
 * A line break in a subject would begin a header of the sender's choosing, and a terminal obeys what it is given.
 */
export const oneLine = (text: string): string => text.replace(/[\p{Cc}\u2028\u2029]+/gu, ' ').trim();
