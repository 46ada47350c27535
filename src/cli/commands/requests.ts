import type { Command } from 'commander';
import { listRequests, type RequestDetails, showRequest } from '../../operator/requests.ts';
import { action, type CliContext, command, group, listAction } from '../context.ts';
import { fieldsOf, tableOf } from '../output.ts';
import type { Style } from '../style.ts';
import { registerDecisions } from './decisions.ts';

const COLUMNS = ['request_id', 'broker', 'type', 'request_status', 'service_number', 'origin', 'submitted_date'];

const show = ({ history, ...request }: RequestDetails, style: Style): string =>
  `${fieldsOf(request, style)}\n\n${tableOf(history, ['date', 'request_status', 'actor', 'note'], style)}`;

export function register(program: Command, context: CliContext): void {
  const requests = group(program, 'requests', 'What clients, brokers and the operator asked for');

  command(requests, 'list', 'List requests, newest first', 'requests list --status operator_review')
    .option('--broker <slug>', 'of one broker')
    .option('--status <status>', 'pending, operator_review, accepted, completed, failed, approved or denied')
    .option('--type <type>', 'such as plan-upgrade')
    .option('--service <number>', 'of one service')
    .option('--limit <number>', 'how many', '100')
    .action(listAction(context, listRequests, COLUMNS));

  command(
    requests,
    'show <request-id>',
    'Show one request: the client, the plans from and to, its history',
    'requests show req_01J9ZQ8V3M4N5P6Q7R8S9TABCD',
  ).action(action(context, showRequest, show));

  registerDecisions(requests, context);
}
