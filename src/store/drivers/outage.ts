/** Reports the state of the store to the operator: one line, with the error if there is one. */
export type Report = (message: string, error?: Error) => void;

/** A success this soon after a failure does not end the outage: a full disk may still take a small change. */
const QUIET_MS = 1_000;

/** Reports the start and the end of an outage once each, however many calls fail. */
export class Outage {
  private readonly report: Report;
  private readonly monotonic: () => number;
  /** The time of the last failure; undefined when there is no outage. */
  private failedAt: number | undefined;

  constructor(report: Report, monotonic: () => number) {
    this.report = report;
    this.monotonic = monotonic;
  }

  recordFailure(message: string, error: Error): void {
    if (this.failedAt === undefined) this.report(message, error);
    this.failedAt = this.monotonic();
  }

  recordSuccess(): void {
    if (this.failedAt === undefined || this.monotonic() - this.failedAt < QUIET_MS) return;
    this.failedAt = undefined;
    this.report('the database can be used again');
  }
}
