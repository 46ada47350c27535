import { MailFailure, type TemplateSource, type TemplateValues } from '../operations/ports.ts';
import { sendLogged } from '../operations/send-logged.ts';
import { isoMoment } from '../rules/moments.ts';
import type { BrokerRow } from '../store/brokers.ts';
import type { Reads } from '../store/store.ts';
import type { TemplateRow } from '../store/templates.ts';
import { OperatorError } from './errors.ts';
import { mailbox, oneOf, read } from './fields.ts';
import { type OperatorParts, requireBroker } from './parts.ts';

/** Contract, section 9. The first is sent on a caller's word, the others after completion. */
export const TEMPLATE_KINDS = [
  'cancellation-warning',
  'plan-change-completed',
  'service-created',
  'cancellation-completed',
] as const;

const KIND = oneOf(TEMPLATE_KINDS);

/** The log's kind of a mail that an operator sent to see what it looks like. */
const TEST_MAIL = 'template-test';

/**
 * Sets the broker's template of a kind, whether it had one or not. A template that could not be rendered, or that
 * names a value that no message has, is refused with every fault in one line. Contract, section 6.
 */
export async function setTemplate(
  { store, clock, templates }: Pick<OperatorParts, 'store' | 'clock' | 'templates'>,
  input: { broker: string; kind: string; active?: boolean | undefined } & TemplateSource,
) {
  const kind = read('kind', KIND, input.kind);
  const { subject, html, text } = input;
  const faults = await templates.check({ subject, html, text });
  if (faults.length > 0) throw new OperatorError(`The template is refused: ${faults.join('; ')}`);
  return store.tx(async (tx) => {
    const broker = await requireBroker(tx, input.broker);
    const active = input.active ?? true;
    const row: TemplateRow = { brokerId: broker.id, kind, subject, html, text, active, updatedAt: clock.now() };
    await tx.templates.upsert(row);
    return { broker: broker.slug, kind, active, subject, updated_date: isoMoment(row.updatedAt) };
  });
}

/** The template as a client of an example service would get it. */
export async function previewTemplate(
  { store, templates }: Pick<OperatorParts, 'store' | 'templates'>,
  input: { broker: string; kind: string },
) {
  const { broker, template } = await requireTemplate(store.read, input);
  return { broker: broker.slug, kind: template.kind, ...(await renderExample(templates, broker, template)) };
}

/** Mails that example to an address. It stands in the email log like every mail, as `template-test`. */
export async function sendTestTemplate(parts: OperatorParts, input: { broker: string; kind: string; to: string }) {
  const to = read('to', mailbox, input.to);
  const { broker, template } = await requireTemplate(parts.store.read, input);
  const mail = await renderExample(parts.templates, broker, template);
  try {
    const { emailId, receipt } = await sendLogged(
      { ...parts, log: { warn() {}, error() {} } },
      {
        brokerId: broker.id,
        kind: TEST_MAIL,
        serviceNumber: null,
        requestId: null,
        from: broker.senderEmail,
        to,
        ...mail,
      },
    );
    return { email_id: emailId, broker: broker.slug, kind: template.kind, to, message_id: receipt.messageId };
  } catch (error) {
    if (!(error instanceof MailFailure)) throw error;
    throw new OperatorError(`The mail was not sent (${error.reason}): ${error.message}`);
  }
}

async function requireTemplate(reads: Pick<Reads, 'brokers' | 'templates'>, input: { broker: string; kind: string }) {
  const kind = read('kind', KIND, input.kind);
  const broker = await requireBroker(reads, input.broker);
  const template = await reads.templates.find(broker.id, kind);
  if (!template) throw new OperatorError(`"${broker.slug}" has no template of the kind ${kind}`);
  return { broker, template };
}

const renderExample = (
  templates: OperatorParts['templates'],
  broker: BrokerRow,
  { subject, html, text }: TemplateRow,
) => templates.render({ subject, html, text }, { ...EXAMPLE, broker_name: broker.name });

const EXAMPLE: TemplateValues = {
  client_name: 'Ada Example',
  client_email: 'ada@example.com',
  service_number: '1000001',
  service_label: 'web-1',
  plan_name: 'Starter',
  warning_reason: 'An invoice is overdue.',
  broker_name: '',
  renewal_date: '2030-01-31',
};
