import { fail } from '../errors.ts';
import { asStoredNumber } from '../rules/service-number.ts';
import type { PlanRow } from '../store/plans.ts';
import type { ServiceRow, ServiceView } from '../store/services.ts';
import type { Reads, Tx } from '../store/store.ts';
import type { Caller } from './outcome.ts';

/**
 * Gate 7: the broker's own service, or `not_found`. A number beyond 2^53 is nobody's and is never rounded
 * to somebody's (contract, section 4).
 */
export async function findService(read: Reads | Tx, caller: Caller, number: bigint): Promise<ServiceRow> {
  const stored = asStoredNumber(number);
  const service = stored === undefined ? null : await read.services.find(caller.brokerId, stored);
  if (!service) throw fail.serviceNotFound();
  return service;
}

/** The same, with what the record shows beside it. */
export async function findServiceView(read: Reads, caller: Caller, number: bigint): Promise<ServiceView> {
  const stored = asStoredNumber(number);
  const view = stored === undefined ? null : await read.services.findView(caller.brokerId, stored);
  if (!view) throw fail.serviceNotFound();
  return view;
}

/** The same inside a transaction, locked against other changes of the service and its requests. */
export async function lockService(tx: Tx, caller: Caller, number: bigint): Promise<ServiceRow> {
  const stored = asStoredNumber(number);
  const service = stored === undefined ? null : await tx.services.lock(caller.brokerId, stored);
  if (!service) throw fail.serviceNotFound();
  return service;
}

/** The plan that a service is on; a foreign key says that there is one. */
export const planOf = async (read: Reads | Tx, { brokerId, planId }: ServiceRow): Promise<PlanRow> =>
  (await read.plans.find(brokerId, planId)) as PlanRow;
