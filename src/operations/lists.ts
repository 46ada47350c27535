import { fail } from '../errors.ts';
import { isRequestId } from '../ids.ts';
import { foldPlanName } from '../rules/plan-changes.ts';
import { fold } from '../rules/search-text.ts';
import { asStoredNumber } from '../rules/service-number.ts';
import type { BillingType } from '../store/plans.ts';
import type { RequestFilter, RequestStatus, RequestType } from '../store/requests.ts';
import type { ServiceFilter, ServiceStatus } from '../store/services.ts';
import type { Page } from '../store/session.ts';
import type { Reads } from '../store/store.ts';
import type { Context } from './context.ts';
import { findServiceView } from './find-service.ts';
import { type Caller, type Outcome, ok } from './outcome.ts';
import { historyRecord, pagination, planRecord, requestRecord, serviceRecord } from './records.ts';

/** What callers may narrow the service list by; every filter takes one value. */
export interface ServiceQuery {
  serviceStatus?: ServiceStatus | undefined;
  billingType?: BillingType | undefined;
  /** A plan's id or slug. */
  plan?: string | undefined;
  clientEmail?: string | undefined;
  search?: string | undefined;
  createdFrom?: number | undefined;
  createdTo?: number | undefined;
  renewalBefore?: number | undefined;
}

export interface RequestQuery {
  type?: RequestType | undefined;
  requestStatus?: RequestStatus | undefined;
  serviceNumber?: bigint | undefined;
  operatorReview?: boolean | undefined;
  submittedFrom?: number | undefined;
  submittedTo?: number | undefined;
  updatedSince?: number | undefined;
}

function page<T>(items: T[], window: Page, total: number): Outcome<T[]> {
  return { ...ok(items), pagination: pagination(window, total) };
}

/** The active plans by rank, then id (contract, section 6, "Plans"). */
export async function listPlans(
  { store }: Context,
  caller: Caller,
  { billingType, ...window }: Page & { billingType?: BillingType | undefined },
): Promise<Outcome<object[]>> {
  const { rows, total } = await store.read.plans.page(caller.brokerId, { billingType }, window);
  return page(rows.map(planRecord), window, total);
}

/** The broker's services, newest first, with an exact total (contract, section 6, "Services"). */
export async function listServices(
  { store }: Context,
  caller: Caller,
  { limit, offset, ...query }: Page & ServiceQuery,
): Promise<Outcome<object[]>> {
  const window = { limit, offset };
  const filter = await serviceFilterOf(store.read, caller, query);
  if (!filter) return page([], window, 0);
  const [views, total] = await Promise.all([
    store.read.services.page(caller.brokerId, filter, window),
    countServices(store.read, caller, filter),
  ]);
  return page(views.map(serviceRecord), window, total);
}

/** A query as the store's filter; null when it names a plan that is not there, and so finds nothing. */
export async function serviceFilterOf(
  read: Reads,
  { brokerId }: Caller,
  { plan, clientEmail, search, serviceStatus, ...rest }: ServiceQuery,
): Promise<ServiceFilter | null> {
  const filter: ServiceFilter = { ...rest };
  if (serviceStatus !== undefined) filter.status = serviceStatus;
  if (clientEmail !== undefined) filter.clientEmailFolded = fold(clientEmail);
  if (search !== undefined) filter.search = fold(search);
  if (plan !== undefined) {
    const ids = await read.plans.listIds(brokerId, { idOrSlug: { id: plan, folded: foldPlanName(plan) } });
    // One plan's slug may be another one's id: the id goes first, as in plan changes.
    const planId = ids.find((id) => id === plan) ?? ids[0];
    if (planId === undefined) return null;
    filter.planId = planId;
  }
  return filter;
}

/** The counters know the lists by plan and status; anything narrower is counted in an index. */
async function countServices(read: Reads, { brokerId }: Caller, filter: ServiceFilter): Promise<number> {
  const { status, planId, billingType, ...narrower } = filter;
  if (Object.values(narrower).some((value) => value !== undefined)) {
    return read.services.countMatches(brokerId, filter);
  }
  const billed = billingType && (await read.plans.listIds(brokerId, { billingType }));
  const kinds = planId === undefined ? billed : [planId].filter((id) => billed?.includes(id) ?? true);
  return read.counters.total(brokerId, 'services', { kinds, status });
}

/** One service as it stands. Throws `not_found`. */
export async function getService(
  { store }: Context,
  caller: Caller,
  { serviceNumber }: { serviceNumber: bigint },
): Promise<Outcome<object>> {
  return ok(serviceRecord(await findServiceView(store.read, caller, serviceNumber)));
}

/** The broker's requests, newest first, with an exact total (contract, section 6, "Requests"). */
export async function listRequests(
  { store, clock }: Context,
  caller: Caller,
  { limit, offset, requestStatus, serviceNumber, ...query }: Page & RequestQuery,
): Promise<Outcome<object[]>> {
  const window = { limit, offset };
  const stored = serviceNumber === undefined ? undefined : asStoredNumber(serviceNumber);
  if (serviceNumber !== undefined && stored === undefined) return page([], window, 0);
  const filter: RequestFilter = { ...query, status: requestStatus, serviceNumber: stored };
  const [views, total] = await Promise.all([
    store.read.requests.page(caller.brokerId, filter, window),
    countRequests(store.read, caller, filter),
  ]);
  return page(
    views.map((view) => requestRecord(view, clock.now())),
    window,
    total,
  );
}

async function countRequests(read: Reads, { brokerId }: Caller, filter: RequestFilter): Promise<number> {
  const { status, type, ...narrower } = filter;
  if (Object.values(narrower).some((value) => value !== undefined)) {
    return read.requests.countMatches(brokerId, filter);
  }
  return read.counters.total(brokerId, 'requests', { kinds: type && [type], status });
}

/** One request with its history. Throws `not_found`, also for texts that could be no id. */
export async function getRequest(
  { store, clock }: Context,
  caller: Caller,
  { requestId }: { requestId: string },
): Promise<Outcome<object>> {
  const view = isRequestId(requestId) ? await store.read.requests.findView(caller.brokerId, requestId) : null;
  if (!view) throw fail.requestNotFound();
  const history = await store.read.requests.listHistory(caller.brokerId, requestId);
  return ok({ ...requestRecord(view, clock.now()), history: history.map(historyRecord) });
}
