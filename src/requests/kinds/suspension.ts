import { refuseIf } from '../../errors.ts';
import {
  isSuspendedByOperator,
  refusalOfSuspension,
  refusalOfUnsuspension,
  SUSPENDED_BY_OPERATOR,
} from '../../rules/suspensions.ts';
import { NEVER_DECIDED } from '../../rules/words.ts';
import { type Kind, unlessEnded } from './kind.ts';

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
  template: 'suspension-completed',
  assess({ service, open }, { reason = null }) {
    refuseIf(refusalOfSuspension(service, open.suspension));
    return { ...atOnce, fields: { cancellationReason: reason } };
  },
  precondition: unlessEnded,
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
  template: 'unsuspension-completed',
  assess({ service, open }) {
    refuseIf(refusalOfUnsuspension(service, open.suspension));
    return atOnce;
  },
  precondition: (service) =>
    unlessEnded(service) ?? (isSuspendedByOperator(service) ? SUSPENDED_BY_OPERATOR : undefined),
  // The operator may have lifted it meanwhile.
  complete: ({ status }) => (status === 'suspended' ? { status: 'active' } : {}),
} as const satisfies Kind;
