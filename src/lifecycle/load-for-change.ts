import { KINDS, type RequestType } from '../kinds/index.ts';
import { type Loaded, OUTCOME_UNKNOWN, type RequestInput } from '../kinds/kind.ts';
import { NO_OFFER } from '../rules/offers.ts';
import { findTargetPlan, foldPlanName } from '../rules/plan-names.ts';
import type { Origin } from '../rules/words.ts';
import type { Change } from '../store/change.ts';
import type { PlanRow } from '../store/queries/plans.ts';
import type { RequestRow } from '../store/queries/requests.ts';
import type { ServiceRow } from '../store/queries/services.ts';
import { isFinished } from '../store/queries/update-state.ts';
import { together } from '../store/session/together.ts';
import type { Reads, Tx } from '../store/store.ts';
import { findRequest, lockService, type Owner } from './owned-records.ts';

/** A request whose service is locked, so that changes of one service do not run concurrently. */
export interface LockedRequest {
  request: RequestRow;
  service: ServiceRow;
}

/**
 * Locks a service of the caller and reads the records that the rules need. All are sent together and run one after the
 * other: the reads show the changes of the lock's previous holder. Throws `not_found`.
 */
export async function loadForChange(
  { tx, hasProvisioner }: Pick<Change, 'tx' | 'hasProvisioner'>,
  { brokerId }: Owner,
  number: number,
  type: RequestType,
  { id, newPlan = '', configuration = {} }: RequestInput,
  origin: Origin,
): Promise<Loaded<PlanRow, ServiceRow>> {
  const { readsOffer, excludes } = KINDS[type];
  const isConfigured = Object.keys(configuration).length > 0;
  const [service, plans, open] = await together([
    lockService(tx, { brokerId }, number),
    tx.plans.listForChange(brokerId, number, newPlan, foldPlanName(newPlan)),
    findOpenRequests(tx, { brokerId, number }, id),
  ]);
  const targetPlan = findTargetPlan(
    plans.filter(({ active }) => active),
    newPlan,
  );
  const offering = readsOffer === 'new_plan' ? isConfigured && targetPlan?.id : readsOffer && service.planId;
  return {
    service,
    // A foreign key guarantees it.
    currentPlan: plans.find((plan) => plan.id === service.planId) as PlanRow,
    targetPlan,
    open,
    offer: offering ? await tx.plans.findOffer(brokerId, offering) : NO_OFFER,
    hasProvisioner,
    takesConfiguration: isConfigured && excludes === 'plan_change' && (await isFinished(tx)),
    cleansUp: excludes === 'cancellation' && (await isAfterFailedCreation(tx, service, { open, origin })),
  };
}

/**
 * Whether what there is of a service is to be removed after its creation: that ended with an unknown outcome, and the
 * service is pending; or it failed, and the operator knows better than the provisioner that something is left.
 */
async function isAfterFailedCreation(
  tx: Tx,
  { brokerId, number, status }: ServiceRow,
  { open, origin }: { open: Readonly<Record<string, RequestRow>>; origin: Origin },
): Promise<boolean> {
  const isRepeated = status === 'terminated' && origin === 'operator';
  if (!(status === 'pending' || isRepeated) || open['service-creation']) return false;
  const filter = { type: 'service-creation', status: 'failed', serviceNumber: number } as const;
  const [creation] = await tx.requests.page(brokerId, filter, { limit: 1, offset: 0 });
  return creation !== undefined && (isRepeated || creation.request.failureReason === OUTCOME_UNKNOWN);
}

/** The open requests of a service, without the request `except`. */
export async function findOpenRequests(
  read: Reads | Tx,
  { brokerId, number }: Pick<ServiceRow, 'brokerId' | 'number'>,
  except?: string,
): Promise<Record<string, RequestRow>> {
  const open = await read.requests.listOpen(brokerId, number);
  return Object.fromEntries(
    open.flatMap((request) => (request.id === except ? [] : [[KINDS[request.type].excludes ?? request.type, request]])),
  );
}

/** Locks the service of a request of the caller. Throws `not_found`. */
export async function lockRequest({ tx }: Change, caller: Owner, requestId: string): Promise<LockedRequest> {
  const { request } = await findRequest(tx, caller, requestId);
  const service = await lockService(tx, caller, request.serviceNumber);
  // Read again: the previous holder of the lock may have decided it.
  return { request: (await findRequest(tx, caller, requestId)).request, service };
}
