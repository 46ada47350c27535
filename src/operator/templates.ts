import { createHash } from 'node:crypto';
import { sendLogged } from '../context/send-logged.ts';
import { MailFailure, type TemplateSource, type TemplateValues } from '../operations/ports.ts';
import { isoMoment } from '../rules/moments.ts';
import { TEMPLATE_KINDS } from '../rules/words.ts';
import type { BrokerRow } from '../store/brokers.ts';
import type { Reads } from '../store/store.ts';
import type { TemplateRow } from '../store/templates.ts';
import { invalid, refused, unknown } from './errors.ts';
import { mailbox, oneOf, read } from './fields.ts';
import { type ChangeParts, note, type OperatorParts, requireBroker } from './parts.ts';

const KIND = oneOf(TEMPLATE_KINDS);

/** The log's kind of a mail that an operator sent to see what it looks like. */
export const TEST_MAIL = 'template-test';

/**
 * Sets the broker's template of a kind, whether it had one or not. A template that could not be rendered, or that
 * names a value that no message has, is refused with every fault of its parts. Contract, section 6.
 */
export async function setTemplate(
  parts: ChangeParts & Pick<OperatorParts, 'templates'>,
  input: { broker: string; kind: string; active?: boolean | undefined } & TemplateSource,
): Promise<TemplateRecord> {
  const kind = read('kind', KIND, input.kind);
  const { subject, html, text } = input;
  const { store, clock, templates } = parts;
  const faults = await templates.check({ subject, html, text });
  if (faults.length > 0) throw invalid(...faults);
  return store.tx(async (tx) => {
    const broker = await requireBroker(tx, input.broker);
    const active = input.active ?? true;
    const row: TemplateRow = { brokerId: broker.id, kind, subject, html, text, active, updatedAt: clock.now() };
    const standing = await tx.templates.find(broker.id, kind);
    await tx.templates.upsert(row);
    await note(parts, tx, {
      action: 'template.set',
      brokerId: broker.id,
      subject: `template/${kind}`,
      before: standing ? auditedParts(standing) : undefined,
      after: auditedParts(row),
    });
    return templateRecord(broker, row);
  });
}

/** The broker's templates by kind, whether they are used or not. */
export async function listTemplates(
  { store }: Pick<OperatorParts, 'store'>,
  input: { broker: string },
): Promise<TemplateRecord[]> {
  const broker = await requireBroker(store.read, input.broker);
  return (await store.read.templates.list(broker.id)).map((row) => templateRecord(broker, row));
}

/** The template as a client of an example service would get it. */
export async function previewTemplate(
  { store, templates }: Pick<OperatorParts, 'store' | 'templates'>,
  input: { broker: string; kind: string },
): Promise<{ broker: string; kind: string } & TemplateSource> {
  const { broker, template } = await requireTemplate(store.read, input);
  return { broker: broker.slug, kind: template.kind, ...(await renderExample(templates, broker, template)) };
}

/** Mails that example to an address. It stands in the email log like every mail, as `template-test`. */
export async function sendTestTemplate(
  parts: OperatorParts,
  input: { broker: string; kind: string; to: string },
): Promise<SentTest> {
  const to = read('recipient', mailbox, input.to);
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
        audited: {
          actor: parts.actor,
          action: 'template.send_test',
          subject: `template/${template.kind}`,
          after: { recipient_email: to },
        },
      },
    );
    return { email_id: emailId, broker: broker.slug, kind: template.kind, to, message_id: receipt.messageId };
  } catch (error) {
    if (!(error instanceof MailFailure)) throw error;
    throw refused(`The mail was not sent (${error.reason}): ${error.message}`);
  }
}

/** What the trail keeps of a template: its bodies by their hash, which tells whether they changed. */
const auditedParts = ({ active, subject, html, text }: TemplateRow) => ({
  active,
  subject,
  content_sha256: createHash('sha256')
    .update(JSON.stringify([html, text]))
    .digest('hex'),
});

/** A template without its parts; the preview shows them. */
export type TemplateRecord = ReturnType<typeof templateRecord>;

const templateRecord = (broker: BrokerRow, row: TemplateRow) => ({
  broker: broker.slug,
  kind: row.kind,
  active: row.active,
  subject: row.subject,
  updated_date: isoMoment(row.updatedAt),
});

/** The mail that was sent so that somebody could look at it. */
export interface SentTest {
  email_id: string;
  broker: string;
  kind: string;
  to: string;
  message_id: string;
}

async function requireTemplate(reads: Pick<Reads, 'brokers' | 'templates'>, input: { broker: string; kind: string }) {
  const kind = read('kind', KIND, input.kind);
  const broker = await requireBroker(reads, input.broker);
  const template = await reads.templates.find(broker.id, kind);
  if (!template) throw unknown(`"${broker.slug}" has no template of the kind ${kind}`);
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
