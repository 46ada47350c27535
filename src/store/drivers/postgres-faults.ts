import { ApiError, fail } from '../../errors.ts';

const RETRY_AFTER_SECONDS = 2;

/** Serialization failure or deadlock; to be retried. */
export const isLostRace = (error: unknown): boolean => ['40001', '40P01'].includes(sqlStateOf(error));

/** A migration meets a lock, or loses against another transaction; to be retried. */
export const isLockedOut = (error: unknown): boolean => isLostRace(error) || sqlStateOf(error) === '55P03';

/**
 * Another transaction has inserted the same key; to be retried. An import used the issued service number, or a server of an
 * older build, which locks idempotency keys in another way, used the key.
 */
export function isTaken(error: unknown): boolean {
  const { constraint, cause } = error as { constraint?: unknown; cause?: { constraint?: unknown } };
  return TAKEN.includes(String(cause?.constraint ?? constraint));
}

const TAKEN = ['services_pkey', 'idempotency_records_broker_id_mode_namespace_key_pk'];

// Errors of the driver that have no code, matched as a whole, because parts may be a caller's text.
const CONNECTION_IS_LOST = /^(Connection terminated( |$)|Client .* is not queryable$)/;
const WAITED_TOO_LONG = /^(timeout expired|Query read timeout|timeout exceeded when trying to connect)$/;

/** The code of a server that refuses changes because it is a standby or read-only. */
const READ_ONLY = '25006';

/** No number is issued on another history than the noted one; the next look notes it (contract, section 15.1). */
const OTHER_HISTORY = 'BR015';

/** The connection leads to a standby, or to a former primary that only reads. */
export const isReadOnly = (error: unknown): boolean => sqlStateOf(error) === READ_ONLY;

/** A connection that failed like this is closed without another word: it is lost, late, or leads to the wrong server. */
export const isUnusable = (error: unknown): boolean =>
  isReadOnly(error) || CONNECTION_IS_LOST.test(messageOf(error)) || messageOf(error) === 'Query read timeout';

/**
 * The server is unavailable or read-only: connection errors (class 08), shutdown and start-up (57P), too many connections
 * or no disk (53), a standby (25006), and the errors of the driver and the socket.
 */
export const isAway = (error: unknown): boolean =>
  isReadOnly(error) ||
  /^(08|53|57P|ECONN|EPIPE|ENOTFOUND|EAI_AGAIN|ETIMEDOUT|EHOSTUNREACH|ENETUNREACH)/.test(sqlStateOf(error)) ||
  CONNECTION_IS_LOST.test(messageOf(error));

/** Timeouts of locks (55P03), statements (57014), transactions (25P03) and connections. */
const isTooBusy = (error: unknown): boolean =>
  /^(55P03|57014|25P03)/.test(sqlStateOf(error)) || WAITED_TOO_LONG.test(messageOf(error));

/** The error for callers: temporary ones have `Retry-After`. */
export function explainFault(error: unknown): unknown {
  if (error instanceof ApiError) return error;
  const isTemporary = isLostRace(error) || isAway(error) || isTooBusy(error) || sqlStateOf(error) === OTHER_HISTORY;
  return isTemporary ? fail.unavailable(RETRY_AFTER_SECONDS, error) : error;
}

function sqlStateOf(error: unknown): string {
  const { code, cause } = error as { code?: unknown; cause?: { code?: unknown } };
  return String(cause?.code ?? code);
}

function messageOf(error: unknown): string {
  const { message, cause } = error as { message?: unknown; cause?: { message?: unknown } };
  return String(cause?.message ?? message);
}
