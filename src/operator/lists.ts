import { type Given, integer, read } from './fields.ts';

/** A page of records, and how many there are in all. */
export interface Listed<T> {
  total: number;
  records: T[];
}

const LIMIT = integer(1, 1_000_000);
const OFFSET = integer(0, 2_147_483_647);
const DEFAULT_LIMIT = 100;

/** How many records to show, and how many to skip before them. Throws an `OperatorError`. */
export const readWindow = (input: { limit?: Given<number> | undefined; offset?: Given<number> | undefined }) => ({
  limit: read('limit', LIMIT, input.limit ?? DEFAULT_LIMIT),
  offset: read('offset', OFFSET, input.offset ?? 0),
});
