/**
 * Lists that are read in one iteration of the event loop. To read one takes most of a millisecond: forty callers of lists
 * made an auth-check take 50 ms, and with this bound it takes 2 ms (ADR 22).
 */
const LISTS_PER_ITERATION = 4;

/** Reads that wait, in their order for each broker; the brokers in the order in which they are served. */
const waiting = new Map<string, Array<() => void>>();
/** Reads started in this iteration. A process has one event loop, so this is state of the module. */
let started = 0;

/** Resolves when the broker may read a list: at once, or in a later iteration, where one of each broker is read. */
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
    // Behind the other brokers; a Map keeps the order in which its keys were set.
    waiting.delete(brokerId);
    if (queue.length > 0) waiting.set(brokerId, queue);
    start();
  }
  if (started > 0) setImmediate(nextIteration);
}
