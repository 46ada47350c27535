import type { TSchema } from '@sinclair/typebox';
import { type Command, Option } from 'commander';
import type { Parts } from '../compose.ts';
import { runImport } from '../operator/imports/run.ts';
import { isRequired } from '../operator/use-case/fields.ts';
import type { AnyUseCase, UseCaseDeps } from '../operator/use-case/use-case.ts';
import type { Migrating } from '../store/drivers/migrate.ts';
import { composeMachines } from '../worker/compose.ts';
import {
  action,
  askingCommand,
  type CliContext,
  command,
  confirm,
  listAction,
  operationsContext,
  tableCommand,
} from './context.ts';
import { usageError } from './errors.ts';
import { readText } from './files.ts';
import { printRecord } from './output.ts';
import { withSandboxes } from './sandboxes.ts';
import type { Style } from './style.ts';

/** How a command differs from what its declaration says. */
export interface Differing {
  /** Makes the answer readable. */
  // biome-ignore lint/suspicious/noExplicitAny: the result of this use case
  show?: (result: any, style: Style) => string;
  migrating?: Migrating;
}

function operationsOf(context: CliContext, parts: Parts) {
  const operations = operationsContext(parts, context.io, context.config().logLevel);
  return { ...operations, machines: composeMachines(context.config(), operations) };
}

/** What the program gives to use cases that a command runs. */
export const useCaseDeps = (context: CliContext, parts: Parts): UseCaseDeps => ({
  ...operationsOf(context, parts),
  mailer: parts.mailer,
  recordsPlace: parts.recordsPlace,
  removeSandbox: (brokerId) =>
    withSandboxes(context.config(), parts, async (sandboxes) => sandboxes?.tx((tx) => tx.sandboxes.remove(brokerId))),
  consoleUrl: context.config().console?.url,
  noticeSender: context.config().notices.noticeSender,
  countSandboxes: () =>
    withSandboxes(context.config(), parts, async (sandboxes) => (await sandboxes?.read.sandboxes.count()) ?? 0),
  runImport: (task, onProgress) => runImport(parts, task, onProgress),
});

/** Adds the command of a use case: its argument, options, help and question. */
export function addCommand(
  program: Command,
  context: CliContext,
  useCase: AnyUseCase,
  { show, ...differing }: Differing = {},
): void {
  const { name, description, example, input, argument, confirm: question, columns, furtherColumns, secret } = useCase;
  const words = name.split(' ');
  const group = words.slice(0, -1).reduce(groupOf, program);
  const make = columns ? tableCommand : question ? askingCommand : command;
  const added = make(group, usageOf(words.at(-1) as string, input, argument), description, example);
  for (const [field, schema] of Object.entries<TSchema>(input.properties)) {
    if (field !== argument)
      for (const option of optionsOf(field, schema, isRequired(input, field))) added.addOption(option);
    else if (field === 'broker') added.option('--broker <slug>', 'the same, when it is not named first');
  }

  const wordOf = (field: string) => (input.properties[field] ? optionOf(field, input.properties[field]) : field);
  const readOptions = (options: Record<string, unknown>) => {
    const given = givenOf(useCase, options);
    if (argument === 'broker' && given.broker === undefined) throw usageError('Name the broker by its slug');
    return given;
  };
  const { pages } = useCase;
  const run = async (parts: Parts, options: Record<string, unknown>) => {
    const deps = useCaseDeps(context, parts);
    const given = await withFiles(useCase, readOptions(options));
    const choice = Object.entries<TSchema>(input.properties).find(
      ([field, { negative, default: absent }]) =>
        negative && absent === undefined && isRequired(input, field) && given[field] === undefined,
    );
    if (choice) {
      throw usageError(`Give either --${optionOf(...choice)} or --${choice[1].negative}`);
    }
    const question = options.yes ? null : await useCase.ask(deps, given);
    if (question !== null) await confirm(context, options, async () => question);
    return useCase.run(deps, given);
  };
  added.action(
    columns
      ? listAction(context, run as never, columns, {
          furtherColumns,
          wordOf,
          pages:
            pages &&
            ((parts, options: Record<string, unknown>) => pages(useCaseDeps(context, parts), readOptions(options))),
        })
      : action(context, run, show ?? ((result, style) => printAnswer(result as object, style, secret)), {
          ...differing,
          wordOf,
        }),
  );
}

/** An answer that has no words of its own. */
export const printAnswer = (result: object, style: Style, secret: string | undefined): string =>
  `${printRecord(result, style)}${secret === undefined ? '' : `\n\nThe ${secret} is shown this once. Keep it in a safe place.`}`;

