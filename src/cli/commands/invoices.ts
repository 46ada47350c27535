import type { Command } from 'commander';
import { importInvoices, previewInvoices } from '../../operator/invoices.ts';
import { type CliContext, group } from '../context.ts';
import { registerImport } from './imports.ts';

export function register(program: Command, context: CliContext): void {
  const invoices = group(program, 'invoices', 'The invoices that reports tell of');
  registerImport(invoices, context, { what: 'invoices', run: importInvoices, preview: previewInvoices });
}
