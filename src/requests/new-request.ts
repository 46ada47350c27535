import { isFinal } from '../rules/words.ts';
import type { RequestRow } from '../store/requests.ts';
import type { ServiceRow } from '../store/services.ts';

/** A request that has nothing but its beginning, and what its kind says besides. */
export const newRequest = (
  id: string,
  service: Pick<ServiceRow, 'brokerId' | 'number'>,
  submittedAt: number,
  fields: Pick<RequestRow, 'type' | 'status' | 'origin'> & Partial<RequestRow>,
): RequestRow => ({
  id,
  brokerId: service.brokerId,
  serviceNumber: service.number,
  submittedAt,
  updatedAt: submittedAt,
  processedAt: isFinal(fields.status) ? submittedAt : null,
  decisionAction: null,
  decidedBy: null,
  decisionReason: null,
  decidedAt: null,
  failureReason: null,
  failureMessage: null,
  failureServiceUsable: null,
  failureRetryable: null,
  warningReason: null,
  currentPlanId: null,
  newPlanId: null,
  effectiveAt: null,
  cancellationType: null,
  cancellationReason: null,
  dueAt: null,
  leaseOwner: null,
  attempts: 0,
  workToken: null,
  workBegunAt: null,
  ...fields,
});
