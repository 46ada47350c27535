/** Reports the state of the store to the operator: one line, with the error if there is one. */
export type Tell = (message: string, error?: Error) => void;

/** A success this soon after a failure does not end the outage: a full disk may still take a small change. */
const QUIET_MS = 1_000;

/** Reports the start and the end of an outage once each, however many calls fail. */
export class Outage {
  private readonly tell: Tell;
  private readonly monotonic: () => number;
  /** The time of the last failure; undefined when there is no outage. */
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
