/** A message for the next page. */
export interface Flash {
  /** `warn`: it was done, and is not all that was meant. */
  tone: (typeof TONES)[number];
  text: string;
}

const TONES = ['good', 'warn', 'bad'] as const;

const MAX_TEXT = 300;

/** Reads the message of the cookie; null where it is not valid. */
export function readFlash(cookie: string): Flash | null {
  try {
    const { tone, text } = JSON.parse(Buffer.from(cookie, 'base64url').toString()) as Partial<
      Record<keyof Flash, unknown>
    >;
    const known = TONES.find((each) => each === tone);
    if (known === undefined || typeof text !== 'string') return null;
    return { tone: known, text: text.slice(0, MAX_TEXT) };
  } catch {
    return null;
  }
}
