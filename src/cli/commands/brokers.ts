import type { Command } from 'commander';
import { exportBroker } from '../../operator/broker-export.ts';
import { previewRemoval, removeBroker } from '../../operator/broker-removal.ts';
import { showBroker } from '../../operator/broker-views.ts';
import {
  addRecipient,
  createBroker,
  listBrokers,
  removeRecipient,
  resumeBroker,
  setBroker,
  suspendBroker,
} from '../../operator/brokers.ts';
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
import { usageError } from '../errors.ts';
import { writeExport } from '../export-files.ts';
import { fieldsOf, tableOf } from '../output.ts';
import { withSandboxes } from '../sandboxes.ts';

const COLUMNS = ['slug', 'name', 'broker_status', 'contact_email', 'sender_email', 'broker_id'];

/** Other commands name the broker by `--broker`, so these accept that too. */
interface Named {
  slug?: string;
  broker?: string;
}

function slugOf({ broker, slug = broker }: Named): string {
  if (slug === undefined) throw usageError('Name the broker by its slug');
  return slug;
}

const describeRemoval = ({ broker, services, requests }: Awaited<ReturnType<typeof previewRemoval>>): string =>
  `${broker.name} is removed for good, with ${services} services, ${requests} requests and all that is theirs.`;

export function register(program: Command, context: CliContext): void {
  const brokers = group(program, 'brokers', 'The brokers of this installation');

  command(
    brokers,
    'create',
    'Create a broker',
    'brokers create --slug acme --name "Acme Hosting" --contact office@example.com --sender support@example.com',
  )
    .requiredOption('--slug <slug>', 'short name for these commands')
    .requiredOption('--name <name>', 'name that clients read')
    .requiredOption('--contact <email>', 'where its reports go')
    .requiredOption('--sender <email>', 'where its mail to clients comes from')
    .action(action(context, createBroker, fieldsOf, { migrating: 'new' }));

  tableCommand(brokers, 'list', 'List all brokers', 'brokers list').action(listAction(context, listBrokers, COLUMNS));

  command(
    brokers,
    'set [slug]',
    "Change a broker's name or addresses",
    'brokers set acme --contact accounts@example.com',
  )
    .option('--broker <slug>', 'which broker, when not named first')
    .option('--name <name>', 'name that clients read')
    .option('--contact <email>', 'where its reports go')
    .option('--sender <email>', 'where its mail to clients comes from')
    .option('--rate-limit <number>', 'requests a minute of all its live keys together, or "none"')
    .action(
      action(context, (parts, options: Omit<InputOf<typeof setBroker>, 'broker'> & Named) =>
        setBroker(parts, { ...options, broker: slugOf(options), rateLimit: orNull('none', options.rateLimit) }),
      ),
    );

  askingCommand(brokers, 'suspend [slug]', "Refuse the broker's keys from now on", 'brokers suspend acme')
    .option('--broker <slug>', 'which broker, when not named first')
    .action(
      action(context, async (parts, options: Named & { yes?: true }) => {
        const broker = slugOf(options);
        await confirm(context, options, async () => {
          const { active_keys: keys } = await showBroker(parts, { broker });
          return `The broker ${broker} is suspended: its ${keys} active keys are refused until it is resumed.`;
        });
        return suspendBroker(parts, { broker });
      }),
    );
  command(brokers, 'resume [slug]', "Accept the broker's keys again", 'brokers resume acme')
    .option('--broker <slug>', 'which broker, when not named first')
    .action(action(context, (parts, options: Named) => resumeBroker(parts, { broker: slugOf(options) })));

  command(
    brokers,
    'export [slug]',
    'Write all records of a broker into a new directory: JSON lines, and a manifest with counts and hashes',
    'brokers export acme --to ./acme',
  )
    .option('--broker <slug>', 'which broker, when not named first')
    .requiredOption('--to <directory>', 'where; it must be empty, or not be there')
    .action(
      action(
        context,
        (parts, options: Named & { to: string }) =>
          writeExport(options.to, (write) => exportBroker(parts, { broker: slugOf(options) }, write)),
        ({ files }, style) => tableOf(files, ['file', 'records', 'sha256'], style),
      ),
    );
  askingCommand(
    brokers,
    'remove [slug]',
    'Remove a broker that has been suspended for a day, with all its records, for good',
    'brokers remove acme',
  )
    .option('--broker <slug>', 'which broker, when not named first')
    .action(
      action(context, async (parts, options: Named & { yes?: true }) => {
        const broker = slugOf(options);
        await confirm(context, options, async () => describeRemoval(await previewRemoval(parts, { broker })), broker);
        return withSandboxes(context.config(), parts, (sandboxes) =>
          removeBroker(
            { ...parts, removeSandbox: async (id) => sandboxes?.tx((tx) => tx.sandboxes.remove(id)) },
            { broker },
          ),
        );
      }),
    );

  const recipients = group(brokers, 'recipients', 'Addresses that reports may go to, in addition to the contact');
  command(recipients, 'add <email>', 'Add an address', 'brokers recipients add books@example.com --broker acme')
    .requiredOption('--broker <slug>', 'whose list')
    .action(action(context, addRecipient));
  command(
    recipients,
    'remove <email>',
    'Remove an address',
    'brokers recipients remove books@example.com --broker acme',
  )
    .requiredOption('--broker <slug>', 'whose list')
    .action(action(context, removeRecipient));
}
