import type { OpenAPIV3_1 } from 'openapi-types';
import { anchorOf, guideOf } from './guides.ts';
import { operationsOf } from './operations.ts';
import { samplesOf } from './samples.ts';

export interface PageSettings {
  /** The integrator's guide as Markdown. */
  guide: string;
  /** The base address that the guide's samples name, ending in `/api`. */
  baseUrl: string;
  /** The keys that the guide's samples name, and what the page shows in their place. */
  keys: ReadonlyArray<{ inGuide: string; shown: string }>;
  /** The key that samples of operations carry: one of a sandbox, as the values in their paths are. */
  apiKey: string;
}

/**
 * The OpenAPI document as the reference page shows it: guides before the operations, and a sample of every operation in
 * each language. What it says of the interface stays as it is.
 */
export function pageDocument(document: OpenAPIV3_1.Document, { guide, baseUrl, keys, apiKey }: PageSettings) {
  const { introduction, sections } = guideOf(guide);
  const anchors = new Map(sections.map(({ title }) => [`#${anchorOf(title)}`, `#tag/${anchorOf(title)}`]));
  const addresses = addressesOf(document);
  const shown = (text: string) => {
    const named = keys.reduce((rest, { inGuide, shown }) => rest.replaceAll(inGuide, shown), text);
    return linked(named, anchors, addresses);
  };
  const guides = sections.map(({ title, text }) => ({ name: title, description: shown(text) }));
  const { tags = [] } = document;
  return {
    ...document,
    info: { ...document.info, description: `${shown(introduction)}\n\n[OpenAPI document](${DOCUMENT})` },
    // Calls are tried where the page comes from.
    servers: [{ url: '/api' }],
    tags: [...guides, ...tags],
    'x-tagGroups': [
      { name: 'Guides', tags: guides.map(({ name }) => name) },
      { name: 'Reference', tags: tags.map(({ name }) => name) },
    ],
    paths: withSamples(document, { baseUrl, apiKey }),
  };
}

const DOCUMENT = '/api/openapi.json';

/** Where the page shows an operation, by `METHOD /path`. */
const addressesOf = (document: OpenAPIV3_1.Document) =>
  new Map(
    operationsOf(document).map(({ method, path, folder }) => [
      `${method} ${path}`,
      `#tag/${anchorOf(folder)}/${method}${path}`,
    ]),
  );

/**
 * Links of the guide as the page needs them: to its own sections, and none to the repository's other files; operations
 * that it names in code become links. Code blocks stay as they are.
 */
function linked(markdown: string, anchors: Map<string, string>, addresses: Map<string, string>): string {
  return markdown
    .split(/^(```[\s\S]*?^```)/m)
    .map((part) =>
      part.startsWith('```')
        ? part
        : part
            .replace(/\[([^\]]+)\]\(([^)]+)\)/g, (link, text: string, target: string) => {
              if (/^https?:/.test(target)) return link;
              const anchor = anchors.get(target);
              return anchor ? `[${text}](${anchor})` : text;
            })
            .replace(/`([A-Z]+ \/v1[^`\s]*)`/g, (code, call: string) => {
              const address = addresses.get(call);
              return address ? `[${code}](${address})` : code;
            }),
    )
    .join('');
}

function withSamples(document: OpenAPIV3_1.Document, settings: { baseUrl: string; apiKey: string }) {
  const paths: OpenAPIV3_1.PathsObject = JSON.parse(JSON.stringify(document.paths ?? {}, withoutRoundedBounds));
  for (const operation of operationsOf(document)) {
    // Each operation was found in the paths of which these are the copy.
    const item = paths[operation.path]?.[operation.method === 'GET' ? 'get' : 'post'] as OpenAPIV3_1.OperationObject;
    Object.assign(item, { 'x-codeSamples': samplesOf(operation, settings) });
  }
  return paths;
}

/** The bounds of an int64 are no numbers that a browser can show; its format says the same. */
const withoutRoundedBounds = (key: string, value: unknown): unknown =>
  (key === 'minimum' || key === 'maximum') && Math.abs(Number(value)) > Number.MAX_SAFE_INTEGER ? undefined : value;
