import type { Command } from 'commander';
import { exportClient } from '../../operator/clients.ts';
import { action, type CliContext, command, group } from '../context.ts';

export function register(program: Command, context: CliContext): void {
  const clients = group(program, 'clients', 'The people behind the services');

  command(
    clients,
    'export',
    'Print everything about one client as one JSON document; the audit trail notes it',
    'clients export --broker acme --email ada@example.com > ada.json',
  )
    .requiredOption('--broker <slug>', 'whose client')
    .requiredOption('--email <address>', 'the address of the client, without case')
    .action(action(context, exportClient, (data) => JSON.stringify(data, null, 2)));
}
