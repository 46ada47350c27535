import { type Static, type TObject, type TSchema, Type } from '@sinclair/typebox';
import { isoTimestamp } from '../rules/timestamps.ts';

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

/** A record with further fields, under a name of its own. */
export const recordWith = <T extends TObject, P extends Record<string, TSchema>>(
  name: string,
  record: T,
  properties: P,
): TObject<T['properties'] & P> =>
  Type.Object({ ...record.properties, ...properties }, { component: name }) as unknown as TObject<T['properties'] & P>;

/** The record of an answer that no row is behind. */
export const answerOf = <P extends Record<string, TSchema>>(name: string, properties: P): TObject<P> =>
  Type.Object(properties, { component: name });
