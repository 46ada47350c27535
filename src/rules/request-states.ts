import { ApiError, fail } from '../errors.ts';
import { isoMoment } from './moments.ts';

export type RequestType =
  | 'cancellation-warning'
  | 'plan-upgrade'
  | 'plan-downgrade'
  | 'cancellation'
  | 'service-creation';

export type RequestStatus = 'pending' | 'operator_review' | 'accepted' | 'completed' | 'failed' | 'approved' | 'denied';

/** Every move a request can make (contract, section 6, "Requests"). From where no move leads, it is final. */
const MOVES: Readonly<Record<RequestStatus, readonly RequestStatus[]>> = {
  pending: ['accepted', 'operator_review', 'denied'],
  operator_review: ['accepted', 'denied'],
  accepted: ['completed', 'failed'],
  completed: [],
  failed: [],
  approved: [],
  denied: [],
};

/** The states in which something is still to happen to a request. */
export const OPEN_STATUSES = ['pending', 'operator_review', 'accepted'] as const satisfies readonly RequestStatus[];

export function isFinal(status: RequestStatus): boolean {
  return MOVES[status].length === 0;
}

export function canMove(from: RequestStatus, to: RequestStatus): boolean {
  return MOVES[from].includes(to);
}

/**
 * Why the broker cannot approve or deny a request, or undefined while it waits for exactly that.
 * @param request `processedAt` in epoch milliseconds; `decision` in wire form, handed through as it is
 */
export function refusalOfDecision(request: {
  status: RequestStatus;
  processedAt: number | null;
  decision: object | null;
}): ApiError | undefined {
  if (request.status === 'pending') return undefined;
  if (request.status === 'operator_review') {
    return fail.invalidState(
      'awaiting_operator',
      'The request is under review by the service operator, who alone can decide it now',
    );
  }
  return new ApiError('already_processed', `The request has been processed already: it is ${request.status}`, {
    details: {
      reason: 'request_already_processed',
      request_status: request.status,
      processed_date: request.processedAt === null ? null : isoMoment(request.processedAt),
      decision: request.decision,
    },
  });
}
