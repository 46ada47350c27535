/** An error page: what is wrong, and what to do next. */
export class Problem extends Error {
  override readonly name = 'Problem';
  readonly statusCode: number;
  readonly title: string;
  readonly next: { to: string; label: string } | undefined;
  /** The `Retry-After` header, seconds. */
  readonly retryAfterSeconds: number | undefined;

  constructor(
    statusCode: number,
    title: string,
    message: string,
    next?: { to: string; label: string },
    retryAfterSeconds?: number,
  ) {
    super(message);
    this.statusCode = statusCode;
    this.title = title;
    this.next = next;
    this.retryAfterSeconds = retryAfterSeconds;
  }
}
