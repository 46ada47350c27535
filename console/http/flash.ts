import { MAX_COOKIE_LENGTH } from './cookies.ts';

/** A message for the next page. */
export interface Flash {
  /** `warn`: it was done, and is not all that was meant. */
  tone: (typeof TONES)[number];
  text: string;
}

const TONES = ['good', 'warn', 'bad'] as const;

const MAX_TEXT = 300;

/** The message as a cookie: as much of a long text as fits into one. */
export function flashCookie({ tone, text }: Flash): string {
  const characters = [...text];
  const encoded = (length: number): string => {
    const shown = length < characters.length ? `${characters.slice(0, length).join('')}…` : text;
    return Buffer.from(JSON.stringify({ tone, text: shown })).toString('base64url');
  };
  let length = Math.min(characters.length, MAX_TEXT);
  while (encoded(length).length > MAX_COOKIE_LENGTH) length -= 10;
  return encoded(length);
}

/** Reads the message of the cookie; null where it is not valid. */
export function readFlash(cookie: string): Flash | null {
  try {
    const { tone, text } = JSON.parse(Buffer.from(cookie, 'base64url').toString()) as Partial<
      Record<keyof Flash, unknown>
    >;
    const known = TONES.find((each) => each === tone);
    if (known === undefined || typeof text !== 'string') return null;
    return { tone: known, text };
  } catch {
    return null;
  }
}
