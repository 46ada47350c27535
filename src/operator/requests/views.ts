import { type Static, Type } from '@sinclair/typebox';
import { Id, Nullable, ServiceStatus, Shown, Timestamp } from '../../../schemas/atoms.ts';
import { Plan } from '../../../schemas/plans.ts';
import { RequestWithHistory } from '../../../schemas/requests.ts';
import { KINDS, REQUEST_TYPES, RETRIED_TYPES } from '../../kinds/index.ts';
import { effectiveAtOfPlanChange, reviewReasons } from '../../kinds/plan-change.ts';
import { operatorOwner } from '../../limits/operator-slot.ts';
import {
  actionOf,
  consumptionRecord,
  historyRecord,
  historyText,
  pagination,
  planSummary,
  requestRecord,
  serviceRecord,
} from '../../records.ts';
import { omit } from '../../rules/omit.ts';
import { isoTimestamp, isoTimestampOrNull } from '../../rules/timestamps.ts';
import { isEnded, REQUEST_STATUSES } from '../../rules/words.ts';
import type { OwnedRequest, RequestsFilter } from '../../store/queries/all-requests.ts';
import type { RequestRow, RequestView } from '../../store/queries/requests.ts';
import type { ServiceView } from '../../store/queries/services.ts';
import type { Reads } from '../../store/store.ts';
import { actorIn, auditRecords, MAX_EDITS } from '../audit/audit.ts';
import { findOwner, type ReadDeps, requireBroker } from '../use-case/dependencies.ts';
import { readPages, recordsOf } from '../use-case/exports.ts';
import { line, oneOf, readAll, serviceNumber, timestamp as timestampField } from '../use-case/fields.ts';
import {
  limitedTo,
  listed,
  type PageInput,
  refuseFilters,
  SINCE_CHANGE,
  totalOf,
  WINDOW,
  windowOf,
} from '../use-case/pages.ts';
import { recordWith } from '../use-case/record.ts';
import { readRange } from '../use-case/time-range.ts';
import { type GivenOf, useCase } from '../use-case/use-case.ts';
import { REQUEST, REQUEST_RECORD } from './decisions.ts';
import { ENDED, FAILURE_FILTER } from './filters.ts';
import { requireRequest } from './find.ts';

export { REQUEST_STATUSES, REQUEST_TYPES };

const FILTER = Type.Object({
  ...FAILURE_FILTER,
  request_status: Type.Optional(oneOf(REQUEST_STATUSES, { title: 'Status', option: 'status' })),
  ...ENDED,
  service_number: Type.Optional(serviceNumber({ title: 'Of one service', option: 'service' })),
  order: Type.Optional(
    oneOf(['newest', 'oldest'], { title: 'Order', description: 'What comes first', default: 'newest' }),
  ),
});

/**
 * Requests of one broker or of all, page by page, with an exact total; none where no broker has that slug. A service's
 * number determines its broker.
 */
export async function pageRequests({ store, clock }: ReadDeps, input: PageInput & GivenOf<typeof FILTER> = {}) {
  const window = windowOf(input);
  const { order = 'newest', ...given } = readAll(FILTER, input);
  const now = clock.now();
  const filter = await filterOf(store.read, given, now);
  if (filter === null) return { items: [], pagination: pagination(window, 0) };
  const find = async ({ allRequests }: Reads) => ({
    rows: await allRequests.page(filter, order, window),
    total: await allRequests.count(filter),
  });
  // Rare rows may be far back among all brokers' requests.
  const { rows, total } = await (filter.brokerId === undefined ? store.slow(operatorOwner(), find) : find(store.read));
  return {
    items: rows.map((row) => ({
      ...requestRecord(row, now),
      broker: row.broker,
      client: row.client,
      service: row.service,
      retried_as: row.retriedAs,
      can_retry: canRetry(row),
    })),
    pagination: pagination(window, total),
  };
}

/** Whether it can be done once more (contract, section 14.4). */
const canRetry = ({
  request: { status, type },
  service,
  retriedAs,
}: Pick<OwnedRequest, 'request' | 'service' | 'retriedAs'>) =>
  status === 'failed' && RETRIED_TYPES.includes(type) && retriedAs === null && !isEnded(service.status);

type Given = Omit<Static<typeof FILTER>, 'order'>;

/** Null where no request can match. */
async function filterOf(
  reads: Reads,
  { broker, service_number: serviceNumber, request_status: status, type, reason, ...ended }: Given,
  now: number,
): Promise<RequestsFilter | null> {
  const brokerId = await findOwner(reads, { broker, service_number: serviceNumber });
  const { since, until } = readRange(now, { since: ended.ended_since, until: ended.ended_until });
  if (brokerId === null) return null;
  return { brokerId, serviceNumber, status, type, reason, endedSince: since, endedUntil: until };
}

/**
 * The review that was submitted next after this one, of all or of those that the filters keep; after the last of them the
 * one that waits longest. Null where there is no other.
 */
