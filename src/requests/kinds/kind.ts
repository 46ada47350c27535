import type { Change } from '../../context/context.ts';
import type { Refusal } from '../../context/outcome.ts';
import type { NestedPlan } from '../../records.ts';
import type { CancellationType, RequestType, ServiceStatus, TemplateKind } from '../../rules/words.ts';
import type { PlanRow } from '../../store/plans.ts';
import type { RequestRow, RequestView } from '../../store/requests.ts';
import type { ServiceRow } from '../../store/services.ts';
import type { openRequestsOf } from '../open-requests.ts';

/** What is asked for; a request that stands asks for the same again when it is decided. */
export interface Asked {
  readonly type: RequestType;
  /** The request that asks, where it stands already: it is not in its own way. */
  readonly id?: string;
  /** Id, slug or display name of an active plan. */
  readonly newPlan?: string | undefined;
  readonly cancellationType?: CancellationType | null;
  readonly reason?: string | null;
}

/** A locked service, and what the rules look at beside it. */
export interface ServiceForChange {
  readonly service: ServiceRow;
  readonly currentPlan: PlanRow;
  /** The active plan that is asked for; undefined where nothing bears that name. */
  readonly targetPlan: PlanRow | undefined;
  /** Without the request that asks. */
  readonly open: Awaited<ReturnType<typeof openRequestsOf>>;
}

/** What the rules make of it. */
export interface Assessment {
  readonly currentPlan: PlanRow | null;
  readonly newPlan: PlanRow | null;
  /** What else the request says. */
  readonly fields?: Partial<RequestRow>;
  /** What the first line of its history says. */
  readonly note?: string | null;
  readonly needsReview: boolean;
  /** When it takes effect, in epoch milliseconds; null: as soon as the work is done. */
  readonly effectiveAt: number | null;
}

/** The fields that records of some kinds have and others have not (contract, section 6, "Requests"). */
export interface OwnFields {
  warning_reason?: string;
  current_plan?: NestedPlan;
  new_plan?: NestedPlan;
  effective_date?: string | null;
  cancellation_type?: CancellationType;
  reason?: string | null;
}

/**
 * All that is particular to one kind of request; what is left out has nothing particular. What all have in common is
 * told once, in src/requests/.
 */
export interface Kind {
  /** Applies the operation's rules at a moment in epoch milliseconds. Throws their refusal. */
  assess(standing: ServiceForChange, asked: Asked, now: number): Assessment;
  /** What acceptance does beside the request itself. */
  accepted?(change: Change, service: ServiceRow, request: RequestRow): Promise<void>;
  /** Which word says that work on such a service is pointless; undefined where it is not. */
  obstacle?(status: ServiceStatus): string | undefined;
  /** What the finished work changes on the service. */
  effect?(service: ServiceRow, request: RequestRow, now: number): Partial<ServiceRow>;
  /** What is taken back from the service when an accepted request fails or is withdrawn. */
  undo?(change: Change, service: ServiceRow, request: RequestRow): Partial<ServiceRow> | Promise<Partial<ServiceRow>>;
  /** Why an accepted request cannot be withdrawn though no work has begun. */
  refusalOfWithdrawal?(change: Change, request: RequestRow): Promise<Refusal>;
  /** Whether the client has a service without it. */
  readonly serviceRemains: boolean;
  record(view: RequestView): OwnFields;
  /** The template of the mail that tells the client of it; no mail goes out where the broker has none. */
  readonly template: TemplateKind;
}
