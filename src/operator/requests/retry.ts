import { type Static, Type } from '@sinclair/typebox';
import { Id, MAX_INT32, Shown, Timestamp, Whole } from '../../../schemas/atoms.ts';
import type { Reason } from '../../errors.ts';
import { KINDS, RETRIED_TYPES } from '../../kinds/index.ts';
import { SUPERSEDED } from '../../lifecycle/close.ts';
import { WITHDRAWN } from '../../lifecycle/decide.ts';
import { lockRequest } from '../../lifecycle/load-for-change.ts';
import { submitAgain } from '../../lifecycle/submit-again.ts';
import { operatorOwner } from '../../limits/operator-slot.ts';
import { type RequestRecord, requestRecord } from '../../records.ts';
import { isEnded } from '../../rules/words.ts';
import { transact } from '../../store/change.ts';
import type { FailureSum, RequestsFilter } from '../../store/queries/all-requests.ts';
import {
  type ChangeDeps,
  findOwner,
  type OperatorContext,
  type ReadDeps,
  requireBroker,
} from '../use-case/dependencies.ts';
import { refused, unknown } from '../use-case/errors.ts';
import { SHORT_LIST, wholeList } from '../use-case/pages.ts';
import { answerSchema, recordOf } from '../use-case/record.ts';
import { decideEach, MAX_DECIDED } from '../use-case/several.ts';
import { readRange, readSince } from '../use-case/time-range.ts';
import { useCase } from '../use-case/use-case.ts';
import { explainRefusal, REQUEST, REQUEST_RECORD } from './decisions.ts';
import { ENDED, FAILURE_FILTER } from './filters.ts';

type RetryDeps = ChangeDeps & Pick<OperatorContext, 'hasProvisioner'>;

/** Why the rules of today refuse what was submitted before. */
const REASONS: readonly Reason[] = [
  'plan_not_available',
  'service_cancelled',
  'service_terminated',
  'service_not_active',
  'cancellation_scheduled',
  'plan_change_in_progress',
  'plan_is_current',
  'billing_type_mismatch',
  'plan_rank_not_higher',
  'plan_rank_not_lower',
  'end_of_term_not_available',
  'action_not_available',
  'action_in_progress',
  'suspension_in_progress',
  'service_suspended',
  'service_not_suspended',
  'suspended_by_operator',
];

/** Submits a failed request once more. Contract, section 14.4. */
export const retryRequest = useCase({
  name: 'requests retry',
  role: 'support',
  audits: RETRIED_TYPES.map((type) => KINDS[type].action),
  title: 'Try again',
  summary: 'Do a failed request once more',
  description:
    'Submit a failed request once more with its own input: as a request of the operator, by the rules of today',
  example: 'requests retry req_01J9ZQ8V3M4N5P6Q7R8S9TABCD',
  input: Type.Object(REQUEST),
  on: ['request_id'],
  argument: 'request_id',
  path: 'POST /requests/:request_id/retry',
  answer: REQUEST_RECORD,
  reasons: REASONS,
  done: ({ service_number: number }: RequestRecord) =>
    `Submitted once more: the request of service ${number} is queued.`,
  run: (deps: RetryDeps, { request_id: requestId }) =>
    explainRefusal(
      transact(deps, async (change) => {
        const brokerId = await change.tx.requests.findOwner(requestId);
        if (brokerId === null) throw unknown(`There is no request "${requestId}"`);
        const { request, service } = await lockRequest(change, { brokerId }, requestId);
        if (request.status !== 'failed') throw refused(`The request is ${request.status}, not failed`);
        if (KINDS[request.type].createsService)
          throw refused('A creation cannot be tried again: its service has ended, and the broker orders again');
        if (isEnded(service.status)) throw refused(`Service ${service.number} is ${service.status}`);
        const retried = await change.tx.allRequests.findRetry(request.id);
        if (retried !== null) throw refused(`It was tried again already, as ${retried}`);
        return requestRecord(await submitAgain(change, service, request, deps.actor), change.now);
      }),
    ),
});

/** What people took back is done once more only where that is asked for. */
const TAKEN_BACK: readonly string[] = [WITHDRAWN, SUPERSEDED];

const SEVERAL = Type.Object({ ...FAILURE_FILTER, since: Type.Optional(ENDED.ended_since) });

type Several = Static<typeof SEVERAL>;

