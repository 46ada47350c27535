import { findServiceView } from '../lifecycle/owned-records.ts';
import type { Context } from '../ports.ts';
import { abilities, type ServiceRecord, serviceRecord } from '../records.ts';
import { type Caller, type Outcome, ok } from './operation.ts';

export type SingleService = ServiceRecord & ReturnType<typeof abilities>;

/** One service, with what its plan lets it do. Throws `not_found`. */
export async function getService(
  { store }: Context,
  caller: Caller,
  { serviceNumber }: { serviceNumber: number },
): Promise<Outcome<SingleService>> {
  const view = await findServiceView(store.read, caller, serviceNumber);
  const offer = await store.read.plans.findOffer(caller.brokerId, view.plan.id);
  return ok({ ...serviceRecord(view), ...abilities(offer) });
}
