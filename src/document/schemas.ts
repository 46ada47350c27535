/** A JSON object: a schema, or a part of the document. */
export type Json = Record<string, unknown>;

const isJson = (value: unknown): value is Json => typeof value === 'object' && value !== null && !Array.isArray(value);

/** What says something of a schema in one place, and does not decide what it accepts. */
const ANNOTATIONS = ['title', 'description', 'default', 'examples'];

/** The same for all text of ours: what it may not hold (contract, section 3). */
const TEXT = '^[^\\u0000]*$';
/** And for text in a body, of which something has to be left when it is trimmed. */
const TEXT_IN_BODIES = '\\S';

/**
 * Schemas as readers of the document see them, gathered under their names while they are asked for.
 *
 * The schemas of schemas/ validate and serialize; here they become the ones that say most: where text stands for a
 * number or a moment the document says so, what has a name of its own stands once, numbers carry their format, and
 * each text a pattern.
 */
export class Components {
  readonly schemas: Json = {};
  private readonly waiting = new Map<string, Json>();

  /** `named`: the schemas that others refer to by their `$id`. */
  constructor(named: readonly object[]) {
    for (const schema of named as Json[]) this.waiting.set(schema.$id as string, schema);
  }

  /** A schema in the document's form: itself, or a reference to its name. `inBody`: what callers send. */
  of(schema: object, inBody = false): Json {
    const { component, ...rest } = schema as Json;
    if (typeof component !== 'string') return this.inner(rest, inBody);
    const { type } = rest;
    const orNull = Array.isArray(type) && type.includes('null');
    const whole = this.inner(orNull ? { ...rest, type: type[0] } : rest, inBody);
    this.keep(
      component,
      pick(whole, (name) => name !== 'default'),
    );
    const kept = this.schemas[component] as Json;
    const here = pick(whole, (name) => ANNOTATIONS.includes(name) && whole[name] !== kept[name] && name !== 'examples');
    const reference = { $ref: `#/components/schemas/${component}` };
    return orNull ? { oneOf: [reference, { type: 'null' }], ...here } : { ...reference, ...here };
  }

  /** A record of which some fields can only have these words; of a union the member that one of them tells. */
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

  /** A record that others refer to by its name. */
  private refer(id: string): string {
    const waiting = this.waiting.get(id);
    if (waiting !== undefined) {
      this.waiting.delete(id);
      // Its place is taken first: records refer to one another.
      this.schemas[id] = {};
      this.schemas[id] = this.inner(waiting, false);
    }
    return `#/components/schemas/${id}`;
  }

  private keep(name: string, schema: Json): void {
    const there = this.schemas[name] as Json | undefined;
    const meaning = (of: Json) => JSON.stringify(pick(of, (key) => !ANNOTATIONS.includes(key)));
    if (there !== undefined && meaning(there) !== meaning(schema)) throw new Error(`two schemas are called ${name}`);
    this.schemas[name] ??= schema;
  }

  private inner(schema: Json, inBody: boolean): Json {
    const { document, narrow, digits, conflicts, alike, companions, ordered, atLeastOne, $id, ...rest } = schema;
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
    // Formats of our own mean nothing to others.
    if (result.format === 'mailbox') result.format = 'email';
    return isJson(narrow) ? this.narrowed(result, narrow) : bounded(result, inBody);
  }
}

/** What every number and text has to tell, where it does not yet. */
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
