import type { Command } from 'commander';
import {
  describeUsed,
  previewServiceRemoval,
  type RemovalInput,
  removeServices,
} from '../../operator/service-removal.ts';
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
import { CommandError, usageError } from '../errors.ts';
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

  askingCommand(
    services,
    'remove [number...]',
    'Remove services on which nothing has happened since an import created them: by number, or all of one import',
    'services remove --import aud_01HQ3Z4X9YQ2T8K6R5W7V1N0MB --broker acme --dry-run',
  )
    .requiredOption('--broker <slug>', 'whose services')
    .option('--import <import-id>', 'all that this import created; "imports list" has the id')
    .option('--dry-run', 'remove nothing; say what would be removed and what stands in the way')
    .action(
      action(context, async (parts, { yes, dryRun, broker, number, import: importId }: RemovalOptions) => {
        if (number && number.length > 0 && importId) throw usageError('Give either numbers or --import');
        const input: RemovalInput = { broker, numbers: number ?? [], importId };
        const preview = await previewServiceRemoval(parts, input);
        if (dryRun) return { dry_run: true, ...preview };
        if (preview.used_services > 0) throw new CommandError(describeUsed(preview));
        await confirm(context, { yes }, async () => `${preview.services} services of ${broker} are removed for good.`);
        return removeServices(parts, input);
      }),
    );
}

interface RemovalOptions {
  broker: string;
  number?: string[];
  import?: string;
  dryRun?: true;
  yes?: true;
}
