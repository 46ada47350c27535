import type { Api } from './api.ts';
import { type DocumentedField, documentedFields, type Schema, type Schemas } from './fields.ts';
import { type GuideSection, type PageAddresses, pagesBelow, sectionsOf, shownGuides } from './guides.ts';
import { type CodeAdvice, type DescribedApi, type DocumentedOperation, operationsOf } from './operations.ts';

/** What the pages, the search and the plain text are made of. */
export interface Docs {
  api: Api;
  /** Where its pages are. */
  at: PageAddresses;
  /** Whether some operations take an idempotency key. */
  hasIdempotencyKeys: boolean;
  /** The guides as Markdown, with links. */
  guides: string;
  sections: readonly GuideSection[];
  operations: readonly DocumentedOperation[];
  errors: readonly CodeAdvice[];
  /** The fields of `details`: by reason, or by code where they come without a reason. */
  details: ReadonlyMap<string, DocumentedField[]>;
  /** In samples and texts; replaced by the reader's own when a page is sent. */
  baseUrl: string;
  apiKey: string;
}

/**
 * @param api whose document it is
 * @param document the OpenAPI document
 * @param markdown the guides
 * @param demoKey the demo's sandbox key, where it is active; otherwise a placeholder stands in the samples
 */
export function docsOf(api: Api, document: DescribedApi, markdown: string, demoKey: string | undefined): Docs {
  const at = pagesBelow(api.prefix);
  const operations = operationsOf(document, api.permission.extension).map((operation) => ({
    ...operation,
    // The pages show the scopes at a place of their own.
    description: operation.description.replace(/\n\n(?:Scope|Role): .*$/, ''),
  }));
  const errors = document['x-errors'] ?? [];
  const reasons = errors.flatMap((error) => error.reasons.map(({ reason }) => reason));
  const guides = shownGuides(at, markdown, { operations, reasons, demo: demoKey !== undefined });
  return {
    api,
    at,
    hasIdempotencyKeys: operations.some(({ takesIdempotencyKey }) => takesIdempotencyKey),
    guides,
    sections: sectionsOf(at, guides),
    operations,
    errors,
    details: detailsOf(document.components?.schemas ?? {}),
    baseUrl: api.baseUrl,
    apiKey: demoKey ?? api.key.sample,
  };
}

/** The schema of each code has `details` in one form, or in several that name their reasons. */
function detailsOf(schemas: Schemas): Map<string, DocumentedField[]> {
  const forms = Object.values(schemas).flatMap(({ properties: { code, details } = {} }) =>
    code?.const === undefined || details === undefined
      ? []
      : (details.anyOf ?? [details]).map((form): [code: unknown, form: Schema] => [code.const, form]),
  );
  return new Map(
    forms.flatMap(([code, form]) => {
      const { reason, correlation_id, ...properties } = form.properties ?? {};
      const fields = documentedFields({ ...form, properties }, schemas);
      return (reason?.enum ?? [code]).map((name): [string, DocumentedField[]] => [String(name), fields]);
    }),
  );
}
