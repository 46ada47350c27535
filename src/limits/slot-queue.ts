import { fail } from '../errors.ts';

/** Whose work waits for a turn, and whether there is still somebody who would read the answer. */
export interface SlotOwner {
  readonly brokerId: string;
  readonly hasLeft?: (() => boolean) | undefined;
}

export interface SlotLimits {
  /** Works that run at the same time, over all brokers. */
  atOnce: number;
  /** Of these, works of one broker. */
  atOnceOfBroker: number;
  /** Works that may wait, over all brokers. */
  waiting: number;
  /** Of these, works of one broker. */
  waitingOfBroker: number;
  /** How long a work waits before it is given up. */
  patienceMs: number;
  /** Told to those who are refused. */
  retryAfterSeconds: number;
}

interface Waiter {
  owner: SlotOwner;
  begin: () => void;
  refuse: (error: Error) => void;
  patience: NodeJS.Timeout;
}

/**
 * Turns at what is scarce. The brokers that wait are served round by round, one work of each, so that one that asks
 * for much waits for itself and for nobody else. Whoever finds the queue full, or stands in it for too long, is
 * refused with `server_error` and `Retry-After`; a work whose caller has left is dropped without being begun.
 */
export class SlotQueue {
  private readonly limits: SlotLimits;
  /** The works of each broker in the order they came; the brokers in the order of their next turns. */
  private readonly queues = new Map<string, Waiter[]>();
  private readonly running = new Map<string, number>();
  private closed = false;

  constructor(limits: SlotLimits) {
    this.limits = limits;
  }

  /** Resolves or rejects as the work does. Throws `server_error` where there is no turn to be had. */
  take<T>(owner: SlotOwner, work: () => Promise<T>): Promise<T> {
    if (this.closed) return Promise.reject(this.refusal());
    return new Promise<T>((resolve, reject) => {
      const { brokerId } = owner;
      const waiter: Waiter = {
        owner,
        begin: () => {
          this.running.set(brokerId, this.runningOf(brokerId) + 1);
          // A work that throws before its first await is answered like one that rejects.
          Promise.resolve()
            .then(work)
            .then(resolve, reject)
            .finally(() => this.end(brokerId));
        },
        refuse: reject,
        patience: setTimeout(() => this.drop(waiter, this.refusal()), this.limits.patienceMs),
      };
      this.enqueue(waiter);
      this.next();
    });
  }

  /** Refuses whoever still waits, and whoever comes. Works that run are left to end. */
  close(): void {
    this.closed = true;
    for (const queue of [...this.queues.values()]) for (const waiter of [...queue]) this.drop(waiter, this.refusal());
  }

  private enqueue(waiter: Waiter): void {
    const { brokerId } = waiter.owner;
    const queue = this.queues.get(brokerId);
    if (queue) queue.push(waiter);
    else this.queues.set(brokerId, [waiter]);
    if (this.canBegin(brokerId)) return;
    if (this.isFull() || this.isFullFor(brokerId)) this.dropAbandoned();
    if (this.isFullFor(brokerId)) this.drop(waiter, this.refusal());
    else if (this.isFull()) this.drop(this.longestWait(brokerId), this.refusal());
  }

  /** Begins whatever may begin. */
  private next(): void {
    for (const [brokerId, queue] of this.queues) {
      while (queue[0]?.owner.hasLeft?.()) this.drop(queue[0], abandoned());
      const [first] = queue;
      if (!first || !this.canBegin(brokerId)) continue;
      this.remove(first);
      // Behind all the others that wait; a Map keeps the order in which its keys were set.
      if (this.queues.delete(brokerId)) this.queues.set(brokerId, queue);
      first.begin();
    }
  }

  private end(brokerId: string): void {
    const others = this.runningOf(brokerId) - 1;
    if (others > 0) this.running.set(brokerId, others);
    else this.running.delete(brokerId);
    this.next();
  }

  private canBegin(brokerId: string): boolean {
    const all = [...this.running.values()].reduce((sum, each) => sum + each, 0);
    return all < this.limits.atOnce && this.runningOf(brokerId) < this.limits.atOnceOfBroker;
  }

  private drop(waiter: Waiter, error: Error): void {
    this.remove(waiter);
    waiter.refuse(error);
  }

  private remove(waiter: Waiter): void {
    clearTimeout(waiter.patience);
    const { brokerId } = waiter.owner;
    const queue = this.queues.get(brokerId) as Waiter[];
    queue.splice(queue.indexOf(waiter), 1);
    if (queue.length === 0) this.queues.delete(brokerId);
  }

  private dropAbandoned(): void {
    for (const queue of [...this.queues.values()]) {
      for (const waiter of queue.filter(({ owner }) => owner.hasLeft?.())) this.drop(waiter, abandoned());
    }
  }

  /**
   * Who gives way where the whole queue is full: the last one of the broker that has most works waiting, so that a
   * flood ends at itself. With equals it is the broker that came last.
   */
  private longestWait(lastBroker: string): Waiter {
    let longest = this.queues.get(lastBroker) as Waiter[];
    for (const queue of this.queues.values()) if (queue.length > longest.length) longest = queue;
    return longest.at(-1) as Waiter;
  }

  private runningOf = (brokerId: string): number => this.running.get(brokerId) ?? 0;
  private isFullFor = (brokerId: string): boolean =>
    (this.queues.get(brokerId)?.length ?? 0) > this.limits.waitingOfBroker;
  private isFull = (): boolean =>
    [...this.queues.values()].reduce((sum, queue) => sum + queue.length, 0) > this.limits.waiting;
  private refusal = () => fail.unavailable(this.limits.retryAfterSeconds);
}

/** Nobody reads it; it is no failure of ours and leaves no line in the log. */
const abandoned = () => fail.malformedRequest('The caller has left');
