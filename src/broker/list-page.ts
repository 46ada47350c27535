import type { Context } from '../ports.ts';
import { historyText, pagination } from '../records.ts';
import type { PageWindow } from '../store/session/session.ts';
import type { Reads, Store } from '../store/store.ts';
import { type Caller, type ListOutcome, ok, slotOwner } from './operation.ts';

export interface ListPage<View> {
  /** Whether an index bounds the cost, however long the list is. */
  bounded: boolean;
  views(read: Reads): Promise<View[]>;
  total(read: Reads): Promise<number>;
}

/** Skipping this many index entries costs far less than the page itself. */
const NEAR_OFFSET = 1000;

/**
 * Reads a page and its exact total (contract, section 6, "Lists"): at once where an index bounds the cost, otherwise in
 * the slow-query pool, so that other callers do not wait for it.
 */
export async function readPage<View>(
  store: Store,
  caller: Caller,
  window: PageWindow,
  { bounded, views, total }: ListPage<View>,
): Promise<{ views: View[]; total: number }> {
  if (bounded && window.offset <= NEAR_OFFSET) {
    const [rows, count] = await Promise.all([views(store.read), total(store.read)]);
    return { views: rows, total: count };
  }
  return store.slow(slotOwner(caller), async (read) => ({ views: await views(read), total: await total(read) }));
}

export const pageOf = <T>(items: T[], window: PageWindow, total: number): ListOutcome<T> => ({
  pagination: pagination(window, total),
  ...ok(items),
});

/**
 * What a list of changes says beside its records; undefined of another list. Read before the page: a change that it does
 * not show yet has a later date, or one of the last minute, and a page under a number of history is never older than that.
 */
export async function changesMark(
  { store, clock }: Pick<Context, 'store' | 'clock'>,
  updatedSince: number | undefined,
): Promise<{ serverDate: number; history: string } | undefined> {
  if (updatedSince === undefined) return undefined;
  const serverDate = clock.now();
  return { serverDate, history: historyText(await store.read.history.findLatest()) };
}

/** The page with the mark that was read before it. */
export const marked = <T>(page: ListOutcome<T>, mark: Awaited<ReturnType<typeof changesMark>>): ListOutcome<T> =>
  mark ? { ...page, pagination: { ...page.pagination, history: mark.history }, serverDate: mark.serverDate } : page;

export const isGiven = (filter: object): boolean => Object.values(filter).some((value) => value !== undefined);
