import { omit } from '../rules/omit.ts';
/** A schema of the OpenAPI document, with the keywords that the pages read. */
export interface Schema {
  $ref?: string;
  type?: string | string[];
  description?: string;
  properties?: Record<string, Schema>;
  required?: string[];
  items?: Schema;
  oneOf?: Schema[];
  anyOf?: Schema[];
  allOf?: Schema[];
  enum?: unknown[];
  const?: unknown;
  default?: unknown;
  examples?: unknown[];
  format?: string;
  pattern?: string;
  minimum?: number;
  maximum?: number;
  minLength?: number;
  maxLength?: number;
  minItems?: number;
  maxItems?: number;
  minProperties?: number;
  /** Added by `resolved`: whether null is allowed, and the forms of a union that have the field. */
  orNull?: boolean;
  only?: string;
}

export type Schemas = Readonly<Record<string, Schema>>;

/** A parameter or a field, in words. */
export interface DocumentedField {
  /** With the fields around it: `client.email`; `[]` stands for each item of a list. */
  name: string;
  type: string;
  required: boolean;
  /** Bounds and allowed values; Markdown in one line. */
  rules: string[];
  description: string;
}

/** The anchor of a field on the page of its operation. `place`: path, query, header, body or answer. */
export const anchorOfField = (place: string, { name }: Pick<DocumentedField, 'name'>): string =>
  `${place}-${name.replaceAll('[]', '')}`;

/** The fields of an object and of the objects in it. */
export function documentedFields(schema: Schema, schemas: Schemas, prefix = ''): DocumentedField[] {
  const { properties = {}, required = [] } = resolved(schema, schemas);
  return Object.entries(properties).flatMap(([name, property]) => {
    const { items } = resolved(property, schemas);
    return [
      fieldOf(`${prefix}${name}`, property, schemas, required.includes(name)),
      ...documentedFields(items ?? property, schemas, `${prefix}${name}${items ? '[].' : '.'}`),
    ];
  });
}

/** One field without those in it. */
export function fieldOf(name: string, schema: Schema, schemas: Schemas, required: boolean): DocumentedField {
  const shape = resolved(schema, schemas);
  const { description = '' } = shape;
  return { name, type: typeOf(shape, schemas), required, rules: rulesOf(shape), description };
}

/** A schema without references, intersections and unions; its properties may have some. */
function resolved(schema: Schema, schemas: Schemas): Schema {
  const { $ref, allOf, oneOf, ...own } = schema;
  const of = (inner: Schema) => resolved(inner, schemas);
  if ($ref !== undefined) return { ...of(schemas[$ref.replace('#/components/schemas/', '')] ?? {}), ...own };
  if (allOf) return { ...allOf.map(of).reduce(both), ...own };
  if (oneOf) {
    const forms = oneOf.filter(({ type }) => type !== 'null').map(of);
    return { ...either(forms), ...own, orNull: forms.length < oneOf.length };
  }
  return { ...own, orNull: [own.type].flat().includes('null') };
}

const both = (one: Schema, other: Schema): Schema => ({
  ...one,
  ...other,
  properties: { ...one.properties, ...other.properties },
  required: [...(one.required ?? []), ...(other.required ?? [])],
});

/** A union of objects as one object: fields that only some forms have name those forms. */
function either(forms: readonly Schema[]): Schema {
  const [first = {}, ...others] = forms;
  if (others.length === 0) return first;
  const in_ = (name: string) => forms.filter(({ properties }) => properties?.[name]);
  const names = [...new Set(forms.flatMap(({ properties = {} }) => Object.keys(properties)))];
  // The field by which the forms differ.
  const tag = names.find((name) => forms.every(({ properties }) => properties?.[name]?.const !== undefined));
  const merged = names.map((name): [string, Schema] => {
    const having = in_(name);
    const schemas = having.map(({ properties }) => properties?.[name] as Schema);
    const words = [...new Set(schemas.flatMap((schema) => schema.enum ?? schema.const ?? []))];
    const schema = omit(schemas[0] as Schema, 'const');
    const kinds = having.map(({ properties }) => coded(properties?.[tag ?? '']?.const));
    return [
      name,
      {
        ...schema,
        ...(words.length > 0 && { enum: words }),
        ...(having.length < forms.length && tag !== undefined && { only: `\`${tag}\` ${kinds.join(', ')}` }),
      },
    ];
  });
  const required = names.filter((name) => in_(name).every((form) => form.required?.includes(name)));
  return { type: 'object', properties: Object.fromEntries(merged), required };
}

const TIMESTAMP = '^\\d{4}-';

function typeOf({ type, format, pattern, items, orNull, const: only, enum: words }: Schema, schemas: Schemas): string {
  const [name = typeof (only ?? words?.[0])] = [type ?? []].flat().filter((one) => one !== 'null');
  const word = () => {
    if (items) return `list of ${typeOf(resolved(items, schemas), schemas)}`;
    if (format === 'date-time') return 'timestamp';
    if (format === 'email') return 'email address';
    return pattern?.startsWith(TIMESTAMP) ? 'date or timestamp' : name;
  };
  return orNull ? `${word()} or null` : word();
}

/** Patterns that every text has; the contract states them once. */
const ANY_TEXT = ['^[^\\u0000]*$', '^[^\\u0000]*\\S[^\\u0000]*$'];

function rulesOf(schema: Schema): string[] {
  const { const: only, enum: words, default: usual, pattern = '', format, minProperties } = schema;
  if (only !== undefined) return [`always ${coded(only)}`, ...onlyIn(schema)];
  const isDate = pattern.startsWith(TIMESTAMP);
  return [
    words && `one of ${words.map(coded).join(', ')}`,
    !isDate && range(schema.minLength, schema.maxLength, ' characters'),
    range(schema.minimum, schema.maximum),
    range(schema.minItems, schema.maxItems, ' items'),
    minProperties !== undefined && `at least ${minProperties} field`,
    !isDate && format === undefined && pattern !== '' && !ANY_TEXT.includes(pattern) && `matches ${coded(pattern)}`,
    usual !== undefined && `default ${coded(usual)}`,
    ...onlyIn(schema),
  ].filter((rule) => typeof rule === 'string');
}

const onlyIn = ({ only }: Schema): string[] => (only === undefined ? [] : [`only with ${only}`]);

const coded = (value: unknown): string => `\`${value}\``;

/** Bounds in words. */
function range(from: number | undefined, to: number | undefined, unit = ''): string | undefined {
  if (from === undefined) return to === undefined ? undefined : `at most ${to}${unit}`;
  if (to === undefined) return `at least ${from}${unit}`;
  return from === to ? `${from}${unit}` : `${from} to ${to}${unit}`;
}
