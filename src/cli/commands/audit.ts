import type { Command } from 'commander';
import { AUDIT_COLUMNS, csvOfAudit, listAudit } from '../../operator/audit.ts';
import { action, type CliContext, group, type InputOf, tableCommand } from '../context.ts';
import { tableOf } from '../output.ts';

export function register(program: Command, context: CliContext): void {
  const audit = group(program, 'audit', 'Who changed what, through the API, with a command or in the console');

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
        (parts, input: InputOf<typeof listAudit>) => listAudit(parts, input),
        (rows) => tableOf(rows.map(inCells), AUDIT_COLUMNS),
        { csvOf: csvOfAudit },
      ),
    );
}

const inCells = ({ before, after, ...row }: Awaited<ReturnType<typeof listAudit>>[number]) => ({
  ...row,
  before: inCell(before),
  after: inCell(after),
});

const inCell = (values: object | null) => values && JSON.stringify(values);
