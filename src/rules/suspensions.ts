import { type ApiError, fail } from '../errors.ts';
import { refusalOfEnded } from './cancellations.ts';
import type { ServiceStatus, SuspendedBy } from './words.ts';

/** The rules for suspending a service and for lifting a suspension (contract, section 6). Timestamps are epoch milliseconds. */

export interface SuspensionColumns {
  status: ServiceStatus;
  suspendedBy: SuspendedBy | null;
  suspensionReason: string | null;
  suspendedAt: number | null;
  updatedAt: number;
}

/** The columns of a service that is not suspended. */
export const NO_SUSPENSION = { suspendedBy: null, suspensionReason: null, suspendedAt: null } as const;

/**
 * The suspension of a service; null unless its status is suspended. A row without the columns was suspended past this
 * program: then it was the operator, and the row has not changed since.
 */
export const suspensionOf = ({ status, suspendedBy, suspensionReason, suspendedAt, updatedAt }: SuspensionColumns) =>
  status === 'suspended'
    ? { by: suspendedBy ?? 'operator', reason: suspensionReason, at: suspendedAt ?? updatedAt }
    : null;

interface ServiceFacts {
  status: ServiceStatus;
  suspendedBy: SuspendedBy | null;
}

export const isSuspendedByOperator = ({ status, suspendedBy }: ServiceFacts): boolean =>
  status === 'suspended' && suspendedBy !== 'broker';

/** A suspension, or the end of one, that is not final. */
type OpenSuspension = { id: string } | undefined;

/** Why a suspension is refused, in the contract's order; undefined where it is allowed. */
export function refusalOfSuspension(service: ServiceFacts, open: OpenSuspension): ApiError | undefined {
  const refusal = refusalOfEnded(service, 'it cannot be suspended any more') ?? refusalOfOpen(open);
  if (refusal) return refusal;
  if (service.status === 'suspended') return fail.invalidState('service_suspended', 'The service is suspended already');
  if (service.status === 'pending') {
    return fail.invalidState('service_not_active', 'The service is pending; only an active service can be suspended');
  }
  return undefined;
}

/** Why the end of a suspension is refused, in the contract's order; undefined where it is allowed. */
export function refusalOfUnsuspension(service: ServiceFacts, open: OpenSuspension): ApiError | undefined {
  const refusal = refusalOfEnded(service, 'it has no suspension to lift') ?? refusalOfOpen(open);
  if (refusal) return refusal;
  if (service.status !== 'suspended') {
    return fail.invalidState('service_not_suspended', `The service is ${service.status}, not suspended`);
  }
  return isSuspendedByOperator(service)
    ? fail.invalidState('suspended_by_operator', SUSPENDED_BY_OPERATOR.message)
    : undefined;
}

/** Why a suspension cannot be lifted, also when the work is done. */
export const SUSPENDED_BY_OPERATOR = {
  reason: 'suspended_by_operator',
  message: 'The service operator has suspended the service and alone can lift that',
} as const;

const refusalOfOpen = (open: OpenSuspension): ApiError | undefined =>
  open &&
  fail.invalidState(
    'suspension_in_progress',
    'A suspension of this service, or its end, is still open; wait until it is final',
    { request_id: open.id },
  );
