import type { STATUSES } from './generated/operations.ts';
import type { components } from './generated/schema.ts';

export { REASONS, STATUSES } from './generated/operations.ts';

/**
 * Everything that can go wrong, as one union to branch on: what the API answers by `code` and `reason` (contract,
 * section 3), and what this client adds where no such answer came. A newer server may know further reasons: keep a
 * default branch.
 */

export type ErrorCode = keyof typeof STATUSES;

type Schemas = components['schemas'];

/** One faulty field: where it stands (`body.client.email`, `query.limit`), which rule it broke, and why in words. */
export type FieldFault = Schemas['FieldFault'];

/** The error of each code as the document describes it. */
type DescribedError = {
  [Name in keyof Schemas]: Schemas[Name] extends { code: ErrorCode; message: string } ? Schemas[Name] : never;
}[keyof Schemas];

interface Refusal<C extends ErrorCode, R, D> {
  code: C;
  reason: R;
  status: (typeof STATUSES)[C];
  /** For people; it may change, so do not branch on it. */
  message: string;
  details: D;
  /** The `X-Request-Id` to quote when asking for help. */
  requestId: string | null;
  retryAfterSeconds: number | null;
}

/** One member for each reason, so that `reason` selects the details. */
type OfReason<C extends ErrorCode, R, D> = R extends string ? Refusal<C, R, Omit<D, 'reason'> & { reason: R }> : never;
type OfDetails<C extends ErrorCode, D> = D extends { reason: infer R } ? OfReason<C, R, D> : Refusal<C, null, D>;
type Refused<E> = E extends { code: infer C extends ErrorCode }
  ? E extends { details: infer D }
    ? OfDetails<C, D>
    :
        | Refusal<C, null, { correlation_id?: string }>
        | ('details' extends keyof E ? OfDetails<C, NonNullable<E['details']>> : never)
  : never;

/** An answer of the API in its error envelope. */
export type ApiFailure = Refused<DescribedError>;

interface Silence<C extends string> {
  code: C;
  reason: null;
  /** The status of the answer, where one came. */
  status: number | null;
  message: string;
  details: Record<string, never>;
  requestId: string | null;
  retryAfterSeconds: number | null;
}

/**
 * What is no answer of the API: it took too long, the network failed, something between answered in its place, or a
 * request was not final within the time that `waitUntilFinal` was given. After the first three it is unknown what was
 * done: look at the outcome before you submit something anew.
 */
export type ClientFailure = Silence<'timeout' | 'network_failure' | 'unexpected_answer' | 'not_final_yet'>;

export type Failure = ApiFailure | ClientFailure;

/** What every call of the client throws. Branch on `failure.code` and `failure.reason`. */
export class BrokerError extends Error {
  override readonly name = 'BrokerError';
  readonly failure: Failure;
  /** How often the call was sent. */
  readonly attempts: number;

  constructor(failure: Failure, attempts: number, options?: ErrorOptions) {
    const reason = failure.reason === null ? '' : ` (${failure.reason})`;
    super(`${failure.code}${reason}: ${failure.message}`, options);
    this.failure = failure;
    this.attempts = attempts;
  }
}

/** The failure behind whatever was caught; undefined where it is none of ours. */
export const failureOf = (error: unknown): Failure | undefined =>
  error instanceof BrokerError ? error.failure : undefined;

/** A failure that is no answer of the API. */
export const silence = (
  code: ClientFailure['code'],
  message: string,
  known: Partial<Pick<ClientFailure, 'status' | 'requestId' | 'retryAfterSeconds'>> = {},
): ClientFailure => ({
  code,
  reason: null,
  status: null,
  message,
  details: {},
  requestId: null,
  retryAfterSeconds: null,
  ...known,
});
