import type { Command } from 'commander';
import { listEmails } from '../../operator/emails.ts';
import { action, type CliContext, command, group } from '../context.ts';
import { tableOf } from '../output.ts';

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

export function register(program: Command, context: CliContext): void {
  const emails = group(program, 'emails', 'The log of every email that was handed to the provider');

  command(emails, 'list', 'List emails, newest first', 'emails list --unknown')
    .option('--broker <slug>', 'of one broker')
    .option('--unknown', 'only those of which nobody knows whether they were sent')
    .option('--limit <number>', 'how many', '100')
    .action(action(context, listEmails, (records) => tableOf(records, COLUMNS)));
}
