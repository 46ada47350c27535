import { type Command, Option } from 'commander';
import { importPlans, listPlans, previewPlans, setPlan } from '../../operator/plans.ts';
import { action, type CliContext, command, group, listAction } from '../context.ts';
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

interface Changes {
  broker: string;
  plan: string;
  active?: true;
  inactive?: true;
  review?: boolean;
}

export function register(program: Command, context: CliContext): void {
  const plans = group(program, 'plans', "The brokers' catalogs");

  registerImport(plans, context, { what: 'plans', run: importPlans, preview: previewPlans });

  command(plans, 'list', 'List the plans, inactive ones included', 'plans list --broker acme')
    .requiredOption('--broker <slug>', 'whose plans')
    .action(listAction(context, listPlans, COLUMNS));

  command(
    plans,
    'set <plan>',
    'Switch a plan on or off, or mark it for review',
    'plans set starter --broker acme --inactive',
  )
    .requiredOption('--broker <slug>', 'whose plan')
    .option('--active', 'sell it')
    .addOption(new Option('--inactive', 'sell it no longer').conflicts('active'))
    .option('--review', 'changes to this plan wait for the operator')
    .option('--no-review', 'they do not')
    .action(
      action(context, (parts, { broker, plan, active, inactive, review }: Changes) =>
        setPlan(parts, { broker, slug: plan, active: inactive ? false : active, review }),
      ),
    );
}
