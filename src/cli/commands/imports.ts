import type { Command } from 'commander';
import type { ImportColumn } from '../../operator/files/read-file.ts';
import { IMPORTS } from '../../operator/imports/kinds.ts';
import type { FaultyRecord } from '../../operator/use-case/errors.ts';
import {
  IMPORT_KINDS,
  type ImportKind,
  type ImportPreview,
  type ImportReport,
} from '../../operator/use-case/import-task.ts';
import { action, type CliContext, command } from '../context.ts';
import { readImportFileAt } from '../files.ts';
import { printRecord, printTable } from '../output.ts';
import { progressBar } from '../progress.ts';
import type { Style } from '../style.ts';
import { groupOf } from '../use-cases.ts';

export function register(program: Command, context: CliContext): void {
  for (const kind of IMPORT_KINDS) registerImport(program, context, kind);
}

const IN_CSV = `A CSV file has the fields in columns, with "_" in place of ".", such as client_name for client.name.
What a file does not have of a record that exists stays as it is; null or an empty cell empties a field that may be empty.`;

const describeColumn = ({ field, required, rule }: ImportColumn): string =>
  `  ${field}${required ? ' *' : ''}\n      ${rule}`;

/** The `import` of a group. */
function registerImport(program: Command, context: CliContext, what: ImportKind): void {
  const { columns, run, preview } = IMPORTS[what];
  command(
    groupOf(program, what),
    'import <file>',
    `Create or update ${what} from a .json or .csv file, all or nothing`,
    `${what} import ${what}.csv --broker acme --dry-run`,
  )
    .requiredOption('--broker <slug>', `whose ${what} (required)`)
    .option('--dry-run', 'write nothing; say what would be created, updated and refused')
    .addHelpText(
      'after',
      () => `\nFields (* required in a new record):\n${columns.map(describeColumn).join('\n')}\n\n${IN_CSV}`,
    )
    .action(
      action(
        context,
        async (parts, input: { broker: string; file: string; dryRun?: true }) => {
          const { broker, dryRun } = input;
          const file = await readImportFileAt(input.file);
          return dryRun
            ? preview(parts, { broker, file })
            : run(parts, { broker, file, onProgress: progressBar(context.io) });
        },
        (answer, style) => {
          if ('dry_run' in answer) return showPreview(answer, style);
          const { warnings = [], ...report } = answer;
          const totals = printRecord(summaryOf(report), style);
          return warnings.length === 0
            ? totals
            : `${printTable(warnings, ['where', 'field', 'message'], style)}\n\n${totals}`;
        },
        {
          faultOf: (answer) =>
            'dry_run' in answer && answer.refused > 0 ? `${answer.refused} records would be refused` : undefined,
        },
      ),
    );
}

/** The numbers that were issued may be many: they stand in the JSON and in the list. */
const summaryOf = ({ issued_service_numbers: issued, ...report }: Omit<ImportReport, 'warnings'>) => ({
  ...report,
  ...(issued && { issued_numbers: issued.length }),
});

/** Lines shown; the JSON has all that would be taken, and refused records that are named are always shown. */
const MAX_LINES = 100;

function showPreview({ records, ...totals }: ImportPreview, style: Style): string {
  const lines = records.map(({ changes, warnings, faults, ...record }) => ({
    ...record,
    changes:
      changes.map(({ field, before, after }) => `${field}: ${before ?? '-'} → ${after ?? '-'}`).join('; ') || null,
    warnings: sentenceOf(warnings),
    faults: sentenceOf(faults),
  }));
  const columns = ['where', 'action', 'subject', 'changes', 'warnings', 'faults'] as const;
  const taken = lines.filter(({ action }) => action !== 'refuse');
  const refused = lines.filter(({ action }) => action === 'refuse');
  // What has to be mended stands first.
  const shown = [...refused, ...taken.slice(0, MAX_LINES)];
  const omitted = lines.length - shown.length;
  const unnamed = totals.refused - refused.length;
  return [
    printTable(
      shown,
      columns.filter((column) => shown.some((line) => line[column] !== null)),
      style,
    ),
    ...(omitted > 0 ? [`and ${omitted} more, all of which would be taken`] : []),
    ...(unnamed > 0 ? [`and ${unnamed} more, all of which are faulty`] : []),
    '',
    printRecord(totals),
  ].join('\n');
}

const sentenceOf = (faults: FaultyRecord['faults']): string | null =>
  faults.map(({ field, message }) => (field === null ? message : `${field}: ${message}`)).join('; ') || null;
