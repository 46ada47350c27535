import { KINDS, type RequestType } from '../kinds/index.ts';
import type { RequestInput } from '../kinds/kind.ts';
import { type SubmittedRequest, submit } from '../lifecycle/submit.ts';
import type { Context } from '../ports.ts';
import { type RecordOf, requestRecord } from '../records.ts';
import type { ServiceStatus } from '../rules/words.ts';
import { actorOf, type Caller, type Claim, type Outcome, type StoredAnswer, transactOnce } from './operation.ts';

/** The answer to a submission; `answerLacks` of the type says which fields it has not. */
export type SubmissionRecord<T extends RequestType> = RecordOf<T> & { service_status: ServiceStatus };

/**
 * The use case that submits a broker's request of one type for a service (contract, section 6): accepted and queued (200),
 * or under review by the operator (202). Throws `not_found` and the refusals of the type (src/kinds/).
 */
const submissionOf =
  <T extends RequestType, Input extends keyof RequestInput>(type: T) =>
  (
    context: Context,
    caller: Caller,
    input: { serviceNumber: number } & Pick<RequestInput, Input>,
    claim?: Claim,
  ): Promise<Outcome<SubmissionRecord<T>> | StoredAnswer> =>
    transactOnce(context, claim, async (change) => {
      const submission = { type, origin: 'broker', actor: actorOf(caller) } as const;
      return submissionAnswer(type, await submit(change, caller, input, submission), change.now, context.isHeld?.());
    });

export const upgradeService = submissionOf<'plan-upgrade', 'newPlan' | 'configuration'>('plan-upgrade');
export const downgradeService = submissionOf<'plan-downgrade', 'newPlan' | 'configuration'>('plan-downgrade');
export const cancelService = submissionOf<'cancellation', 'cancellationType' | 'reason'>('cancellation');
export const suspendService = submissionOf<'service-suspension', 'reason'>('service-suspension');
export const unsuspendService = submissionOf<'service-unsuspension', never>('service-unsuspension');
export const actOnService = submissionOf<'service-action', 'action' | 'configuration'>('service-action');

const REVIEW_MESSAGE =
  'The service operator reviews this request before it goes ahead. Do not submit it again; follow the request instead.';

/** The answer to a submission; `now` and `isHeld` as for `requestRecord`. */
export function submissionAnswer<T extends RequestType>(
  type: T,
  submitted: SubmittedRequest,
  now: number,
  isHeld = false,
): Outcome<SubmissionRecord<T>> {
  const { request, service } = submitted;
  const { answerLacks, createsService } = KINDS[type];
  // A request of a type has the fields of its type.
  const data = requestRecord(submitted, now, isHeld) as SubmissionRecord<T>;
  if (answerLacks) {
    data.service_status = service.status;
    for (const field of answerLacks) delete (data as Record<string, unknown>)[field];
  }
  if (request.status === 'operator_review') return { statusCode: 202, data, message: REVIEW_MESSAGE };
  return { statusCode: createsService ? 201 : 200, data };
}
