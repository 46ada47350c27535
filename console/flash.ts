/** One sentence that a page tells the next one. */
export interface Flash {
  tone: 'good' | 'bad';
  text: string;
}

const MAX_TEXT = 300;

/** What a browser kept of it; whatever else stands there is nothing. */
export function readFlash(kept: string): Flash | null {
  try {
    const { tone, text } = JSON.parse(Buffer.from(kept, 'base64url').toString()) as Partial<
      Record<keyof Flash, unknown>
    >;
    if ((tone !== 'good' && tone !== 'bad') || typeof text !== 'string') return null;
    return { tone, text: text.slice(0, MAX_TEXT) };
  } catch {
    return null;
  }
}