/** The failed requests that can be tried again, the oldest thousand, and how many there are in all. Throws an `OperatorError`. */
export async function listRetryable(deps: ReadDeps, { broker, type, reason, since }: Several) {
  const { store, clock } = deps;
  if (broker !== undefined) await requireBroker(store.read, broker);
  const filter: RequestsFilter = {
    brokerId: (await findOwner(store.read, { broker })) ?? undefined,
    type,
    reason,
    endedSince: since === undefined ? undefined : readSince(clock.now(), since),
    status: 'failed',
    canRetry: true,
    ...(reason === undefined && { reasonsLeftOut: TAKEN_BACK }),
  };
  return store.slow(operatorOwner(), async ({ allRequests }) => ({
    rows: await allRequests.page(filter, 'oldest', { limit: MAX_DECIDED, offset: 0 }),
    total: await allRequests.count(filter),
  }));
}

/** "12 service actions, 3 cancellations": what would be done once more. */
function typesOf(rows: Awaited<ReturnType<typeof listRetryable>>['rows']): string {
  const byType = Map.groupBy(rows, ({ request }) => request.type);
  return [...byType].map(([type, { length }]) => `${length} ${type}`).join(', ');
}

const RETRIED = answerSchema('RetriedRequests', {
  retried: Whole(0, MAX_DECIDED, 'Requests that were submitted once more'),
  failed: Type.Array(Type.Object({ id: Id('req', 'The failed request'), message: Shown(1000, 'Why not') }), {
    maxItems: MAX_DECIDED,
    description: 'Those that the rules of today refuse',
    examples: [[]],
  }),
});

/** Submits all failed requests once more, or those of a reason, a time, a broker or a type. */
export const retryRequests = useCase({
  name: 'requests retry-all',
  role: 'support',
  audits: retryRequest.actions,
  title: 'Try all again',
  summary: 'Do all failed requests once more',
  description:
    'Submit failed requests once more, those of a reason, a time, a broker or a type; withdrawn and superseded ones only where the reason says so',
  example: 'requests retry-all --reason no_capacity --since 3d',
  input: SEVERAL,
  path: 'POST /requests/retry',
  answer: RETRIED,
  show: listRetryable,
  confirm: ({ rows, total }) =>
    `${rows.length} of ${total} failed requests are submitted once more, as requests of the operator${rows.length === 0 ? '' : `: ${typesOf(rows)}`}.`,
  done: ({ retried, failed }: Static<typeof RETRIED>) =>
    `${retried} submitted once more${failed.length === 0 ? '' : `, ${failed.length} refused by the rules of today`}.`,
  async run(deps: RetryDeps, input: Several): Promise<Static<typeof RETRIED>> {
    const { rows } = await listRetryable(deps, input);
    const { decided, failed } = await retryEach(
      deps,
      rows.map(({ request }) => request.id),
    );
    return { retried: decided.length, failed };
  },
});

/** Each in a transaction of its own; see `decideEach`. */
export const retryEach = (deps: RetryDeps, requestIds: readonly string[]) =>
  decideEach('request_id', requestIds, (request_id) => retryRequest.run(deps, { request_id }));

/** Reasons that are counted; they are the provisioner's words. */
const MAX_REASONS = 1_000;

const FAILURE = recordOf<FailureSum>()('FailureReason', (field) => ({
  reason: field(Shown(64, 'Why they failed, as a word', { examples: ['no_capacity'] }), 'reason'),
  requests: field(Whole(0, MAX_INT32, 'How many failed for it'), 'total'),
  brokers: field(Whole(0, MAX_INT32, 'Of how many brokers'), 'brokers'),
  to_retry: field(Whole(0, MAX_INT32, 'How many of them can be tried again'), 'retryable'),
  latest_date: field(Timestamp('When the latest of them ended.'), 'latestAt'),
}));

export type FailureReasonRecord = ReturnType<typeof FAILURE.of>;

/** Failed requests by reason, counted over all of them. Contract, section 14.5. */
export const listFailureReasons = useCase({
  name: 'requests reasons',
  title: 'Failures by reason',
  summary: 'Count failed requests by reason',
  description: 'Count failed requests by reason, the most frequent first',
  example: 'requests reasons --ended-since 3d',
  input: Type.Object({ broker: FAILURE_FILTER.broker, type: FAILURE_FILTER.type, ...ENDED, ...SHORT_LIST }),
  path: 'GET /failure-reasons',
  answer: FAILURE.schema,
  columns: ['reason', 'requests', 'brokers', 'to_retry', 'latest_date'],
  async run({ store, clock }: ReadDeps, { broker, type, ended_since: since, ended_until: until, ...window }) {
    const brokerId = broker === undefined ? undefined : (await requireBroker(store.read, broker)).id;
    const range = readRange(clock.now(), { since, until });
    const filter = { brokerId, type, endedSince: range.since, endedUntil: range.until };
    const rows = await store.slow(operatorOwner(), ({ allRequests }) => allRequests.tallyFailures(filter, MAX_REASONS));
    return wholeList(rows.map(FAILURE.of), window);
  },
});
