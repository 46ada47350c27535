import { parseTimestamp } from '../../src/rules/timestamps.ts';

/** Converts validated parameters to the values that operations take. */

export const timestampOf = (text: string | undefined): number | undefined =>
  text === undefined ? undefined : parseTimestamp(text);

/**
 * The window of a list from either pair of paging parameters (contract, section 6, "Lists").
 *
 * Spread it after a query's other fields: each field after a spread costs a microsecond and memory that only a
 * full garbage collection frees. That was a quarter of the time of a list call, and fifty megabytes under load.
 */
export function parseWindow(query: { limit?: string; offset?: string; page?: string; perPage?: string }) {
  const limit = Number(query.limit ?? query.perPage ?? DEFAULT_LIMIT);
  return { limit, offset: query.page === undefined ? Number(query.offset ?? 0) : (Number(query.page) - 1) * limit };
}

const DEFAULT_LIMIT = 25;
