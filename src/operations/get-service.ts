import { findServiceView } from '../lifecycle/owned-records.ts';
import type { Context } from '../ports.ts';
import { type ServiceRecord, serviceRecord } from '../records.ts';
import { type Caller, type Outcome, ok } from './operation.ts';

/** One service. Throws `not_found`. */
export async function getService(
  { store }: Context,
  caller: Caller,
  { serviceNumber }: { serviceNumber: number },
): Promise<Outcome<ServiceRecord>> {
  const view = await findServiceView(store.read, caller, serviceNumber);
  return ok(serviceRecord(view));
}
