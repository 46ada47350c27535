/** A JSON object: a schema, or a part of the document. */
export type Json = Record<string, unknown>;

const isJson = (value: unknown): value is Json => typeof value === 'object' && value !== null && !Array.isArray(value);

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
  readonly schemas: Json = {};
  private readonly waiting = new Map<string, Json>();

  /** `named`: the schemas that others refer to by their `$id`. */
  constructor(named: readonly object[]) {
    for (const schema of named as Json[]) this.waiting.set(schema.$id as string, schema);
  }

  /** A schema in the document's form: itself, or a reference to its name. `inBody`: whether it is part of a request body. */
  of(schema: object, inBody = false): Json {
    const { component, ...rest } = schema as Json;
    if (typeof component !== 'string') return this.inner(rest, inBody);
    const { type } = rest;
    const orNull = Array.isArray(type) && type.includes('null');
    const whole = this.inner(orNull ? { ...rest, type: type[0] } : rest, inBody);
    // An example of null is none of the record itself.
    const inPlace = orNull ? ['default', 'examples'] : ['default'];
    this.keep(
      component,
      pick(whole, (name) => !inPlace.includes(name)),
    );
    const kept = this.schemas[component] as Json;
    const here = pick(whole, (name) => ANNOTATIONS.includes(name) && whole[name] !== kept[name]);
    const reference = { $ref: `#/components/schemas/${component}` };
    return orNull ? { oneOf: [reference, { type: 'null' }], ...here } : { ...reference, ...here };
  }

  /** A record of which some fields can only have these values; for a union, the member that the discriminator's value selects. */
  private narrowed(record: Json, words: Json): Json {
    const name = String(record.$ref).split('/').at(-1) as string;
    const union = (this.schemas[name] as Json).discriminator as { propertyName: string; mapping: Json } | undefined;
    const member = union?.mapping[String(words[union.propertyName])];
    const further = pick(words, (field) => member === undefined || field !== union?.propertyName);
    return {
      allOf: [
        member === undefined ? record : { $ref: member },
        {
          type: 'object',
          properties: mapped(further, (word) => (Array.isArray(word) ? { enum: word } : { const: word })),
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

  private keep(name: string, schema: Json): void {
    const existing = this.schemas[name] as Json | undefined;
    const meaning = (of: Json) => JSON.stringify(pick(of, (key) => !ANNOTATIONS.includes(key)));
    if (existing !== undefined && meaning(existing) !== meaning(schema))
      throw new Error(`two schemas are called ${name}`);
    this.schemas[name] ??= schema;
  }

  private inner(schema: Json, inBody: boolean): Json {
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
    if (isJson(document)) {
      return this.of({ ...pick(rest, (key) => key === 'description'), ...document }, inBody);
    }
    const result: Json = {};
    for (const [key, value] of Object.entries(rest)) {
      if (key === 'properties') result[key] = mapped(value as Json, (one) => this.of(one as Json, inBody));
      else if (isJson(value) && key === 'items') result[key] = this.of(value, inBody);
      else if (['oneOf', 'anyOf', 'allOf'].includes(key)) {
        result[key] = (value as Json[]).map((one) => this.of(one, inBody));
      } else if (key === '$ref') result[key] = this.refer(value as string);
      else result[key] = value;
    }
    if (isJson(rest.discriminator)) {
      const { mapping, ...more } = rest.discriminator;
      result.discriminator = { ...more, mapping: mapped(mapping as Json, (name) => `#/components/schemas/${name}`) };
    }
    if (atLeastOne) result.minProperties = 1;
    // `mailbox` is a format of this project; tools know `email`.
    if (result.format === 'mailbox') result.format = 'email';
    return isJson(narrow) ? this.narrowed(result, narrow) : bounded(result, inBody);
  }
}

/** Adds the format of an integer and the pattern of a text, where they are missing. */
function bounded(schema: Json, inBody: boolean): Json {
  const types = [schema.type].flat();
  if (types.includes('integer') && schema.format === undefined) {
    return { ...schema, format: Number(schema.maximum) > 2_147_483_647 ? 'int64' : 'int32' };
  }
  const free = ['enum', 'const', 'format', 'pattern'].every((keyword) => schema[keyword] === undefined);
  return types.includes('string') && free ? { ...schema, pattern: inBody ? TEXT_IN_BODIES : TEXT } : schema;
}

const mapped = (values: Json, change: (value: unknown) => unknown): Json =>
  Object.fromEntries(Object.entries(values).map(([name, value]) => [name, change(value)]));

const pick = (values: Json, wanted: (name: string) => boolean): Json =>
  Object.fromEntries(Object.entries(values).filter(([name]) => wanted(name)));
