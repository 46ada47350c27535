import { fail } from '../errors.ts';

/** The broker for whom a job waits, and whether the caller has disconnected. */
export interface SlotOwner {
  readonly brokerId: string;
  readonly hasLeft?: (() => boolean) | undefined;
}

export interface SlotLimits {
  /** Jobs that run at the same time, over all brokers. */
  atOnce: number;
  /** Of these, jobs of one broker. */
  atOnceOfBroker: number;
  /** Jobs that may wait, over all brokers. */
  waiting: number;
  /** Of these, jobs of one broker. */
  waitingOfBroker: number;
  /** How long a job waits before it is refused. */
  patienceMs: number;
  /** Told to callers that are refused. */
  retryAfterSeconds: number;
}

interface Waiter {
  owner: SlotOwner;
  begin: () => void;
  refuse: (error: Error) => void;
  patience: NodeJS.Timeout;
}

/**
 * Slots for a scarce resource. Brokers are served round-robin, one job each, so that a broker with many jobs delays only its own. A
 * job that finds the queue full, or waits too long, is refused with `server_error` and `Retry-After`; one whose caller
 * has disconnected is dropped before it begins.
 */
export class SlotQueue {
  private readonly limits: SlotLimits;
  /** The jobs of each broker in the order of arrival; the brokers in the order of their next slots. */
  private readonly queues = new Map<string, Waiter[]>();
  private readonly running = new Map<string, number>();
  private closed = false;

  constructor(limits: SlotLimits) {
    this.limits = limits;
  }

  /** Resolves or rejects as the job does. Throws `server_error` where no slot becomes free. */
  take<T>(owner: SlotOwner, job: () => Promise<T>): Promise<T> {
    if (this.closed) return Promise.reject(this.refusal());
    return new Promise<T>((resolve, reject) => {
      const { brokerId } = owner;
      const waiter: Waiter = {
        owner,
        begin: () => {
          this.running.set(brokerId, this.runningOf(brokerId) + 1);
          // A job that throws before its first await is answered like one that rejects.
          Promise.resolve()
            .then(job)
            .then(resolve, reject)
            .finally(() => this.end(brokerId));
        },
        refuse: reject,
        patience: setTimeout(() => this.drop(waiter, this.overload(TOO_LONG)), this.limits.patienceMs),
      };
      this.enqueue(waiter);
      this.next();
    });
  }

  /** Refuses jobs that wait and jobs that come. Jobs that run are left to end. */
  close(): void {
    this.closed = true;
    for (const queue of [...this.queues.values()]) for (const waiter of [...queue]) this.drop(waiter, this.refusal());
  }

  /** Jobs that wait. */
  get length(): number {
    return [...this.queues.values()].reduce((sum, queue) => sum + queue.length, 0);
  }

  private enqueue(waiter: Waiter): void {
    const { brokerId } = waiter.owner;
    const queue = this.queues.get(brokerId);
    if (queue) queue.push(waiter);
    else this.queues.set(brokerId, [waiter]);
    if (this.canBegin(brokerId)) return;
    if (this.isFull() || this.isFullFor(brokerId)) this.dropAbandoned();
    if (this.isFullFor(brokerId)) this.drop(waiter, this.overload(FULL));
    else if (this.isFull()) this.drop(this.longestWait(brokerId), this.overload(FULL));
  }

  /** Begins each job that may begin. */
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
   * The job that is refused where the whole queue is full: the last one of the broker with most jobs waiting, so that a
   * flood refuses itself. Of equals it is the broker that came last.
   */
  private longestWait(lastBroker: string): Waiter {
    let longest = this.queues.get(lastBroker) as Waiter[];
    for (const queue of this.queues.values()) if (queue.length > longest.length) longest = queue;
    return longest.at(-1) as Waiter;
  }

  private runningOf = (brokerId: string): number => this.running.get(brokerId) ?? 0;
  private isFullFor = (brokerId: string): boolean =>
    (this.queues.get(brokerId)?.length ?? 0) > this.limits.waitingOfBroker;
  private isFull = (): boolean => this.length > this.limits.waiting;
  private refusal = () => fail.unavailable(this.limits.retryAfterSeconds);
  /** With a cause, which is logged. */
  private overload = (cause: string) => fail.unavailable(this.limits.retryAfterSeconds, new Error(cause));
}

const TOO_LONG = 'no slot became free in time';
const FULL = 'too many jobs wait for a slot';

/** No caller reads it; it is no failure of ours and leaves no line in the log. */
const abandoned = () => fail.malformedRequest('The caller has left');
