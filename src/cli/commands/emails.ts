import type { Command } from 'commander';
import { listEmails, settleEmail } from '../../operator/emails.ts';
import { action, type CliContext, command, group, type InputOf, listAction, tableCommand } from '../context.ts';
import { usageError } from '../errors.ts';

const COLUMNS = [
  'email_id',
  'broker',
  'kind',
  'email_status',
  'recipient',
  'service_number',
  'failure_reason',
  'created_date',
];

type Settlement = Omit<InputOf<typeof settleEmail>, 'arrived'> & { arrived?: true; lost?: true };

export function register(program: Command, context: CliContext): void {
  const emails = group(program, 'emails', 'The log of every email that was handed to the provider');

  tableCommand(emails, 'list', 'List emails, newest first', 'emails list --unknown')
    .option('--broker <slug>', 'of one broker')
    .option('--unknown', 'only those of unknown outcome')
    .option('--limit <number>', 'how many', '100')
    .action(listAction(context, listEmails, COLUMNS));

  command(
    emails,
    'settle <email-id>',
    'Say what became of an email of unknown outcome; nothing is sent again',
    'emails settle eml_01J9ZQ8V3M4N5P6Q7R8S9TABCD --arrived --note "the client confirmed it"',
  )
    .option('--arrived', 'it reached the mailbox')
    .option('--lost', 'it did not')
    .requiredOption('--note <text>', 'how that was found out')
    .action(
      action(context, async (parts, { arrived, lost, ...input }: Settlement) => {
        if (arrived === lost) throw usageError('Give either --arrived or --lost');
        return settleEmail(parts, { ...input, arrived: arrived === true });
      }),
    );
}
