import { fail } from '../errors.ts';
import { findTargetPlan, foldPlanName } from '../rules/plan-names.ts';
import { isoTimestamp } from '../rules/timestamps.ts';
import { isRequestId } from '../runtime/ids.ts';
import type { PlanRow } from '../store/queries/plans.ts';
import type { RequestView } from '../store/queries/requests.ts';
import type { ServiceRow, ServiceView } from '../store/queries/services.ts';
import type { Reads, Tx } from '../store/store.ts';

/** The broker to whom the records belong. */
export interface Owner {
  readonly brokerId: string;
}

/** The broker's own service; throws `not_found` (contract, sections 4 and 15.2). */
export const findService = async (read: Reads | Tx, { brokerId }: Owner, number: number): Promise<ServiceRow> =>
  (await read.services.find(brokerId, number)) ?? noService(read, number);

/** The same with its plan and open request. */
export const findServiceView = async (read: Reads | Tx, { brokerId }: Owner, number: number): Promise<ServiceView> =>
  (await read.services.findView(brokerId, number)) ?? noService(read, number);

/** The same, locked against other changes of the service and its requests. */
export const lockService = async (tx: Tx, { brokerId }: Owner, number: number): Promise<ServiceRow> =>
  (await tx.services.lock(brokerId, number)) ?? noService(tx, number);

/** The broker's own request; throws `not_found`, also for malformed ids. */
export const findRequest = async (read: Reads | Tx, { brokerId }: Owner, id: string): Promise<RequestView> =>
  (isRequestId(id) && (await read.requests.findView(brokerId, id))) || missing(fail.requestNotFound());

/** A number that a loss passed over may have been issued in what was lost: the answer is the same whoever has it now. */
async function noService(read: Reads | Tx, number: number): Promise<never> {
  const loss = await read.history.findCovering(number);
  throw fail.serviceNotFound(
    loss ? { lost_from: isoTimestamp(loss.lostFrom), lost_until: isoTimestamp(loss.lostUntil) } : undefined,
  );
}

function missing(refusal: Error): never {
  throw refusal;
}

/** The service's plan; a foreign key guarantees it. */
export const planOf = async (read: Reads | Tx, { brokerId, planId }: ServiceRow): Promise<PlanRow> =>
  (await read.plans.find(brokerId, planId)) as PlanRow;

/** The active plan with this id, slug or display name, if there is one. */
export const planNamed = async (tx: Tx, brokerId: string, name = ''): Promise<PlanRow | undefined> =>
  findTargetPlan(await tx.plans.listActiveNamed(brokerId, name, foldPlanName(name)), name);
