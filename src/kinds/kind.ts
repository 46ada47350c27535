import { type ApiError, fail, type Refusal } from '../errors.ts';
import type { PlanOffer } from '../rules/offers.ts';
import {
  type BillingType,
  type CancellationType,
  isEnded,
  type Origin,
  type RequestStatus,
  type ServiceStatus,
  type SuspendedBy,
} from '../rules/words.ts';

/** A move to a higher or a lower plan. */
export type PlanDirection = 'upgrade' | 'downgrade';

/** The fields of a plan that the rules need. */
export interface PlanFacts {
  id: string;
  slug: string;
  displayName: string;
  upgradeRank: number;
  billingType: BillingType;
  diskGb: number | null;
  requiresOperatorReview: boolean;
}

/** The open requests of a service, by the word that they share (`Kind.excludes`), or by their type where there is none. */
export interface OpenRequests {
  readonly [excludes: string]: { id: string; type: string; status: RequestStatus; dueAt: number | null } | undefined;
}

/** The fields of a service that the rules need. Dates are epoch milliseconds. */
export interface ServiceFacts {
  readonly status: ServiceStatus;
  readonly requiresOperatorReview: boolean;
  readonly clientEmail: string | null;
  readonly renewalAt: number | null;
  readonly renewalAnchor: number | null;
  readonly suspendedBy: SuspendedBy | null;
  readonly configuration: string | null;
  readonly keptConfiguration: string | null;
}

/** The changes that a request can write to its service. */
export interface ServiceChanges {
  status?: ServiceStatus;
  planId?: string;
  cancelledAt?: number;
  cancellationType?: CancellationType | null;
  cancellationEffectiveAt?: number | null;
  cancellationRequestId?: string | null;
  suspendedBy?: SuspendedBy;
  suspensionReason?: string | null;
  suspendedAt?: number;
}

/** Columns that hold JSON objects. */
export interface ConfigurationChanges {
  configuration?: string | null;
  keptConfiguration?: string | null;
}

/** The fields of a submitted request that the rules need. */
export interface RequestFacts {
  readonly id: string;
  readonly origin: Origin;
  readonly newPlanId: string | null;
  readonly cancellationType: CancellationType | null;
  readonly cancellationReason: string | null;
  readonly cleansUp: boolean | null;
  readonly effectiveAt: number | null;
  readonly actionName: string | null;
  readonly actionDisplayName: string | null;
  readonly actionConfiguration: string | null;
  /** The failed request that this one does once more; null: none. */
  readonly retryOf: string | null;
}

/** The input of a request; when a submitted request is decided, it is assessed again with the same input. */
export interface RequestInput {
  /** The request's id, where it is submitted already: it does not exclude itself. */
  readonly id?: string;
  /** Id, slug or display name of an active plan. */
  readonly newPlan?: string | undefined;
  readonly cancellationType?: CancellationType | null;
  readonly reason?: string | null;
  /** The name of an action of the service's plan. */
  readonly action?: string | undefined;
  /** What was chosen for an action, or for the service on its new plan. */
  readonly configuration?: Readonly<Record<string, unknown>> | undefined;
}

/** A locked service, and the further records that the rules need. */
export interface Loaded<Plan extends PlanFacts = PlanFacts, Service extends ServiceFacts = ServiceFacts> {
  readonly service: Service;
  readonly currentPlan: Plan;
  /** The active plan that the request names; undefined where no plan has that name. */
  readonly targetPlan: Plan | undefined;
  /** Without the assessed request itself. */
  readonly open: OpenRequests;
  /** What the plan of `Kind.readsOffer` offers; of a new plan only where a configuration is given. */
  readonly offer: PlanOffer;
  /** Whether anything carries the work out but the records themselves. */
  readonly hasProvisioner: boolean;
  /** Whether a plan change may have a configuration. Until 1.3: 1.1 cannot read one (contract, section 14.1). */
  readonly takesConfiguration: boolean;
  /**
   * Whether a cancellation cleans up after the creation of the service: its end is not known, or it failed and the operator
   * knows that something is left. Read only for cancellations.
   */
  readonly cleansUp: boolean;
}

/** The result of the rules for a request that they allow. */
export interface Assessment<Plan extends PlanFacts = PlanFacts> {
  readonly currentPlan: Plan | null;
  readonly newPlan: Plan | null;
  /** Further columns of the request. */
  readonly fields?: {
    cancellationType?: CancellationType;
    cancellationReason?: string | null;
    cleansUp?: boolean;
    actionName?: string;
    actionDisplayName?: string;
    actionConfiguration?: string;
  };
  /** Whether its work begins only when an open request of the same concern is final. */
  readonly waits?: boolean;
  /** Instead of a new request: this open one is closed as superseded, and that open one is the answer. */
  readonly supersedes?: { closedId: string; answerId: string };
  /** The note of its first history entry. */
  readonly note?: string | null;
  readonly needsReview: boolean;
  /** When it takes effect, in epoch milliseconds; null: as soon as the work is done. */
  readonly effectiveAt: number | null;
}

/** A submitted request with what the rules found, as far as the audit trail needs it. */
export interface Submitted {
  readonly request: RequestFacts;
  readonly service: { readonly label: string | null; readonly externalReference: string | null };
  readonly currentPlan: PlanFacts | null;
  readonly newPlan: PlanFacts | null;
}

/** The failure of a work of which it is not known whether it was done. */
export const OUTCOME_UNKNOWN = 'outcome_unknown';

