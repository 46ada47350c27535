import type { ErrorCode } from '../errors.ts';

/** A JSON object: a part of the document. */
export type Json = Record<string, unknown>;

/** A JSON schema, with the keywords of this project that the document is made of. */
export interface DocumentSchema extends Json {
  $id?: string;
  $ref?: string;
  type?: string | readonly string[];
  description?: string;
  properties?: DocumentSchemas;
  required?: readonly string[] | undefined;
  items?: DocumentSchema;
  allOf?: readonly DocumentSchema[];
  anyOf?: readonly DocumentSchema[];
  oneOf?: readonly DocumentSchema[];
  discriminator?: { propertyName: string; mapping: Record<string, string> };
  enum?: readonly unknown[];
  /** What an answer shows in place of a record's example. */
  example?: Json;
  examples?: readonly unknown[];
  /** The name under which the document has it. */
  component?: string;
  /** What the document has in place of it. */
  document?: DocumentSchema;
  /** The values to which an answer narrows fields of a record. */
  narrow?: Json;
  atLeastOne?: true | readonly string[];
  /** Of a failure. */
  codes?: readonly ErrorCode[];
}

/** Schemas by their names. */
export type DocumentSchemas = Record<string, DocumentSchema>;

/** Keywords that describe a schema and do not change what it accepts. */
const ANNOTATIONS = ['title', 'description', 'default', 'examples'];

/** The pattern of all text: no U+0000 (contract, section 3). */
const TEXT = '^[^\\u0000]*$';
/** The pattern of text in a body: not blank, because it is trimmed before validation. */
const TEXT_IN_BODIES = '^[^\\u0000]*\\S[^\\u0000]*$';

/**
 * The schemas of the OpenAPI document. Named ones are collected in `schemas` as they are used.
 *
 * The schemas of schemas/ validate and serialize; this class converts them for readers. Text that represents a number
 * or a timestamp is documented as such, a named schema appears once, numbers get a format, and text gets a pattern.
 */
export class Components {
  readonly schemas: DocumentSchemas = {};
  private readonly waiting = new Map<string, DocumentSchema>();

  /** `named`: the schemas that others refer to by their `$id`. */
  constructor(named: readonly object[]) {
    for (const schema of named as readonly DocumentSchema[]) this.waiting.set(String(schema.$id), schema);
  }

  /** A schema in the document's form: itself, or a reference to its name. `inBody`: whether it is part of a request body. */
  of(schema: DocumentSchema, inBody = false): DocumentSchema {
    const { component, ...rest } = schema;
    if (component === undefined) return this.inner(rest, inBody);
    const { type } = rest;
    const orNull = Array.isArray(type) && type.includes('null');
    const words = rest.enum && { enum: rest.enum.filter((word) => word !== null) };
    const whole = this.inner(orNull ? { ...rest, type: type[0], ...words } : rest, inBody);
    // An example of null is none of the record itself.
    const inPlace = orNull ? ['default', 'examples'] : ['default'];
    this.keep(
      component,
      pick(whole, (name) => !inPlace.includes(name)),
    );
    const kept = this.schemas[component];
    const here = pick(whole, (name) => ANNOTATIONS.includes(name) && whole[name] !== kept?.[name]);
    const reference = { $ref: `#/components/schemas/${component}` };
    return orNull ? { oneOf: [reference, { type: 'null' }], ...here } : { ...reference, ...here };
  }

  /** A record of which some fields can only have these values; for a union, the member that the discriminator's value selects. */
  private narrowed(record: DocumentSchema, words: Json): DocumentSchema {
    const union = this.schemas[componentName(record.$ref)]?.discriminator;
    const member = union?.mapping[String(words[union.propertyName])];
    const further = pick(words, (field) => member === undefined || field !== union?.propertyName);
    return {
      allOf: [
        member === undefined ? record : { $ref: member },
        {
          type: 'object',
          properties: mapped(further, (word) =>
            Array.isArray(word) ? { type: typeName(word[0]), enum: word } : constant(word),
          ),
          required: Object.keys(further),
        },
      ],
    };
  }

  /** Adds a named record to `schemas` on first use and returns the reference to it. */
  private refer(id: string): string {
    const waiting = this.waiting.get(id);
    if (waiting !== undefined) {
      this.waiting.delete(id);
      // Reserves its position in the order first, because records refer to each other.
      this.schemas[id] = {};
      this.schemas[id] = this.inner(waiting, false);
    }
    return `#/components/schemas/${id}`;
  }

