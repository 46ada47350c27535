import type { Context } from '../context/context.ts';
import { type Caller, type Outcome, ok } from '../context/outcome.ts';
import { findServiceView } from '../context/owned-records.ts';
import { type ServiceRecord, serviceRecord } from '../records.ts';

/** One service. Throws `not_found`. */
export async function getService(
  { store }: Context,
  caller: Caller,
  { serviceNumber }: { serviceNumber: number },
): Promise<Outcome<ServiceRecord>> {
  const view = await findServiceView(store.read, caller, serviceNumber);
  return ok(serviceRecord(view));
}
