import type { Command } from 'commander';
import { AUDIT_COLUMNS, csvOfAudit, findAudit } from '../../operator/audit.ts';
import { action, type CliContext, type InputOf, tableCommand } from '../context.ts';
import { listOf } from '../output.ts';
import { groupOf } from '../use-cases.ts';

export function register(program: Command, context: CliContext): void {
  const audit = groupOf(program, 'audit');

  tableCommand(audit, 'list', 'List changes, newest first', 'audit list --broker acme --since 7d')
    .option('--broker <slug>', 'to what belongs to one broker')
    .option('--actor <actor>', "by an operator's email, the name of a command's user, or a key's id")
    .option('--action <action>', 'such as key.revoke')
    .option('--subject <subject>', 'such as service/1000001')
    .option('--since <time>', 'how far back: such as 30m, 24h, 7d, or a date')
    .option('--limit <number>', 'how many rows', '1000')
    .action(
      action(
        context,
        (parts, input: InputOf<typeof findAudit>) => findAudit(parts, input),
        ({ records, truncated }) => listOf({ records: records.map(inCells), isCut: truncated }, AUDIT_COLUMNS),
        {
          asJson: ({ records }) => records,
          csvOf: ({ records }) => csvOfAudit(records),
          isCut: ({ truncated }) => truncated,
        },
      ),
    );
}

const inCells = ({ before, after, ...row }: Awaited<ReturnType<typeof findAudit>>['records'][number]) => ({
  ...row,
  before: inCell(before),
  after: inCell(after),
});

const inCell = (values: object | null) => values && JSON.stringify(values);
