import { Type } from '@sinclair/typebox';
import { Digits, Exactly, Id, MAX_INT32, ServiceNumberValue } from './atoms.ts';

export const ServiceParams = Type.Object({ service_number: ServiceNumberValue });
/** Accepts any text: an unknown id is answered with 404, even if it is malformed. */
export const RequestParams = Type.Object({
  request_id: Type.String({
    document: Id('req', 'The id that the submitting call answered', 'req_test_sample_pending'),
  }),
});

/** For operations without query parameters: each one that is sent is refused. */
export const NoQuery = Exactly({});

/** For bodies that are accepted and ignored. */
export const IgnoredBody = Type.Object({}, { additionalProperties: true, document: { type: 'object' } });

/** Both ways to page; one request uses one of them (contract, section 6). */
export const PagingQuery = {
  limit: Type.Optional(Digits({ minimum: 1, maximum: 100, default: 25 }, 'How many items to return')),
  offset: Type.Optional(Digits({ minimum: 0, maximum: MAX_INT32, default: 0 }, 'How many items to skip')),
  page: Type.Optional(Digits({ minimum: 1, maximum: MAX_INT32 }, 'The page, counted from 1; not with limit or offset')),
  perPage: Type.Optional(Digits({ minimum: 1, maximum: 100 }, 'Items a page; not with limit or offset')),
};
export const PAGING_CONFLICTS = [
  ['limit', 'page'],
  ['limit', 'perPage'],
  ['offset', 'page'],
  ['offset', 'perPage'],
];

const IdempotencyKey = (description: string) =>
  Type.Optional(Type.String({ minLength: 1, maxLength: 255, pattern: '^[\\x20-\\x7e]*$', description }));

/** One header under two names (contract, section 7). */
export const IdempotencyHeaders = Type.Object(
  {
    'x-idempotency-key': IdempotencyKey(
      'One key for each intended operation; repeat it with the same input when retrying',
    ),
    'idempotency-key': IdempotencyKey('The same under its other name; where both are sent they must be equal'),
  },
  { alike: [['x-idempotency-key', 'idempotency-key']] },
);
