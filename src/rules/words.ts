/**
 * Every enumerated value of the tables and of the API, defined once. Reasons are in errors.ts, scopes in scopes.ts.
 */
import { keysOf } from './keys.ts';

/** The states of a request, and whether each is open or final. */
const REQUESTS = {
  pending: 'open',
  operator_review: 'open',
  accepted: 'open',
  completed: 'final',
  failed: 'final',
  approved: 'final',
  denied: 'final',
} as const;
export type RequestStatus = keyof typeof REQUESTS;
export type OpenStatus = { [S in RequestStatus]: (typeof REQUESTS)[S] extends 'open' ? S : never }[RequestStatus];
export const REQUEST_STATUSES = keysOf(REQUESTS);
export const isOpen = (status: RequestStatus): status is OpenStatus => REQUESTS[status] === 'open';
export const isFinal = (status: RequestStatus): boolean => !isOpen(status);
export const OPEN_STATUSES = REQUEST_STATUSES.filter(isOpen);
/** Only a cancellation warning is `approved`, by being sent; every other request has the other states. */
export const ALL_BUT_WARNINGS = REQUEST_STATUSES.filter((status) => status !== 'approved');

/** The states of a request that needs no decision. */
export const NEVER_DECIDED = ['accepted', 'completed', 'failed'] as const satisfies readonly RequestStatus[];

/** The states of a service, and whether each is living or ended. Callers cannot change an ended service. */
const SERVICES = {
  pending: 'living',
  active: 'living',
  suspended: 'living',
  cancelled: 'ended',
  terminated: 'ended',
} as const;
export type ServiceStatus = keyof typeof SERVICES;
export type EndedStatus = { [S in ServiceStatus]: (typeof SERVICES)[S] extends 'ended' ? S : never }[ServiceStatus];
export const SERVICE_STATUSES = keysOf(SERVICES);
export const isEnded = (status: ServiceStatus): status is EndedStatus => SERVICES[status] === 'ended';
export const LIVING_STATUSES = SERVICE_STATUSES.filter((status) => !isEnded(status));

/** Who suspended a service. */
export const SUSPENDERS = ['broker', 'operator'] as const;
export type SuspendedBy = (typeof SUSPENDERS)[number];

/** Who submits a request; its history also has steps of the system. */
export const ORIGINS = ['client', 'broker', 'operator'] as const;
export type Origin = (typeof ORIGINS)[number];
export const ACTORS = [...ORIGINS, 'system'] as const;
export type RequestActor = (typeof ACTORS)[number];

/** Who decides on a request, and the possible decisions. */
export const DECIDERS = ['broker', 'operator'] as const;
export type Decider = (typeof DECIDERS)[number];
export const DECISIONS = ['approve', 'deny', 'accept'] as const;
export type DecisionAction = (typeof DECISIONS)[number];

/** Why records went back, and what holds since (contract, section 15). */
export const LOSS_CAUSES = ['restore', 'failover'] as const;
export type LossCause = (typeof LOSS_CAUSES)[number];
export const LOSS_STATES = ['held', 'copy', 'over'] as const;
export type LossState = (typeof LOSS_STATES)[number];

export const CANCELLATION_TYPES = ['end_of_term', 'immediate'] as const;
export type CancellationType = (typeof CANCELLATION_TYPES)[number];

export const BILLING_TYPES = ['monthly', 'hourly'] as const;
export type BillingType = (typeof BILLING_TYPES)[number];

/** The mode of a key: live records, or the sandbox. */
export const MODES = ['live', 'test'] as const;
export type Mode = (typeof MODES)[number];
export const KEY_STATUSES = ['active', 'revoked'] as const;
export const BROKER_STATUSES = ['active', 'suspended'] as const;

export const INVOICE_STATUSES = ['open', 'paid', 'void'] as const;
export const REPORT_TYPES = ['services-report', 'invoices-report'] as const;
export type ReportType = (typeof REPORT_TYPES)[number];

export const EMAIL_STATUSES = ['open', 'sent', 'failed', 'unknown'] as const;
