import { fail } from '../errors.ts';
import { isRequestId } from '../ids.ts';
import { findTargetPlan, foldPlanName } from '../rules/plan-changes.ts';
import type { PlanRow } from '../store/plans.ts';
import type { RequestView } from '../store/requests.ts';
import type { ServiceRow, ServiceView } from '../store/services.ts';
import type { Reads, Tx } from '../store/store.ts';
import type { Caller } from './outcome.ts';

/** Gate 7: the broker's own service, or `not_found` (contract, section 4). */
export const findService = async (read: Reads | Tx, { brokerId }: Caller, number: number): Promise<ServiceRow> =>
  (await read.services.find(brokerId, number)) ?? missing(fail.serviceNotFound());

/** The same, with what the record shows beside it. */
export const findServiceView = async (read: Reads | Tx, { brokerId }: Caller, number: number): Promise<ServiceView> =>
  (await read.services.findView(brokerId, number)) ?? missing(fail.serviceNotFound());

/** The same inside a transaction, locked against other changes of the service and its requests. */
export const lockService = async (tx: Tx, { brokerId }: Caller, number: number): Promise<ServiceRow> =>
  (await tx.services.lock(brokerId, number)) ?? missing(fail.serviceNotFound());

/** The broker's own request, or `not_found`, also for texts that could be no id. */
export const findRequest = async (read: Reads | Tx, { brokerId }: Caller, id: string): Promise<RequestView> =>
  (isRequestId(id) && (await read.requests.findView(brokerId, id))) || missing(fail.requestNotFound());

function missing(refusal: Error): never {
  throw refusal;
}

/** The plan that a service is on; a foreign key says that there is one. */
export const planOf = async (read: Reads | Tx, { brokerId, planId }: ServiceRow): Promise<PlanRow> =>
  (await read.plans.find(brokerId, planId)) as PlanRow;

/** The active plan that somebody names by id, slug or display name; undefined where there is none. */
export const planNamed = async (tx: Tx, brokerId: string, name = ''): Promise<PlanRow | undefined> =>
  findTargetPlan(await tx.plans.listActiveNamed(brokerId, name, foldPlanName(name)), name);
