import type { Command } from 'commander';
import { ImportError, OperatorError } from '../operator/use-case/errors.ts';

/**
 * The exit codes of a failure (contract, section 9): `usage` where the command was called wrongly, `records` for faulty
 * records of a file, `failure` for everything else.
 */
export const EXIT = { failure: 1, usage: 2, records: 3 } as const;

/** Why a command was not carried out, in the words of the command line. */
export class CommandError extends Error {
  override readonly name = 'CommandError';
  /** One line for each faulty record of a file. */
  readonly faults: readonly string[];
  /** Whether standard output has its one document already. */
  readonly answered: boolean;
  readonly exitCode: number;

  constructor(
    message: string,
    {
      faults = [],
      answered = false,
      exit = 'failure',
    }: { faults?: readonly string[]; answered?: boolean; exit?: keyof typeof EXIT } = {},
  ) {
    super(message);
    this.faults = faults;
    this.answered = answered;
    this.exitCode = EXIT[exit];
  }
}

/** A command that was called wrongly. */
export const usageError = (message: string): CommandError => new CommandError(message, { exit: 'usage' });

/** What a command calls a field of the records. */
export type WordOf = (field: string) => string;

const plainWord: WordOf = (field) => field.replaceAll('_', '-');

/** A failure of a use case in the words of the command that called it: options and arguments in place of fields. */
export function inWordsOf(command: Command, error: unknown, wordOf: WordOf = plainWord): unknown {
  if (error instanceof ImportError) return new CommandError(error.message, { faults: error.lines, exit: 'records' });
  if (!(error instanceof OperatorError)) return error;
  const { kind, faults, message } = error;
  const exit = kind === 'invalid' || kind === 'nothing_to_change' ? 'usage' : 'failure';
  if (faults.length === 0) return new CommandError(message, { exit });
  if (kind === 'nothing_to_change') {
    const flags = faults.map(({ field }) => spelled(command, field, wordOf));
    return new CommandError(`Nothing to change: give ${flags.slice(0, -1).join(', ')} or ${flags.at(-1)}`, { exit });
  }
  const lines = faults.map((fault) => `${spelled(command, fault.field, wordOf)}: ${fault.message}`);
  return new CommandError(lines.join('; '), { exit });
}

/** The option or argument of a field, which its declaration may call otherwise; the field itself where there is none. */
function spelled(command: Command, field: string, wordOf: WordOf): string {
  const word = wordOf(field);
  if (command.options.some(({ long }) => long === `--${word}`)) return `--${word}`;
  return command.registeredArguments.some((argument) => argument.name() === word) ? `<${word}>` : field;
}
