import { styleText } from 'node:util';

/** How words are set off on a terminal. Codes change nothing about the text's own width. */
export interface Style {
  heading(text: string): string;
  /** A cell or value, by the name of its column. */
  value(name: string, text: string): string;
  failure(text: string): string;
}

type Format = 'bold' | 'red' | 'green' | 'yellow';

// Whether the stream shows colours was decided before.
const as = (format: Format) => (text: string) => styleText(format, text, { validateStream: false });
const [bold, red, green, yellow] = [as('bold'), as('red'), as('green'), as('yellow')];

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
