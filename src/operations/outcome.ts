import type { ApiError } from '../errors.ts';
import type { IdempotencyName } from '../store/idempotency.ts';
import type { Tx } from '../store/store.ts';
import type { Pagination } from './records.ts';

/** What an operation returns: the parts of a success, before they are put into the envelope. */
export interface Outcome<T> {
  statusCode: 200 | 201 | 202;
  data: T;
  message?: string;
  pagination?: Pagination;
}

/** An answer as it went, or once went, over the wire: byte for byte. */
export interface StoredAnswer {
  statusCode: number;
  body: string;
  /** Whether an earlier call did the work. */
  replayed: boolean;
}

/** A plain success. */
export const ok = <T>(data: T): Outcome<T> => ({ statusCode: 200, data });

/** A caller's idempotency key, and how to turn the outcome of its call into bytes. */
export interface Claim {
  name: IdempotencyName;
  /** Hash of operation, path values and body. */
  fingerprint: string;
  /** `compare`: other input under the same key is refused. `replay`: it gets the first answer, and is told so. */
  onOtherInput: 'compare' | 'replay';
  keepForMs: number | null;
  encode(outcome: Outcome<unknown>): string;
}

/** Runs changes in a transaction, under the caller's idempotency key where there is one. */
export type Change = <T>(
  claim: Claim | undefined,
  work: (tx: Tx) => Promise<Outcome<T>>,
) => Promise<Outcome<T> | StoredAnswer>;

/** Every live or simulated broker's record is found through this: nobody sees another broker's. */
export interface Caller {
  readonly brokerId: string;
}

export type Refusal = ApiError | undefined;

/** Throws the refusal, where a rule gave one. */
export function refuseIf(refusal: Refusal): void {
  if (refusal) throw refusal;
}
