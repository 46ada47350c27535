import type { Actor } from '../audit/audit.ts';
import type { Pagination } from '../records.ts';
import type { BrokerRow } from '../store/brokers.ts';
import type { IdempotencyName } from '../store/idempotency.ts';
import type { Context } from './context.ts';

/** The result of an operation, before it is put into the envelope. */
export interface Outcome<T> {
  statusCode: 200 | 201 | 202;
  data: T;
  message?: string;
  pagination?: Pagination;
}

/** An answer as it was first sent for an idempotency key, byte for byte. */
export interface StoredAnswer {
  statusCode: number;
  body: string;
  /** Whether an earlier call made the change. */
  replayed: boolean;
}

/** One page of a list. */
export interface Listed<T> extends Outcome<T[]> {
  pagination: Pagination;
  /** For a list of changes: where a reader's next round may begin, less a minute; epoch milliseconds. */
  serverDate?: number | undefined;
}

export const ok = <const T>(data: T): Outcome<T> => ({ statusCode: 200, data });

/** A caller's idempotency key. */
export interface Claim {
  name: IdempotencyName;
  /** Hash of operation, path values and body. */
  fingerprint: string;
  /** `compare`: other input under the same key is refused. `replay`: it gets the first answer, and is told so. */
  onOtherInput: 'compare' | 'replay';
  keepForMs: number | null;
  encode: Encode;
}

/** Serializes the answer. */
export type Encode = (outcome: Outcome<unknown>) => string;

/**
 * A use case of v1.
 * @param claim the caller's idempotency key, where one was sent to an operation that takes it
 */
export type UseCase<Input, Answer> = (
  context: Context,
  caller: MailingCaller,
  input: Input,
  claim?: Claim,
) => Promise<Answer>;

/** Runs a use case for a caller; what else it takes is known to the request. */
export type Perform = <Input, Answer extends Outcome<unknown> | StoredAnswer>(
  useCase: UseCase<Input, Answer>,
  input: Input,
) => Promise<Answer>;

/** Every query for a broker's records takes its id from here. */
export interface Caller {
  readonly brokerId: string;
  /** Whether the connection is closed: then waiting work is not started. */
  readonly hasLeft?: (() => boolean) | undefined;
  /** For the audit trail. */
  readonly actor?: Actor;
}

/** A caller with the broker's fields for mails. */
export interface MailingCaller extends Caller {
  readonly broker: Pick<BrokerRow, 'name' | 'contactEmail' | 'senderEmail'>;
}

const UNNAMED: Actor = { kind: 'api_key', name: 'unknown', clientIp: null };

/** The caller's actor in the audit trail; only calls that pass no gate have none. */
export const actorOf = ({ actor = UNNAMED }: Caller): Actor => actor;
