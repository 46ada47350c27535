import type { Command } from 'commander';
import { importServices, listServices, previewServices, setService, showService } from '../../operator/services.ts';
import {
  action,
  askingCommand,
  type CliContext,
  command,
  confirm,
  group,
  type InputOf,
  listAction,
  orNull,
  tableCommand,
} from '../context.ts';
import { registerImport } from './imports.ts';

const COLUMNS = [
  'service_number',
  'service_status',
  'label',
  'client.name',
  'client.email',
  'plan.slug',
  'renewal_date',
];

const ENDED = ['cancelled', 'terminated'];

export function register(program: Command, context: CliContext): void {
  const services = group(program, 'services', "The services of the brokers' clients");

  registerImport(services, context, {
    what: 'services',
    run: importServices,
    preview: previewServices,
    // The issued numbers may be many: they stand in the JSON and in the list.
    summary: ({ issued_service_numbers: issued, ...report }) => ({ ...report, issued_numbers: issued.length }),
  });

  tableCommand(services, 'list', 'List services, newest first', 'services list --broker acme --status suspended')
    .requiredOption('--broker <slug>', 'whose services')
    .option('--status <status>', 'pending, active, suspended, cancelled or terminated')
    .option('--search <text>', "part of a label, a client's name or a reference, without case")
    .option('--limit <number>', 'how many', '100')
    .option('--offset <number>', 'how many to skip', '0')
    .action(listAction(context, listServices, COLUMNS));

  command(services, 'show <number>', 'Show one service', 'services show 1000001 --broker acme')
    .requiredOption('--broker <slug>', 'whose service')
    .action(action(context, showService));

  askingCommand(
    services,
    'set <number>',
    'Change a service',
    'services set 1000001 --broker acme --client-email ada@example.com',
  )
    .requiredOption('--broker <slug>', 'whose service')
    .option('--status <status>', 'pending, active, suspended, cancelled or terminated')
    .option('--reason <text>', 'why it is suspended, with --status suspended; callers can read it')
    .option('--review', 'its plan changes wait for the operator')
    .option('--no-review', 'they do not')
    .option('--client-name <name>', "the client's name")
    .option('--client-email <email>', 'the client\'s address, or "none"')
    .option('--renewal <date>', 'the renewal date, or "none"')
    .action(
      action(context, async (parts, { yes, ...options }: InputOf<typeof setService> & { yes?: true }) => {
        const { status = '' } = options;
        if (ENDED.includes(status.trim())) {
          await confirm(context, { yes }, async () => {
            const service = await showService(parts, options);
            return `Service ${service.service_number} of ${service.client.name} (${service.plan.display_name}, ${service.service_status}) becomes ${status.trim()}.`;
          });
        }
        return setService(parts, {
          ...options,
          clientEmail: orNull('none', options.clientEmail),
          renewal: orNull('none', options.renewal),
        });
      }),
    );
}
