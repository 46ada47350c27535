import { pagination, planRecord, serviceRecord } from '../records.ts';
import { KINDS, REQUEST_TYPES } from '../requests/kinds/index.ts';
import { historyRecord, requestRecord } from '../requests/record.ts';
import { effectiveAtOfPlanChange, reviewReasons } from '../rules/plan-changes.ts';
import { isoTimestamp } from '../rules/timestamps.ts';
import { REQUEST_STATUSES } from '../rules/words.ts';
import type { OwnedRequest } from '../store/overview.ts';
import type { RequestRow, RequestView } from '../store/requests.ts';
import type { ServiceRow, ServiceView } from '../store/services.ts';
import { OPERATOR } from '../store/slow-queries.ts';
import type { ReadDeps } from './dependencies.ts';
import { oneOf, read, serviceNumber, type Texts } from './fields.ts';
import { type PageInput, windowOf } from './pages.ts';
import { requireRequest } from './requests.ts';

export { REQUEST_STATUSES, REQUEST_TYPES };

const TYPE = oneOf(REQUEST_TYPES);
const STATUS = oneOf(REQUEST_STATUSES);
const ORDER = oneOf(['newest', 'oldest']);

/**
 * Requests of one broker or of all, page by page, with an exact total; none where no broker has that slug. A service's
 * number determines its broker. `order`: `newest` (the default) or `oldest` first; of one broker or service always the
 * newest.
 */
export async function pageRequests(
  { store, clock }: ReadDeps,
  input: PageInput & Texts<'broker' | 'status' | 'type' | 'service' | 'order'> = {},
) {
  const window = windowOf(input);
  const filter = {
    status: input.status === undefined ? undefined : read('status', STATUS, input.status),
    type: input.type === undefined ? undefined : read('type', TYPE, input.type),
  };
  const number = input.service === undefined ? undefined : read('service', serviceNumber, input.service);
  const order = read('order', ORDER, input.order ?? 'newest');
  const now = clock.now();
  const page = (rows: OwnedRequest[], total: number) => ({
    items: rows.map((row) => ({ ...requestRecord(row, now), broker: row.broker, client: row.client })),
    pagination: pagination(window, total),
  });

  const named = input.broker === undefined ? undefined : await store.read.brokers.findBySlug(input.broker);
  if (named === null) return page([], 0);
  if (named === undefined && number === undefined) {
    // A slow query: rare rows may be far back among all brokers' requests.
    return store.slow(OPERATOR, async ({ overview }) =>
      page(await overview.pageRequests(filter, order, window), await overview.countRequests(filter)),
    );
  }
  const ownerId = number === undefined ? named?.id : await store.read.overview.findServiceOwner(number);
  const broker = ownerId ? await store.read.brokers.find(ownerId) : null;
  if (!broker || (named && named.id !== broker.id)) return page([], 0);
  const narrower = { ...filter, serviceNumber: number };
  const [views, total] = await Promise.all([
    store.read.requests.page(broker.id, narrower, window),
    number === undefined
      ? store.read.counters.total(broker.id, 'requests', { kinds: filter.type && [filter.type], status: filter.status })
      : store.read.requests.countMatches(broker.id, narrower),
  ]);
  const clients = new Map<number, OwnedRequest['client']>();
  for (const { request } of views) {
    if (clients.has(request.serviceNumber)) continue;
    // A foreign key says that there is one.
    const service = (await store.read.services.find(broker.id, request.serviceNumber)) as ServiceRow;
    clients.set(service.number, { name: service.clientName, label: service.label });
  }
  const rows = views.map((view) => ({
    ...view,
    broker: { id: broker.id, slug: broker.slug, name: broker.name },
    client: clients.get(view.request.serviceNumber) as OwnedRequest['client'],
  }));
  return page(rows, total);
}

/** Other requests of the service that a request's page shows. */
const MAX_OTHERS = 20;

/**
 * One request with all that a person decides on: whose service it is, what would change and why it is looked at, its
 * history, and what else was asked of the service. Throws an `OperatorError` where there is none.
 */
export async function showRequest({ store, clock }: ReadDeps, input: { requestId: string }) {
  const { broker, view, service, history } = await requireRequest(store.read, input.requestId);
  const { request } = view;
  const now = clock.now();
  const others = await store.read.overview.listOfService(broker.id, request.serviceNumber, MAX_OTHERS + 1);
  return {
    ...requestRecord(view, now),
    attempts: request.attempts,
    broker: { id: broker.id, slug: broker.slug, name: broker.name },
    service: {
      ...serviceRecord(service),
      requires_operator_review: service.service.requiresOperatorReview,
    },
    plans: plansOf(view),
    review: reviewOf(view, service, now),
    history: history.map(historyRecord),
    other_requests: others
      .filter(({ id }) => id !== request.id)
      .slice(0, MAX_OTHERS)
      .map(summary),
  };
}

/** The plans of a change in full; a creation starts from none. */
const plansOf = ({ currentPlan, newPlan }: RequestView) =>
  newPlan && { from: currentPlan && planRecord(currentPlan), to: planRecord(newPlan) };

/** Why a plan change is looked at, and when it would take effect if it were accepted now. */
function reviewOf({ request, newPlan }: RequestView, { service, plan }: ServiceView, now: number) {
  const { direction } = KINDS[request.type];
  if (request.status !== 'operator_review' || newPlan === null || direction === undefined) return null;
  const effectiveAt = effectiveAtOfPlanChange({ direction, service, currentPlan: plan, now });
  return {
    reasons: reviewReasons({ direction, service, currentPlan: plan, targetPlan: newPlan }),
    /** Null: at once. */
    effective_date: effectiveAt <= now ? null : isoTimestamp(effectiveAt),
  };
}

const summary = (row: RequestRow) => ({
  request_id: row.id,
  type: row.type,
  request_status: row.status,
  submitted_date: isoTimestamp(row.submittedAt),
});

export type RequestPage = Awaited<ReturnType<typeof pageRequests>>;
export type RequestDetail = Awaited<ReturnType<typeof showRequest>>;
