/**
 * Lists that are read in one turn of the event loop. To read one takes most of a millisecond, and fifty that came
 * together would hold the loop for thirty: every other call would wait for all of them, and every new connection for as
 * many again, because a turn takes in one. Beside forty callers of lists an auth-check took 50 ms, and takes 2.
 */
const LISTS_PER_TURN = 4;

/** Of each broker in the order they came, the brokers in the order of their next turns; as many as calls are in flight. */
const waiting = new Map<string, Array<() => void>>();
/** In this turn of the event loop; of which a process has one. */
let begun = 0;

/** Resolves when the broker may read a list: at once, or in a later turn of the loop, where one of each broker is read. */
export async function listSlot(brokerId: string): Promise<void> {
  if (begun < LISTS_PER_TURN) {
    begun += 1;
    if (begun === 1) setImmediate(nextTurn);
    return;
  }
  await new Promise<void>((begin) => {
    const queue = waiting.get(brokerId);
    if (queue) queue.push(begin);
    else waiting.set(brokerId, [begin]);
  });
}

function nextTurn(): void {
  begun = 0;
  for (const [brokerId, queue] of waiting) {
    if (begun === LISTS_PER_TURN) break;
    begun += 1;
    const begin = queue.shift() as () => void;
    // Behind all the others that wait, where this loop finds it again; a Map keeps the order in which its keys were set.
    waiting.delete(brokerId);
    if (queue.length > 0) waiting.set(brokerId, queue);
    begin();
  }
  if (begun > 0) setImmediate(nextTurn);
}
