import { type DestinationStream, type Logger, pino } from 'pino';
import type { LogLevel } from './config.ts';

/** The process's log: JSON lines, on standard output unless told otherwise. */
export const createLog = (level: LogLevel, destination: DestinationStream = process.stdout): Logger =>
  pino({ level, serializers: { err: describeError } }, destination);

/**
 * An error without what it was about: a failed query's own text holds the values that were bound to it, and
 * PostgreSQL's detail holds the row. The innermost cause says what went wrong.
 */
export function describeError(error: unknown): object {
  let cause = error;
  while (cause instanceof Error && cause.cause instanceof Error) cause = cause.cause;
  if (!(cause instanceof Error)) return { type: typeof cause };
  return { type: cause.name, code: (cause as { code?: unknown }).code, message: cause.message, stack: cause.stack };
}