/** The group below another, which is made with its first command. */
export function groupOf(parent: Command, name: string): Command {
  return parent.commands.find((each) => each.name() === name) ?? parent.command(name).description(GROUPS[name] ?? '');
}

const GROUPS: Readonly<Record<string, string>> = {
  brokers: 'The brokers of this installation',
  recipients: 'Addresses that reports may go to, in addition to the contact',
  keys: "The brokers' API keys",
  firewall: "The addresses that a broker's keys may be used from",
  plans: "The brokers' catalogs",
  services: "The clients' services",
  clients: 'The people behind the services',
  invoices: 'The invoices of which reports are made',
  consumption: 'What services consumed, as measured last',
  imports: 'Files that were imported',
  templates: "The brokers' emails to their clients",
  requests: 'What clients, brokers and the operator requested',
  emails: 'The log of every email that was handed to the provider',
  calls: 'Single calls: those that were to change something, and those that failed',
  operators: 'The people who may use the console',
  audit: 'Who changed what, through the API, with a command or in the console',
  console: "The operator's console in the browser",
  notices: 'Emails to the operator’s people where something needs them',
  'ops-keys': 'Keys of the operator’s API, for the operator’s own systems',
  numbers: 'The numbers of services that are issued next',
};

function usageOf(word: string, { properties }: AnyUseCase['input'], argument: string | undefined): string {
  if (argument === undefined) return word;
  return argument === 'broker' ? `${word} [slug]` : `${word} <${optionOf(argument, properties[argument])}>`;
}

/** The option or argument of a field: as its declaration says, else the last part of its name. */
const optionOf = (field: string, { option }: TSchema): string =>
  option ?? (field.split('.').at(-1) as string).replaceAll('_', '-');

function optionsOf(field: string, schema: TSchema, isNeeded: boolean): Option[] {
  const word = optionOf(field, schema);
  const help = helpOf(schema);
  if (schema.type !== 'boolean')
    return [
      isNeeded && schema.default === undefined
        ? new Option(`--${word} <${placeholderOf(schema)}>`, `${help} (required)`).makeOptionMandatory()
        : new Option(`--${word} <${placeholderOf(schema)}>`, help),
    ];
  const yes = new Option(`--${word}`, help);
  if (schema.negative === undefined) return [yes];
  const no = new Option(`--${schema.negative}`, 'the opposite');
  return [yes, schema.negative === `no-${word}` ? no : no.conflicts(camelCase(word))];
}

function helpOf({ title, description, enum: values, items, default: absent, nullable, emptied }: TSchema): string {
  const text = description ?? String(title);
  const parts = [text.replace(/^[A-Z](?![A-Z])/, (letter: string) => letter.toLowerCase())];
  if (values) parts.push(values.join(', '));
  if (items?.enum) parts.push(`separated by commas, "" for none: ${items.enum.join(', ')}`);
  if (nullable) parts.push(`"${emptied}" for none`);
  return `${parts.join('; ')}${absent === undefined || absent === true || absent === false ? '' : ` (${absent})`}`;
}

function placeholderOf({ type, format, enum: values, option, file, open }: TSchema): string {
  if (file) return 'file';
  if (open) return 'json';
  if (format === 'mailbox') return 'email';
  if (format === 'timestamp') return 'date';
  if (format === 'duration' || format === 'past-time') return 'time';
  if (type === 'integer') return 'number';
  if (type === 'array') return 'list';
  if (option === 'broker') return 'slug';
  return values ? 'word' : 'text';
}

const camelCase = (word: string): string => word.replace(/[-_](.)/g, (_, letter: string) => letter.toUpperCase());

/** The fields of the use case from the command's options and argument; the word that empties a field as null. */
function givenOf({ input }: AnyUseCase, options: Record<string, unknown>): Record<string, unknown> {
  const given: Record<string, unknown> = {};
  for (const [field, schema] of Object.entries<TSchema>(input.properties)) {
    const value = options[camelCase(optionOf(field, schema))] ?? (field === 'broker' ? options.slug : undefined);
    const isNegative = schema.negative !== undefined && options[camelCase(schema.negative)] === true;
    if (isNegative) given[field] = false;
    else if (schema.nullable && value === schema.emptied) given[field] = null;
    else if (value !== undefined) given[field] = value;
  }
  return given;
}

/** The same with the texts of files in place of their names. */
async function withFiles({ input }: AnyUseCase, given: Record<string, unknown>): Promise<Record<string, unknown>> {
  const texts: Record<string, unknown> = { ...given };
  for (const [field, { file }] of Object.entries<TSchema>(input.properties)) {
    if (file && typeof given[field] === 'string') texts[field] = await readText(given[field]);
  }
  return texts;
}
