import { planRecord, timestamp } from '../records.ts';
import { REQUEST_TYPES } from '../requests/kinds/index.ts';
import { historyRecord, type RequestRecord, requestRecord } from '../requests/record.ts';
import { REQUEST_STATUSES } from '../rules/words.ts';
import type { BrokerRow } from '../store/brokers.ts';
import type { RequestFilter, RequestView } from '../store/requests.ts';
import type { ServiceView } from '../store/services.ts';
import type { Reads } from '../store/store.ts';
import { type ReadDeps, requireBroker } from './dependencies.ts';
import { unknown } from './errors.ts';
import { oneOf, read, serviceNumber, type Texts } from './fields.ts';
import { type Listed, readWindow, type WindowInput } from './pages.ts';

const TYPE = oneOf(REQUEST_TYPES);
const STATUS = oneOf(REQUEST_STATUSES);

/** Requests, newest first: of one broker or of all. */
export async function listRequests(
  { store, clock }: ReadDeps,
  input: Texts<'broker' | 'status' | 'type' | 'service'> & WindowInput = {},
): Promise<Listed<ListedRequest>> {
  const { limit } = readWindow(input);
  const filter: RequestFilter = {
    ...(input.status !== undefined && { status: read('request_status', STATUS, input.status) }),
    ...(input.type !== undefined && { type: read('type', TYPE, input.type) }),
    ...(input.service !== undefined && { serviceNumber: read('service_number', serviceNumber, input.service) }),
  };
  const brokers =
    input.broker === undefined ? await store.read.brokers.list() : [await requireBroker(store.read, input.broker)];
  const pages = await Promise.all(
    brokers.map(async ({ id, slug }) => ({
      total: await store.read.requests.countMatches(id, filter),
      views: (await store.read.requests.page(id, filter, { limit, offset: 0 })).map((view) => ({ view, slug })),
    })),
  );
  return {
    total: pages.reduce((sum, { total }) => sum + total, 0),
    records: pages
      .flatMap(({ views }) => views)
      .sort((a, b) => b.view.request.submittedAt - a.view.request.submittedAt)
      .slice(0, limit)
      .map(({ view, slug }) => ({ broker: slug, ...requestRecord(view, clock.now()) })),
  };
}

/** A request with its broker, service and history. Throws an `OperatorError` where there is none. */
export async function requireRequest({ brokers, requests, services }: Reads, requestId: string) {
  const brokerId = await requests.findOwner(requestId);
  if (brokerId === null) throw unknown(`There is no request "${requestId}"`);
  // A request is removed only with its broker.
  const view = (await requests.findView(brokerId, requestId)) as RequestView;
  const [broker, service, history] = await Promise.all([
    // Foreign keys ensure that both exist.
    brokers.find(brokerId) as Promise<BrokerRow>,
    services.findView(brokerId, view.request.serviceNumber) as Promise<ServiceView>,
    requests.listHistory(brokerId, requestId),
  ]);
  return { broker, view, service, history };
}

/** One request with all that a decision on it needs: the client, the plans from and to in full, and its history. */
export async function showRequest({ store, clock }: ReadDeps, { requestId }: { requestId: string }) {
  const { broker, view, service, history } = await requireRequest(store.read, requestId);
  return {
    broker: broker.slug,
    ...requestRecord(view, clock.now()),
    ...(view.currentPlan && { current_plan: planRecord(view.currentPlan) }),
    ...(view.newPlan && { new_plan: planRecord(view.newPlan) }),
    client: { name: service.service.clientName, email: service.service.clientEmail },
    service: {
      service_status: service.service.status,
      label: service.service.label,
      renewal_date: timestamp(service.service.renewalAt),
    },
    history: history.map(historyRecord),
  };
}

export type RequestDetails = Awaited<ReturnType<typeof showRequest>>;

/** A request with the slug of its broker. */
export type ListedRequest = { broker: string } & RequestRecord;
