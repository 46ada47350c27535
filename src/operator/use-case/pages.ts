import { pagination } from '../../records.ts';
import type { PageWindow } from '../../store/session/session.ts';
import { invalid } from './errors.ts';
import { integer } from './fields.ts';

/** Lists that people read come in pages of so many; a command takes one page of its limit. */
export const PER_PAGE = 50;

/** Deep pages cost the database a walk over everything before them. */
const MAX_PAGE = 100_000;

export interface PageInput {
  /** Counts from 1. */
  page?: number | undefined;
  perPage?: number | undefined;
  /** In place of a page: how many records to skip. */
  offset?: number | undefined;
  /** The other way round. */
  reverse?: boolean | undefined;
}

/** The window that a page's number means. Throws an `OperatorError`. */
export function windowOf({
  page = 1,
  perPage = PER_PAGE,
  offset = (page - 1) * perPage,
  reverse,
}: PageInput): PageWindow {
  if (!(Number.isInteger(page) && page >= 1 && page <= MAX_PAGE)) {
    throw invalid({ field: 'page', message: `must be a number from 1 to ${MAX_PAGE}` });
  }
  return { limit: perPage, offset, ...(reverse && { reverse }) };
}

/** Where no counter knows how long a list is, it is counted no further. */
export const COUNTED_MOST = 10_000;

/** The pages of such a list. @param counted how many records there are, up to one more than `COUNTED_MOST` */
export const countedPage = (window: PageWindow, counted: number) => ({
  pagination: { ...pagination(window, Math.min(counted, COUNTED_MOST)), isMore: counted > COUNTED_MOST },
});

/** Where a list is counted no further than `COUNTED_MOST`. @param counted up to one more than that */
export const totalOf = (counted: number): number | undefined => (counted > COUNTED_MOST ? undefined : counted);

/** Records of a list. */
export interface Listed<T> {
  /** How many there are in all; undefined where that is not counted. */
  total?: number | undefined;
  /** There are more than the limit. */
  truncated: boolean;
  records: T[];
  /** Of a list of changes: where the next round may begin, less a minute, in epoch milliseconds; the number of history. */
  serverDate?: number;
  history?: string;
}

/** @param rows one more than the limit, where there are so many */
export const limitedTo = <T>(limit: number, rows: readonly T[]): Listed<T> => ({
  truncated: rows.length > limit,
  records: rows.slice(0, limit),
});

/** What a command shows of a page that has one record more than the limit, where there are so many. */
export const listed = <T>(
  limit: number,
  rows: readonly T[],
  { total, isMore = false }: { total: number; isMore?: boolean },
): Listed<T> => ({ total: isMore ? undefined : total, ...limitedTo(limit, rows) });

/** The window of a list that was read as a whole, for it is short. */
export const wholeList = <T>(
  records: readonly T[],
  { limit, offset }: { limit: number; offset: number },
): Listed<T> => ({
  total: records.length,
  truncated: records.length > offset + limit,
  records: records.slice(offset, offset + limit),
});

/** How many records a command shows. */
export const limitOf = (value: number) => integer(1, 1_000_000, { description: 'How many', default: value });

/** How many records to show, and how many to skip before them. */
export const WINDOW = {
  limit: limitOf(100),
  offset: integer(0, 2_147_483_647, { description: 'How many to skip', default: 0 }),
};

/** The same for a list that is short by its nature. */
export const SHORT_LIST = { ...WINDOW, limit: limitOf(1_000) };

/** The words of a list of changes. */
export const SINCE_CHANGE = {
  option: 'updated-since',
  description: 'Of one broker: what changed at or after this date, in the order of the changes',
};

/**
 * Throws an `OperatorError` where a list of changes is narrowed by what only the other lists know.
 * @param after the field of the position beside the date
 */
export function refuseFilters(
  after: string,
  { broker, updatedSince, others }: { broker: string | undefined; updatedSince: number | undefined; others: object },
): void {
  if (updatedSince === undefined) throw invalid({ field: after, message: 'needs updated_since', rule: 'conflict' });
  if (broker === undefined) throw invalid({ field: 'updated_since', message: 'needs a broker', rule: 'conflict' });
  const [other] = Object.entries(others).find(([, value]) => value !== undefined) ?? [];
  if (other !== undefined)
    throw invalid({ field: other, message: 'cannot be combined with updated_since', rule: 'conflict' });
}
