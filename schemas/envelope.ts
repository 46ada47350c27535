import { type Static, type TSchema, type TUnsafe, Type } from '@sinclair/typebox';
import { codesOf, ERROR_CODES, type ErrorCode, REASONS } from '../src/errors.ts';
import { OneOf } from './atoms.ts';

/** A record by its name: the OpenAPI document then shows each of them once. */
const byName = <T extends TSchema>(record: T, options: object = {}) =>
  Type.Unsafe<Static<T>>(Type.Ref(record.$id as string, options));

/** What every success is wrapped in. */
export const Envelope = <T extends TSchema>(data: T, description = 'Success') =>
  Type.Object(
    {
      success: Type.Literal(true),
      data: byName(data),
      message: Type.Optional(Type.String({ description: 'A note for people' })),
    },
    { description },
  );

export const Pagination = Type.Object(
  {
    page: Type.Integer({ minimum: 1 }),
    perPage: Type.Integer({ minimum: 1, maximum: 100 }),
    total: Type.Integer({ minimum: 0 }),
    totalPages: Type.Integer({ minimum: 0 }),
  },
  { $id: 'Pagination' },
);

/** What every list is wrapped in. */
export const ListEnvelope = <T extends TSchema>(item: T) =>
  Type.Object(
    { success: Type.Literal(true), data: Type.Array(byName(item)), pagination: byName(Pagination) },
    { description: 'One page' },
  );

const REASON_LIST = Object.entries(REASONS)
  .map(([code, reasons]) => `\`${code}\`: ${reasons.map((reason) => `\`${reason}\``).join(', ')}.`)
  .join(' ');

/** What every failure is wrapped in (contract, section 3). */
export const ErrorEnvelope = Type.Object(
  {
    success: Type.Literal(false),
    error: Type.Object({
      code: OneOf(ERROR_CODES),
      message: Type.String({ description: 'For people; do not branch on it' }),
      details: Type.Optional(
        Type.Object(
          {
            reason: Type.Optional(
              Type.String({ description: `A stable word that splits the code further. ${REASON_LIST}` }),
            ),
            correlation_id: Type.Optional(Type.String({ description: 'The same as the X-Request-Id header' })),
            fields: Type.Optional(
              Type.Array(Type.Object({ path: Type.String(), rule: Type.String(), message: Type.String() }), {
                description: 'The faulty fields, 50 at most',
              }),
            ),
            omitted: Type.Optional(Type.Integer({ description: 'How many faulty fields more there are' })),
          },
          { additionalProperties: true },
        ),
      ),
    }),
  },
  { $id: 'Error' },
);

const DESCRIPTIONS: Record<number, string> = {
  400: 'The request, a parameter or the state of what it names is not fit for this',
  401: 'The key is missing, malformed, unknown, inactive or expired',
  403: 'The key lacks the scope, or the address is not on the IP firewall',
  404: 'The broker has no such record',
  409: 'Processed before, or an idempotency key was reused for another request',
  429: 'The key, or an address that failed to authenticate, made too many requests; see Retry-After',
  500: 'An internal operation failed',
};

/** Codes that some operations alone can answer; the others come from the gates. */
const OF_OPERATIONS: readonly ErrorCode[] = [
  'invalid_state',
  'missing_customer_email',
  'template_not_found',
  'email_send_error',
];

/** The error responses of an operation, one by one, each with the codes that it can carry. */
const responses = <const S extends number>(statuses: readonly S[], own: readonly ErrorCode[]) =>
  Object.fromEntries(
    statuses.map((status) => {
      const codes = codesOf(status)
        .filter((code) => own.includes(code) || !OF_OPERATIONS.includes(code))
        .map((code) => `\`${code}\``);
      return [status, byName(ErrorEnvelope, { description: `${DESCRIPTIONS[status]}. Codes: ${codes.join(', ')}.` })];
    }),
    // The entries are those of the statuses, which a list of entries does not say.
  ) as Record<S, TUnsafe<Static<typeof ErrorEnvelope>>>;

/** The errors that the gates can answer on every operation of v1, and those codes that are the operation's own. */
export const gateErrors = (...own: ErrorCode[]) => responses([400, 401, 403, 429, 500], own);

/** Errors of further statuses. */
export const errors = <const S extends number>(...statuses: S[]) => responses(statuses, []);
