import type { OpenAPIV3_1 } from 'openapi-types';
import { anchorOf, guideOf } from './guides.ts';
import { operationsOf } from './operations.ts';
import { samplesOf } from './samples.ts';

export interface PageSettings {
  /** The integrator's guide as Markdown. */
  guide: string;
  /** The base address in the guide's samples, ending in `/api`. */
  baseUrl: string;
  /** The keys in the guide's samples, and the ones that the page shows instead. */
  keys: ReadonlyArray<{ inGuide: string; shown: string }>;
  /** The key in the samples of operations: a sandbox key, because their paths name sandbox records. */
  apiKey: string;
}

/**
 * The OpenAPI document for the reference page: adds the guides before the operations, and a sample of every operation in
 * each language. The description of the interface stays unchanged.
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
    // The form for trying calls uses the page's own server.
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

/** The page's anchors of the operations, by `METHOD /path`. */
const addressesOf = (document: OpenAPIV3_1.Document) =>
  new Map(
    operationsOf(document).map(({ method, path, folder }) => [
      `${method} ${path}`,
      `#tag/${anchorOf(folder)}/${method}${path}`,
    ]),
  );

/**
 * Adapts the guide's links to the page: links to its own sections become anchors of the page, links to other files of
 * the repository become plain text, and operations in inline code become links. Code blocks stay unchanged.
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
    // Exists: `paths` is a copy of the paths that the operations come from.
    const item = paths[operation.path]?.[operation.method === 'GET' ? 'get' : 'post'] as OpenAPIV3_1.OperationObject;
    Object.assign(item, { 'x-codeSamples': samplesOf(operation, settings) });
  }
  return paths;
}

/** Drops the bounds of an int64, which a browser would show rounded; the schema's format says the same. */
const withoutRoundedBounds = (key: string, value: unknown): unknown =>
  (key === 'minimum' || key === 'maximum') && Math.abs(Number(value)) > Number.MAX_SAFE_INTEGER ? undefined : value;
