import type { Refusal } from '../../errors.ts';
import type { OpenRequests, PlanDirection, PlanFacts } from '../../rules/plan-changes.ts';
import type { CancellationType, RequestStatus, ServiceStatus } from '../../rules/words.ts';

/** What the rules look at of a service; a service's row has all of it. Dates are epoch milliseconds. */
export interface ServiceFacts {
  readonly status: ServiceStatus;
  readonly requiresOperatorReview: boolean;
  readonly clientEmail: string | null;
  readonly renewalAt: number | null;
  readonly renewalAnchor: number | null;
}

/** What a request of some kind writes on its service. */
export interface ServiceChanges {
  status?: ServiceStatus;
  planId?: string;
  cancelledAt?: number;
  cancellationType?: CancellationType | null;
  cancellationEffectiveAt?: number | null;
  cancellationRequestId?: string | null;
}

/** What the rules look at of a submitted request. */
export interface RequestFacts {
  readonly id: string;
  readonly newPlanId: string | null;
  readonly cancellationType: CancellationType | null;
  readonly effectiveAt: number | null;
}

/** What a request asks for. A submitted one asks for the same again when it is decided. */
export interface Asked {
  /** The request that asks, where it is submitted already: it does not exclude itself. */
  readonly id?: string;
  /** Id, slug or display name of an active plan. */
  readonly newPlan?: string | undefined;
  readonly cancellationType?: CancellationType | null;
  readonly reason?: string | null;
}

/** A locked service, and what the rules look at beside it. */
export interface Loaded<Plan extends PlanFacts = PlanFacts, Service extends ServiceFacts = ServiceFacts> {
  readonly service: Service;
  readonly currentPlan: Plan;
  /** The active plan that is asked for; undefined where no plan has that name. */
  readonly targetPlan: Plan | undefined;
  /** The open requests that exclude others, by their `excludes`; without the request that asks. */
  readonly open: OpenRequests;
}

/** A request that the rules let pass. */
export interface Assessment<Plan extends PlanFacts = PlanFacts> {
  readonly currentPlan: Plan | null;
  readonly newPlan: Plan | null;
  /** Further columns of the request. */
  readonly fields?: { cancellationType?: CancellationType; cancellationReason?: string | null };
  /** The note of the first line of its history. */
  readonly note?: string | null;
  readonly needsReview: boolean;
  /** When it takes effect, in epoch milliseconds; null: as soon as the work is done. */
  readonly effectiveAt: number | null;
}

/** The fields that records of some types have and others have not (contract, section 6, "Requests"). */
export type OwnField =
  | 'warning_reason'
  | 'current_plan'
  | 'new_plan'
  | 'effective_date'
  | 'cancellation_type'
  | 'reason';

/**
 * Everything that is particular to one type of request. Schemas, the conditions of the database, the operator's choices,
 * the email templates and the life cycle in src/requests/ are derived from it. What is left out has nothing particular.
 */
export interface Kind {
  /** The name of its schema in the OpenAPI document. */
  readonly component: string;
  /** The fields of its record beside those of every type. */
  readonly fields: readonly OwnField[];
  readonly statuses: readonly RequestStatus[];
  /** Requests with the same word exclude each other: a service has one open request of them at most. */
  readonly excludes?: string;
  /** Of several open requests a service shows the one with the lowest number (contract, section 6, "Services"). */
  readonly precedence: number;
  /** What a client names who asks for it; undefined where clients do not ask (contract, section 9). */
  readonly clientNames?: 'new_plan' | 'cancellation_type';
  /** The template of the email that tells the client of it; none is sent where the broker has no such template. */
  readonly template: string;
  /** Of a plan change. */
  readonly direction?: PlanDirection;
  /** Whether the service exists through this request alone. */
  readonly createsService?: boolean;
  /** Why the other open requests of the service are closed when this one is accepted. */
  readonly closesOthers?: { reason: string; message: string };
  /**
   * Applies the operation's rules.
   * @param now epoch milliseconds
   * Throws their refusal.
   */
  assess<Plan extends PlanFacts>(loaded: Loaded<Plan>, asked: Asked, now: number): Assessment<Plan>;
  /** What acceptance writes on the service. */
  accept?(request: RequestFacts): ServiceChanges;
  /** The reason why work on the service in its present state would be pointless; undefined where it is not. */
  precondition?(service: ServiceFacts): string | undefined;
  /** What the finished work writes on the service. */
  complete?(service: ServiceFacts, request: RequestFacts, now: number): ServiceChanges;
  /**
   * What is written back on the service when an accepted request fails or is withdrawn.
   * @param closed whether its acceptance closed the creation of its service
   */
  revert?(service: ServiceFacts, closed: { creation: boolean }): ServiceChanges;
  /** Why an accepted request cannot be withdrawn though no work has begun. */
  refusalOfWithdrawal?(closed: { creation: boolean }): Refusal;
}
