import fastJsonStringify, { type ObjectSchema } from 'fast-json-stringify';
import fp from 'fastify-plugin';
import { NAMED_SCHEMAS } from '../schemas/named.ts';

type Serialize = (value: unknown) => string;

export interface SerializationOptions {
  /**
   * Looks at every answer beside its text. What a schema does not name is left out without a word: the tests find it
   * in this way, all of them in every answer that they get.
   */
  inspect?: ((value: unknown, text: string) => void) | undefined;
}

/** A schema as far as it decides what is sent, as text: without what it says to readers alone (schemas/atoms.ts). */
const shapeOf = (schema: object): string =>
  JSON.stringify(schema, (key, value) => (forReaders(key, value) ? undefined : value));

/** A keyword, not a field that is called like one, which would be a schema. */
function forReaders(key: string, value: unknown): boolean {
  switch (key) {
    case 'document':
    case 'narrow':
      return true;
    case 'description':
    case 'component':
      return typeof value === 'string';
    case 'examples':
    case 'codes':
      return Array.isArray(value);
    default:
      return false;
  }
}

/**
 * Turns answers into text after the response schemas, with the serializer that Fastify has by default, but compiled by
 * the first answer of its kind, and once for all routes that name the same shape: every route names the same errors,
 * and compiling two hundred serializers took a quarter of the start.
 */
export default fp<SerializationOptions>(
  async (app, { inspect }) => {
    const compiled = new Map<string, Serialize>();
    let named: Record<string, ObjectSchema> | undefined;
    app.setSerializerCompiler(({ schema }) => {
      const shape = shapeOf(schema as object);
      let serialize: Serialize | undefined;
      return (value) => {
        serialize ??= compiled.get(shape);
        if (serialize === undefined) {
          named ??= Object.fromEntries(NAMED_SCHEMAS.map((one) => [one.$id as string, JSON.parse(shapeOf(one))]));
          serialize = fastJsonStringify(JSON.parse(shape) as ObjectSchema, { schema: named });
          compiled.set(shape, serialize);
        }
        const text = serialize(value);
        inspect?.(value, text);
        return text;
      };
    });
  },
  { name: 'serialization', fastify: '5.x' },
);
