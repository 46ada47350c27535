import { ApiError } from '../errors.ts';
import type { Context } from '../operations/context.ts';
import * as requests from '../operations/operator-requests.ts';
import type { RequestRecord } from '../operations/records.ts';
import type { CancellationType } from '../rules/cancellations.ts';
import { OperatorError } from './errors.ts';
import { oneOf, read, serviceNumber, text } from './fields.ts';
import { requireBroker } from './parts.ts';

const TYPE = oneOf(['cancellation', 'plan-upgrade', 'plan-downgrade']);
const CANCELLATION_TYPE = oneOf<CancellationType>(['end_of_term', 'immediate']);
const REASON = text(1000);
const PLAN = text(128);

/** Hands in what a client asked for; it arrives as pending. Throws an `OperatorError` where the rules refuse it. */
export async function submitRequest(
  context: Context,
  input: {
    broker: string;
    service: string;
    type: string;
    newPlan?: string | undefined;
    cancellationType?: string | undefined;
    reason?: string | undefined;
  },
): Promise<RequestRecord> {
  const type = read('type', TYPE, input.type);
  const number = BigInt(read('service', serviceNumber, input.service));
  const reason = reasonOf(input);
  const { id: brokerId } = await requireBroker(context.store.read, input.broker);
  const common = { brokerId, serviceNumber: number, reason };
  if (type === 'cancellation') {
    if (input.newPlan !== undefined) throw new OperatorError('new-plan: belongs to plan changes');
    const cancellationType = read('cancellation-type', CANCELLATION_TYPE, input.cancellationType ?? 'end_of_term');
    return explained(requests.submitForClient(context, { ...common, type, cancellationType }));
  }
  if (input.cancellationType !== undefined) throw new OperatorError('cancellation-type: belongs to cancellations');
  if (input.newPlan === undefined) throw new OperatorError('new-plan: needed for a plan change');
  return explained(
    requests.submitForClient(context, { ...common, type, newPlan: read('new-plan', PLAN, input.newPlan) }),
  );
}

/** Decides a request under review. Throws an `OperatorError`. */
export async function reviewRequest(
  context: Context,
  requestId: string,
  input: { accept?: boolean | undefined; deny?: boolean | undefined; reason?: string | undefined },
): Promise<RequestRecord> {
  if ((input.accept === true) === (input.deny === true)) throw new OperatorError('Give either --accept or --deny');
  const decision = { requestId, accept: input.accept === true, reason: reasonOf(input) };
  return explained(requests.reviewRequest(context, decision));
}

/** Takes back an accepted request whose work has not begun. Throws an `OperatorError`. */
export const withdrawRequest = (context: Context, requestId: string): Promise<RequestRecord> =>
  explained(requests.withdrawRequest(context, { requestId }));

const reasonOf = ({ reason }: { reason?: string | undefined }): string | null =>
  reason === undefined ? null : read('reason', REASON, reason);

/** The refusals of the rules, as the operator sees them; what nobody foresaw stays what it is. */
async function explained<T>(work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    throw error instanceof ApiError && error.statusCode < 500 ? new OperatorError(error.message) : error;
  }
}
