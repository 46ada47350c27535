/**
 * Many transactions, one commit. A durable commit waits for the disk, and one wait can serve all the jobs that arrived
 * meanwhile: they queue up, run one after the other inside one outer transaction, each in a savepoint, and no caller is
 * answered before the outer commit returned. Callers see an ordinary transaction: what a job that throws had changed is
 * undone alone.
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
  /** Sees to it that a job which is still running can no longer reach the database. */
  cutOff(): void;
}

interface Job {
  run: () => Promise<unknown>;
  /** Until when it waits for another process, by the clock that never runs backwards. */
  deadline: number;
  resolve: (value: unknown) => void;
  reject: (error: unknown) => void;
}

/** Jobs of one commit: enough to make the disk's wait cheap, few enough to keep the first of them from waiting long. */
const MAX_JOBS_PER_COMMIT = 128;

/**
 * Jobs of one time slice (an iteration of the event loop), some 2 ms. An iteration accepts one new connection, so that with
 * a whole commit in each the fiftieth caller that connects at once would wait for fifty of them; reads wait for no more
 * than this either.
 */
const JOBS_PER_SLICE = 8;

/** Jobs that wait: what a second of a slow disk takes. Beyond, they would use memory up and be late all the same. */
const MAX_WAITING_JOBS = 2_000;

/** How long a job waits for another process's write lock (an import holds it for seconds) before it is given up. */
const LOCK_PATIENCE_MS = 15_000;
const LOCK_RETRY_MS = 10;

export class GroupCommit {
  private readonly transactor: Transactor;
  private readonly monotonic: () => number;
  private queue: Job[] = [];
  private draining: Promise<void> | undefined;

  constructor(transactor: Transactor, monotonic: () => number) {
    this.transactor = transactor;
    this.monotonic = monotonic;
  }

  /**
   * Resolves with the job's result once it is durable; rejects with its error after undoing it alone, or with
   * `SQLITE_BUSY` when another process keeps the database locked for too long or too many jobs wait already.
   */
  run<T>(job: () => Promise<T>, patienceMs = LOCK_PATIENCE_MS): Promise<T> {
    if (this.queue.length >= MAX_WAITING_JOBS) return Promise.reject(busy('too many changes wait for the database'));
    return new Promise<T>((resolve, reject) => {
      const deadline = this.monotonic() + patienceMs;
      this.queue.push({ run: job, deadline, resolve: resolve as Job['resolve'], reject });
      this.draining ??= this.drain();
    });
  }

  /** Resolves when every job that was queued so far is settled. */
  async idle(): Promise<void> {
    await this.draining;
  }

  private async drain(): Promise<void> {
    // One iteration of the event loop lets the requests that arrived together share the first commit too.
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
        this.refuse(busy('the database stayed locked by another process'), this.monotonic());
        if (this.queue.length === 0) return false;
        await new Promise((resolve) => setTimeout(resolve, LOCK_RETRY_MS));
      }
      return true;
    } catch (error) {
      this.refuse(error);
      return false;
    }
  }

  /** Rejects the jobs whose patience has ended by then: each waits from when it came. */
  private refuse(error: unknown, now = Number.POSITIVE_INFINITY): void {
    const refused = this.queue.filter(({ deadline }) => deadline <= now);
    this.queue = this.queue.filter(({ deadline }) => deadline > now);
    for (const { reject } of refused) reject(error);
  }

  /** Runs the jobs that wait, and those that come meanwhile, slice by slice in one transaction; settles all after the commit. */
  private async commitTogether(): Promise<void> {
    const jobs: Job[] = [];
    const settle: Settlement[] = [];
    try {
      while (this.queue.length > 0 && jobs.length < MAX_JOBS_PER_COMMIT) {
        if (jobs.length > 0) await nextIteration();
        const together = this.queue.splice(0, JOBS_PER_SLICE);
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

  /** Runs the jobs within this slice; resolves with what is to be done once they are durable. */
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
      // The next `begin` tries again; while it cannot, the jobs that come are rejected with the reason.
    }
  }
}

/** What is to be done with a job's promise once it is durable. */
type Settlement = () => void;

/**
 * A job that awaits anything but the store would hold up every other one. The store's own answers come within the same
 * iteration of the event loop, so an iteration that ends while a job is still running gives it away.
 * @param cutOff called when one was given away, whose promise then rejects
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

const busy = (message: string) => Object.assign(new Error(message), { code: 'SQLITE_BUSY' });

const nextIteration = () => new Promise<void>((resolve) => setImmediate(resolve));
