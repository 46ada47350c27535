import { type Caller, type Listed, ok } from '../context/outcome.ts';
import { pagination } from '../records.ts';
import type { Page } from '../store/session.ts';
import type { Reads, Store } from '../store/store.ts';

/** One page of a list: what is read for it, and whether an index bounds the reading whatever the list's length. */
export interface ListPage<View> {
  bounded: boolean;
  views(read: Reads): Promise<View[]>;
  total(read: Reads): Promise<number>;
}

/** To skip over this many entries of an index costs far less than the page itself. */
const NEAR_OFFSET = 1000;

/**
 * Reads a page and its exact total (contract, section 6, "Lists"): at once where an index bounds the cost, else in a
 * turn beside the event loop, so that nobody waits for another caller's search.
 */
export async function readPage<View>(
  store: Store,
  caller: Caller,
  window: Page,
  { bounded, views, total }: ListPage<View>,
): Promise<{ views: View[]; total: number }> {
  if (bounded && window.offset <= NEAR_OFFSET) {
    const [rows, count] = await Promise.all([views(store.read), total(store.read)]);
    return { views: rows, total: count };
  }
  return store.slow(caller, async (read) => ({ views: await views(read), total: await total(read) }));
}

/** A list as it is answered. */
export const pageOf = <T>(items: T[], window: Page, total: number): Listed<T> => ({
  pagination: pagination(window, total),
  ...ok(items),
});

/** Whether a filter asks for anything at all. */
export const isGiven = (filter: object): boolean => Object.values(filter).some((value) => value !== undefined);
