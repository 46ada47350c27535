import { listSlot } from '../limits/list-slots.ts';
import type { Context } from '../ports.ts';
import { type ServiceRecord, serviceRecord } from '../records.ts';
import { foldPlanName } from '../rules/plan-names.ts';
import { fold, searchTerm } from '../rules/search-text.ts';
import type { BillingType, ServiceStatus } from '../rules/words.ts';
import type { ServiceFilter } from '../store/queries/service-reads.ts';
import type { PageWindow } from '../store/session/session.ts';
import type { Reads } from '../store/store.ts';
import { changesMark, isGiven, marked, pageOf, readPage } from './list-page.ts';
import type { Caller, ListOutcome } from './operation.ts';

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
  externalReference?: string | undefined;
  updatedSince?: number | undefined;
  /** With `updatedSince`: only services after this one in that millisecond. */
  afterNumber?: number | undefined;
}

/**
 * The broker's services, newest first, with an exact total; those that changed since a timestamp in the order of their
 * changes. With `updatedSince` or `search` the total stops at 10000 (contract, section 6, "Services").
 */
export async function listServices(
  context: Context,
  caller: Caller,
  query: PageWindow & ServiceQuery,
): Promise<ListOutcome<ServiceRecord>> {
  const { limit, offset, ...narrower } = query;
  const window = { limit, offset };
  const { store } = context;
  const { brokerId } = caller;
  await listSlot(brokerId);
  const mark = await changesMark(context, query.updatedSince);
  const filter = await serviceFilterOf(store.read, caller, narrower);
  const { views, total } = await readPage(store, caller, window, {
    bounded: isBounded(filter) || (await areFew(store.read, brokerId, filter)),
    views: (read) => read.services.page(brokerId, filter, window),
    total: (read) => countServices(read, brokerId, filter),
  });
  const page = pageOf(
    views.map((view) => serviceRecord(view)),
    window,
    total,
  );
  return marked(page, mark);
}

/** The store's filter for a query. An unknown plan finds nothing. */
export async function serviceFilterOf(
  read: Reads,
  { brokerId }: Caller,
  { plan, clientEmail, search, serviceStatus, ...rest }: ServiceQuery,
): Promise<ServiceFilter> {
  const filter: ServiceFilter = { status: serviceStatus, ...rest };
  if (clientEmail !== undefined) filter.clientEmailFolded = fold(clientEmail);
  if (search !== undefined) filter.search = searchTerm(search);
  if (plan !== undefined) {
    const ids = await read.plans.listIds(brokerId, { idOrSlug: { id: plan, folded: foldPlanName(plan) } });
    // One plan's slug may be another one's id: ids take precedence, as in plan changes.
    filter.planId = ids.find((id) => id === plan) ?? ids[0] ?? plan;
  }
  return filter;
}

/**
 * Status or plan alone has an index in the list's order, and the counters have the total. So has `updatedSince`, whose
 * count stops at a bound.
 */
function isBounded({ updatedSince, afterNumber, ...others }: ServiceFilter): boolean {
  const { status, planId, ...narrower } = others;
  if (updatedSince !== undefined) return !isGiven(others);
  return !isGiven(narrower) && (status === undefined || planId === undefined);
}

/** So many matches are counted in far less time than a page takes. */
const FEW_MATCHES = 1_000;

/**
 * An address or a reference has an index in the list's order, and few services share one. These look-ups are frequent,
 * and the slow-query pool refuses a broker's calls beyond 17.
 */
async function areFew(read: Reads, brokerId: string, filter: ServiceFilter): Promise<boolean> {
  const { clientEmailFolded, externalReference, ...others } = filter;
  if (isGiven(others) || (clientEmailFolded === undefined) === (externalReference === undefined)) return false;
  return (await read.services.countMatches(brokerId, filter, FEW_MATCHES + 1)) <= FEW_MATCHES;
}

/** The counters know plan and status; other filters are counted in an index. */
async function countServices(read: Reads, brokerId: string, filter: ServiceFilter): Promise<number> {
  const { status, planId, billingType, ...narrower } = filter;
  if (isGiven(narrower)) return read.services.countMatches(brokerId, filter);
  const billed = billingType && (await read.plans.listIds(brokerId, { billingType }));
  const kinds = planId === undefined ? billed : [planId].filter((id) => billed?.includes(id) ?? true);
  return read.counters.total(brokerId, 'services', { kinds, status });
}
