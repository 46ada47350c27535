/**
 * Lists read per iteration of the event loop. Reading one takes most of a millisecond: with forty callers of lists an
 * auth-check took 50 ms, with this bound 2 ms (ADR 22).
 */
const LISTS_PER_ITERATION = 4;

/** Waiting reads of each broker in their order; brokers in the order in which they are served. */
const waiting = new Map<string, Array<() => void>>();
/** Reads started in this iteration; module state, because a process has one event loop. */
let started = 0;

/** Resolves when the broker may read a list: at once, or in a later iteration that reads one per broker. */
export async function listSlot(brokerId: string): Promise<void> {
  if (started < LISTS_PER_ITERATION) {
    started += 1;
    if (started === 1) setImmediate(nextIteration);
    return;
  }
  await new Promise<void>((start) => {
    const queue = waiting.get(brokerId);
    if (queue) queue.push(start);
    else waiting.set(brokerId, [start]);
  });
}

function nextIteration(): void {
  started = 0;
  for (const [brokerId, queue] of waiting) {
    if (started === LISTS_PER_ITERATION) break;
    started += 1;
    const start = queue.shift() as () => void;
    // After the other brokers: a Map keeps its keys in the order of insertion.
    waiting.delete(brokerId);
    if (queue.length > 0) waiting.set(brokerId, queue);
    start();
  }
  if (started > 0) setImmediate(nextIteration);
}
