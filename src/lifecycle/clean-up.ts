import type { Change } from '../store/change.ts';
import type { ServiceRow } from '../store/queries/services.ts';
import { close, SUPERSEDED } from './close.ts';
import { submit } from './submit.ts';

/**
 * Asks the provisioner to remove what a creation may have left whose end is not known (contract, section 12.6): a
 * cancellation under its own key, in the transaction that closed the creation. A client's cancellation that waits for the
 * broker's decision is closed for it. Does nothing where the service did not stay pending.
 */
export async function cleanUp(change: Change, { brokerId, number }: ServiceRow): Promise<void> {
  const service = await change.tx.services.lock(brokerId, number);
  if (service?.status !== 'pending') return;
  const open = await change.tx.requests.listOpen(brokerId, number);
  const waiting = open.find(({ type }) => type === 'cancellation');
  if (waiting) {
    await close(
      change,
      service,
      waiting,
      { status: 'denied', by: 'operator', reason: SUPERSEDED },
      { actor: 'system' },
    );
  }
  const input = { serviceNumber: number, cancellationType: 'immediate', reason: null } as const;
  await submit(change, { brokerId }, input, { type: 'cancellation', origin: 'operator', actor: null });
}
