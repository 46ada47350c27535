import { type ChangeDeps, note } from './dependencies.ts';
import { integer, read } from './fields.ts';

/** More than a standby can be behind, and few enough that a slip of the hand costs nothing. */
const COUNT = integer(1, 1_000_000);

/**
 * Passes over service numbers that will never be issued: after a failover that lost changes, the counter stands where the
 * standby had it, and callers were told numbers beyond that (contract, section 9).
 * @returns the number that would have been issued next, and the one that will be; numbers in use are passed over later
 */
export async function skipNumbers(
  parts: ChangeDeps,
  input: { count: string },
): Promise<{ skipped: number; from: number; to: number }> {
  const skipped = read('count', COUNT, input.count);
  return parts.store.tx(async (tx) => {
    const { from, to } = await tx.sequences.skip(skipped);
    await note(parts, tx, {
      action: 'numbers.skip',
      brokerId: null,
      subject: 'counter/service_number',
      before: { next: from },
      after: { next: to },
    });
    return { skipped, from, to };
  });
}
