/**
 * Many transactions, one commit. A durable commit waits for the disk, and one wait can serve all the works
 * that arrived meanwhile: they queue up, run one after the other inside one outer transaction, and nobody is answered
 * before the outer commit returned. Callers see an ordinary transaction: what a work that throws had changed is undone
 * alone. A savepoint for each would cost a tenth of an upgrade, and hardly any work throws behind a change; so those of
 * a turn share one, and where one of them has to be undone the turn is begun again with a savepoint for each.
 */
export interface Transactor {
  /** Starts the outer transaction; returns false while another process holds the write lock. */
  begin(): boolean;
  commit(): void;
  rollback(): void;
  /** How many rows were changed so far; undefined once the whole transaction is gone: some failures (a full disk) undo it. */
  changes(): number | undefined;
  savepoint(): void;
  release(): void;
  /** Returns false when the whole outer transaction is gone. */
  rollbackToSavepoint(): boolean;
  /** Sees to it that a work which is still running can no longer reach the database. */
  cutOff(): void;
}

interface Job {
  work: () => Promise<unknown>;
  /** Until when it waits for another process, by the clock that never runs backwards. */
  deadline: number;
  resolve: (value: unknown) => void;
  reject: (error: unknown) => void;
}

/** Works of one commit: enough to make the disk's wait cheap, few enough to keep the first of them from waiting long. */
const MAX_WORKS_PER_COMMIT = 128;

/**
 * Works of one turn of the event loop, some 2 ms. A turn takes in one new connection, so that with a whole commit in
 * each the fiftieth caller that connects at once would wait for fifty of them; reads wait for no more than this either.
 */
const WORKS_PER_TURN = 8;

/**
 * In so many turns of several works, after one that was begun again, each has a savepoint: whoever sends what fails again
 * and again has the works of others run twice in one turn of so many, and no more.
 */
const CAREFUL_TURNS = 32;

/** Works that wait: what a second of a slow disk takes. Beyond, they would use memory up and be late all the same. */
const MAX_WAITING_WORKS = 2_000;

/** How long a work waits for another process's write lock (an import holds it for seconds) before it is given up. */
const LOCK_PATIENCE_MS = 15_000;
const LOCK_RETRY_MS = 10;

export class GroupCommit {
  private readonly transactor: Transactor;
  private readonly monotonic: () => number;
  private queue: Job[] = [];
  private draining: Promise<void> | undefined;
  private carefulTurns = 0;

  constructor(transactor: Transactor, monotonic: () => number) {
    this.transactor = transactor;
    this.monotonic = monotonic;
  }

  /**
   * Resolves with the work's result once it is durable; rejects with its error after undoing it alone, or with
   * `SQLITE_BUSY` when another process keeps the database locked for too long or too many works wait already.
   */
  run<T>(work: () => Promise<T>, patienceMs = LOCK_PATIENCE_MS): Promise<T> {
    if (this.queue.length >= MAX_WAITING_WORKS) return Promise.reject(busy('too many changes wait for the database'));
    return new Promise<T>((resolve, reject) => {
      const deadline = this.monotonic() + patienceMs;
      this.queue.push({ work, deadline, resolve: resolve as Job['resolve'], reject });
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
      if (await this.acquire()) await this.commitTogether();
      if (this.queue.length > 0) await nextTurn();
    }
    this.draining = undefined;
  }

  /** Resolves with whether the lock is held; false when nobody waits for it any more. */
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

  /** Rejects the works whose patience has ended by then: each waits from when it came, not from its turn. */
  private refuse(error: unknown, now = Number.POSITIVE_INFINITY): void {
    const refused = this.queue.filter(({ deadline }) => deadline <= now);
    this.queue = this.queue.filter(({ deadline }) => deadline > now);
    for (const { reject } of refused) reject(error);
  }

  /** Runs what waits, and what comes meanwhile, turn by turn in one transaction; settles all of it behind the commit. */
  private async commitTogether(): Promise<void> {
    const jobs: Job[] = [];
    const settle: Settlement[] = [];
    try {
      while (this.queue.length > 0 && jobs.length < MAX_WORKS_PER_COMMIT) {
        if (jobs.length > 0) await nextTurn();
        const together = this.queue.splice(0, WORKS_PER_TURN);
        jobs.push(...together);
        await this.runTogether(together, settle);
      }
      this.transactor.commit();
    } catch (error) {
      for (const job of jobs) job.reject(error);
      this.transactor.rollback();
      return;
    }
    for (const done of settle) done();
  }

  /** Runs the works within this turn; `settle` gets what is to be done once they are durable. */
  private async runTogether(jobs: readonly Job[], settle: Settlement[]): Promise<void> {
    const turn = watchTurn(() => this.transactor.cutOff());
    try {
      const settlements = this.mayShare(jobs) ? await this.runInOneSavepoint(jobs, turn) : undefined;
      settle.push(...(settlements ?? (await this.runInSavepoints(jobs, turn))));
    } finally {
      turn.end();
    }
  }

  /** Not where there is nobody to share with, nor in the turns after one that was begun again, which this counts. */
  private mayShare(jobs: readonly Job[]): boolean {
    if (jobs.length === 1) return false;
    if (this.carefulTurns === 0) return true;
    this.carefulTurns -= 1;
    return false;
  }

  /** Resolves with undefined, and nothing done, when a work failed that had changed something. */
  private async runInOneSavepoint(jobs: readonly Job[], turn: Turn): Promise<Settlement[] | undefined> {
    const settlements: Settlement[] = [];
    this.transactor.savepoint();
    for (const job of jobs) {
      const before = this.transactor.changes();
      // One of them has kept to itself what undid the transaction: outside of it nobody could undo the next one.
      if (before === undefined) throw new Error('the transaction was undone');
      try {
        const value = await turn.finish(job.work);
        settlements.push(() => job.resolve(value));
      } catch (error) {
        if (this.transactor.changes() !== before) {
          this.undo(error);
          this.carefulTurns = CAREFUL_TURNS;
          return undefined;
        }
        settlements.push(() => job.reject(error));
      }
    }
    this.transactor.release();
    return settlements;
  }

  private async runInSavepoints(jobs: readonly Job[], turn: Turn): Promise<Settlement[]> {
    const settlements: Settlement[] = [];
    for (const job of jobs) {
      this.transactor.savepoint();
      try {
        const value = await turn.finish(job.work);
        this.transactor.release();
        settlements.push(() => job.resolve(value));
      } catch (error) {
        this.undo(error);
        settlements.push(() => job.reject(error));
      }
    }
    return settlements;
  }

  /** Throws the error where there is nothing left to go back to. */
  private undo(error: unknown): void {
    if (!this.transactor.rollbackToSavepoint()) throw error;
  }
}

/** What is to be done with a work's promise once it is durable. */
type Settlement = () => void;

type Turn = ReturnType<typeof watchTurn>;

/**
 * A work that awaits anything but the store would hold up every other one. The store's own answers come
 * within the same turn of the event loop, so a turn that ends while works are still running gives it away.
 * @param cutOff called when one was given away, whose promise then rejects
 */
function watchTurn(cutOff: () => void) {
  let end = watchForEnd();
  return {
    async finish<T>(work: () => Promise<T>): Promise<T> {
      try {
        return await Promise.race([work(), end.detected]);
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

const nextTurn = () => new Promise<void>((resolve) => setImmediate(resolve));
