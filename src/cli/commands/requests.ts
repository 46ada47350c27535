import type { Command } from 'commander';
import type { Parts } from '../../compose.ts';
import { decideReview, submitRequest, takeBackRequest } from '../../operator/decisions.ts';
import { listRequests, type RequestDetails, showRequest } from '../../operator/requests.ts';
import { decideReviews, listReviews } from '../../operator/reviews.ts';
import {
  action,
  askingCommand,
  type CliContext,
  command,
  confirm,
  group,
  type InputOf,
  listAction,
  operationsContext,
  tableCommand,
} from '../context.ts';
import { CommandError, usageError } from '../errors.ts';
import { fieldsOf, listOf, tableOf } from '../output.ts';
import type { Style } from '../style.ts';

const COLUMNS = ['request_id', 'broker', 'type', 'request_status', 'service_number', 'origin', 'submitted_date'];

const show = ({ history, ...request }: RequestDetails, style: Style): string =>
  `${fieldsOf(request, style)}\n\n${tableOf(history, ['date', 'request_status', 'actor', 'note'], style)}`;

interface Review {
  requestId?: string;
  accept?: true;
  deny?: true;
  reason?: string;
  all?: true;
  type?: string;
  broker?: string;
  yes?: boolean;
}

export function register(program: Command, context: CliContext): void {
  const requests = group(program, 'requests', 'What clients, brokers and the operator asked for');

  tableCommand(requests, 'list', 'List requests, newest first', 'requests list --status operator_review')
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

  const operations = (parts: Parts) => operationsContext(parts, context.io, context.config().logLevel);

  command(
    requests,
    'submit',
    'Hand in what a client asked for; the broker decides on it',
    'requests submit --broker acme --service 1000001 --type plan-upgrade --new-plan business',
  )
    .requiredOption('--broker <slug>', "the client's broker")
    .requiredOption('--service <number>', "the client's service")
    .requiredOption('--type <type>', 'cancellation, plan-upgrade or plan-downgrade')
    .option('--new-plan <plan>', 'id, slug or display name of the plan, for a plan change')
    .option('--cancellation-type <type>', 'end_of_term (the default) or immediate, for a cancellation')
    .option('--reason <text>', "the client's reason")
    .action(
      action(context, (parts, options: InputOf<typeof submitRequest>) => submitRequest(operations(parts), options)),
    );

  askingCommand(
    requests,
    'review [request-id]',
    'Accept or deny a request that waits for the operator, or with --all several',
    'requests review req_01J9ZQ8V3M4N5P6Q7R8S9TABCD --accept',
  )
    .option('--accept', 'let it go ahead')
    .option('--deny', 'refuse it')
    .option('--reason <text>', 'why')
    .option('--all', 'every one that waits, a thousand at most')
    .option('--type <type>', 'with --all: of this type, such as plan-upgrade')
    .option('--broker <slug>', 'with --all: of this broker')
    .action(
      action(
        context,
        async (parts, { accept, deny, all, requestId, ...input }: Review) => {
          if (accept === deny) throw usageError('Give either --accept or --deny');
          if ((requestId === undefined) !== (all === true)) throw usageError('Give either <request-id> or --all');
          if (requestId === undefined) return reviewAll(parts, { ...input, accept: accept === true });
          if (input.type !== undefined || input.broker !== undefined) {
            throw usageError('--type and --broker belong to --all');
          }
          return decideReview(operations(parts), { requestId, reason: input.reason, accept: accept === true });
        },
        (data) => ('decided' in data ? `${data.decided.length} decided.` : fieldsOf(data)),
      ),
    );

  /** Each in a transaction of its own; those that are refused are named one by one. */
  async function reviewAll(
    parts: Parts,
    { accept, reason, yes, ...input }: Omit<Review, 'accept'> & { accept: boolean },
  ) {
    const { total, records } = await listReviews(parts, input);
    if (records.length === 0) return { decided: [] };
    await confirm(context, { yes }, async () => {
      const list = listOf({ total, records }, ['request_id', 'broker', 'type', 'service_number', 'submitted_date']);
      return `${list}\n\nAll of these are ${accept ? 'accepted' : 'denied'}.`;
    });
    const requestIds = records.map(({ request_id }) => request_id);
    const { decided, failed } = await decideReviews(operations(parts), { requestIds, accept, reason });
    if (failed.length > 0) {
      const lines = failed.map(({ request_id, message }) => `${request_id}: ${message}`);
      throw new CommandError(`${decided.length} decided, ${failed.length} not`, { faults: lines });
    }
    return { decided };
  }

  command(
    requests,
    'withdraw <request-id>',
    'Withdraw a request that no worker has begun',
    'requests withdraw req_01J9ZQ8V3M4N5P6Q7R8S9TABCD',
  )
    .option('--reason <text>', 'why')
    .action(
      action(context, (parts, options: InputOf<typeof takeBackRequest>) => takeBackRequest(operations(parts), options)),
    );
}
