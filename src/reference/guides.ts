import type { Operation } from './operations.ts';

/** The base address in the guides' samples: that of the demo server, so that they run as pasted. */
export const SAMPLES_BASE_URL = 'http://127.0.0.1:3000/api';

/** What the guides call the server where they mean any. */
const ANY_BASE_URL = 'https://your-host/api';

const DEMO_KEY = /\bsk_(live|test)_Demo\w+/g;

export interface GuideSettings {
  operations: readonly Operation[];
  /** What the samples call; the demo server unless given. */
  baseUrl: string | undefined;
  /** Whether the demo keys of the samples are active here; otherwise placeholders stand in their place. */
  demo: boolean;
}

/**
 * The guides as this server shows them: with its own address and without keys that do not work, and each operation in
 * inline code linked to the reference. Code blocks get no links.
 */
export function shownGuides(markdown: string, { operations, baseUrl, demo }: GuideSettings): string {
  const addresses = new Map(
    operations.map((operation) => [`${operation.method} ${operation.path}`, addressOf(operation)]),
  );
  const base = baseUrl ?? (demo ? SAMPLES_BASE_URL : ANY_BASE_URL);
  return markdown
    .replace(DEMO_KEY, demo ? '$&' : 'sk_$1_YOUR_KEY')
    .replaceAll(SAMPLES_BASE_URL, base)
    .replaceAll(ANY_BASE_URL, base)
    .split(/^(```[\s\S]*?^```)/m)
    .map((part) =>
      part.startsWith('```')
        ? part
        : part.replace(/`([A-Z]+ \/v1[^`\s]*)`/g, (code, call: string) => {
            const address = addresses.get(call);
            return address ? `[${code}](${address})` : code;
          }),
    )
    .join('');
}

/** Where the reference page shows an operation. */
export const addressOf = ({ method, path, folder }: Pick<Operation, 'method' | 'path' | 'folder'>): string =>
  `/api/docs/reference#tag/${anchorOf(folder)}/${method}${path}`;

/** The anchor of a heading, by the rule of GitHub and of the reference page's renderer. */
export const anchorOf = (heading: string): string =>
  heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, '')
    .replaceAll(' ', '-');

/** The guides in plain text, for language models (llmstxt.org): a summary, the guides as they are, all operations. */
export const plainGuides = (guides: string, operations: readonly Operation[]): string =>
  `${guides
    .replace(
      /^# .*\n/,
      "# Broker API\n\n> Manage clients' services of a hosting operator over HTTP and JSON: order, change plans, suspend, cancel, warn, report.\n",
    )
    .trim()}

## Operations

The [OpenAPI document](/api/openapi.json) describes every field.

${operations.map((operation) => `- [${operation.method} ${operation.path}](${addressOf(operation)}): ${operation.name}. ${operation.description.replace(/\s+/g, ' ')}`).join('\n')}
`;
