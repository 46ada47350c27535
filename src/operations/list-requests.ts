import type { Context } from '../context/context.ts';
import { listSlot } from '../context/list-slots.ts';
import type { Caller, Listed } from '../context/outcome.ts';
import type { RequestType } from '../requests/kinds/index.ts';
import { type RequestRecord, requestRecord } from '../requests/record.ts';
import type { RequestStatus } from '../rules/words.ts';
import type { RequestFilter } from '../store/requests.ts';
import type { Page } from '../store/session.ts';
import type { Reads } from '../store/store.ts';
import { isGiven, pageOf, readPage } from './list-page.ts';

export interface RequestQuery {
  type?: RequestType | undefined;
  requestStatus?: RequestStatus | undefined;
  serviceNumber?: number | undefined;
  operatorReview?: boolean | undefined;
  submittedFrom?: number | undefined;
  submittedTo?: number | undefined;
  updatedSince?: number | undefined;
}

/** The broker's requests, newest first, with an exact total (contract, section 6, "Requests"). */
export async function listRequests(
  context: Context,
  caller: Caller,
  query: Page & RequestQuery,
): Promise<Listed<RequestRecord>> {
  const { limit, offset, requestStatus, ...narrower } = query;
  const window = { limit, offset };
  const { brokerId } = caller;
  const filter: RequestFilter = { status: requestStatus, ...narrower };
  await listSlot(brokerId);
  const { views, total } = await readPage(context.store, caller, window, {
    bounded: isBounded(filter),
    views: (read) => read.requests.page(brokerId, filter, window),
    total: (read) => countRequests(read, brokerId, filter),
  });
  const now = context.clock.now();
  return pageOf(
    views.map((view) => requestRecord(view, now)),
    window,
    total,
  );
}

/** Status or type alone has an index in the list's order, and the counters have the total. */
const isBounded = ({ status, type, ...narrower }: RequestFilter): boolean =>
  !isGiven(narrower) && (status === undefined || type === undefined);

/** The counters know type and status; other filters are counted in an index. */
async function countRequests(read: Reads, brokerId: string, filter: RequestFilter): Promise<number> {
  const { status, type, ...narrower } = filter;
  if (isGiven(narrower)) return read.requests.countMatches(brokerId, filter);
  return read.counters.total(brokerId, 'requests', { kinds: type && [type], status });
}
