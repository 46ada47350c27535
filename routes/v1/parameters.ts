import { parseMoment } from '../../src/rules/moments.ts';

/** Parameters that passed validation, as the values that operations take. */

export const momentOf = (text: string | undefined): number | undefined =>
  text === undefined ? undefined : parseMoment(text);

/**
 * The window of a list from either pair of paging parameters (contract, section 6, "Lists"). To be spread behind a query's
 * other fields: each field that follows a spread takes Node 20 a microsecond and memory that only a full collection frees,
 * of a list's call a quarter of its time, and fifty megabytes under load.
 */
export function windowOf(query: { limit?: string; offset?: string; page?: string; perPage?: string }) {
  const limit = Number(query.limit ?? query.perPage ?? DEFAULT_LIMIT);
  return { limit, offset: query.page === undefined ? Number(query.offset ?? 0) : (Number(query.page) - 1) * limit };
}

const DEFAULT_LIMIT = 25;
