/** A message for the next page. */
export interface Flash {
  tone: 'good' | 'bad';
  text: string;
}

const MAX_TEXT = 300;

/** Reads the message of the cookie; null where it is not valid. */
export function readFlash(cookie: string): Flash | null {
  try {
    const { tone, text } = JSON.parse(Buffer.from(cookie, 'base64url').toString()) as Partial<
      Record<keyof Flash, unknown>
    >;
    if ((tone !== 'good' && tone !== 'bad') || typeof text !== 'string') return null;
    return { tone, text: text.slice(0, MAX_TEXT) };
  } catch {
    return null;
  }
}
