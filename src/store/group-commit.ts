/**
 * Many transactions, one commit. A durable commit waits for the disk, and one wait can serve all the works
 * that arrived meanwhile: they queue up, each runs in a savepoint of its own inside one outer transaction,
 * and nobody is answered before the outer commit returned. Callers see an ordinary transaction.
 */
export interface Transactor {
  /** Starts the outer transaction; returns false while another process holds the write lock. */
  begin(): boolean;
  commit(): void;
  rollback(): void;
  savepoint(): void;
  release(): void;
  /** Returns false when the whole outer transaction is gone: some failures (a full disk, say) undo all of it. */
  rollbackToSavepoint(): boolean;
  /** Sees to it that a work which is still running can no longer reach the database. */
  cutOff(): void;
}

interface Job {
  work: () => Promise<unknown>;
  resolve: (value: unknown) => void;
  reject: (error: unknown) => void;
}

/** Works of one commit: enough to make the disk's wait cheap, few enough to keep the first of them from waiting long. */
const MAX_WORKS_PER_COMMIT = 128;

/** How long to wait for another process's write lock (an import holds it for seconds) before giving up. */
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

  /** Resolves with the work's result once it is durable; rejects with its error after undoing it alone. */
  run<T>(work: () => Promise<T>): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      this.queue.push({ work, resolve: resolve as Job['resolve'], reject });
      this.draining ??= this.drain();
    });
  }

  /** Resolves when every work that was queued so far is settled. */
  async idle(): Promise<void> {
    await this.draining;
  }

  private async drain(): Promise<void> {
    // One turn of the event loop lets the requests that arrived together share the first commit too.
    await nextTurn();
    while (this.queue.length > 0) {
      const refused = await this.acquire();
      const jobs = this.queue.splice(0, MAX_WORKS_PER_COMMIT);
      if (refused !== undefined) for (const job of jobs) job.reject(refused);
      else await this.commitTogether(jobs);
      if (this.queue.length > 0) await nextTurn();
    }
    this.draining = undefined;
  }

  private async acquire(): Promise<unknown> {
    const deadline = this.monotonic() + LOCK_PATIENCE_MS;
    try {
      while (!this.transactor.begin()) {
        if (this.monotonic() >= deadline)
          return Object.assign(new Error('the database stayed locked by another process'), { code: 'SQLITE_BUSY' });
        await new Promise((resolve) => setTimeout(resolve, LOCK_RETRY_MS));
      }
      return undefined;
    } catch (error) {
      return error;
    }
  }

  private async commitTogether(jobs: Job[]): Promise<void> {
    let stall = watchForStall();
    const settle: Array<() => void> = [];
    try {
      for (const job of jobs) {
        this.transactor.savepoint();
        try {
          const value = await Promise.race([job.work(), stall.detected]);
          this.transactor.release();
          settle.push(() => job.resolve(value));
        } catch (error) {
          if (error === stall.error) {
            this.transactor.cutOff();
            stall = watchForStall();
          }
          if (!this.transactor.rollbackToSavepoint()) throw error;
          settle.push(() => job.reject(error));
        }
      }
      this.transactor.commit();
    } catch (error) {
      for (const job of jobs) job.reject(error);
      this.transactor.rollback();
      return;
    } finally {
      stall.end();
    }
    for (const done of settle) done();
  }
}

/**
 * A work that awaits anything but the store would hold up every other one. The store's own answers come
 * within the same turn of the event loop, so a turn that ends while works are still running gives it away.
 */
function watchForStall() {
  const error = new Error('a transaction awaited something other than the store');
  let immediate: NodeJS.Immediate | undefined;
  const detected = new Promise<never>((_, reject) => {
    immediate = setImmediate(() => reject(error));
  });
  detected.catch(() => undefined);
  return { error, detected, end: () => clearImmediate(immediate) };
}

const nextTurn = () => new Promise<void>((resolve) => setImmediate(resolve));
