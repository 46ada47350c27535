import { componentName, type DocumentSchema, type DocumentSchemas } from './schemas.ts';

/**
 * An example of a schema of the document, composed from the examples of its parts; undefined where they give none.
 * An optional field without one is left out: the tests hold every example against its schema.
 * @param named the schemas that others refer to
 * @param byName examples of required fields by their names
 * @param type of a union of requests, the type to show; otherwise its first form
 */
export function exampleOf(
  schema: DocumentSchema,
  named: DocumentSchemas,
  { byName = {}, type }: { byName?: Readonly<Record<string, unknown>>; type?: unknown } = {},
): unknown {
  const of = (part: DocumentSchema) => exampleOf(part, named, { byName, type });
  const { $ref, allOf, oneOf, anyOf, properties, items, required = [] } = schema;
  if (schema.examples !== undefined) return schema.examples[0];
  if (schema.const !== undefined) return schema.const;
  if (schema.enum !== undefined) return schema.enum[0];
  if (schema.type === 'boolean') return false;
  if ($ref !== undefined) return of(named[componentName($ref)] ?? {});
  if (allOf !== undefined) return Object.assign({}, ...allOf.map(of));
  const forms = oneOf ?? anyOf;
  if (forms !== undefined) {
    const examples = forms.map(of);
    return examples.find((example) => (example as { type?: unknown } | undefined)?.type === type) ?? examples[0];
  }
  if (properties !== undefined) {
    const usual = (name: string, field: DocumentSchema) =>
      required.includes(name) ? (byName[name] ?? leastOf(field)) : undefined;
    const fields = Object.entries(properties).map(([name, field]) => [name, of(field) ?? usual(name, field)]);
    return Object.fromEntries(fields.filter(([, example]) => example !== undefined));
  }
  const item = items === undefined ? undefined : of(items);
  return item === undefined ? undefined : [item];
}

/** The least value of a type. */
function leastOf({ type, minimum = 0 }: DocumentSchema): unknown {
  const types = [type].flat();
  if (type === undefined || types.includes('null')) return null;
  if (types.includes('array')) return [];
  if (types.includes('object')) return {};
  return types.includes('string') ? 'text' : minimum;
}
