import type { Command } from 'commander';
import { importInvoices, listInvoices, previewInvoices, showInvoice } from '../../operator/invoices.ts';
import { action, type CliContext, command, group, listAction, tableCommand } from '../context.ts';
import { registerImport } from './imports.ts';

const COLUMNS = [
  'invoice_number',
  'service_number',
  'amount',
  'currency',
  'invoice_status',
  'issued_date',
  'due_date',
  'paid_date',
];

export function register(program: Command, context: CliContext): void {
  const invoices = group(program, 'invoices', 'The invoices that reports tell of');
  registerImport(invoices, context, { what: 'invoices', run: importInvoices, preview: previewInvoices });

  tableCommand(invoices, 'list', 'List invoices, the latest first', 'invoices list --broker acme --status open')
    .requiredOption('--broker <slug>', 'whose invoices')
    .option('--service <number>', 'of one service')
    .option('--status <status>', 'open, paid or void')
    .option('--limit <number>', 'how many', '100')
    .option('--offset <number>', 'how many to skip', '0')
    .action(listAction(context, listInvoices, COLUMNS));

  command(invoices, 'show <number>', 'Show one invoice', 'invoices show A-1 --broker acme')
    .requiredOption('--broker <slug>', 'whose invoice')
    .action(action(context, showInvoice));
}
