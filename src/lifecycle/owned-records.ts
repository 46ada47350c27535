import { fail } from '../errors.ts';
import { findTargetPlan, foldPlanName } from '../rules/plan-names.ts';
import { isRequestId } from '../runtime/ids.ts';
import type { PlanRow } from '../store/queries/plans.ts';
import type { RequestView } from '../store/queries/requests.ts';
import type { ServiceRow, ServiceView } from '../store/queries/services.ts';
import type { Reads, Tx } from '../store/store.ts';

/** The broker to whom the records belong. */
export interface Owner {
  readonly brokerId: string;
}

/** The broker's own service; throws `not_found` (contract, section 4). */
export const findService = async (read: Reads | Tx, { brokerId }: Owner, number: number): Promise<ServiceRow> =>
  (await read.services.find(brokerId, number)) ?? missing(fail.serviceNotFound());

/** The same with its plan and open request. */
export const findServiceView = async (read: Reads | Tx, { brokerId }: Owner, number: number): Promise<ServiceView> =>
  (await read.services.findView(brokerId, number)) ?? missing(fail.serviceNotFound());

/** The same, locked against other changes of the service and its requests. */
export const lockService = async (tx: Tx, { brokerId }: Owner, number: number): Promise<ServiceRow> =>
  (await tx.services.lock(brokerId, number)) ?? missing(fail.serviceNotFound());

/** The broker's own request; throws `not_found`, also for malformed ids. */
export const findRequest = async (read: Reads | Tx, { brokerId }: Owner, id: string): Promise<RequestView> =>
  (isRequestId(id) && (await read.requests.findView(brokerId, id))) || missing(fail.requestNotFound());

function missing(refusal: Error): never {
  throw refusal;
}

/** The service's plan; a foreign key guarantees it. */
export const planOf = async (read: Reads | Tx, { brokerId, planId }: ServiceRow): Promise<PlanRow> =>
  (await read.plans.find(brokerId, planId)) as PlanRow;

/** The active plan with this id, slug or display name, if there is one. */
export const planNamed = async (tx: Tx, brokerId: string, name = ''): Promise<PlanRow | undefined> =>
  findTargetPlan(await tx.plans.listActiveNamed(brokerId, name, foldPlanName(name)), name);
