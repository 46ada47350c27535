import type { Command } from 'commander';
import { listUsage, tableOfUsage, USAGE_COLUMNS, USAGE_COLUMNS_BY_OPERATION } from '../../operator/calls/usage.ts';
import { action, type CliContext, type InputOf, tableCommand } from '../context.ts';
import { printTable } from '../output.ts';

export function register(program: Command, context: CliContext): void {
  tableCommand(
    program,
    'usage',
    'Show calls by broker and key over a span, as for a bill',
    'usage --broker acme --since 2030-01-01 --until 2030-02-01 --by month --csv',
  )
    .option('--broker <slug>', 'of one broker')
    .option('--key <key>', 'of one key, by its id or prefix')
    .option('--since <time>', 'how far back: such as 30m, 24h, 7d, or a date', '24h')
    .option('--until <time>', 'the same, excluded; by default now')
    .option('--by <length>', 'a row for each minute, hour, day or month; by default one for the span')
    .option('--by-operation', 'by operation and outcome too')
    .option('--limit <number>', 'how many rows', '10000')
    .action(
      action(
        context,
        async (parts, input: InputOf<typeof listUsage>) => ({
          usage: await listUsage(parts, input),
          columns: input.byOperation ? USAGE_COLUMNS_BY_OPERATION : USAGE_COLUMNS,
        }),
        ({ usage, columns }) => printTable(usage.rows, columns),
        {
          asJson: ({ usage }) => usage,
          csv: tableOfUsage,
          isCut: ({ usage }) => usage.truncated,
          cutFails: 'always',
        },
      ),
    );
}
