import { type Static, type TObject, type TProperties, type TSchema, Type } from '@sinclair/typebox';
import { BILLING_TYPES, SERVICE_STATUSES } from '../src/rules/words.ts';

/**
 * The small shapes that the others are made of. Two keywords are ours, both understood by
 * plugins/validation.ts: `digits` (a whole number written as text, with its bounds) and `document`
 * (how the OpenAPI document shows a schema whose text form is an accident of URLs).
 */

/** A string out of a fixed set. */
export const OneOf = <const T extends readonly string[]>(values: T, options: object = {}) =>
  Type.Unsafe<T[number]>({ type: 'string', enum: [...values], ...options });

/** The same shape, or null. Written as a list of types, which serializes without trying alternatives. */
export const Nullable = <T extends TSchema>(schema: T, options: object = {}) =>
  Type.Unsafe<Static<T> | null>({
    ...schema,
    ...options,
    type: [schema.type as string, 'null'],
  });

/** A list in an answer, which nobody changes any more. */
export const ListOf = <T extends TSchema>(items: T, options: object = {}) =>
  Type.Unsafe<ReadonlyArray<Static<T>>>(Type.Array(items, options));

/** An object that has these fields and no other. */
export const Exactly = <T extends TProperties>(properties: T, options: object = {}): TObject<T> =>
  Type.Object(properties, { additionalProperties: false, ...options });

/** An object that the OpenAPI document knows by a name of its own; register it in schemas/named.ts. */
export const Named = <T extends TProperties>(name: string, properties: T, options: object = {}): TObject<T> =>
  Type.Object(properties, { $id: name, ...options });

/** A moment in an answer: ISO 8601, UTC, with milliseconds. */
export const Moment = (description: string) =>
  Type.String({ format: 'date-time', description, examples: ['2026-03-01T09:30:00.000Z'] });

/** A service number in an answer: a whole number from 1 to 2^53 - 1. */
export const ServiceNumber = Type.Integer({
  description: 'The public number of the service',
  examples: [1000001],
  minimum: 1,
  maximum: Number.MAX_SAFE_INTEGER,
});

/** A service number in a path or query: any base-10 text of the int64 range (contract, section 4). */
export const ServiceNumberText = Type.String({
  format: 'service-number',
  document: { type: 'integer', format: 'int64', description: 'The public number of the service', examples: [1000001] },
});

/** The same in a path, once its gate has read it (plugins/service-number.ts): a number, and 0 where it is nobody's. */
export const ServiceNumberValue = Type.Unsafe<number>({ type: 'integer', document: ServiceNumberText.document });

/** A whole number in a query. */
export const Digits = (bounds: { minimum: number; maximum: number; default?: number }, description: string) =>
  Type.String({ digits: bounds, document: { type: 'integer', ...bounds, description } });

/** A moment in a query or body: RFC 3339 with an offset, or a date, which means 00:00 UTC. */
export const MomentText = (description: string) =>
  Type.String({
    format: 'moment',
    description: `${description} RFC 3339 with an offset, or a date (00:00 UTC).`,
    document: {
      type: 'string',
      description: `${description} RFC 3339 with an offset, or a date (00:00 UTC).`,
      examples: ['2026-03-01T00:00:00Z', '2026-03-01'],
    },
  });

/** Text in a body: trimmed before these rules, lengths in code points (contract, sections 3 and 5). */
export const Text = (maxLength: number, description: string, options: object = {}) =>
  Type.String({ minLength: 1, maxLength, description, ...options });

export const BillingType = OneOf(BILLING_TYPES, { description: 'How the plan is billed' });
export const ServiceStatus = OneOf(SERVICE_STATUSES);

/** What marks a simulated answer; absent in live ones. */
export const SimulationMarks = {
  mode: Type.Optional(Type.Literal('test', { description: 'Only in simulated answers of a sandbox key' })),
  simulated: Type.Optional(Type.Literal(true, { description: 'Only in simulated answers of a sandbox key' })),
};