  private keep(name: string, schema: DocumentSchema): void {
    const existing = this.schemas[name];
    const meaning = (of: DocumentSchema) => JSON.stringify(pick(of, (key) => !ANNOTATIONS.includes(key)));
    if (existing !== undefined && meaning(existing) !== meaning(schema))
      throw new Error(`two schemas are called ${name}`);
    this.schemas[name] ??= schema;
  }

  private inner(schema: DocumentSchema, inBody: boolean): DocumentSchema {
    const {
      document,
      narrow,
      example,
      digits,
      conflicts,
      alike,
      companions,
      ordered,
      atLeastOne,
      oneLine,
      $id,
      ...rest
    } = schema;
    if (document) return this.of({ ...pick(rest, (key) => key === 'description'), ...document }, inBody);
    // With the keywords in the order of the schema.
    const result: DocumentSchema = { ...rest };
    const { properties, items, discriminator, $ref } = rest;
    if (properties) result.properties = mapped(properties, (one) => this.of(one, inBody));
    if (items) result.items = this.of(items, inBody);
    for (const key of ['oneOf', 'anyOf', 'allOf'] as const) {
      const forms = rest[key];
      if (forms) result[key] = forms.map((one) => this.of(one, inBody));
    }
    if ($ref) result.$ref = this.refer($ref);
    if (discriminator) {
      const mapping = mapped(discriminator.mapping, (name) => `#/components/schemas/${name}`);
      result.discriminator = { ...discriminator, mapping };
    }
    if (atLeastOne) result.minProperties = 1;
    // `mailbox` is a format of this project; tools know `email`.
    if (result.format === 'mailbox') result.format = 'email';
    if (narrow) return this.narrowed(result, narrow);
    if (Object.hasOwn(result, 'const')) Object.assign(result, constant(result.const));
    return apartFromNull(bounded(result, inBody));
  }
}

/** A class of Unicode's letters in a pattern: many tools' regular expressions do not know it. */
const UNICODE_CLASS = /\\p\{/;

/** Adds the format of an integer and the pattern of a text, where they are missing or not for all tools. */
function bounded(declared: DocumentSchema, inBody: boolean): DocumentSchema {
  const schema = UNICODE_CLASS.test(String(declared.pattern)) ? pick(declared, (name) => name !== 'pattern') : declared;
  const types = [schema.type as DocumentSchema['type']].flat();
  if (types.includes('integer') && schema.format === undefined) {
    return { ...schema, format: Number(schema.maximum) > 2_147_483_647 ? 'int64' : 'int32' };
  }
  const free = ['enum', 'const', 'format', 'pattern'].every((keyword) => schema[keyword] === undefined);
  return types.includes('string') && free ? { ...schema, pattern: inBody ? TEXT_IN_BODIES : TEXT } : schema;
}

/** A schema of one value, also for tools that know no `const`. */
export const constant = (value: unknown): DocumentSchema => ({ type: typeName(value), const: value, enum: [value] });

/** Of a value that JSON has, but for lists and objects. */
const typeName = (value: unknown): string => {
  if (value === null) return 'null';
  return typeof value === 'number' ? 'integer' : typeof value;
};

/** The same with `null` apart from the words: tools lose it, or the words, where both stand in one list. */
function apartFromNull(schema: DocumentSchema): DocumentSchema {
  const words = (schema.enum ?? []).filter((word) => word !== null);
  if (words.length === schema.enum?.length || words.length === 0) return schema;
  const [type] = [schema.type].flat().filter((each) => each !== 'null');
  const isAnnotation = (name: string) => ANNOTATIONS.includes(name);
  const shape = pick(schema, (name) => !isAnnotation(name) && name !== 'type' && name !== 'enum');
  const own = { ...(type !== undefined && { type }), enum: words, ...shape };
  return { oneOf: [own, { type: 'null' }], ...pick(schema, isAnnotation) };
}

/** The name that a reference to a component ends with. */
export const componentName = ($ref: string | undefined): string => $ref?.split('/').at(-1) ?? '';

const mapped = <T, R>(values: Readonly<Record<string, T>>, change: (value: T) => R): Record<string, R> =>
  Object.fromEntries(Object.entries(values).map(([name, value]) => [name, change(value)]));

const pick = (values: Json, wanted: (name: string) => boolean): Json =>
  Object.fromEntries(Object.entries(values).filter(([name]) => wanted(name)));
