import { ApiError, fail } from '../errors.ts';
import { isoMoment } from './moments.ts';
import { isFinal, isOpen, type OpenStatus, type RequestStatus } from './words.ts';

/** Every move a request can make (contract, section 6, "Requests"). From where none leads, it is final. */
const MOVES: Readonly<Record<OpenStatus, readonly RequestStatus[]>> = {
  pending: ['accepted', 'operator_review', 'denied'],
  operator_review: ['accepted', 'denied'],
  accepted: ['completed', 'failed'],
};

export function canMove(from: RequestStatus, to: RequestStatus): boolean {
  return isOpen(from) && MOVES[from].includes(to);
}

/** A request as far as it tells what can still be done: `processedAt` in epoch milliseconds, `decision` in wire form. */
interface RequestFacts {
  status: RequestStatus;
  processedAt: number | null;
  decision: object | null;
}

/** Why the broker cannot approve or deny a request, or undefined while it waits for exactly that. */
export function refusalOfDecision(request: RequestFacts): ApiError | undefined {
  if (request.status === 'pending') return undefined;
  if (request.status === 'operator_review') {
    return fail.invalidState(
      'awaiting_operator',
      'The request is under review by the service operator, who alone can decide it now',
    );
  }
  return alreadyProcessed(request);
}

/**
 * Why a request cannot be withdrawn, in the contract's order, or undefined while nobody has begun with it.
 * @param request `leaseOwner`: who works on it, or may have; null as long as nobody has
 */
export function refusalOfWithdrawal(request: RequestFacts & { leaseOwner: string | null }): ApiError | undefined {
  if (isFinal(request.status)) return alreadyProcessed(request);
  if (request.status === 'pending') {
    return fail.invalidState(
      'awaiting_decision',
      'The request waits for a decision: deny it where the client no longer wants it',
    );
  }
  return request.leaseOwner === null ? undefined : workHasBegun();
}

export const workHasBegun = (): ApiError =>
  fail.invalidState('work_has_begun', 'The work on the request has begun, so it can no longer be withdrawn');

const alreadyProcessed = ({ status, processedAt, decision }: RequestFacts): ApiError =>
  new ApiError('already_processed', `The request has been processed already: it is ${status}`, {
    details: {
      reason: 'request_already_processed',
      request_status: status,
      processed_date: processedAt === null ? null : isoMoment(processedAt),
      decision,
    },
  });
