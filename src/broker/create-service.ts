import { type CreationInput, addService as create } from '../lifecycle/create-service.ts';
import type { Context } from '../ports.ts';
import { actorOf, type Caller, type Claim, type Outcome, type StoredAnswer, transactOnce } from './operation.ts';
import { type SubmissionRecord, submissionAnswer } from './submit-request.ts';

/** Creates a service of the caller's broker, once for each idempotency key. */
export function createService(
  context: Context,
  caller: Caller,
  input: CreationInput,
  claim?: Claim,
): Promise<Outcome<SubmissionRecord<'service-creation'>> | StoredAnswer> {
  return transactOnce(context, claim, async (change) => {
    const submitted = await create(change, caller, input, { origin: 'broker', actor: actorOf(caller) });
    return submissionAnswer('service-creation', submitted, submitted.request.submittedAt, context.isHeld?.());
  });
}
