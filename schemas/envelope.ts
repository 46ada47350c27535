import { type Static, type TSchema, type TUnsafe, Type } from '@sinclair/typebox';
import { codesOf, ERROR_CODES, type ErrorCode } from '../src/errors.ts';
import { MAX_INT32, OneOf, Shown, Whole } from './atoms.ts';

/** A reference to a named record, so that the OpenAPI document shows each record once. */
export const byName = <T extends TSchema>(record: T, options: object = {}) =>
  Type.Unsafe<Static<T>>(Type.Ref(record.$id as string, options));

/** How an answer differs from what its record says: in the values that are possible, and in its example. */
interface Particulars<Record> {
  narrow?: Narrowed<Record>;
  example?: Partial<Record>;
}

/** The value, or the list of possible values, that some of a record's fields have in one answer. */
type Narrowed<Record> = { [Field in keyof Record]?: Record[Field] | readonly Record[Field][] };

/** The envelope of every success. */
export const Envelope = <T extends TSchema>(
  data: T,
  { description = 'Success', ...particulars }: Particulars<Static<T>> & { description?: string } = {},
) =>
  Type.Object(
    {
      success: Type.Literal(true),
      data: byName(data, particulars),
      message: Type.Optional(Shown(1000, 'A note for people')),
    },
    { description },
  );

const MAX_PAGE_SIZE = 100;

export const Pagination = Type.Object(
  {
    page: Whole(1, MAX_INT32 + 1, 'The page, counted from 1', { examples: [1] }),
    perPage: Whole(1, MAX_PAGE_SIZE, 'Items a page', { examples: [10] }),
    total: Whole(0, Number.MAX_SAFE_INTEGER, 'Items on all pages', { examples: [1] }),
    totalPages: Whole(0, Number.MAX_SAFE_INTEGER, 'How many pages there are', { examples: [1] }),
  },
  { $id: 'Pagination' },
);

/** Of the lists that copies are kept by (contract, section 15.4). */
export const PaginationOfChanges = Type.Object(
  {
    ...Pagination.properties,
    history: Type.Optional(
      Shown(
        20,
        'With `updated_since` alone: another text after each loss of records; `0` before the first. A copy that was ' +
          'kept under another one is read once from its beginning',
        { examples: ['0'] },
      ),
    ),
  },
  { $id: 'PaginationOfChanges' },
);

const listOf = <T extends TSchema, P extends TSchema>(item: T, pagination: P, particulars: Particulars<Static<T>>) =>
  Type.Object(
    {
      success: Type.Literal(true),
      data: Type.Array(byName(item, particulars), { maxItems: MAX_PAGE_SIZE }),
      pagination: byName(pagination),
    },
    { description: 'One page' },
  );

/** The envelope of every list. */
export const ListEnvelope = <T extends TSchema>(item: T, particulars: Particulars<Static<T>> = {}) =>
  listOf(item, Pagination, particulars);

/** The same of a list that takes `updated_since`. */
export const ChangesEnvelope = <T extends TSchema>(item: T, particulars: Particulars<Static<T>> = {}) =>
  listOf(item, PaginationOfChanges, particulars);

/**
 * The envelope of every failure (contract, section 3): one schema for all codes, used for serializing. The schema of
 * each single code is in failures.ts.
 */
export const FailureEnvelope = Type.Object(
  {
    success: Type.Literal(false),
    error: Type.Object({
      code: OneOf(ERROR_CODES),
      message: Type.String(),
      details: Type.Optional(
        Type.Object(
          {
            reason: Type.Optional(Type.String()),
            correlation_id: Type.Optional(Type.String()),
            fields: Type.Optional(
              Type.Array(
                Type.Object(
                  { path: Type.String(), rule: Type.String(), message: Type.String() },
                  { additionalProperties: true },
                ),
              ),
            ),
            omitted: Type.Optional(Type.Integer()),
          },
          { additionalProperties: true },
        ),
      ),
    }),
  },
  { $id: 'Failure' },
);

/** Codes that only some operations can answer; the others come from the gates. */
const OF_OPERATIONS: readonly ErrorCode[] = [
  'invalid_state',
  'missing_customer_email',
  'template_not_found',
  'email_send_error',
];

/** The error responses of an operation by status, each with the codes that it can carry. */
const responses = <const S extends number>(statuses: readonly S[], own: readonly ErrorCode[]) =>
  Object.fromEntries(
    statuses.map((status) => {
      const codes = codesOf(status).filter((code) => own.includes(code) || !OF_OPERATIONS.includes(code));
      return [status, byName(FailureEnvelope, { codes })];
    }),
    // `Object.fromEntries` loses the type of the keys.
  ) as Record<S, TUnsafe<Static<typeof FailureEnvelope>>>;

/** The errors that the gates can answer on every operation of v1, plus the operation's own codes. */
export const gateErrors = (...own: ErrorCode[]) => responses([400, 401, 403, 429, 500], own);

/** Error responses of further statuses. */
export const errors = <const S extends number>(...statuses: S[]) => responses(statuses, []);
