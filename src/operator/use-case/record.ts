import { type Static, type TObject, type TSchema, type TUnsafe, Type } from '@sinclair/typebox';
import { isoTimestamp } from '../../rules/timestamps.ts';
import { OF_ADAPTERS, OF_READING, PATTERNS } from './fields.ts';

/** Where the value of a field comes from: a column of the row, or what is made of the row. */
type Source<Row> = (keyof Row & string) | ((row: Row) => unknown);

/** A field of a record: its name in answers is its key in the record's declaration. */
interface RecordField<Row, T extends TSchema = TSchema> {
  readonly schema: T;
  readonly from: Source<Row>;
}

/** A record, declared once: what answers have of a row, and the schema of the operator's API. */
export interface DeclaredRecord<Row, F extends Record<string, RecordField<Row>>> {
  readonly schema: TObject<{ [Name in keyof F]: F[Name]['schema'] }>;
  /** Makes the record of a row. A timestamp is made of epoch milliseconds. */
  of(row: Row): { [Name in keyof F]: Static<F[Name]['schema']> };
}

type DeclareField<Row> = <T extends TSchema>(schema: T, from: Source<Row>) => RecordField<Row, T>;

/**
 * Declares the record of a row.
 * @param name of the record in the document of the operator's API
 * @param declare gives each field its schema, and the column or function that its value comes from
 */
export const recordOf =
  <Row>() =>
  <F extends Record<string, RecordField<Row>>>(
    name: string,
    declare: (field: DeclareField<Row>) => F,
  ): DeclaredRecord<Row, F> => {
    const fields = Object.entries(declare((schema, from) => ({ schema, from })));
    const readers = fields.map(([field, { schema, from }]) => {
      const read = typeof from === 'function' ? from : (row: Row): unknown => row[from];
      return [field, schema.format === 'date-time' ? (row: Row) => dateOf(read(row)) : read] as const;
    });
    return {
      schema: Type.Object(Object.fromEntries(fields.map(([field, { schema }]) => [field, schema])), {
        component: name,
      }),
      of: (row: Row) => Object.fromEntries(readers.map(([field, read]) => [field, read(row)])),
    } as unknown as DeclaredRecord<Row, F>;
  };

const dateOf = (at: unknown): unknown => (typeof at === 'number' ? isoTimestamp(at) : at);

/** A record with further fields, or with other schemas of its own ones, under a name of its own. */
export const recordWith = <T extends TObject, P extends Record<string, TSchema>>(
  name: string,
  record: T,
  properties: P,
): TObject<Omit<T['properties'], keyof P> & P> =>
  Type.Object({ ...record.properties, ...properties }, { component: name }) as unknown as TObject<
    Omit<T['properties'], keyof P> & P
  >;

/** The record of an answer that no row is behind. */
export const answerSchema = <P extends Record<string, TSchema>>(name: string, properties: P): TObject<P> =>
  Type.Object(properties, { component: name });

/** The values of an object by the paths of its fields: what stands at `price.amount` is `amount` of `price`. */
export type Nested<V> = { [P in keyof V as P extends `${string}.${string}` ? never : P]: V[P] } & {
  [G in GroupOf<keyof V>]: { [P in keyof V as P extends `${G}.${infer Name}` ? Name : never]: V[P] } | null;
};
type GroupOf<P> = P extends `${infer G}.${string}` ? G : never;

/** Values by their paths as a record; a group without a value is null. */
export function nested<V extends object>(values: V): Nested<V> {
  const record: Record<string, unknown> = {};
  for (const [path, value] of Object.entries(values)) {
    const [name, inner] = path.split('.') as [string, string?];
    if (inner === undefined) record[name] = value;
    else record[name] = { ...(record[name] as object), [inner]: value };
  }
  for (const [name, value] of Object.entries(record)) {
    const isGroup = !(name in values);
    if (isGroup && Object.values(value as object).every((each) => each === null)) record[name] = null;
  }
  return record as Nested<V>;
}

/** The schema of such a record, from those of its fields. */
export function nestedSchema(fields: Readonly<Record<string, TSchema>>): Record<string, TSchema> {
  const schemas: Record<string, TSchema> = {};
  for (const [path, schema] of Object.entries(fields)) {
    const [name, inner] = path.split('.') as [string, string?];
    if (inner === undefined) schemas[name] = schema;
    else {
      const properties = { ...schemas[name]?.properties, [inner]: schema };
      schemas[name] = { ...Type.Object(properties), type: ['object', 'null'] } as unknown as TSchema;
    }
  }
  return schemas;
}

/** Keywords of an input's field that a value which was read has no more use for. */
const OF_INPUTS: readonly string[] = [...OF_ADAPTERS, ...OF_READING, 'default', 'minLength'];

/** What is written as JSON and read by rules of its own. */
const ANY_OBJECT = { type: ['object', 'null'], additionalProperties: true, description: 'For the provisioner' };
const ANY_LIST = { type: 'array', items: { type: 'object', additionalProperties: true } };

/** How answers show a field of an input: a record that is changed by its fields is declared by them. */
export function answerField<T>(field: TUnsafe<T>): TUnsafe<T> {
  const { title, description = title, format, nullable, type, json, ...rest } = field as TSchema;
  if (json) return Type.Unsafe<T>(json === 'provisioning' ? ANY_OBJECT : ANY_LIST);
  const kept = Object.entries(rest).filter(([name]) => !OF_INPUTS.includes(name));
  const pattern = rest.pattern ?? PATTERNS[format ?? ''];
  return Type.Unsafe<T>({
    ...Object.fromEntries(kept),
    type: nullable ? [type, 'null'] : type,
    ...(pattern !== undefined && { pattern }),
    ...(description !== undefined && { description }),
  });
}
