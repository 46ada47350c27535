import { fail } from '../errors.ts';
import { FairQueue, type QueueLimits } from './fair-queue.ts';

/** For whom a job waits. */
export interface SlotOwner {
  /** A broker, an operator, a key or an address, by a name that no other has. */
  readonly key: string;
  /** Whether it is an operator, whose slow queries have slots of their own. */
  readonly isOperator?: boolean;
  /** Whether the caller has disconnected. */
  readonly isDisconnected?: (() => boolean) | undefined;
}

export interface SlotLimits extends QueueLimits {
  /** Jobs that run at the same time, over all owners. */
  atOnce: number;
  /** Of these, jobs of one owner. */
  atOnceOfOne: number;
  /** How long a job waits before it is refused. */
  patienceMs: number;
  /** Sent to callers that are refused. */
  retryAfterSeconds: number;
}

interface Waiter {
  owner: SlotOwner;
  begin: () => void;
  refuse: (error: Error) => void;
  patience: NodeJS.Timeout;
}

/**
 * Slots for a scarce resource. Owners are served round-robin, one job each, so that one with many jobs delays only its own. A
 * job that finds the queue full, or waits too long, is refused with `server_error` and `Retry-After`; one whose caller
 * has disconnected is dropped before it begins.
 */
export class SlotQueue {
  private readonly limits: SlotLimits;
  private readonly queue: FairQueue<Waiter>;
  private readonly running = new Map<string, number>();
  private closed = false;

  constructor(limits: SlotLimits) {
    this.limits = limits;
    this.queue = new FairQueue(limits);
  }

  /** Resolves or rejects as the job does. Throws `server_error` where no slot becomes free. */
  take<T>(owner: SlotOwner, job: () => Promise<T>): Promise<T> {
    if (this.closed) return Promise.reject(this.refusal());
    return new Promise<T>((resolve, reject) => {
      const { key } = owner;
      const waiter: Waiter = {
        owner,
        begin: () => {
          this.running.set(key, this.runningOf(key) + 1);
          // A job that throws before its first await is answered like one that rejects.
          Promise.resolve()
            .then(job)
            .then(resolve, reject)
            .finally(() => this.end(key));
        },
        refuse: reject,
        patience: setTimeout(
          () =>
            this.drop(
              (other) => other === waiter,
              () => this.overload(TOO_LONG),
            ),
          this.limits.patienceMs,
        ),
      };
      this.enqueue(waiter);
      this.next();
    });
  }

  /** Refuses jobs that wait and jobs that come. Jobs that run are left to end. */
  close(): void {
    this.closed = true;
    this.drop(() => true, this.refusal);
  }

  /** Jobs that wait. */
  get length(): number {
    return this.queue.length;
  }

  private enqueue(waiter: Waiter): void {
    const { key } = waiter.owner;
    this.queue.add(key, waiter);
    if (this.canBegin(key)) return;
    if (this.queue.excess(key)) this.drop(isDisconnected, abandoned);
    const excess = this.queue.excess(key);
    if (excess)
      this.drop(
        (other) => other === excess,
        () => this.overload(FULL),
      );
  }

  /** Begins each job that may begin. */
  private next(): void {
    for (const key of this.queue.keys()) {
      if (!this.canBegin(key)) continue;
      let waiter = this.queue.takeFrom(key);
      while (waiter && isDisconnected(waiter)) {
        refuse(waiter, abandoned());
        waiter = this.queue.takeFrom(key);
      }
      clearTimeout(waiter?.patience);
      waiter?.begin();
    }
  }

  private end(key: string): void {
    const others = this.runningOf(key) - 1;
    if (others > 0) this.running.set(key, others);
    else this.running.delete(key);
    this.next();
  }

  private canBegin(key: string): boolean {
    const all = [...this.running.values()].reduce((sum, each) => sum + each, 0);
    return all < this.limits.atOnce && this.runningOf(key) < this.limits.atOnceOfOne;
  }

  private drop(condition: (waiter: Waiter) => boolean, error: () => Error): void {
    for (const waiter of this.queue.remove(condition)) refuse(waiter, error());
  }

  private runningOf = (key: string): number => this.running.get(key) ?? 0;
  private refusal = () => fail.overloaded(this.limits.retryAfterSeconds);
  /** With a cause, which is logged. */
  private overload = (cause: string) => fail.overloaded(this.limits.retryAfterSeconds, new Error(cause));
}

const TOO_LONG = 'no slot became free in time';
const FULL = 'too many jobs wait for a slot';

function refuse({ patience, refuse }: Waiter, error: Error): void {
  clearTimeout(patience);
  refuse(error);
}

const isDisconnected = ({ owner }: Waiter): boolean => owner.isDisconnected?.() === true;

/** No caller reads it; it is no failure of ours and leaves no line in the log. */
const abandoned = () => fail.malformedRequest('The caller has left');
