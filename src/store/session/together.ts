/**
 * Awaits statements that are sent together, each begun before the one before it is answered: on PostgreSQL one round trip.
 * Waits for all; rejects with the failure that comes first in the list, which has to be the order in which they were begun:
 * behind it a transaction refuses all others.
 */
export async function together<T extends readonly unknown[]>(
  statements: readonly [...T],
): Promise<{ -readonly [K in keyof T]: Awaited<T[K]> }> {
  const ends: PromiseSettledResult<unknown>[] = await Promise.allSettled(statements);
  const failed = ends.find((end) => end.status === 'rejected');
  if (failed) throw failed.reason;
  return ends.map((end) => (end as PromiseFulfilledResult<unknown>).value) as {
    -readonly [K in keyof T]: Awaited<T[K]>;
  };
}
