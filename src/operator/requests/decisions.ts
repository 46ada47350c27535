import { Type } from '@sinclair/typebox';
import { RequestFields } from '../../../schemas/requests.ts';
import type { Actor } from '../../audit/audit.ts';
import { ApiError, type FieldFault, type Reason } from '../../errors.ts';
import { CLIENT_REQUEST_TYPES, KINDS } from '../../kinds/index.ts';
import * as reviews from '../../lifecycle/operator-requests.ts';
import type { Context } from '../../ports.ts';
import type { RequestRecord } from '../../records.ts';
import { CANCELLATION_TYPES } from '../../rules/words.ts';
import { requireOwner, SERVICE_NAME } from '../use-case/dependencies.ts';
import { invalid, ofRule } from '../use-case/errors.ts';
import { flag, named, nullable, oneOf, openObject, serviceNumber, text } from '../use-case/fields.ts';
import { useCase } from '../use-case/use-case.ts';

type ByActor = Context & { actor: Actor };

const REASON = text(1000, { title: 'Reason', description: 'The broker can read it', multiline: true });

/** A request as callers see it, of any type. */
export const REQUEST_RECORD = Type.Object(RequestFields, { component: 'Request' });

/** The request that a use case acts on. */
export const REQUEST = { request_id: named('request-id', 'The request’s id') };

/** Why a plan change or a cancellation is refused, when it is submitted and when it is accepted. */
const SUBMISSION_REASONS: readonly Reason[] = [
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
];

/** Submits a client's request; it arrives as pending. */
export const submitClientRequest = useCase({
  name: 'requests submit',
  role: 'support',
  audits: ['request.submit'],
  title: 'Submit a request',
  summary: 'Submit a request for a client',
  description: 'Submit a request for a client; the broker decides on it',
  example: 'requests submit --service 1000001 --type plan-upgrade --new-plan business',
  input: Type.Object({
    broker: SERVICE_NAME.broker,
    service_number: serviceNumber({ title: 'Service', option: 'service' }),
    type: oneOf(CLIENT_REQUEST_TYPES, { title: 'Type' }),
    new_plan: Type.Optional(
      text(128, { title: 'New plan', description: 'For a plan change: its id, slug or display name' }),
    ),
    configuration: Type.Optional(
      nullable(
        openObject({
          title: 'Configuration',
          description: 'For a plan change: values by the names of the new plan’s options, such as {"backups": true}',
          inJson: 'For a plan change: values by the names of the new plan’s options',
        }),
      ),
    ),
    cancellation_type: Type.Optional(
      oneOf(CANCELLATION_TYPES, {
        title: 'Cancellation',
        description: 'For a cancellation; by default at the end of the term',
      }),
    ),
    reason: Type.Optional(REASON),
  }),
  on: ['broker', 'service_number'],
  path: 'POST /brokers/:broker/requests',
  answer: REQUEST_RECORD,
  reasons: SUBMISSION_REASONS,
  done: 'Submitted: the broker decides on it.',
  async run(deps: ByActor, { broker, service_number: serviceNumber, type, reason = null, ...given }) {
    const { id: brokerId } = await requireOwner(deps.store.read, { broker, service_number: serviceNumber });
    const { new_plan: newPlan, cancellation_type: cancellationType, configuration } = given;
    const named = KINDS[type].clientField;
    if (named !== 'new_plan' && newPlan !== undefined) {
      throw invalid({ field: 'new_plan', message: 'belongs to plan changes' });
    }
    if (named !== 'new_plan' && configuration) {
      throw invalid({ field: 'configuration', message: 'belongs to plan changes' });
    }
    if (named !== 'cancellation_type' && cancellationType !== undefined) {
      throw invalid({ field: 'cancellation_type', message: 'belongs to cancellations' });
    }
    if (named === 'new_plan' && newPlan === undefined) {
      throw invalid({ field: 'new_plan', message: 'is needed for a plan change', rule: 'required' });
    }
    const submitted = { brokerId, serviceNumber, type, reason };
    return explainRefusal(
      reviews.submitForClient(deps, {
        ...submitted,
        ...(newPlan === undefined
          ? { cancellationType: cancellationType ?? 'end_of_term' }
          : { newPlan, configuration: configuration ?? {} }),
      }),
    );
  },
});

/** Accepts or denies a request under review. */
export const decideReview = useCase({
  name: 'requests review',
  role: 'support',
  audits: ['request.accept', 'request.deny'],
  title: 'Your decision',
  summary: 'Decide on a request',
  description: 'Accept or deny a request that waits for the operator',
  example: 'requests review req_01J9ZQ8V3M4N5P6Q7R8S9TABCD --accept',
  input: Type.Object({ ...REQUEST, accept: flag({ title: 'Accept' }), reason: Type.Optional(REASON) }),
  on: ['request_id'],
  argument: 'request_id',
  path: 'POST /requests/:request_id/review',
  answer: REQUEST_RECORD,
  reasons: ['request_already_processed', ...SUBMISSION_REASONS, 'action_not_available', 'action_in_progress'],
  done({ decision, service_number: number }: RequestRecord) {
    if (decision?.action !== 'deny') return `Accepted: the request of service ${number} is queued.`;
    return `Denied: the request of service ${number}${decision.reason === null ? '' : '; the broker gets your reason'}.`;
  },
  run: (deps: ByActor, { request_id: requestId, accept, reason = null }) =>
    explainRefusal(reviews.reviewRequest(deps, { requestId, accept, reason })),
});

/** Withdraws a request that no worker has begun. */
export const takeBackRequest = useCase({
  name: 'requests withdraw',
  role: 'support',
  audits: ['request.withdraw'],
  title: 'Withdraw',
  summary: 'Withdraw a request',
  description: 'Withdraw a request that no worker has begun; it fails with the reason “withdrawn”',
  example: 'requests withdraw req_01J9ZQ8V3M4N5P6Q7R8S9TABCD',
  input: Type.Object({ ...REQUEST, reason: Type.Optional(REASON) }),
  on: ['request_id'],
  argument: 'request_id',
  path: 'POST /requests/:request_id/withdraw',
  answer: REQUEST_RECORD,
  reasons: ['request_already_processed', 'awaiting_decision', 'work_has_begun', 'creation_closed'],
  done: 'Withdrawn: the request will not be completed.',
  run: (deps: ByActor, { request_id: requestId, reason = null }) =>
    explainRefusal(reviews.withdrawForOperator(deps, { requestId, reason })),
});

/** The refusals of the rules, as the operator sees them; unexpected errors stay as they are. */
export async function explainRefusal<T>(operation: Promise<T>): Promise<T> {
  try {
    return await operation;
  } catch (error) {
    if (!(error instanceof ApiError) || error.statusCode >= 500) throw error;
    const fields = (error.details as { fields?: FieldFault[] } | undefined)?.fields;
    if (fields) throw invalid(...fields.map(({ path, ...fault }) => ({ field: path.replace('body.', ''), ...fault })));
    throw ofRule(error);
  }
}
