import type { Command } from 'commander';
import type { Parts } from '../../compose.ts';
import { decideReview, submitRequest, takeBackRequest } from '../../operator/decisions.ts';
import { action, type CliContext, command } from '../context.ts';
import { CommandError } from '../errors.ts';
import { operationsContext } from '../operations-context.ts';

type Submission = Parameters<typeof submitRequest>[1];
interface Review {
  requestId: string;
  accept?: true;
  deny?: true;
  reason?: string;
}

/** What the operator does with requests, in the group of their commands. */
export function registerDecisions(requests: Command, context: CliContext): void {
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
    .action(action(context, (parts, options: Submission) => submitRequest(operations(parts), options)));

  command(
    requests,
    'review <request-id>',
    'Accept or deny a request that waits for the operator',
    'requests review req_01J9ZQ8V3M4N5P6Q7R8S9TABCD --accept',
  )
    .option('--accept', 'let it go ahead')
    .option('--deny', 'refuse it')
    .option('--reason <text>', 'why')
    .action(
      action(context, async (parts, { requestId, accept, deny, reason }: Review) => {
        if (accept === deny) throw new CommandError('Give either --accept or --deny');
        return decideReview(operations(parts), { requestId, accept: accept === true, reason });
      }),
    );

  command(
    requests,
    'withdraw <request-id>',
    'Take back a request whose work has not begun',
    'requests withdraw req_01J9ZQ8V3M4N5P6Q7R8S9TABCD',
  )
    .option('--reason <text>', 'why')
    .action(
      action(context, (parts, options: { requestId: string; reason?: string }) =>
        takeBackRequest(operations(parts), options),
      ),
    );
}
