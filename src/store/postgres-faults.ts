import { ApiError, fail } from '../errors.ts';

const RETRY_AFTER_SECONDS = 2;

/** Serialization failure, deadlock: the other transaction won, and trying again will see what it did. */
export const isLostRace = (error: unknown): boolean => ['40001', '40P01'].includes(sqlStateOf(error));

/**
 * Another transaction has meanwhile stored what this one found free; the next try will see it. An import took the service
 * number that this one was issued; a server of an older build, which locks idempotency keys otherwise, took the key.
 */
export function isTaken(error: unknown): boolean {
  const { constraint, cause } = error as { constraint?: unknown; cause?: { constraint?: unknown } };
  return TAKEN.includes(String(cause?.constraint ?? constraint));
}

const TAKEN = ['services_pkey', 'idempotency_records_broker_id_mode_namespace_key_pk'];

// What the driver says without a code, as a whole: a part of it may be a word of a caller's.
const CONNECTION_IS_LOST = /^(Connection terminated( |$)|Client .* is not queryable$)/;
const WAITED_TOO_LONG = /^(timeout expired|Query read timeout|timeout exceeded when trying to connect)$/;

/**
 * The server is not there, or takes no changes: connection faults (class 08), its shutdown and start-up (57P), too many
 * connections or no disk (53), a standby (25006), and what the driver and the socket say of a server that is away.
 */
export const isAway = (error: unknown): boolean =>
  /^(08|53|57P|25006|ECONN|EPIPE|ENOTFOUND|EAI_AGAIN|ETIMEDOUT|EHOSTUNREACH|ENETUNREACH)/.test(sqlStateOf(error)) ||
  CONNECTION_IS_LOST.test(messageOf(error));

/** It is there and too busy: locks (55P03) and statements (57014) that took too long, no connection in time. */
const isTooBusy = (error: unknown): boolean =>
  /^(55P03|57014|25P03|POOL_FULL)/.test(sqlStateOf(error)) || WAITED_TOO_LONG.test(messageOf(error));

/** The failure as callers are told of it: what may pass by itself says when to come back. */
export function explained(error: unknown): unknown {
  if (error instanceof ApiError) return error;
  return isLostRace(error) || isAway(error) || isTooBusy(error) ? fail.unavailable(RETRY_AFTER_SECONDS, error) : error;
}

function sqlStateOf(error: unknown): string {
  const { code, cause } = error as { code?: unknown; cause?: { code?: unknown } };
  return String(cause?.code ?? code);
}

function messageOf(error: unknown): string {
  const { message, cause } = error as { message?: unknown; cause?: { message?: unknown } };
  return String(cause?.message ?? message);
}