export async function findNextReview(
  { store, clock }: ReadDeps,
  { after, ...filters }: { after: string } & GivenOf<typeof FILTER>,
): Promise<string | null> {
  const given = { ...readAll(FILTER, filters), request_status: 'operator_review' as const };
  const filter = await filterOf(store.read, given, clock.now());
  if (filter === null) return null;
  const find = async ({ allRequests }: Reads) => {
    const [later] = await allRequests.listOldest({ ...filter, after }, 1);
    return later ?? (await allRequests.listOldest(filter, 2)).find((id) => id !== after) ?? null;
  };
  return filter.brokerId === undefined ? store.slow(operatorOwner(), find) : find(store.read);
}

/** Other requests of the service that a request's page shows. */
const MAX_OTHERS = 20;

/**
 * One request with all that a person decides on: whose service it is, what would change and why it is looked at, its
 * history, and the service's other requests. Throws an `OperatorError` where there is none.
 */
export async function showRequest({ store, clock }: ReadDeps, input: { requestId: string }) {
  const { broker, view, service, history } = await requireRequest(store.read, input.requestId);
  const { request } = view;
  const now = clock.now();
  const others = await store.read.allRequests.listOfService(broker.id, request.serviceNumber, MAX_OTHERS + 1);
  const retriedAs = await store.read.allRequests.findRetry(request.id);
  const kind = KINDS[request.type].template;
  const template = await store.read.templates.find(broker.id, kind);
  // The operator's own requests begin in the trail of the service.
  const subjects = [`request/${request.id}`, `service/${request.serviceNumber}`];
  const isOperators = history.some(({ actor }) => actor === 'operator');
  const trail = isOperators
    ? await auditRecords(store.read, await store.read.audit.list({ brokerId: broker.id, subjects }, MAX_EDITS))
    : [];
  const consumed = await store.read.consumption.find(broker.id, request.serviceNumber);
  return {
    ...requestRecord(view, now),
    attempts: request.attempts,
    retried_as: retriedAs,
    can_retry: canRetry({ request, service: service.service, retriedAs }),
    begun_date: isoTimestampOrNull(request.calledAt),
    /** A cancellation that removes what a creation may have left whose end is not known. */
    cleans_up: request.cleansUp === true,
    broker: { id: broker.id, slug: broker.slug, name: broker.name },
    service: {
      ...serviceRecord(service),
      requires_operator_review: service.service.requiresOperatorReview,
    },
    plans: plansOf(view),
    ...(await offerFacts(store.read, view, service)),
    review: reviewOf(view, service, now),
    /** What the service consumed, as measured last. */
    consumption: consumed && consumptionRecord(consumed),
    history: history.map((row) => ({ ...historyRecord(row), actor: actorIn(trail, row) })),
    /** The template of the email that says that it is done, and whether it is in use now. */
    template: { kind, is_in_use: template?.active === true },
    other_requests: others
      .filter(({ id }) => id !== request.id)
      .slice(0, MAX_OTHERS)
      .map(summary),
  };
}

/** The options by whose names a request's configuration is shown, and whether its action deletes the client's data. */
async function offerFacts({ plans }: Reads, { request, newPlan }: RequestView, { plan }: ServiceView) {
  if (request.actionName === null) {
    const isConfigured = newPlan !== null && request.actionConfiguration !== null;
    const options = isConfigured ? (await plans.findOffer(request.brokerId, newPlan.id)).options : [];
    return { options, destroys_data: false };
  }
  const { actions } = await plans.findOffer(request.brokerId, plan.id);
  const action = actions.find(({ name }) => name === request.actionName);
  return { options: action?.options ?? [], destroys_data: action?.destroys_data ?? false };
}

/** The plans of a change in full; a creation starts from none. */
const plansOf = ({ currentPlan, newPlan }: RequestView) =>
  newPlan && { from: currentPlan && planSummary(currentPlan), to: planSummary(newPlan) };

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
  action: actionOf(row),
  request_status: row.status,
  submitted_date: isoTimestamp(row.submittedAt),
});

export type RequestPage = Awaited<ReturnType<typeof pageRequests>>;
export type RequestDetail = Awaited<ReturnType<typeof showRequest>>;

const BROKER_SLUG = { broker: Shown(64, 'The slug of its broker', { examples: ['acme'] }) };

const OWNED_REQUEST = recordWith('OwnedRequest', REQUEST_RECORD, BROKER_SLUG);

/** A plan without what it offers. */
const PLAN_SUMMARY = Type.Omit(Plan, ['mode', 'simulated', 'options', 'actions', 'has_credentials']);
const FULL_PLAN = Type.Optional(Type.Object(PLAN_SUMMARY.properties, { component: 'RequestPlan' }));

