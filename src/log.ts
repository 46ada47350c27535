import { type DestinationStream, type Logger, pino } from 'pino';
import type { LogLevel } from './config.ts';

/** Calls back once after so many milliseconds, and keeps no process alive for it. */
export type After = (ms: number, act: () => void) => void;

const afterAll: After = (ms, act) => void setTimeout(act, ms).unref();

/** Warnings and errors of a kind that are written within a period; the rest is counted, and the count is a line. */
const LINES_OF_A_KIND = 3;
const PERIOD_MS = 10_000;
/** Kinds that are told apart within a period; there are some thirty texts, each with a few codes. */
const MAX_KINDS = 200;
/** Pino's number. */
const WARN = 40;
const MORE = 'more of the same were left out';

/**
 * The process's log: JSON lines, on standard output unless told otherwise. What goes wrong again and again is written
 * a few times and then counted, kind by kind, so that neither an outage nor a caller fills the disk with it.
 */
export function createLog(
  level: LogLevel,
  destination: DestinationStream = process.stdout,
  after: After = afterAll,
): Logger {
  const kinds = new Map<string, number>();
  const tell = (kind: string) => {
    const leftOut = (kinds.get(kind) as number) - LINES_OF_A_KIND;
    kinds.delete(kind);
    if (leftOut > 0) log.warn({ left_out: leftOut, seconds: PERIOD_MS / 1000, of: kind }, MORE);
  };
  const admits = (text: string, error: unknown): boolean => {
    const named = error === undefined ? text : `${text}: ${codeOf(error)}`;
    const kind = kinds.has(named) || kinds.size < MAX_KINDS ? named : 'of many kinds';
    const lines = (kinds.get(kind) ?? 0) + 1;
    if (lines === 1) after(PERIOD_MS, () => tell(kind));
    kinds.set(kind, lines);
    return lines <= LINES_OF_A_KIND;
  };
  const log = pino(
    {
      level,
      serializers: { err: describeError },
      hooks: {
        logMethod(args: unknown[], write, lineLevel) {
          const [details, text] = args as [{ err?: unknown }, unknown];
          if (lineLevel < WARN || text === MORE || admits(String(text), details.err))
            write.apply(this, args as [object]);
        },
      },
    },
    destination,
  );
  return log;
}

/** What tells one failure from another under the same text: a code where there is one, else the kind of error. */
function codeOf(error: unknown): string {
  const { code, type } = describeError(error) as { code?: unknown; type: string };
  return String(code ?? type);
}

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
