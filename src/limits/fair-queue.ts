export interface QueueLimits {
  /** Items that may wait, over all owners. */
  waiting: number;
  /** Of these, items of one owner. */
  waitingOfOne: number;
}

/**
 * Items that wait, each for its owner. Owners are served round-robin, one item each, so that one with many items delays only
 * its own.
 */
export class FairQueue<T> {
  private readonly limits: QueueLimits;
  /** The items of each owner in the order of arrival; the owners in the order in which they are served. */
  private readonly queues = new Map<string, T[]>();
  private count = 0;

  constructor(limits: QueueLimits) {
    this.limits = limits;
  }

  get length(): number {
    return this.count;
  }

  /** The owners that have items, in the order in which they are served; `takeFrom` moves one to the end. */
  keys(): IterableIterator<string> {
    return this.queues.keys();
  }

  add(key: string, item: T): void {
    const queue = this.queues.get(key);
    if (queue) queue.push(item);
    else this.queues.set(key, [item]);
    this.count += 1;
  }

  /**
   * The item to refuse where a bound is exceeded: the last one of this key, which came last, or of the broker with most
   * items, so that a flood refuses itself. Of equals it is the broker that came last.
   */
  excess(key: string): T | undefined {
    let longest = this.queues.get(key) ?? [];
    if (longest.length > this.limits.waitingOfOne) return longest.at(-1);
    if (this.count <= this.limits.waiting) return undefined;
    for (const queue of this.queues.values()) if (queue.length > longest.length) longest = queue;
    return longest.at(-1);
  }

  /** Takes the first item of the owner that is served next. */
  take(): T | undefined {
    const [next] = this.queues.keys();
    return next === undefined ? undefined : this.takeFrom(next);
  }

  /** Takes the owner's first item; all other owners are served before its next. */
  takeFrom(key: string): T | undefined {
    const queue = this.queues.get(key);
    if (!queue) return undefined;
    this.count -= 1;
    const item = queue.shift();
    // A Map keeps the order in which its keys were set.
    this.queues.delete(key);
    if (queue.length > 0) this.queues.set(key, queue);
    return item;
  }

  /** Removes the items for which the condition holds; returns them. */
  remove(condition: (item: T) => boolean): T[] {
    const removed: T[] = [];
    for (const [key, queue] of this.queues) {
      const kept = queue.filter((item) => !condition(item));
      if (kept.length === queue.length) continue;
      removed.push(...queue.filter(condition));
      if (kept.length > 0) this.queues.set(key, kept);
      else this.queues.delete(key);
    }
    this.count -= removed.length;
    return removed;
  }
}
