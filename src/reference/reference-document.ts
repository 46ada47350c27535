import type { OpenAPIV3_1 } from 'openapi-types';
import { operationsOf } from './operations.ts';
import { samplesOf } from './samples.ts';

export interface ReferenceSettings {
  /** The base address in the samples, ending in `/api`. */
  baseUrl: string;
  /** The key in the samples: a sandbox key, because their paths name sandbox records. */
  apiKey: string;
}

/**
 * The OpenAPI document for the reference page, with a sample of every operation in each language. The description of the
 * interface stays unchanged.
 */
export function referenceDocument(document: OpenAPIV3_1.Document, settings: ReferenceSettings) {
  const { info } = document;
  return {
    ...document,
    info: { ...info, description: `${info.description}\n\n[Guides](/api/docs) · [OpenAPI document](${DOCUMENT})` },
    // The form for trying calls uses the page's own server.
    servers: [{ url: '/api' }],
    paths: withSamples(document, settings),
  };
}

const DOCUMENT = '/api/openapi.json';

function withSamples(document: OpenAPIV3_1.Document, settings: ReferenceSettings) {
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
