/** How words are set off on a terminal. Codes change nothing about the text's own width. */
export interface Style {
  heading(text: string): string;
  /** A cell or value, by the name of its column. */
  value(name: string, text: string): string;
  failure(text: string): string;
}

const as =
  (code: number, end = 39) =>
  (text: string) =>
    `\u001b[${code}m${text}\u001b[${end}m`;
const [bold, red, green, yellow] = [as(1, 22), as(31), as(32), as(33)];

const COLOURS: ReadonlyMap<string, (text: string) => string> = new Map([
  ...['active', 'completed', 'approved', 'sent', 'create'].map((word) => [word, green] as const),
  ...['pending', 'operator_review', 'accepted', 'suspended', 'open', 'unknown', 'update'].map(
    (word) => [word, yellow] as const,
  ),
  ...['cancelled', 'terminated', 'failed', 'denied', 'revoked', 'refuse'].map((word) => [word, red] as const),
]);

export const PLAIN: Style = { heading: (text) => text, value: (_name, text) => text, failure: (text) => text };

export const COLOURED: Style = {
  heading: bold,
  value: (name, text) => (/(status|action)$/.test(name) && COLOURS.get(text.trim())?.(text)) || text,
  failure: red,
};
