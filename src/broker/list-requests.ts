import type { RequestType } from '../kinds/index.ts';
import { listSlot } from '../limits/list-slots.ts';
import type { Context } from '../ports.ts';
import { type RequestRecord, requestRecord } from '../records.ts';
import type { RequestStatus } from '../rules/words.ts';
import type { RequestFilter } from '../store/queries/requests.ts';
import type { PageWindow } from '../store/session/session.ts';
import type { Reads } from '../store/store.ts';
import { changesMark, isGiven, marked, pageOf, readPage } from './list-page.ts';
import type { Caller, ListOutcome } from './operation.ts';

export interface RequestQuery {
  type?: RequestType | undefined;
  requestStatus?: RequestStatus | undefined;
  serviceNumber?: number | undefined;
  operatorReview?: boolean | undefined;
  submittedFrom?: number | undefined;
  submittedTo?: number | undefined;
  updatedSince?: number | undefined;
  /** With `updatedSince`: only requests after this one in that millisecond. */
  afterRequest?: string | undefined;
}

/**
 * The broker's requests, newest first, with an exact total; those that changed since a timestamp in the order of their
 * changes, with a total that stops at 10000 (contract, section 6, "Requests").
 */
export async function listRequests(
  context: Context,
  caller: Caller,
  query: PageWindow & RequestQuery,
): Promise<ListOutcome<RequestRecord>> {
  const { limit, offset, requestStatus, ...narrower } = query;
  const window = { limit, offset };
  const { brokerId } = caller;
  const filter: RequestFilter = { status: requestStatus, ...narrower };
  await listSlot(brokerId);
  const mark = await changesMark(context, query.updatedSince);
  const { views, total } = await readPage(context.store, caller, window, {
    bounded: isBounded(filter),
    views: (read) => read.requests.page(brokerId, filter, window),
    total: (read) => countRequests(read, brokerId, filter),
  });
  const now = context.clock.now();
  const page = pageOf(
    views.map((view) => requestRecord(view, now, context.isHeld?.())),
    window,
    total,
  );
  return marked(page, mark);
}

/**
 * Status or type alone has an index in the list's order, and the counters have the total. So has `updatedSince`, whose
 * count stops at a bound.
 */
function isBounded({ updatedSince, afterRequest, ...others }: RequestFilter): boolean {
  const { status, type, ...narrower } = others;
  if (updatedSince !== undefined) return !isGiven(others);
  return !isGiven(narrower) && (status === undefined || type === undefined);
}

/** The counters know type and status; other filters are counted in an index. */
async function countRequests(read: Reads, brokerId: string, filter: RequestFilter): Promise<number> {
  const { status, type, ...narrower } = filter;
  if (isGiven(narrower)) return read.requests.countMatches(brokerId, filter);
  return read.counters.total(brokerId, 'requests', { kinds: type && [type], status });
}
