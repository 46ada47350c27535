import type { Command } from 'commander';
import { importServices, listServices, setService, showService } from '../../operator/services.ts';
import { action, type CliContext, command, group, progressOf } from '../context.ts';
import { readImport } from '../files.ts';
import { fieldsOf, tableOf } from '../output.ts';

const COLUMNS = [
  'service_number',
  'service_status',
  'label',
  'client.name',
  'client.email',
  'plan.slug',
  'renewal_date',
];

interface Changes {
  broker: string;
  status?: string;
  review?: boolean;
  clientName?: string;
  clientEmail?: string;
  renewal?: string;
}

export function register(program: Command, context: CliContext): void {
  const services = group(program, 'services', "The services of the brokers' clients");

  command(
    services,
    'import <file>',
    'Create or update services from a .json or .csv file',
    'services import services.json --broker acme',
  )
    .requiredOption('--broker <slug>', 'whose services')
    .option('--progress', 'show progress on standard error')
    .action(
      action(
        context,
        async (parts, options: { broker: string; progress?: boolean }, [path = '']) =>
          importServices(parts, {
            broker: options.broker,
            file: await readImport(path),
            onProgress: progressOf(context, options),
          }),
        // The issued numbers may be many: they stand in the JSON and in the list.
        ({ issued_service_numbers: issued, ...summary }) => fieldsOf({ ...summary, issued_numbers: issued.length }),
      ),
    );

  command(services, 'list', 'List services, newest first', 'services list --broker acme --status suspended')
    .requiredOption('--broker <slug>', 'whose services')
    .option('--status <status>', 'pending, active, suspended, cancelled or terminated')
    .option('--limit <number>', 'how many', '100')
    .option('--offset <number>', 'how many to skip', '0')
    .action(action(context, listServices, (records) => tableOf(records, COLUMNS)));

  command(services, 'show <number>', 'Show one service', 'services show 1000001 --broker acme')
    .requiredOption('--broker <slug>', 'whose service')
    .action(
      action(
        context,
        (parts, options: { broker: string }, [number = '']) => showService(parts, { ...options, number }),
        fieldsOf,
      ),
    );

  command(
    services,
    'set <number>',
    'Change a service',
    'services set 1000001 --broker acme --client-email ada@example.com',
  )
    .requiredOption('--broker <slug>', 'whose service')
    .option('--status <status>', 'pending, active, suspended, cancelled or terminated')
    .option('--review', 'its plan changes wait for the operator')
    .option('--no-review', 'they do not')
    .option('--client-name <name>', "the client's name")
    .option('--client-email <email>', 'the client\'s address, or "none"')
    .option('--renewal <date>', 'the renewal date, or "none"')
    .action(
      action(context, (parts, options: Changes, [number = '']) => setService(parts, { ...options, number }), fieldsOf),
    );
}
