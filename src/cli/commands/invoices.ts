import type { Command } from 'commander';
import { importInvoices } from '../../operator/invoices.ts';
import { action, type CliContext, command, group, progressOf } from '../context.ts';
import { readImport } from '../files.ts';
import { fieldsOf } from '../output.ts';

export function register(program: Command, context: CliContext): void {
  const invoices = group(program, 'invoices', 'The invoices that reports tell of');

  command(
    invoices,
    'import <file>',
    'Create or update invoices from a .json or .csv file',
    'invoices import invoices.csv --broker acme',
  )
    .requiredOption('--broker <slug>', 'whose invoices')
    .option('--progress', 'show progress on standard error')
    .action(
      action(
        context,
        async (parts, options: { broker: string; progress?: boolean }, [path = '']) =>
          importInvoices(parts, {
            broker: options.broker,
            file: await readImport(path),
            onProgress: progressOf(context, options),
          }),
        fieldsOf,
      ),
    );
}
