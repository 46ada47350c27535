import { type ApiError, fail, refuseIf } from '../errors.ts';
import { NEVER_DECIDED, type Origin, type ServiceStatus, type SuspendedBy } from '../rules/words.ts';
import { type Assessment, failureIfEnded, type Kind, type Loaded, refusalOfEnded, type ServiceFacts } from './kind.ts';

/** What a suspension and its end have in common (contract, sections 6, "Suspend", and 12.5). */
const common = {
  statuses: NEVER_DECIDED,
  precedence: 2,
  outlastsCancellation: true,
  mailsChangesOnly: true,
} as const;

const atOnce = { currentPlan: null, newPlan: null, needsReview: false, effectiveAt: null } as const;

export const suspension = {
  ...common,
  component: 'ServiceSuspensionRequest',
  fields: ['reason'],
  excludes: 'suspend',
  releases: ['unsuspend'],
  followsRecord: true,
  stops: true,
  action: 'service.suspend',
  template: 'suspension-completed',
  assess(loaded, { reason = null }) {
    refuseIf(refusalOfSuspension(loaded.service, loaded));
    return { ...atOnce, fields: { cancellationReason: reason }, ...behind(loaded, 'suspend', 'unsuspend') };
  },
  precondition: failureIfEnded,
  // The operator may have suspended it meanwhile; their suspension stays.
  complete: ({ status }, { cancellationReason, origin, retryOf }, now) =>
    status === 'suspended'
      ? {}
      : {
          status: 'suspended',
          // What is done once more stays the broker's: the operator's own has changed the record before.
          suspendedBy: origin === 'operator' && retryOf === null ? 'operator' : 'broker',
          suspensionReason: cancellationReason,
          suspendedAt: now,
        },
} as const satisfies Kind;

export const unsuspension = {
  ...common,
  component: 'ServiceUnsuspensionRequest',
  fields: [],
  excludes: 'unsuspend',
  releases: ['suspend'],
  action: 'service.unsuspend',
  template: 'unsuspension-completed',
  assess(loaded) {
    refuseIf(refusalOfUnsuspension(loaded.service, loaded));
    return { ...atOnce, ...behind(loaded, 'unsuspend', 'suspend') };
  },
  precondition: (service, { origin }) =>
    failureIfEnded(service) ??
    (origin !== 'operator' && isSuspendedByOperator(service) ? SUSPENDED_BY_OPERATOR : undefined),
  // The operator may have lifted it meanwhile.
  complete: ({ status }) => (status === 'suspended' ? { status: 'active' } : {}),
} as const satisfies Kind;

type Concern = 'suspend' | 'unsuspend';

/**
 * The last word wins: what is open already comes first, and its opposite waits for it; the same word again takes the
 * opposite back.
 */
function behind(
  { open }: Pick<Loaded, 'open'>,
  own: Concern,
  opposite: Concern,
): Pick<Assessment, 'waits' | 'supersedes'> {
  const [same, other] = [open[own], open[opposite]];
  if (same && other) return { supersedes: { closedId: other.id, answerId: same.id } };
  return other ? { waits: true } : {};
}

/** What the operator says of a service, by the exclusion group of its request. */
export type OperatorsWord = Concern;

/** An open request as far as these rules need it. */
interface OpenOne {
  readonly origin: Origin;
  /** Null while it waits for its opposite. */
  readonly dueAt: number | null;
  /** Null while no work has begun. */
  readonly leaseOwner: string | null;
}

/**
 * What the operator's word does to the open requests of a service (contract, section 12.6): an opposite that waits behind
 * the same word is taken back, and so is a broker's request of the same word that has not begun. A request of the
 * operator is submitted unless one of the same word stays, behind an opposite that came first.
 */
export function operatorsWord<R extends OpenOne>(
  open: Readonly<Record<string, R | undefined>>,
  word: OperatorsWord,
): { closes: R[]; submits: boolean; waits: boolean } {
  const [same, other] = [open[word], open[word === 'suspend' ? 'unsuspend' : 'suspend']];
  const isBehind = same !== undefined && other?.dueAt === null;
  const isReplaced = same?.origin === 'broker' && same.leaseOwner === null;
  return {
    closes: [...(isBehind ? [other] : []), ...(isReplaced ? [same] : [])],
    submits: same === undefined || isReplaced,
    waits: other !== undefined && !isBehind,
  };
}

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

type Beside = Pick<Loaded, 'open'>;

/** Why a suspension is refused, in the contract's order; undefined where it is allowed. */
export function refusalOfSuspension(service: Suspended, beside: Beside): ApiError | undefined {
  const refusal =
    refusalOfEnded(service, 'it cannot be suspended any more') ?? refusalOfOpen(beside, 'suspend', 'unsuspend');
  if (refusal || isAnyOpen(beside)) return refusal;
  if (service.status === 'suspended') return fail.invalidState('service_suspended', 'The service is suspended already');
  if (service.status === 'pending') {
    return fail.invalidState('service_not_active', 'The service is pending; only an active service can be suspended');
  }
  return undefined;
}

/** Why the end of a suspension is refused, in the contract's order; undefined where it is allowed. */
export function refusalOfUnsuspension(service: Suspended, beside: Beside): ApiError | undefined {
  const refusal = refusalOfEnded(service, 'it has no suspension to lift');
  if (refusal) return refusal;
  if (isSuspendedByOperator(service)) {
    return fail.invalidState('suspended_by_operator', SUSPENDED_BY_OPERATOR.message);
  }
  const busy = refusalOfOpen(beside, 'unsuspend', 'suspend');
  if (busy || isAnyOpen(beside)) return busy;
  return service.status === 'suspended'
    ? undefined
    : fail.invalidState('service_not_suspended', `The service is ${service.status}, not suspended`);
}

/** Why a suspension cannot be lifted, also when the work is done. */
const SUSPENDED_BY_OPERATOR = {
  reason: 'suspended_by_operator',
  message: 'The service operator has suspended the service and alone can lift that',
} as const;

const isAnyOpen = ({ open }: Beside): boolean => Boolean(open.suspend ?? open.unsuspend);

/** The refusal where one of the same type is open, unless its opposite waits behind it. */
function refusalOfOpen({ open }: Beside, own: Concern, opposite: Concern): ApiError | undefined {
  const same = open[own];
  const isTakenBack = same?.dueAt !== null && open[opposite] !== undefined;
  if (!same || isTakenBack) return undefined;
  return fail.invalidState(
    'suspension_in_progress',
    'A suspension of this service, or its end, is still open; wait until it is final',
    { request_id: same.id, type: same.type },
  );
}
