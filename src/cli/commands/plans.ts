import { type Command, Option } from 'commander';
import {
  createPlan,
  importPlans,
  listPlans,
  type PlanFields,
  previewPlans,
  removePlan,
  setPlan,
  showPlan,
} from '../../operator/plans.ts';
import { BILLING_TYPES } from '../../rules/words.ts';
import {
  action,
  askingCommand,
  type CliContext,
  command,
  confirm,
  group,
  listAction,
  orNull,
  tableCommand,
} from '../context.ts';
import { registerImport } from './imports.ts';

const COLUMNS = [
  'slug',
  'display_name',
  'upgrade_rank',
  'billing_type',
  'active',
  'requires_operator_review',
  'price.amount',
  'price.currency',
];

interface Options extends PlanFields {
  broker: string;
  slug: string;
  inactive?: true;
}

/** The fields that `none` empties. */
const EMPTIED = ['description', 'vcpu', 'memoryMb', 'diskGb', 'transferGb', 'price', 'currency'] as const;

const fieldsFrom = ({ inactive, ...options }: Options): Options => ({
  ...options,
  active: inactive ? false : options.active,
  ...Object.fromEntries(EMPTIED.map((name) => [name, orNull('none', options[name])])),
});

const withFields = (described: Command): Command =>
  described
    .option('--description <text>', 'what it is')
    .option('--vcpu <number>', 'virtual processors')
    .option('--memory-mb <number>', 'memory in MB')
    .option('--disk-gb <number>', 'disk in GB')
    .option('--transfer-gb <number>', 'monthly transfer in GB')
    .option('--price <amount>', 'a decimal number, kept as it is written; "none" empties it, as each field above')
    .option('--currency <code>', 'three capital letters, such as EUR')
    .option('--active', 'sell it')
    .addOption(new Option('--inactive', 'sell it no longer').conflicts('active'))
    .option('--review', 'changes to this plan wait for the operator')
    .option('--no-review', 'they do not');

export function register(program: Command, context: CliContext): void {
  const plans = group(program, 'plans', "The brokers' catalogs");

  registerImport(plans, context, { what: 'plans', run: importPlans, preview: previewPlans });

  tableCommand(plans, 'list', 'List the plans, inactive ones included', 'plans list --broker acme')
    .requiredOption('--broker <slug>', 'whose plans')
    .action(listAction(context, listPlans, COLUMNS));

  command(plans, 'show <slug>', 'Show one plan, and what uses it', 'plans show starter --broker acme')
    .requiredOption('--broker <slug>', 'whose plan')
    .action(action(context, showPlan));

  withFields(
    command(
      plans,
      'create <slug>',
      'Add a plan',
      'plans create starter --broker acme --name Starter --rank 10 --billing monthly --price 9.90 --currency EUR',
    )
      .requiredOption('--broker <slug>', 'whose plan')
      .requiredOption('--name <name>', 'what clients see')
      .requiredOption('--rank <number>', 'upgrades lead to a higher one')
      .requiredOption('--billing <type>', BILLING_TYPES.join(' or ')),
  ).action(action(context, (parts, options: Options) => createPlan(parts, fieldsFrom(options))));

  withFields(
    command(plans, 'set <slug>', 'Change a plan', 'plans set starter --broker acme --price 12.50 --currency EUR')
      .requiredOption('--broker <slug>', 'whose plan')
      .option('--name <name>', 'what clients see')
      .option('--rank <number>', 'upgrades lead to a higher one')
      .option('--billing <type>', BILLING_TYPES.join(' or ')),
  ).action(action(context, (parts, options: Options) => setPlan(parts, fieldsFrom(options))));

  askingCommand(
    plans,
    'remove <slug>',
    'Remove a plan that no service or request has used',
    'plans remove starter --broker acme',
  )
    .requiredOption('--broker <slug>', 'whose plan')
    .action(
      action(context, async (parts, { yes, ...named }: { broker: string; slug: string; yes?: true }) => {
        await confirm(context, { yes }, async () => {
          const { display_name, slug, broker } = await showPlan(parts, named);
          return `The plan "${display_name}" (${slug}) of ${broker.slug} is removed for good.`;
        });
        return removePlan(parts, named);
      }),
    );
}
