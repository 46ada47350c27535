import type { Command } from 'commander';
import { TEMPLATE_KINDS } from '../../lifecycle/kinds/index.ts';
import {
  listTemplates,
  listTemplateVersions,
  previewTemplate,
  restoreTemplate,
  sendTestTemplate,
  setTemplate,
  type TemplateSource,
} from '../../operator/templates.ts';
import { action, type CliContext, command, listAction, tableCommand } from '../context.ts';
import { readText } from '../files.ts';
import { tableOf } from '../output.ts';
import { groupOf } from '../use-cases.ts';

interface Which {
  broker: string;
  kind: string;
}

type Preview = Awaited<ReturnType<typeof previewTemplate>>;

const showPreview = ({ subject, text, html }: Preview): string =>
  `Subject: ${subject}\n\n--- text ---\n${text.trimEnd()}\n\n--- html ---\n${html.trimEnd()}`;

export function register(program: Command, context: CliContext): void {
  const templates = groupOf(program, 'templates');
  tableCommand(templates, 'list', "List a broker's templates", 'templates list --broker acme')
    .requiredOption('--broker <slug>', 'whose templates')
    .action(listAction(context, listTemplates, ['kind', 'active', 'subject', 'updated_date']));

  const subcommand = (usage: string, description: string, example: string) =>
    command(templates, usage, description, example)
      .requiredOption('--broker <slug>', 'whose template')
      .requiredOption('--kind <kind>', TEMPLATE_KINDS.join(', '));

  subcommand(
    'set',
    'Set a template from two files',
    'templates set --broker acme --kind cancellation-warning --subject "Service {{ service_number }}" --html w.html --text w.txt',
  )
    .requiredOption('--subject <text>', 'the subject')
    .requiredOption('--html <file>', 'the HTML part')
    .requiredOption('--text <file>', 'the text part')
    .option('--inactive', 'keep it without using it')
    .action(
      action(context, async (parts, { html, text, inactive, ...input }: Which & TemplateSource & { inactive?: true }) =>
        setTemplate(parts, { ...input, html: await readText(html), text: await readText(text), active: !inactive }),
      ),
    );

  subcommand(
    'preview',
    'Show a template with example values, or those of a service',
    'templates preview --broker acme --kind cancellation-warning',
  )
    .option('--service <number>', 'one of the broker’s services')
    .action(action(context, previewTemplate, showPreview));

  subcommand(
    'send-test',
    'Mail a template with example values, or those of a service',
    'templates send-test --broker acme --kind cancellation-warning --to me@example.com',
  )
    .requiredOption('--to <email>', 'who gets it')
    .option('--service <number>', 'one of the broker’s services')
    .action(action(context, sendTestTemplate));

  subcommand(
    'versions',
    'List what a template was, newest first',
    'templates versions --broker acme --kind cancellation-warning',
  ).action(
    action(context, listTemplateVersions, (rows, style) =>
      tableOf(rows, ['version', 'created_date', 'actor', 'subject'], style),
    ),
  );

  subcommand(
    'restore',
    'Set a template to what it was in an earlier version',
    'templates restore --broker acme --kind cancellation-warning --version 3',
  )
    .requiredOption('--version <number>', 'which one, as templates versions shows them')
    .action(action(context, restoreTemplate));
}
