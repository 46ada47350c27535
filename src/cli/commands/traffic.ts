import type { Command } from 'commander';
import { listCalls, showCall } from '../../operator/calls.ts';
import { listUsage } from '../../operator/usage.ts';
import { action, type CliContext, command, group } from '../context.ts';
import { tableOf } from '../output.ts';

const USAGE = ['from_date', 'broker', 'key_prefix', 'operation', 'outcome', 'calls', 'p50_ms', 'p99_ms'];
const CALLS = [
  'date',
  'request_id',
  'broker',
  'key_prefix',
  'client_ip',
  'operation',
  'service_number',
  'status',
  'code',
  'reason',
  'duration_ms',
];

export function register(program: Command, context: CliContext): void {
  command(
    program,
    'usage',
    'Show calls by broker, key and outcome, and their durations',
    'usage --broker acme --since 7d',
  )
    .option('--broker <slug>', 'of one broker')
    .option('--key <key>', 'of one key, by its id or prefix')
    .option('--since <time>', 'how far back: such as 30m, 24h, 7d, or a date', '24h')
    .option('--by <length>', 'minute, hour or day; by default the finest that covers the time')
    .option('--limit <number>', 'how many rows', '10000')
    .action(action(context, listUsage, (rows) => tableOf(rows, USAGE)));

  const calls = group(program, 'calls', 'Single calls: those that were to change something, and those that failed');

  command(calls, 'show <request-id>', 'Show one call by its X-Request-Id', 'calls show Qm9vlK2TzXw1-1f').action(
    action(context, showCall),
  );

  command(calls, 'list', 'List calls, newest first', 'calls list --broker acme --code rate_limit_exceeded')
    .option('--broker <slug>', 'of one broker')
    .option('--key <key>', 'of one key, by its id or prefix')
    .option('--code <code>', 'refused or failed with this code')
    .option('--since <time>', 'how far back: such as 30m, 24h, 7d, or a date', '1h')
    .option('--limit <number>', 'how many rows', '1000')
    .action(action(context, listCalls, (rows) => tableOf(rows, CALLS)));
}
