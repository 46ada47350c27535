import { fail } from '../../errors.ts';
import { FairQueue } from '../../limits/fair-queue.ts';

/**
 * Many transactions, one commit. A durable commit waits for the disk, so the jobs that arrive meanwhile share the next
 * one: they run one after the other in one outer transaction, each in a savepoint, and are answered after its commit. A
 * job that throws is rolled back alone.
 */
export interface Transactor {
  /**
   * Starts the outer transaction; returns false while another process holds the write lock. Undoes one that is still
   * open because its rollback failed.
   */
  begin(): boolean;
  commit(): void;
  rollback(): void;
  savepoint(): void;
  /** Returns false when the whole outer transaction is gone: some failures, such as a full disk, undo it. */
  release(): boolean;
  /** Returns false when the whole outer transaction is gone: some failures (a full disk) undo it. */
  rollbackToSavepoint(): boolean;
  /** Keeps a job that still runs from changing the database. */
  cutOff(): void;
}

interface Job {
  run: () => Promise<unknown>;
  /** Until when it waits for another process, by the monotonic clock. */
  deadline: number;
  resolve: (value: unknown) => void;
  reject: (error: unknown) => void;
}

/** Jobs per commit: enough to share the disk's wait, few enough that the first does not wait long. */
const MAX_JOBS_PER_COMMIT = 128;

/**
 * Jobs per time slice (an iteration of the event loop), some 2 ms. An iteration accepts one new connection, so with a whole
 * commit in each the fiftieth concurrent caller would wait for fifty commits; reads wait for one slice at most.
 */
const JOBS_PER_SLICE = 8;

/**
 * Waiting jobs at most. In all: what a slow disk commits in a second. Of a broker: a call makes one change at a time, so 600
 * calls fit, as on PostgreSQL; three brokers that flood leave room for every other caller.
 */
const WAITING_JOBS = { waiting: 2_000, waitingOfOne: 600 };

const RETRY_AFTER_SECONDS = 1;

/** How long a job waits for another process's write lock; an import holds it for seconds. */
export const LOCK_PATIENCE_MS = 15_000;
const LOCK_RETRY_MS = 10;

export class GroupCommit {
  private readonly transactor: Transactor;
  private readonly monotonic: () => number;
  private readonly queue = new FairQueue<Job>(WAITING_JOBS);
  private draining: Promise<void> | undefined;

  constructor(transactor: Transactor, monotonic: () => number) {
    this.transactor = transactor;
    this.monotonic = monotonic;
  }

  /**
   * Resolves with the job's result once it is durable; rejects with its error after undoing it alone, with `SQLITE_BUSY`
   * when another process keeps the database locked for too long, or with `server_error` when too many jobs wait already.
   * @param owner for whom it runs; owners are served round-robin, and the one that floods the queue is refused
   */
  run<T>(owner: string, job: () => Promise<T>, patienceMs = LOCK_PATIENCE_MS): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      const deadline = this.monotonic() + patienceMs;
      this.queue.add(owner, { run: job, deadline, resolve: resolve as Job['resolve'], reject });
      const excess = this.queue.excess(owner);
      if (excess) this.refuse((other) => other === excess, fail.overloaded(RETRY_AFTER_SECONDS));
      this.draining ??= this.drain();
    });
  }

  /** Resolves when every job that was queued so far is settled. */
  async idle(): Promise<void> {
    await this.draining;
  }

  private async drain(): Promise<void> {
    // Requests that arrive in the same iteration share the first commit.
    await nextIteration();
    while (this.queue.length > 0) {
      if (await this.acquire()) await this.commitTogether();
      if (this.queue.length > 0) await nextIteration();
    }
    this.draining = undefined;
  }

  /** Resolves with whether the lock is held; false when no job waits for it any more. */
  private async acquire(): Promise<boolean> {
    try {
      while (!this.transactor.begin()) {
        const now = this.monotonic();
        this.refuse(({ deadline }) => deadline <= now, busy());
        if (this.queue.length === 0) return false;
        await new Promise((resolve) => setTimeout(resolve, LOCK_RETRY_MS));
      }
      return true;
    } catch (error) {
      this.refuse(() => true, error);
      return false;
    }
  }

  private refuse(condition: (job: Job) => boolean, error: unknown): void {
    for (const { reject } of this.queue.remove(condition)) reject(error);
  }

  /** Runs the waiting jobs, and those that arrive meanwhile, slice by slice in one transaction; settles all after the commit. */
  private async commitTogether(): Promise<void> {
    const jobs: Job[] = [];
    const settle: Settlement[] = [];
    try {
      while (this.queue.length > 0 && jobs.length < MAX_JOBS_PER_COMMIT) {
        if (jobs.length > 0) await nextIteration();
        const together = this.takeSlice();
        jobs.push(...together);
        settle.push(...(await this.runSlice(together)));
      }
      this.transactor.commit();
    } catch (error) {
      for (const job of jobs) job.reject(error);
      this.rollback();
      return;
    }
    for (const done of settle) done();
  }

  private takeSlice(): Job[] {
    const jobs: Job[] = [];
    for (let job = this.queue.take(); job; job = this.queue.take()) {
      jobs.push(job);
      if (jobs.length === JOBS_PER_SLICE) break;
    }
    return jobs;
  }

  /** Runs the jobs of a slice; resolves with their settlements. */
  private async runSlice(jobs: readonly Job[]): Promise<Settlement[]> {
    const slice = watchSlice(() => this.transactor.cutOff());
    const settlements: Settlement[] = [];
    try {
      for (const job of jobs) {
        this.transactor.savepoint();
        try {
          const value = await slice.finish(job.run);
          if (!this.transactor.release()) throw new Error('the transaction was undone');
          settlements.push(() => job.resolve(value));
        } catch (error) {
          if (!this.transactor.rollbackToSavepoint()) throw error;
          settlements.push(() => job.reject(error));
        }
      }
    } finally {
      slice.end();
    }
    return settlements;
  }

  private rollback(): void {
    try {
      this.transactor.rollback();
    } catch {
      // The next `begin` tries again; until it succeeds, new jobs are rejected.
    }
  }
}

/** Settles a job's promise once the job is durable. */
type Settlement = () => void;

/**
 * A job that awaits anything but the store would block all others. The store answers within the same iteration of the
 * event loop, so an iteration that ends while a job still runs reveals it.
 * @param cutOff called for such a job, whose promise then rejects
 */
function watchSlice(cutOff: () => void) {
  let end = watchForEnd();
  return {
    async finish<T>(run: () => Promise<T>): Promise<T> {
      try {
        return await Promise.race([run(), end.detected]);
      } catch (error) {
        if (error !== end.stalled) throw error;
        cutOff();
        end = watchForEnd();
        throw new Error('a transaction awaited something other than the store');
      }
    },
    end: () => end.forget(),
  };
}

function watchForEnd() {
  const stalled = Symbol('stalled');
  let immediate: NodeJS.Immediate | undefined;
  const detected = new Promise<never>((_, reject) => {
    immediate = setImmediate(() => reject(stalled));
  });
  detected.catch(() => undefined);
  return { stalled, detected, forget: () => clearImmediate(immediate) };
}

const busy = () => Object.assign(new Error('the database stayed locked by another process'), { code: 'SQLITE_BUSY' });

const nextIteration = () => new Promise<void>((resolve) => setImmediate(resolve));
