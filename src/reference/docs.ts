import { SAMPLES_BASE_URL } from './address.ts';
import { type Field, fieldsOf, type Schema, type Schemas } from './fields.ts';
import { type Section, sectionsOf, shownGuides } from './guides.ts';
import { type CodeAdvice, type Described, type Operation, operationsOf } from './operations.ts';

/** What the pages, the search and the plain text are made of. */
export interface Docs {
  /** The guides as Markdown, with links. */
  guides: string;
  sections: readonly Section[];
  operations: readonly Operation[];
  errors: readonly CodeAdvice[];
  /** The fields of `details`: by reason, or by code where they come without a reason. */
  details: ReadonlyMap<string, Field[]>;
  /** In samples and texts; replaced by the reader's own when a page is sent. */
  baseUrl: string;
  apiKey: string;
}

/**
 * @param document the OpenAPI document
 * @param markdown the guides
 * @param demoKey the demo's sandbox key, where it is active; otherwise a placeholder stands in the samples
 */
export function docsOf(document: Described, markdown: string, demoKey: string | undefined): Docs {
  const operations = operationsOf(document).map((operation) => ({
    ...operation,
    // The pages show the scopes at a place of their own.
    description: operation.description.replace(/\n\nScope: .*$/, ''),
  }));
  const errors = document['x-errors'] ?? [];
  const reasons = errors.flatMap((error) => error.reasons.map(({ reason }) => reason));
  const guides = shownGuides(markdown, { operations, reasons, demo: demoKey !== undefined });
  return {
    guides,
    sections: sectionsOf(guides),
    operations,
    errors,
    details: detailsOf((document.components?.schemas ?? {}) as Schemas),
    baseUrl: SAMPLES_BASE_URL,
    apiKey: demoKey ?? 'sk_test_YOUR_KEY',
  };
}

/** The schema of each code has `details` in one form, or in several that name their reasons. */
function detailsOf(schemas: Schemas): Map<string, Field[]> {
  const forms = Object.values(schemas).flatMap(({ properties: { code, details } = {} }) =>
    code?.const === undefined || details === undefined
      ? []
      : (details.anyOf ?? [details]).map((form): [code: unknown, form: Schema] => [code.const, form]),
  );
  return new Map(
    forms.flatMap(([code, form]) => {
      const { reason, correlation_id, ...properties } = form.properties ?? {};
      const fields = fieldsOf({ ...form, properties }, schemas);
      return (reason?.enum ?? [code]).map((name): [string, Field[]] => [String(name), fields]);
    }),
  );
}
