import { ApiError, fail } from '../errors.ts';
import { isoTimestamp } from './timestamps.ts';
import {
  type Decider,
  isFinal,
  isOpen,
  OPEN_STATUSES,
  type OpenStatus,
  type Origin,
  REQUEST_STATUSES,
  type RequestStatus,
} from './words.ts';

/** Every allowed state transition (contract, section 6, "Requests"). A state without transitions is final. */
const MOVES: Readonly<Record<OpenStatus, readonly RequestStatus[]>> = {
  pending: ['accepted', 'operator_review', 'denied'],
  operator_review: ['accepted', 'denied'],
  accepted: ['completed', 'failed'],
};

export function canMove(from: RequestStatus, to: RequestStatus): boolean {
  return isOpen(from) && MOVES[from].includes(to);
}

/**
 * Compares two states of one request by which came first: the transitions allow no other order, whatever the clocks of
 * those who wrote them said.
 */
export const byProgress = (one: { status: RequestStatus }, other: { status: RequestStatus }): number =>
  PROGRESS.indexOf(one.status) - PROGRESS.indexOf(other.status);

/** Each state before those that it can move to. */
const PROGRESS: readonly RequestStatus[] = [...OPEN_STATUSES, ...REQUEST_STATUSES.filter(isFinal)];

/** The fields of a request that these rules need: `processedAt` in epoch milliseconds, `decision` in wire form. */
interface RequestFacts {
  status: RequestStatus;
  processedAt: number | null;
  decision: object | null;
}

/** Why the broker cannot approve or deny a request; undefined while it waits for the broker's decision. */
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

/** Why the operator cannot decide a request; undefined while it is under review. */
export function refusalOfReview(request: RequestFacts): ApiError | undefined {
  const { status } = request;
  if (status === 'operator_review') return undefined;
  const message = `The request is ${status}, not under review`;
  return status === 'pending' ? fail.invalidState('not_under_review', message) : alreadyProcessed(request, message);
}

/**
 * Why a request cannot be withdrawn, in the contract's order; undefined while no worker has begun with it.
 * @param request `leaseOwner`: the worker that has, or had, the request under lease; null where none had
 * @param by who withdraws it
 */
export function refusalOfWithdrawal(
  request: RequestFacts & { origin: Origin; leaseOwner: string | null; withheldBy: number | null },
  by: Decider,
): ApiError | undefined {
  if (isFinal(request.status)) return alreadyProcessed(request);
  if (request.status === 'pending') {
    return fail.invalidState(
      'awaiting_decision',
      'The request waits for a decision: deny it where the client no longer wants it',
    );
  }
  if (request.origin === 'operator' && by === 'broker') {
    return fail.invalidState(
      'asked_by_operator',
      'The service operator submitted the request, and alone can withdraw it',
    );
  }
  // What is withheld since a restore may be taken back, even where the work had begun before (contract, section 15.5).
  return request.leaseOwner === null || request.withheldBy !== null ? undefined : workHasBegun();
}

export const workHasBegun = (): ApiError =>
  fail.invalidState('work_has_begun', 'The work on the request has begun, so it can no longer be withdrawn');

const alreadyProcessed = (
  { status, processedAt, decision }: RequestFacts,
  message = `The request has been processed already: it is ${status}`,
): ApiError =>
  new ApiError('already_processed', message, {
    gate: 'rules',
    details: {
      reason: 'request_already_processed',
      request_status: status,
      processed_date: processedAt === null ? null : isoTimestamp(processedAt),
      decision,
    },
  });
