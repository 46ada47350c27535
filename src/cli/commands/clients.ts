import type { Command } from 'commander';
import { eraseClient, exportClient, previewErasure } from '../../operator/clients.ts';
import { action, askingCommand, type CliContext, command, confirm, group, type InputOf } from '../context.ts';

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

  askingCommand(
    clients,
    'erase',
    'Erase name, address and texts of one client, whose services have all ended',
    'clients erase --broker acme --email ada@example.com',
  )
    .requiredOption('--broker <slug>', 'whose client')
    .requiredOption('--email <address>', 'the address of the client, without case')
    .action(
      action(context, async (parts, options: InputOf<typeof eraseClient> & { yes?: true }) => {
        await confirm(context, options, async () => {
          const { client_email: email, services, remains } = await previewErasure(parts, options);
          return `The client ${email} is erased for good: name, address and texts in ${services} ended services, their requests and emails. ${remains}.`;
        });
        return eraseClient(parts, options);
      }),
    );
}
