import type { Command } from 'commander';
import { listRequests } from '../../operator/requests.ts';
import { action, type CliContext, command, group } from '../context.ts';
import { tableOf } from '../output.ts';
import { registerDecisions } from './decisions.ts';

const COLUMNS = ['request_id', 'broker', 'type', 'request_status', 'service_number', 'origin', 'submitted_date'];

export function register(program: Command, context: CliContext): void {
  const requests = group(program, 'requests', 'What clients, brokers and the operator asked for');

  command(requests, 'list', 'List requests, newest first', 'requests list --status operator_review')
    .option('--broker <slug>', 'of one broker')
    .option('--status <status>', 'pending, operator_review, accepted, completed, failed, approved or denied')
    .option('--type <type>', 'such as plan-upgrade')
    .option('--service <number>', 'of one service')
    .option('--limit <number>', 'how many', '100')
    .action(action(context, listRequests, (records) => tableOf(records, COLUMNS)));

  registerDecisions(requests, context);
}
