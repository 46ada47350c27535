import type { Actor } from '../audit/audit.ts';
import { ApiError } from '../errors.ts';
import { CLIENT_REQUEST_TYPES, KINDS } from '../lifecycle/kinds/index.ts';
import type { RequestRecord } from '../lifecycle/record.ts';
import * as reviews from '../operations/review-request.ts';
import { submitForClient } from '../operations/submit-for-client.ts';
import type { Context } from '../ports.ts';
import { CANCELLATION_TYPES } from '../rules/words.ts';
import { requireBroker } from './dependencies.ts';
import { invalid, refused, unknown } from './errors.ts';
import { type Given, oneOf, read, serviceNumber, type Texts, text } from './fields.ts';

type ByActor = Context & { actor: Actor };

const TYPE = oneOf(CLIENT_REQUEST_TYPES);
const CANCELLATION_TYPE = oneOf(CANCELLATION_TYPES);
const REASON = text(1000);
const PLAN = text(128);

/** Submits what a client asked for; it arrives as pending. Throws an `OperatorError` where the rules refuse it. */
export async function submitRequest(
  context: ByActor,
  input: { broker: string; service: Given<number>; type: string } & Texts<'newPlan' | 'cancellationType' | 'reason'>,
): Promise<RequestRecord> {
  const type = read('type', TYPE, input.type);
  const number = read('service_number', serviceNumber, input.service);
  const reason = reasonOf(input);
  const { id: brokerId } = await requireBroker(context.store.read, input.broker);
  const named = KINDS[type].clientNames;
  if (named !== 'new_plan' && input.newPlan !== undefined) {
    throw invalid({ field: 'new_plan', message: 'belongs to plan changes' });
  }
  if (named !== 'cancellation_type' && input.cancellationType !== undefined) {
    throw invalid({ field: 'cancellation_type', message: 'belongs to cancellations' });
  }
  if (named === 'new_plan' && input.newPlan === undefined) {
    throw invalid({ field: 'new_plan', message: 'is needed for a plan change' });
  }
  return explained(
    submitForClient(context, {
      brokerId,
      serviceNumber: number,
      type,
      reason,
      ...(named === 'new_plan'
        ? { newPlan: read('new_plan', PLAN, input.newPlan as string) }
        : { cancellationType: read('cancellation_type', CANCELLATION_TYPE, input.cancellationType ?? 'end_of_term') }),
    }),
  );
}

/** Accepts or denies a request under review. Throws an `OperatorError`. */
export const decideReview = async (
  context: ByActor,
  input: { requestId: string; accept: boolean; reason?: string | undefined },
): Promise<RequestRecord> => explained(reviews.reviewRequest(context, { ...input, reason: reasonOf(input) }));

/** Withdraws a request that no worker has begun. Throws an `OperatorError`. */
export const takeBackRequest = async (
  context: ByActor,
  input: { requestId: string; reason?: string | undefined },
): Promise<RequestRecord> => explained(reviews.withdrawForOperator(context, { ...input, reason: reasonOf(input) }));

const reasonOf = ({ reason }: { reason?: string | undefined }): string | null =>
  reason === undefined ? null : read('reason', REASON, reason);

/** The refusals of the rules, as the operator sees them; unexpected errors stay as they are. */
async function explained<T>(operation: Promise<T>): Promise<T> {
  try {
    return await operation;
  } catch (error) {
    if (!(error instanceof ApiError) || error.statusCode >= 500) throw error;
    throw error.statusCode === 404 ? unknown(error.message) : refused(error.message);
  }
}
