import type { Command } from 'commander';
import type { Parts } from '../../compose.ts';
import { RETRIED_TYPES } from '../../kinds/index.ts';
import { decideReview } from '../../operator/requests/decisions.ts';
import { listRetryable, retryEach, retryRequest, retryRequests } from '../../operator/requests/retry.ts';
import { decideReviews, listReviews } from '../../operator/requests/reviews.ts';
import { REQUEST_TYPES } from '../../operator/requests/views.ts';
import { letAllGo, letGo } from '../../operator/system/restored.ts';
import { readAll } from '../../operator/use-case/fields.ts';
import { requestRecord } from '../../records.ts';
import { action, askingCommand, type CliContext, confirm } from '../context.ts';
import { CommandError, usageError } from '../errors.ts';
import { printList, printRecord } from '../output.ts';
import { groupOf, useCaseDeps } from '../use-cases.ts';
import { showRestoredText } from './restored.ts';

interface Review {
  requestId?: string;
  accept?: true;
  deny?: true;
  reason?: string;
  all?: true;
  except?: string;
  type?: string;
  broker?: string;
  yes?: boolean;
}

interface Retry {
  requestId?: string;
  all?: true;
  reason?: string;
  since?: string;
  type?: string;
  broker?: string;
  yes?: boolean;
}

/** Decides one review, or all of them; tries one failed request again, or all of them. */
export function register(program: Command, context: CliContext): void {
  const requests = groupOf(program, 'requests');
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
    .option('--except <ids>', 'with --all: all but these, separated by commas')
    .option('--type <type>', `with --all: of this type; ${REQUEST_TYPES.join(', ')}`)
    .option('--broker <slug>', 'with --all: of this broker')
    .action(
      action(
        context,
        async (parts, { accept, deny, all, requestId, ...input }: Review) => {
          if (accept === deny) throw usageError('Give either --accept or --deny');
          if ((requestId === undefined) !== (all === true)) throw usageError('Give either <request-id> or --all');
          if (requestId === undefined) return reviewAll(parts, { ...input, accept: accept === true });
          if (input.type !== undefined || input.broker !== undefined || input.except !== undefined) {
            throw usageError('--type, --broker and --except belong to --all');
          }
          return decideReview.run(useCaseDeps(context, parts), {
            request_id: requestId,
            accept: accept === true,
            reason: input.reason,
          });
        },
        (data) => ('decided' in data ? `${data.decided.length} decided.` : printRecord(data)),
      ),
    );

  askingCommand(
    requests,
    'retry [request-id]',
    'Submit a failed request once more, or with --all several: as requests of the operator, by the rules of today',
    'requests retry req_01J9ZQ8V3M4N5P6Q7R8S9TABCD',
  )
    .option('--all', 'every failed one that can be tried again, the oldest thousand')
    .option('--reason <word>', 'with --all: that failed for this reason; withdrawn and superseded ones only so')
    .option('--since <time>', 'with --all: that ended since then, such as 3d, or a date')
    .option('--type <type>', `with --all: of this type; ${RETRIED_TYPES.join(', ')}`)
    .option('--broker <slug>', 'with --all: of this broker')
    .action(
      action(
        context,
        async (parts, { all, requestId, yes, ...filter }: Retry) => {
          if ((requestId === undefined) !== (all === true)) throw usageError('Give either <request-id> or --all');
          if (requestId === undefined) return retryAll(parts, filter, yes);
          if (Object.values(filter).some((value) => value !== undefined)) {
            throw usageError('--reason, --since, --type and --broker belong to --all');
          }
          return retryRequest.run(useCaseDeps(context, parts), { request_id: requestId });
        },
        (data) => ('retried' in data ? `${data.retried} submitted once more.` : printRecord(data)),
      ),
    );

  askingCommand(
    requests,
    'go-on [request-id]',
    'Let a request begin that was accepted before the records went back, or with --all every one',
    'requests go-on req_01J9ZQ8V3M4N5P6Q7R8S9TABCD',
  )
    .option('--all', 'every one that is withheld')
    .action(
      action(
        context,
        async (parts, { all, requestId, yes }: { all?: true; requestId?: string; yes?: true }) => {
          if ((requestId === undefined) !== (all === true)) throw usageError('Give either <request-id> or --all');
          const deps = useCaseDeps(context, parts);
          if (requestId !== undefined) return letGo.run(deps, { request_id: requestId });
          await confirm(context, { yes }, async () => (await letAllGo.ask(deps, {})) as string);
          return letAllGo.run(deps, {});
        },
        (record, style) => showRestoredText(record, style),
      ),
    );

  /** Lists them and asks; those that the rules refuse are named one by one. */
  async function retryAll(parts: Parts, { reason, since, type, broker }: Omit<Retry, 'all'>, yes: boolean | undefined) {
    const deps = useCaseDeps(context, parts);
    const filter = { reason, since, type, broker };
    const { rows, total } = await listRetryable(deps, readAll(retryRequests.input, filter));
    if (rows.length === 0) return { retried: 0 };
    await confirm(context, { yes }, async () => {
      const records = rows.map(({ broker, ...view }) => ({
        broker: broker.slug,
        ...requestRecord(view, deps.clock.now()),
        reason: view.request.failureReason,
      }));
      const columns = ['request_id', 'broker', 'type', 'service_number', 'reason', 'processed_date'];
      return `${printList({ total, records }, columns)}\n\n${await retryRequests.ask(deps, filter)}`;
    });
    const requestIds = rows.map(({ request }) => request.id);
    const { decided, failed } = await retryEach(deps, requestIds);
    if (failed.length > 0) {
      const faults = failed.map(({ id, message }) => `${id}: ${message}`);
      throw new CommandError(`${decided.length} submitted once more, ${failed.length} not`, { faults });
    }
    return { retried: decided.length };
  }

  /** Each in a transaction of its own; those that are refused are named one by one. */
  async function reviewAll(
    parts: Parts,
    { accept, reason, yes, broker, type, except }: Omit<Review, 'accept'> & { accept: boolean },
  ) {
    const { total, records: waiting } = await listReviews(parts, { broker, type });
    const excluded = new Set(except?.split(',').map((id) => id.trim()));
    const records = waiting.filter(({ request_id }) => !excluded.delete(request_id));
    // A slip of the keyboard must not decide what was to be left.
    for (const id of excluded) throw new CommandError(`"${id}" is not among the requests that wait`);
    if (records.length === 0) return { decided: [] };
    await confirm(context, { yes }, async () => {
      const left = (total ?? waiting.length) - (waiting.length - records.length);
      const list = printList({ total: left, records }, [
        'request_id',
        'broker',
        'type',
        'service_number',
        'submitted_date',
      ]);
      return `${list}\n\nAll of these are ${accept ? 'accepted' : 'denied'}.`;
    });
    const requestIds = records.map(({ request_id }) => request_id);
    const { decided, failed } = await decideReviews(useCaseDeps(context, parts), { requestIds, accept, reason });
    if (failed.length > 0) {
      const lines = failed.map(({ id, message }) => `${id}: ${message}`);
      throw new CommandError(`${decided.length} decided, ${failed.length} not`, { faults: lines });
    }
    return { decided };
  }
}
