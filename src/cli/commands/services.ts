import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Command } from 'commander';
import { type ComparisonRecord, compareServices } from '../../operator/services/compare.ts';
import {
  describeUsed,
  previewServiceRemoval,
  type RemovalInput,
  removeServices,
} from '../../operator/services/removal.ts';
import { CONFIGURATION, requireAction } from '../../operator/services/work.ts';
import { read, serviceNumber } from '../../operator/use-case/fields.ts';
import { action, askingCommand, type CliContext, command, confirm } from '../context.ts';
import { CommandError, usageError } from '../errors.ts';
import { printRecord, printTable } from '../output.ts';
import type { Style } from '../style.ts';
import { groupOf, useCaseDeps } from '../use-cases.ts';

/** Actions; removal by numbers or by an import, with a dry run. */
export function register(program: Command, context: CliContext): void {
  const services = groupOf(program, 'services');
  registerAction(services, context);
  registerComparison(services, context);
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

interface ComparisonOptions {
  broker?: string;
  accept?: true;
  write?: string;
}

/** The records against the machines, and files for `services import` of the machines that have none. */
function registerComparison(services: Command, context: CliContext): void {
  const { description, example } = compareServices;
  command(services, 'compare', description, example)
    .option('--broker <slug>', 'the broker’s slug; by default all')
    .option('--accept', 'take what differs as it is: the status no longer counts it')
    .option('--write <folder>', 'write files for "services import" of machines without a record, one for each broker')
    .action(
      action(
        context,
        async (parts, { write, ...given }: ComparisonOptions) => {
          const { broker, accept } = given;
          const found = await compareServices.run(useCaseDeps(context, parts), {
            ...(broker !== undefined && { broker }),
            ...(accept && { accept }),
          });
          const files = write === undefined ? [] : await writeImports(write, found);
          return write === undefined ? found : { ...found, files };
        },
        printComparison,
      ),
    );
}

/** @returns the names of the files; none is replaced */
async function writeImports(folder: string, { imports }: ComparisonRecord): Promise<string[]> {
  const files: string[] = [];
  for (const { broker, records } of imports) {
    const file = join(folder, `machines-${broker ?? 'of-no-broker'}.json`);
    await mkdir(folder, { recursive: true })
      .then(() => writeFile(file, `${JSON.stringify(records, null, 2)}\n`, { flag: 'wx', mode: 0o600 }))
      .catch((error: NodeJS.ErrnoException) => {
        throw new CommandError(`${file}: the file cannot be written (${error.code})`);
      });
    files.push(file);
  }
  return files;
}

const NOTHING_COMPARED = {
  not_known: 'Nothing was compared: the provisioner cannot list its machines.',
  no_answer: 'Nothing was compared: the provisioner did not answer.',
};

function printComparison(found: ComparisonRecord & { files?: string[] }, style: Style): string {
  const { outcome, machines, total, differences, imports, files = [] } = found;
  if (outcome !== 'compared') return NOTHING_COMPARED[outcome];
  const first = `${machines} machines, ${total} differences.`;
  if (total === 0) return first;
  const rows = differences.map((each) => ({ ...each, do: each.commands.join(' or ') }));
  const more = total > rows.length ? `\n\nThe ${rows.length} worst are shown.` : '';
  const written =
    files.length > 0
      ? `\n\nFill in name and email of the clients, then import: ${files.join(', ')}`
      : imports.length > 0
        ? '\n\n--write FOLDER writes files for the machines without a record.'
        : '';
  const columns = ['service_number', 'broker', 'kind', 'record', 'machine', 'do'];
  return `${first}\n\n${printTable(rows, columns, style)}${more}${written}`;
}

/** One of a service's actions, whose options its plan declares. */
function registerAction(services: Command, context: CliContext): void {
  askingCommand(
    services,
    'action <number> <name>',
    'Run an action that the service’s plan offers; the broker cannot withdraw it',
    'services action 1000001 reinstall --set image=debian-13',
  )
    .option('--broker <slug>', 'the broker’s slug, to refuse another’s service')
    .option('--set <name=value>', 'a value of the action’s configuration; given once for each', collect, [])
    .action(
      action(
        context,
        async (parts, { number, name, broker, set, yes }: ActionOptions) => {
          const deps = useCaseDeps(context, parts);
          const service_number = read('number', serviceNumber(), number);
          const named = { service_number, ...(broker !== undefined && { broker }) };
          const useCase = await requireAction(deps, { ...named, action: name });
          const given: Record<string, unknown> = { ...named };
          for (const each of set) {
            const [option = '', ...value] = each.split('=');
            const field = `${CONFIGURATION}${option}`;
            if (value.length === 0) throw usageError(`--set ${each}: must be a name, "=" and a value`);
            if (!(field in useCase.input.properties)) throw usageError(`--set ${option}: is no option of this action`);
            given[field] = value.join('=');
          }
          const question = yes ? null : await useCase.ask(deps, given);
          if (question !== null) await confirm(context, { yes }, async () => question);
          return useCase.run(deps, given);
        },
        printRecord,
        { wordOf: (field) => field.replace(CONFIGURATION, '--set ') },
      ),
    );
}

const collect = (value: string, before: string[]): string[] => [...before, value];

interface ActionOptions {
  number: string;
  name: string;
  broker?: string;
  set: string[];
  yes?: true;
}

interface RemovalOptions {
  broker: string;
  number?: string[];
  import?: string;
  dryRun?: true;
  yes?: true;
}
