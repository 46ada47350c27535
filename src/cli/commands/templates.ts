import type { Command } from 'commander';
import { TEMPLATE_KINDS } from '../../kinds/index.ts';
import {
  previewTemplate,
  setTemplate,
  showTemplate,
  type TemplatePreview,
  type TemplateSource,
} from '../../operator/mail/templates.ts';
import { action, type CliContext, command } from '../context.ts';
import { usageError } from '../errors.ts';
import { readText } from '../files.ts';
import { groupOf } from '../use-cases.ts';

interface Which {
  broker: string;
  kind: string;
}

const showPreview = ({ subject, text, html, warnings }: TemplatePreview): string =>
  [
    ...warnings.map((warning) => `${warning}\n`),
    `Subject: ${subject}\n\n--- text ---\n${text.trimEnd()}\n\n--- html ---\n${html.trimEnd()}`,
  ].join('\n');

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
    .option('--version <number>', 'an earlier version, in place of the present one')
    .option('--subject <text>', 'with --html and --text: one that is not saved')
    .option('--html <file>', 'its HTML part')
    .option('--text <file>', 'its text part')
    .action(
      action(
        context,
        async (parts, { subject, html, text, version, ...input }: Preview) => {
          if (subject !== undefined && html !== undefined && text !== undefined && version === undefined) {
            const source = { subject, html: await readText(html), text: await readText(text) };
            return previewTemplate(parts, { ...input, source });
          }
          if ([subject, html, text].some((part) => part !== undefined)) {
            throw usageError('Give all of --subject, --html and --text, without --version, or none of them');
          }
          if (version === undefined) return previewTemplate(parts, input);
          // Of a template that is not there the preview says so.
          const { source } = await showTemplate(parts, { ...input, version });
          return previewTemplate(parts, { ...input, source: source ?? undefined });
        },
        showPreview,
      ),
    );
}

interface Preview extends Which, Partial<TemplateSource> {
  service?: string;
  version?: string;
}
