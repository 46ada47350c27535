import type { Actor } from '../audit/audit.ts';
import type { Pagination } from '../records.ts';
import type { BrokerRow } from '../store/brokers.ts';
import type { IdempotencyName } from '../store/idempotency.ts';

/** What an operation returns: the parts of a success, before they are put into the envelope. */
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
}

/** A plain success. */
export const ok = <const T>(data: T): Outcome<T> => ({ statusCode: 200, data });

/** A caller's idempotency key, and how to turn the outcome of its call into bytes. */
export interface Claim {
  name: IdempotencyName;
  /** Hash of operation, path values and body. */
  fingerprint: string;
  /** `compare`: other input under the same key is refused. `replay`: it gets the first answer, and is told so. */
  onOtherInput: 'compare' | 'replay';
  keepForMs: number | null;
  encode: Encode;
}

/** An outcome as the bytes of its answer. */
export type Encode = (outcome: Outcome<unknown>) => string;

/** Every live or simulated broker's record is found through this: nobody sees another broker's. */
export interface Caller {
  readonly brokerId: string;
  /** Whether the connection is gone: then what has only been waiting so far is not begun. */
  readonly hasLeft?: (() => boolean) | undefined;
  /** With which key, and from where, for the audit trail. */
  readonly actor?: Actor;
}

/** A caller with what mails say of its broker. */
export interface MailingCaller extends Caller {
  readonly broker: Pick<BrokerRow, 'name' | 'contactEmail' | 'senderEmail'>;
}

/** To whom the trail ascribes what a caller does; calls that come through no gate are the program's own. */
export const actorOf = ({ actor }: Caller): Actor => actor ?? UNNAMED;

const UNNAMED: Actor = { kind: 'api_key', name: 'unknown', clientIp: null };
