import { type DestinationStream, type Logger, pino } from 'pino';
import type { LogLevel } from '../config.ts';
import { oneLine } from '../rules/text.ts';

/** Calls `act` once after so many milliseconds; the timer does not keep the process alive. */
export type After = (ms: number, act: () => void) => void;

const afterAll: After = (ms, act) => void setTimeout(act, ms).unref();

/** Warnings and errors of one kind that are written within a period; the rest is counted, and the count is logged. */
const LINES_OF_A_KIND = 3;
const PERIOD_MS = 10_000;
/** Kinds that are counted separately within a period; there are some thirty texts, each with a few codes. */
const MAX_KINDS = 200;
/** Pino's number of the level. */
const WARN = 40;
const MORE = 'more of the same were left out';

/**
 * Makes the process's log: JSON lines, by default on standard output. Repeated warnings and errors are written a few
 * times and then only counted, by kind, so that neither an outage nor a caller can fill the disk.
 */
export function createLog(
  level: LogLevel,
  destination: DestinationStream = process.stdout,
  after: After = afterAll,
): Logger {
  const kinds = new Map<string, number>();
  const reportLeftOut = (kind: string) => {
    const leftOut = (kinds.get(kind) as number) - LINES_OF_A_KIND;
    kinds.delete(kind);
    if (leftOut > 0) log.warn({ left_out: leftOut, seconds: PERIOD_MS / 1000, of: kind }, MORE);
  };
  const admits = (text: string, error: unknown): boolean => {
    const named = error === undefined ? text : `${text}: ${codeOf(error)}`;
    const kind = kinds.has(named) || kinds.size < MAX_KINDS ? named : 'of many kinds';
    const lines = (kinds.get(kind) ?? 0) + 1;
    if (lines === 1) after(PERIOD_MS, () => reportLeftOut(kind));
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

/** For a person at a terminal: time of day, level from warnings on, text, what else there is; the stack below. */
export const readableLines = (destination: DestinationStream): DestinationStream => ({
  write(line) {
    const { level, time, pid: _pid, hostname: _host, msg = '', err, ...rest } = JSON.parse(line);
    const name = level < WARN ? '' : `${pino.levels.labels[level]?.toUpperCase()}: `;
    const details = Object.keys(rest).length > 0 ? ` ${JSON.stringify(rest)}` : '';
    const stack = err === undefined ? [] : String(err.stack ?? JSON.stringify(err)).split('\n');
    const text = `${new Date(time).toISOString().slice(11, 19)} ${name}${msg}${details}`;
    // No control character of a caller reaches the terminal.
    const lines = [oneLine(text), ...stack.map((each) => `    ${oneLine(each)}`)];
    destination.write(`${lines.join('\n')}\n`);
  },
});

/** Distinguishes failures with the same text: the error's code, else its type. */
function codeOf(error: unknown): string {
  const { code, type } = describeError(error) as { code?: unknown; type: string };
  return String(code ?? type);
}

/**
 * An error for the log, without data of records: a failed query's message contains its bound values, and PostgreSQL's
 * detail contains the row. Only the innermost cause is logged.
 */
export function describeError(error: unknown): object {
  let cause = error;
  while (cause instanceof Error && cause.cause instanceof Error) cause = cause.cause;
  if (!(cause instanceof Error)) return { type: typeof cause };
  return { type: cause.name, code: (cause as { code?: unknown }).code, message: cause.message, stack: cause.stack };
}
