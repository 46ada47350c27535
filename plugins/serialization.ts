import fastJsonStringify, { type ObjectSchema } from 'fast-json-stringify';
import fp from 'fastify-plugin';
import { NAMED_SCHEMAS } from '../schemas/named.ts';

type Serialize = (value: unknown) => string;

export interface SerializationOptions {
  /**
   * Called with every answer before and after serialization. Fields that the schema does not name are dropped silently;
   * the tests use this to find them in every answer that they receive.
   */
  inspect?: ((value: unknown, text: string) => void) | undefined;
}

/** A schema as JSON, without the keywords that only document it (schemas/atoms.ts): equal text, equal serializer. */
const shapeOf = (schema: object): string =>
  JSON.stringify(schema, (key, value) => (forReaders(key, value) ? undefined : value));

/** Whether this is a documenting keyword. A field of the same name has a schema, an object, as its value. */
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
 * Serializes answers by the response schemas, with Fastify's default serializer. Each one is compiled with the first
 * answer that needs it, and once for all routes with the same schema: all routes share the error schemas, and compiling
 * two hundred serializers took a quarter of the start-up time.
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
