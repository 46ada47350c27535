import { requestRecord } from '../operations/records.ts';
import type { RequestFilter, RequestStatus, RequestType } from '../store/requests.ts';
import { integer, oneOf, read, serviceNumber } from './fields.ts';
import { type OperatorParts, requireBroker } from './parts.ts';

const TYPE = oneOf<RequestType>([
  'cancellation-warning',
  'plan-upgrade',
  'plan-downgrade',
  'cancellation',
  'service-creation',
]);
const STATUS = oneOf<RequestStatus>([
  'pending',
  'operator_review',
  'accepted',
  'completed',
  'failed',
  'approved',
  'denied',
]);

/** Requests, newest first: of one broker or of all. */
export async function listRequests(
  { store, clock }: Pick<OperatorParts, 'store' | 'clock'>,
  input: {
    broker?: string | undefined;
    status?: string | undefined;
    type?: string | undefined;
    service?: string | undefined;
    limit?: string | undefined;
  } = {},
) {
  const limit = read('limit', integer(1, 1_000_000), input.limit ?? '100');
  const filter: RequestFilter = {
    ...(input.status !== undefined && { status: read('status', STATUS, input.status) }),
    ...(input.type !== undefined && { type: read('type', TYPE, input.type) }),
    ...(input.service !== undefined && { serviceNumber: read('service', serviceNumber, input.service) }),
  };
  const brokers =
    input.broker === undefined ? await store.read.brokers.list() : [await requireBroker(store.read, input.broker)];
  const pages = await Promise.all(
    brokers.map(async ({ id, slug }) =>
      (await store.read.requests.page(id, filter, { limit, offset: 0 })).map((view) => ({ view, slug })),
    ),
  );
  return pages
    .flat()
    .sort((a, b) => b.view.request.submittedAt - a.view.request.submittedAt)
    .slice(0, limit)
    .map(({ view, slug }) => ({ broker: slug, ...requestRecord(view, clock.now()) }));
}
