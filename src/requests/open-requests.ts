import { PLAN_CHANGE_TYPES, type RequestType } from '../rules/words.ts';
import type { ServiceRow } from '../store/services.ts';
import type { Reads, Tx } from '../store/store.ts';

/** The open requests of a service, and those that stand in the way of others; `except` leaves one out of account. */
export async function openRequestsOf(
  read: Reads | Tx,
  { brokerId, number }: Pick<ServiceRow, 'brokerId' | 'number'>,
  except?: string,
) {
  const all = (await read.requests.listOpen(brokerId, number)).filter((row) => row.id !== except);
  const find = (...types: readonly RequestType[]) => all.find((row) => types.includes(row.type)) ?? null;
  return { all, cancellation: find('cancellation'), planChange: find(...PLAN_CHANGE_TYPES) };
}