/** A request with all that a decision needs. */
const REQUEST_DETAIL = recordWith('RequestDetail', OWNED_REQUEST, {
  current_plan: FULL_PLAN,
  new_plan: FULL_PLAN,
  client: Type.Object({ name: Shown(200, 'The client’s name'), email: Nullable(Shown(254, 'The client’s address')) }),
  service: Type.Object({
    service_status: ServiceStatus,
    label: Nullable(Shown(255, 'A name for the service')),
    renewal_date: Nullable(Timestamp('When the term ends.')),
  }),
  retried_as: Nullable(Id('req', 'The request that does this failed one once more'), { examples: [null] }),
  begun_date: Nullable(
    Timestamp('When its work was first sent to the provisioner; null before, and of older requests.'),
  ),
  history: RequestWithHistory.properties.history,
});

/** Requests, newest first: of one broker or of all. */
export const listRequests = useCase({
  name: 'requests list',
  title: 'Requests',
  summary: 'List requests',
  description: 'List requests, newest first',
  example: 'requests list --status operator_review',
  input: Type.Object({
    ...FILTER.properties,
    updated_since: Type.Optional(timestampField(SINCE_CHANGE)),
    after_request: Type.Optional(
      line(128, {
        option: 'after-request',
        description: 'Beside it: begins behind this request within that millisecond',
      }),
    ),
    ...WINDOW,
  }),
  path: 'GET /requests',
  answer: OWNED_REQUEST,
  columns: ['request_id', 'broker', 'type', 'request_status', 'service_number', 'origin', 'submitted_date'],
  async pages(deps: ReadDeps, { offset, order = 'newest', ...input }) {
    const { store, clock } = deps;
    if (input.broker !== undefined) await requireBroker(store.read, input.broker);
    const filter = await filterOf(store.read, input, clock.now());
    const rows = readPages<OwnedRequest>(deps, async ({ allRequests }, limit, last) =>
      filter ? allRequests.page(filter, order, { limit, offset: last ? 0 : offset }, last?.request) : [],
    );
    return recordsOf(rows, (page) =>
      page.map((row) => ({ broker: row.broker.slug, ...requestRecord(row, clock.now()) })),
    );
  },
  async run(deps: ReadDeps, { limit, offset, updated_since: updatedSince, after_request: afterRequest, ...input }) {
    if (updatedSince !== undefined || afterRequest !== undefined) {
      return listChanged(deps, { ...input, updatedSince, afterRequest }, { limit, offset });
    }
    if (input.broker !== undefined) await requireBroker(deps.store.read, input.broker);
    const { items, pagination } = await pageRequests(deps, { ...input, perPage: limit + 1, offset });
    const records = items.map(({ broker, ...record }) => ({
      broker: broker.slug,
      ...omit(record, 'client', 'service', 'retried_as', 'can_retry'),
    }));
    return listed(limit, records, pagination);
  },
});

type Changed = Static<typeof FILTER> & { updatedSince: number | undefined; afterRequest: string | undefined };

/** A broker's requests that changed since a date, in the order of their changes, as in v1. */
async function listChanged({ store, clock }: ReadDeps, input: Changed, window: { limit: number; offset: number }) {
  const { broker: slug, request_status: status, updatedSince, afterRequest, ...others } = omit(input, 'order');
  refuseFilters('after_request', { broker: slug, updatedSince, others });
  const broker = await requireBroker(store.read, String(slug));
  const filter = { status, updatedSince, afterRequest };
  const serverDate = clock.now();
  const history = historyText(await store.read.history.findLatest());
  const { views, total } = await store.slow(operatorOwner(), async ({ requests }) => ({
    views: await requests.page(broker.id, filter, { ...window, limit: window.limit + 1 }),
    total: await requests.countMatches(broker.id, filter),
  }));
  const now = clock.now();
  const records = views.map((view) => ({ broker: broker.slug, ...requestRecord(view, now) }));
  return { ...limitedTo(window.limit, records), total: totalOf(total), serverDate, history };
}

/** One request with all that a decision on it needs: the client, the plans from and to in full, and its history. */
export const showRequestRecord = useCase({
  name: 'requests show',
  title: 'Request',
  summary: 'Read a request',
  description: 'Show one request: the client, the plans from and to, its history',
  example: 'requests show req_01J9ZQ8V3M4N5P6Q7R8S9TABCD',
  input: Type.Object(REQUEST),
  on: ['request_id'],
  argument: 'request_id',
  path: 'GET /requests/:request_id',
  answer: REQUEST_DETAIL,
  async run({ store, clock }: ReadDeps, { request_id: requestId }) {
    const { broker, view, service, history } = await requireRequest(store.read, requestId);
    const plans = {
      ...(view.currentPlan && { current_plan: planSummary(view.currentPlan) }),
      ...(view.newPlan && { new_plan: planSummary(view.newPlan) }),
    };
    return Object.assign(requestRecord(view, clock.now()), plans, {
      broker: broker.slug,
      client: { name: service.service.clientName, email: service.service.clientEmail },
      service: {
        service_status: service.service.status,
        label: service.service.label,
        renewal_date: isoTimestampOrNull(service.service.renewalAt),
      },
      begun_date: isoTimestampOrNull(view.request.calledAt),
      retried_as: await store.read.allRequests.findRetry(requestId),
      history: history.map(historyRecord),
    });
  },
});
