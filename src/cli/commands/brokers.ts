import type { Command } from 'commander';
import { exportBroker } from '../../operator/brokers/export.ts';
import { removeBroker } from '../../operator/brokers/removal.ts';
import { action, askingCommand, type CliContext, command, confirm } from '../context.ts';
import { usageError } from '../errors.ts';
import { writeExport } from '../export-files.ts';
import { printTable } from '../output.ts';
import { groupOf, useCaseDeps } from '../use-cases.ts';

/** Other commands name the broker by `--broker`, so these accept that too. */
interface Named {
  slug?: string;
  broker?: string;
}

function slugOf({ broker, slug = broker }: Named): string {
  if (slug === undefined) throw usageError('Name the broker by its slug');
  return slug;
}

/** What writes files, and what is confirmed by typing a name. */
export function register(program: Command, context: CliContext): void {
  const brokers = groupOf(program, 'brokers');
  command(
    brokers,
    'export [slug]',
    'Write all records of a broker into a new directory: JSON lines, and a manifest with counts and hashes',
    'brokers export acme --to ./acme',
  )
    .option('--broker <slug>', 'the same, when it is not named first')
    .requiredOption('--to <directory>', 'where; it must be empty, or not be there')
    .action(
      action(
        context,
        (parts, options: Named & { to: string }) =>
          writeExport(options.to, (write) => exportBroker(parts, { broker: slugOf(options) }, write)),
        ({ files }, style) => printTable(files, ['file', 'records', 'sha256'], style),
      ),
    );
  askingCommand(
    brokers,
    'remove [slug]',
    'Remove a broker that has been suspended for a day, with all its records, for good',
    'brokers remove acme',
  )
    .option('--broker <slug>', 'the same, when it is not named first')
    .action(
      action(context, async (parts, options: Named & { yes?: true }) => {
        const broker = slugOf(options);
        const deps = useCaseDeps(context, parts);
        await confirm(context, options, async () => String(await removeBroker.ask(deps, { broker })), broker);
        return removeBroker.run(deps, { broker });
      }),
    );
}
