import type { Command } from 'commander';
import {
  describeUsed,
  previewServiceRemoval,
  type RemovalInput,
  removeServices,
} from '../../operator/service-removal.ts';
import { action, askingCommand, type CliContext, confirm } from '../context.ts';
import { CommandError, usageError } from '../errors.ts';
import { groupOf } from '../use-cases.ts';

/** Removal by numbers or by an import, with a dry run. */
export function register(program: Command, context: CliContext): void {
  const services = groupOf(program, 'services');
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
