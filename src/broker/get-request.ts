import { findRequest } from '../lifecycle/owned-records.ts';
import type { Context } from '../ports.ts';
import { historyRecord, type RequestRecord, requestRecord } from '../records.ts';
import { type Caller, type Outcome, ok } from './operation.ts';

/** One request with its history. Throws `not_found`. */
export async function getRequest(
  { store, clock, isHeld }: Context,
  caller: Caller,
  { requestId }: { requestId: string },
): Promise<Outcome<RequestRecord & { history: Array<ReturnType<typeof historyRecord>> }>> {
  const view = await findRequest(store.read, caller, requestId);
  const history = await store.read.requests.listHistory(caller.brokerId, requestId);
  return ok({ ...requestRecord(view, clock.now(), isHeld?.()), history: history.map(historyRecord) });
}
