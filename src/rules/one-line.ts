/**
 * A text as one line: every run of control characters and line separators becomes one space, and the ends are trimmed.
 * A line break in a subject would allow header injection, and a terminal runs the escape sequences that it prints.
 */
export const oneLine = (text: string): string => text.replace(/[\p{Cc}\u2028\u2029]+/gu, ' ').trim();
