import { type ApiError, fail, refuseIf } from '../errors.ts';
import { NEVER_DECIDED, type ServiceStatus, type SuspendedBy } from '../rules/words.ts';
import { failureIfEnded, type Kind, refusalOfEnded, type ServiceFacts } from './kind.ts';

/** What a suspension and its end have in common (contract, section 6, "Suspend"). */
const common = {
  statuses: NEVER_DECIDED,
  excludes: 'suspension',
  precedence: 2,
  outlastsCancellation: true,
} as const;

const atOnce = { currentPlan: null, newPlan: null, needsReview: false, effectiveAt: null } as const;

export const suspension = {
  ...common,
  component: 'ServiceSuspensionRequest',
  fields: ['reason'],
  action: 'service.suspend',
  template: 'suspension-completed',
  assess({ service, open }, { reason = null }) {
    refuseIf(refusalOfSuspension(service, open.suspension));
    return { ...atOnce, fields: { cancellationReason: reason } };
  },
  precondition: failureIfEnded,
  // The operator may have suspended it meanwhile; their suspension stays.
  complete: ({ status }, { cancellationReason }, now) =>
    status === 'suspended'
      ? {}
      : { status: 'suspended', suspendedBy: 'broker', suspensionReason: cancellationReason, suspendedAt: now },
} as const satisfies Kind;

export const unsuspension = {
  ...common,
  component: 'ServiceUnsuspensionRequest',
  fields: [],
  action: 'service.unsuspend',
  template: 'unsuspension-completed',
  assess({ service, open }) {
    refuseIf(refusalOfUnsuspension(service, open.suspension));
    return atOnce;
  },
  precondition: (service) =>
    failureIfEnded(service) ?? (isSuspendedByOperator(service) ? SUSPENDED_BY_OPERATOR : undefined),
  // The operator may have lifted it meanwhile.
  complete: ({ status }) => (status === 'suspended' ? { status: 'active' } : {}),
} as const satisfies Kind;

interface SuspensionColumns {
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

type Suspended = Pick<ServiceFacts, 'status' | 'suspendedBy'>;

export const isSuspendedByOperator = ({ status, suspendedBy }: Suspended): boolean =>
  status === 'suspended' && suspendedBy !== 'broker';

/** A suspension, or the end of one, that is not final. */
type OpenSuspension = { id: string } | undefined;

/** Why a suspension is refused, in the contract's order; undefined where it is allowed. */
export function refusalOfSuspension(service: Suspended, open: OpenSuspension): ApiError | undefined {
  const refusal = refusalOfEnded(service, 'it cannot be suspended any more') ?? refusalOfOpen(open);
  if (refusal) return refusal;
  if (service.status === 'suspended') return fail.invalidState('service_suspended', 'The service is suspended already');
  if (service.status === 'pending') {
    return fail.invalidState('service_not_active', 'The service is pending; only an active service can be suspended');
  }
  return undefined;
}

/** Why the end of a suspension is refused, in the contract's order; undefined where it is allowed. */
export function refusalOfUnsuspension(service: Suspended, open: OpenSuspension): ApiError | undefined {
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
