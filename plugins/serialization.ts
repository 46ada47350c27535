import fastJsonStringify, { type ObjectSchema } from 'fast-json-stringify';
import fp from 'fastify-plugin';

type Serialize = (value: unknown) => string;

/**
 * Turns answers into text after the response schemas, with the serializer that Fastify has by default, but compiled by
 * the first answer of its kind, and once for all routes that name the same shape: every route names the same errors,
 * and compiling two hundred serializers took a quarter of the start.
 */
export default fp(
  async (app) => {
    const compiled = new Map<string, Serialize>();
    app.setSerializerCompiler(({ schema }) => {
      const { description: _, ...shape } = schema as ObjectSchema;
      const kind = JSON.stringify(shape);
      let serialize: Serialize | undefined;
      return (value) => {
        serialize ??= compiled.get(kind);
        if (serialize === undefined) {
          serialize = fastJsonStringify(shape, { schema: app.getSchemas() as Record<string, ObjectSchema> });
          compiled.set(kind, serialize);
        }
        return serialize(value);
      };
    });
  },
  { name: 'serialization', fastify: '5.x' },
);
