import type { Command } from 'commander';
import { TEMPLATE_KINDS } from '../../lifecycle/kinds/index.ts';
import { previewTemplate, setTemplate, type TemplateSource } from '../../operator/templates.ts';
import { action, type CliContext, command } from '../context.ts';
import { readText } from '../files.ts';
import { groupOf } from '../use-cases.ts';

interface Which {
  broker: string;
  kind: string;
}

type Preview = Awaited<ReturnType<typeof previewTemplate>>;

const showPreview = ({ subject, text, html }: Preview): string =>
  `Subject: ${subject}\n\n--- text ---\n${text.trimEnd()}\n\n--- html ---\n${html.trimEnd()}`;

/** What reads files, and what shows a whole mail. */
export function register(program: Command, context: CliContext): void {
  const templates = groupOf(program, 'templates');
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
}
