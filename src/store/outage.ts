/** What a store says to whoever runs it, beside its answers: one line, and the error where there is one. */
export type Tell = (message: string, error?: Error) => void;

/** What succeeds so soon after a failure does not mean that it is over: a full disk takes a small change now and then. */
const QUIET_MS = 1_000;

/** Says once that the database is out of service, and once that it is back, however many calls notice. */
export class Outage {
  private readonly tell: Tell;
  private readonly monotonic: () => number;
  /** When the latest failure was noticed; undefined while all is well. */
  private failedAt: number | undefined;

  constructor(tell: Tell, monotonic: () => number) {
    this.tell = tell;
    this.monotonic = monotonic;
  }

  noteFailure(message: string, error: Error): void {
    if (this.failedAt === undefined) this.tell(message, error);
    this.failedAt = this.monotonic();
  }

  noteSuccess(): void {
    if (this.failedAt === undefined || this.monotonic() - this.failedAt < QUIET_MS) return;
    this.failedAt = undefined;
    this.tell('the database can be used again');
  }
}
