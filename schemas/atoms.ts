import { type Static, type TObject, type TProperties, type TSchema, Type } from '@sinclair/typebox';
import { BILLING_TYPES, SERVICE_STATUSES } from '../src/rules/words.ts';
import type { IdPrefix } from '../src/runtime/ids.ts';

/**
 * The basic schemas that the others are made of. Some keywords belong to this project. src/fields/keywords.ts checks
 * `digits` (a whole number written as text, with its bounds). src/document/ reads four that change neither what is
 * accepted nor what is sent: `document` (the schema that the OpenAPI document shows instead), `component` (the name of
 * a schema that the document shows once), `narrow` (the values that a record's fields can have in one answer) and
 * `example` (the fields of one answer's example that differ from those of the record's).
 *
 * `examples` stand at the fields: src/document/examples.ts composes the examples of whole records from them. They
 * describe one call of the demo's sandbox at SAMPLE_DATE.
 */

/** The date of the calls that the examples show. */
export const SAMPLE_DATE = '2026-03-02T09:30:00.000Z';

/** A string from a fixed set. */
export const OneOf = <const T extends readonly string[]>(values: T, options: object = {}) =>
  Type.Unsafe<T[number]>({ type: 'string', enum: [...values], ...options });

/** The same schema, or null. Written as a list of types, because the serializer would try the members of a union. */
export const Nullable = <T extends TSchema>(schema: T, options: object = {}) =>
  Type.Unsafe<Static<T> | null>({
    ...schema,
    ...options,
    ...(schema.enum && { enum: [...schema.enum, null] }),
    type: [schema.type as string, 'null'],
  });

/** A list in an answer; its static type is read-only. */
export const ListOf = <T extends TSchema>(items: T, options: object = {}) =>
  Type.Unsafe<ReadonlyArray<Static<T>>>(Type.Array(items, options));

/** An object with these fields and no others. */
export const Exactly = <T extends TProperties>(properties: T, options: object = {}): TObject<T> =>
  Type.Object(properties, { additionalProperties: false, ...options });

/** An object with a name of its own in the OpenAPI document; add it to schemas/named.ts. */
export const Named = <T extends TProperties>(name: string, properties: T, options: object = {}): TObject<T> =>
  Type.Object(properties, { $id: name, ...options });

/** Text in an answer, of at most `maxLength` code points. */
export const Shown = (maxLength: number, description?: string, options: object = {}) =>
  Type.String({ maxLength, ...(description !== undefined && { description }), ...options });

/** A prefixed id in an answer; the part after the prefix is opaque to callers. */
export const Id = (prefix: IdPrefix, description: string, example = `${prefix}_01KJPY44E0PPTDS5MJCBBSJESS`) =>
  Type.String({ pattern: `^${prefix}_[0-9A-Za-z_-]{1,120}$`, maxLength: 124, description, examples: [example] });

/** A whole number in an answer, with the bounds of its source. */
export const Whole = (minimum: number, maximum: number, description?: string, options: object = {}) =>
  Type.Integer({ minimum, maximum, ...(description !== undefined && { description }), ...options });

/** The largest 32-bit integer, which both databases can store. */
export const MAX_INT32 = 2_147_483_647;

/** A timestamp in an answer: ISO 8601, UTC, with milliseconds. */
export const Timestamp = (description: string, example = SAMPLE_DATE) =>
  Type.String({
    format: 'date-time',
    pattern: '^\\d{4}-\\d{2}-\\d{2}T\\d{2}:\\d{2}:\\d{2}\\.\\d{3}Z$',
    minLength: 24,
    maxLength: 24,
    description,
    examples: [example],
  });

/** A service number in an answer: a whole number from 1 to 2^53 - 1. */
export const ServiceNumber = Type.Integer({
  description: 'The public number of the service',
  examples: [900001],
  minimum: 1,
  maximum: Number.MAX_SAFE_INTEGER,
});

/** A service number in a path or query: any base-10 text of the int64 range (contract, section 4). */
export const ServiceNumberText = Type.String({
  format: 'service-number',
  document: {
    type: 'integer',
    format: 'int64',
    // Further numbers of int64 are accepted too; no service has one.
    minimum: 1,
    maximum: Number.MAX_SAFE_INTEGER,
    description: 'The public number of the service',
    examples: [900001],
  },
});

/** The same in a path after parsing (plugins/service-number.ts): a number, and 0 where no service can have it. */
export const ServiceNumberValue = Type.Unsafe<number>({ type: 'integer', document: ServiceNumberText.document });

/** A whole number in a query. */
export const Digits = (bounds: { minimum: number; maximum: number; default?: number }, description: string) =>
  Type.String({ digits: bounds, document: { type: 'integer', ...bounds, description } });

/** The form of a timestamp in a query or body. */
export const TIMESTAMP_PATTERN =
  '^\\d{4}-\\d{2}-\\d{2}([Tt]\\d{2}:\\d{2}:\\d{2}(\\.\\d{1,9})?([Zz]|[+-]\\d{2}:\\d{2}))?$';

/** A timestamp in a query or body: RFC 3339 with an offset, or a date, which means 00:00 UTC. */
export const TimestampText = (description: string) =>
  Type.String({
    format: 'timestamp',
    document: {
      type: 'string',
      description:
        `${description} RFC 3339 with an offset, or a date (00:00 UTC): \`2026-03-01T09:30:00+01:00\` or ` +
        '`2026-03-01`.',
      pattern: TIMESTAMP_PATTERN,
      minLength: 10,
      maxLength: 35,
    },
  });

/** Text in a body: trimmed before validation, lengths in code points (contract, sections 3 and 5). */
export const Text = (maxLength: number, description: string, options: object = {}) =>
  Type.String({ minLength: 1, maxLength, description, ...options });

export const BillingType = OneOf(BILLING_TYPES, { component: 'BillingType', description: 'How the plan is billed' });
export const ServiceStatus = OneOf(SERVICE_STATUSES, {
  component: 'ServiceStatus',
  examples: ['active'],
  description: 'Status of the service; cancelled and terminated are final',
});

/** The fields that mark a simulated answer; absent in live ones. */
export const SimulationMarks = {
  mode: Type.Optional(Type.Literal('test', { description: 'Only in simulated answers of a sandbox key' })),
  simulated: Type.Optional(Type.Literal(true, { description: 'Only in simulated answers of a sandbox key' })),
};

/** Of figures whose span touches a loss of records (contract, section 15.8). */
export const LossMark = {
  records_lost: Type.Optional(
    Type.Literal(true, { description: 'Only where records of that time were lost: the figure may be too low' }),
  ),
};