/** How an accepted request failed. */
export interface FailedEnd {
  readonly reason: string;
  /** Whether its acceptance closed the creation of its service. */
  readonly closedCreation: boolean;
}

/** Why a request fails: a stable word, and a text for people. */
export interface Unmet {
  readonly reason: string;
  readonly message: string;
}

/** Why an ended service makes work pointless; undefined for a living one. */
export const failureIfEnded = ({ status }: Pick<ServiceFacts, 'status'>): Unmet | undefined =>
  isEnded(status) ? { reason: `service_${status}`, message: `The service is ${status}` } : undefined;

/** The fields that only the records of some types have (contract, section 6, "Requests"). */
export type OwnField =
  | 'warning_reason'
  | 'current_plan'
  | 'new_plan'
  | 'effective_date'
  | 'cancellation_type'
  | 'reason'
  | 'action'
  | 'configuration';

/**
 * Everything that is specific to one type of request. Schemas, SQL conditions, the operator's choices, the email
 * templates and the life cycle in src/lifecycle/ are derived from it. Optional members are left out where the type needs
 * nothing special.
 */
export interface Kind {
  /** The name of its schema in the OpenAPI document. */
  readonly component: string;
  /** The fields of its record in addition to those of every type. */
  readonly fields: readonly OwnField[];
  readonly statuses: readonly RequestStatus[];
  /** The exclusion group: a service has at most one open request of all types in the same group. */
  readonly excludes?: string;
  /** Of several open requests a service shows the one with the lowest number (contract, section 6, "Services"). */
  readonly precedence: number;
  /** The field that a client gives with it; undefined where clients cannot submit this type (contract, section 9). */
  readonly clientField?: 'new_plan' | 'cancellation_type';
  /** The name of its submission by a broker in the audit trail. */
  readonly action: string;
  /** The kind of its email template; no email is sent where the broker has no such template. */
  readonly template: string;
  /** Only for plan changes. */
  readonly direction?: PlanDirection;
  /** Whether the request creates its service. */
  readonly createsService?: boolean;
  /** Why the other open requests of the service are closed when this one is accepted, save those that outlast it. */
  readonly closesOthers?: Unmet;
  /** Whether it goes on beside a cancellation that is accepted; it is closed when its service ends. */
  readonly outlastsCancellation?: boolean;
  /** The types of which an open one that waits begins when this one is final. */
  readonly releases?: readonly string[];
  /** Whether the operator's request of this type only brings to the machine what the record shows already. */
  readonly followsRecord?: boolean;
  /** Whether its work destroys or stops something: after a restore a person lets it go (contract, section 15.5). */
  readonly stops?: boolean;
  /** Whether its work may start the service's machine, which a suspension has stopped meanwhile. */
  readonly startsMachine?: boolean;
  /** The plan whose offer the rules and the finished work need. */
  readonly readsOffer?: 'current_plan' | 'new_plan';
  /** It is tried for so long, with pauses up to this one, in milliseconds; as often as any other work unless set. */
  readonly tried?: { readonly forMs: number; readonly maxPauseMs: number };
  /** Whether the client is mailed only where the work changed the service's status. */
  readonly mailsChangesOnly?: boolean;
  /**
   * Applies the operation's rules.
   * @param now epoch milliseconds
   * Throws their refusal.
   */
  assess<Plan extends PlanFacts>(loaded: Loaded<Plan>, input: RequestInput, now: number): Assessment<Plan>;
  /**
   * Set where the answer to a submission is not the request's record: it has the service's `service_status`, and lacks
   * these fields of the record.
   */
  readonly answerLacks?: readonly string[];
  /** What a row of the audit trail says of its submission, in addition to its id and status; in the words of the wire. */
  audited?(submitted: Submitted): { before?: object; after: object };
  /** The changes that acceptance writes to the service. */
  accept?(request: RequestFacts): ServiceChanges;
  /**
   * Why the service's current state makes the work pointless, before it begins and when it is done; undefined where it
   * does not.
   */
  precondition?(service: ServiceFacts, request: Pick<RequestFacts, 'origin' | 'cleansUp'>): Unmet | undefined;
  /** What the finished work makes of the service, but for its configuration. */
  complete?(service: ServiceFacts, request: RequestFacts, now: number): ServiceChanges;
  /**
   * The configuration that the finished work leaves the service with.
   * @param offer of the plan of `readsOffer`
   */
  configure?(service: ServiceFacts, request: RequestFacts, offer: PlanOffer): ConfigurationChanges;
  /** The changes that revert acceptance when an accepted request fails or is withdrawn. */
  revert?(service: ServiceFacts, request: Pick<RequestFacts, 'cleansUp'>, end: FailedEnd): ServiceChanges;
  /** Why an accepted request cannot be withdrawn though no work has begun. */
  refusalOfWithdrawal?(closed: { creation: boolean }): Refusal;
}

/** No active plan has the name that a caller gave. */
export const planNotAvailable = (): ApiError =>
  fail.invalidParameter(
    'plan_not_available',
    'No active plan has this id, slug or display name; GET /v1/plans lists the available ones',
  );

/** Why an ended service allows no change; undefined for a living one. */
export function refusalOfEnded({ status }: Pick<ServiceFacts, 'status'>, consequence: string): ApiError | undefined {
  if (!isEnded(status)) return undefined;
  return fail.invalidState(`service_${status}`, `The service is ${status}; ${consequence}`);
}
