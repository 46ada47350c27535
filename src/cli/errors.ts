import type { Command } from 'commander';
import { ImportError, OperatorError } from '../operator/errors.ts';

/** Why a command was not carried out, in the words of the command line. */
export class CommandError extends Error {
  override readonly name = 'CommandError';
  /** One line for each faulty record of a file. */
  readonly faults: readonly string[];
  /** Whether standard output has its one document already. */
  readonly answered: boolean;

  constructor(message: string, faults: readonly string[] = [], answered = false) {
    super(message);
    this.faults = faults;
    this.answered = answered;
  }
}

/** What the commands call the fields of the records, where that is not the field's own name. */
const SPELLINGS: Readonly<Record<string, readonly string[]>> = {
  'client.email': ['client-email'],
  'client.name': ['client-name'],
  contact_email: ['contact'],
  expires_date: ['expires'],
  recipient: ['to', 'email'],
  email: ['email'],
  renewal_date: ['renewal'],
  request_status: ['status'],
  requires_operator_review: ['review'],
  rule: ['cidr'],
  sender_email: ['sender'],
  service_number: ['service', 'number'],
  service_status: ['status'],
};

/** A failure of a use case in the words of the command that called it: options and arguments in place of fields. */
export function inWordsOf(command: Command, error: unknown): unknown {
  if (error instanceof ImportError) return new CommandError(error.message, error.lines);
  if (!(error instanceof OperatorError)) return error;
  const { kind, faults, message } = error;
  if (faults.length === 0) return new CommandError(message);
  if (kind === 'nothing_to_change') {
    const flags = faults.map(({ field }) => spelled(command, field));
    return new CommandError(`Nothing to change: give ${flags.slice(0, -1).join(', ')} or ${flags.at(-1)}`);
  }
  return new CommandError(faults.map((fault) => `${spelled(command, fault.field)}: ${fault.message}`).join('; '));
}

function spelled(command: Command, field: string): string {
  for (const word of [...(SPELLINGS[field] ?? []), field.replaceAll('_', '-'), field]) {
    if (command.options.some(({ long }) => long === `--${word}`)) return `--${word}`;
    if (command.registeredArguments.some((argument) => argument.name() === word)) return `<${word}>`;
  }
  return field;
}
