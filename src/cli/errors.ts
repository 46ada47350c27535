import type { Command } from 'commander';
import { ImportError, OperatorError } from '../operator/errors.ts';

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

/** What the commands call the fields of the records, where that is not the field's own name. */
const SPELLINGS: Readonly<Record<string, readonly string[]>> = {
  'client.email': ['client-email'],
  'client.name': ['client-name'],
  'price.amount': ['price'],
  'price.currency': ['currency'],
  'specifications.disk_gb': ['disk-gb'],
  'specifications.memory_mb': ['memory-mb'],
  'specifications.transfer_gb': ['transfer-gb'],
  'specifications.vcpu': ['vcpu'],
  billing_type: ['billing'],
  contact_email: ['contact'],
  display_name: ['name'],
  expires_date: ['expires'],
  invoice_status: ['status'],
  recipient: ['to', 'email'],
  email: ['email'],
  renewal_date: ['renewal'],
  request_status: ['status'],
  requires_operator_review: ['review'],
  rule: ['cidr'],
  sender_email: ['sender'],
  service_number: ['service', 'number'],
  service_status: ['status'],
  upgrade_rank: ['rank'],
};

/** A failure of a use case in the words of the command that called it: options and arguments in place of fields. */
export function inWordsOf(command: Command, error: unknown): unknown {
  if (error instanceof ImportError) return new CommandError(error.message, { faults: error.lines, exit: 'records' });
  if (!(error instanceof OperatorError)) return error;
  const { kind, faults, message } = error;
  const exit = kind === 'invalid' || kind === 'nothing_to_change' ? 'usage' : 'failure';
  if (faults.length === 0) return new CommandError(message, { exit });
  if (kind === 'nothing_to_change') {
    const flags = faults.map(({ field }) => spelled(command, field));
    return new CommandError(`Nothing to change: give ${flags.slice(0, -1).join(', ')} or ${flags.at(-1)}`, { exit });
  }
  const lines = faults.map((fault) => `${spelled(command, fault.field)}: ${fault.message}`);
  return new CommandError(lines.join('; '), { exit });
}

function spelled(command: Command, field: string): string {
  for (const word of [...(SPELLINGS[field] ?? []), field.replaceAll('_', '-'), field]) {
    if (command.options.some(({ long }) => long === `--${word}`)) return `--${word}`;
    if (command.registeredArguments.some((argument) => argument.name() === word)) return `<${word}>`;
  }
  return field;
}
