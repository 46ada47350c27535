import { type Command, Option } from 'commander';
import { importPlans, listPlans, setPlan } from '../../operator/plans.ts';
import { action, type CliContext, command, group, progressOf } from '../context.ts';
import { readImport } from '../files.ts';
import { fieldsOf, tableOf } from '../output.ts';

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

export function register(program: Command, context: CliContext): void {
  const plans = group(program, 'plans', "The brokers' catalogs");

  command(
    plans,
    'import <file>',
    'Create or update plans from a .json or .csv file',
    'plans import plans.csv --broker acme',
  )
    .requiredOption('--broker <slug>', 'whose plans')
    .option('--progress', 'show progress on standard error')
    .action(
      action(
        context,
        async (parts, options: { broker: string; progress?: boolean }, [path = '']) =>
          importPlans(parts, {
            broker: options.broker,
            file: await readImport(path),
            onProgress: progressOf(context, options),
          }),
        fieldsOf,
      ),
    );

  command(plans, 'list', 'List the plans, inactive ones included', 'plans list --broker acme')
    .requiredOption('--broker <slug>', 'whose plans')
    .action(action(context, listPlans, (records) => tableOf(records, COLUMNS)));

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
      action(
        context,
        (
          parts,
          { broker, active, inactive, review }: { broker: string; active?: true; inactive?: true; review?: boolean },
          [slug = ''],
        ) => setPlan(parts, { broker, slug, active: inactive ? false : active, review }),
        fieldsOf,
      ),
    );
}
