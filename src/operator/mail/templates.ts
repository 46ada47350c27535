import { createHash } from 'node:crypto';
import { type Static, type TUnsafe, Type } from '@sinclair/typebox';
import { Id, ListOf, Nullable, OneOf, Shown, Timestamp, Whole } from '../../../schemas/atoms.ts';
import { TEMPLATE_KINDS } from '../../kinds/index.ts';
import { templateValues } from '../../lifecycle/template-values.ts';
import { sendLogged } from '../../mail/send-logged.ts';
import {
  checkTemplate,
  EXAMPLE_VALUES,
  renderTemplate,
  type TemplateSource,
  type TemplateValues,
  warningsOf,
} from '../../mail/templates.ts';
import { MailFailure } from '../../ports.ts';
import { keysOf } from '../../rules/keys.ts';
import { isoTimestamp } from '../../rules/timestamps.ts';
import type { BrokerRow } from '../../store/queries/brokers.ts';
import type { ListedService } from '../../store/queries/services.ts';
import type { TemplateRow, TemplateVersionRow } from '../../store/queries/templates.ts';
import type { Reads, Tx } from '../../store/store.ts';
import { pageBrokers } from '../brokers/views.ts';
import { BROKER, type ChangeDeps, type OperatorDeps, type ReadDeps, requireBroker } from '../use-case/dependencies.ts';
import { invalid, refused, unknown } from '../use-case/errors.ts';
import { flag, type Given, integer, line, mailbox, oneOf, read, serviceNumber, text } from '../use-case/fields.ts';
import type { PageInput } from '../use-case/pages.ts';
import { answerSchema } from '../use-case/record.ts';
import { refuseStale, type Seen } from '../use-case/stale.ts';
import { type ChangeOutcome, useCase } from '../use-case/use-case.ts';

export { TEMPLATE_KINDS, type TemplateSource };

/** The template that a use case acts on. */
const TEMPLATE = { ...BROKER, kind: oneOf(TEMPLATE_KINDS, { title: 'Kind' }) };
const ON_TEMPLATE = ['broker', 'kind'] as const;

const KIND = TEMPLATE.kind;

// Of a template that is stored, a text as its column is.
const KIND_SHOWN: TUnsafe<string> = OneOf(TEMPLATE_KINDS, { description: 'Which email it makes' });
const SLUG = Shown(64, 'The broker’s slug', { examples: ['acme'] });
const WARNINGS = ListOf(Shown(1_000), { description: 'What is allowed and yet looks wrong', examples: [[]] });

/** The longest part of a template: what a form of the console takes. */
const MAX_PART = 500_000;

const PARTS = {
  subject: Shown(MAX_PART, 'The subject', { examples: ['Service {{ service_number }}'] }),
  html: Shown(MAX_PART, 'The HTML part', { examples: ['<p>{{ client_name }}</p>'] }),
  text: Shown(MAX_PART, 'The text part', { examples: ['{{ client_name }}'] }),
};

/** A template without its parts. */
const TEMPLATE_RECORD = answerSchema('Template', {
  broker: SLUG,
  kind: KIND_SHOWN,
  active: Type.Boolean({ description: 'Whether it is used' }),
  subject: PARTS.subject,
  updated_date: Timestamp('When it was last set.'),
  warnings: WARNINGS,
});

const VERSION = answerSchema('TemplateVersion', {
  version: Whole(1, Number.MAX_SAFE_INTEGER, 'Counts from 1'),
  subject: PARTS.subject,
  actor: Nullable(Shown(300, 'Who set it; null where that is not known')),
  created_date: Timestamp('When it was set.'),
});

/** A template with its parts. */
const TEMPLATE_DETAIL = answerSchema('TemplateDetail', {
  broker: SLUG,
  kind: KIND_SHOWN,
  active: Nullable(Type.Boolean({ description: 'Whether it is used; null: there is none of this kind' })),
  newest_version: Nullable(Whole(1, Number.MAX_SAFE_INTEGER, 'The newest version, whichever is shown')),
  updated_date: Nullable(Timestamp('When it was last set.')),
  source: Nullable(Type.Object(PARTS, { description: 'Its parts; null where there is none of this kind' })),
});

const SOURCE = {
  subject: line(MAX_PART, { title: 'Subject', description: 'The subject' }),
  html: text(MAX_PART, { title: 'HTML', description: 'The HTML part' }),
  text: text(MAX_PART, { title: 'Text', description: 'The text part' }),
};

/**
 * Sets the broker's template of a kind, whether it had one or not. A template that could not be rendered, or that
 * names a value that no message has, is refused with every fault of its parts. A caller compares nothing, or the newest
 * version and whether it is used. Contract, section 6.
 */
export const setTemplateParts = useCase({
  name: 'templates set',
  role: 'admin',
  action: 'template.set',
  title: 'Set a template',
  summary: 'Change a template',
  description: 'Set a template, whether there was one or not',
  example: 'templates set --broker acme --kind cancellation-warning --subject S --html w.html --text w.txt',
  input: Type.Object({
    ...TEMPLATE,
    ...SOURCE,
    active: flag({ title: 'Used', negative: 'inactive', description: 'Whether it is used', default: true }),
  }),
  on: ON_TEMPLATE,
  compares: ['newest_version', 'active'],
  path: 'POST /brokers/:broker/templates/:kind/update',
  answer: TEMPLATE_RECORD,
  done: 'Saved.',
  async change(tx, deps: ChangeDeps, input, seen) {
    requireUsable(input);
    const broker = await requireBroker(tx, input.broker);
    await tx.templates.lock(broker.id, input.kind);
    const previous = await tx.templates.find(broker.id, input.kind);
    return replaceTemplate(tx, deps, { broker, previous }, input, seen);
  },
});

export const showTemplateParts = useCase({
  name: 'templates show',
  title: 'Template',
  summary: 'Read a template',
  description: 'Show a template with its parts, as it is or as it was in an earlier version',
  example: 'templates show --broker acme --kind cancellation-warning',
  input: Type.Object({
    ...TEMPLATE,
    version: Type.Optional(
      integer(1, Number.MAX_SAFE_INTEGER, {
        title: 'Version',
        description: 'As templates versions shows them',
        inJson: 'As the list of versions has them',
      }),
    ),
  }),
  on: ON_TEMPLATE,
  path: 'GET /brokers/:broker/templates/:kind',
  answer: TEMPLATE_DETAIL,
  async run(deps: ReadDeps, input) {
    const { broker, kind, active, newest_version, updated_date, source } = await showTemplate(deps, input);
    return { broker: broker.slug, kind, active, newest_version, updated_date, source };
  },
});

export const previewTemplateParts = useCase({
  name: 'templates preview',
  title: 'Preview',
  summary: 'Preview a template',
  description: 'Show a template with example values, or those of a service; or parts that are not saved',
  example: 'templates preview --broker acme --kind cancellation-warning',
  input: Type.Object({
    ...TEMPLATE,
    service_number: Type.Optional(
      serviceNumber({ title: 'Service', option: 'service', description: 'One of the broker’s services' }),
    ),
    ...Type.Partial(Type.Object(SOURCE)).properties,
  }),
  on: ON_TEMPLATE,
  path: 'POST /brokers/:broker/templates/:kind/preview',
  answer: answerSchema('TemplatePreview', {
    broker: SLUG,
    kind: KIND_SHOWN,
    service_number: Nullable(Whole(1, Number.MAX_SAFE_INTEGER, 'Whose values these are; null: example values')),
    ...PARTS,
    warnings: WARNINGS,
  }),
  run(deps: ReadDeps, { subject, html, text, service_number: service, ...which }) {
    if (subject === undefined && html === undefined && text === undefined)
      return previewTemplate(deps, { ...which, service });
    if (subject === undefined || html === undefined || text === undefined) {
      throw invalid({ field: 'subject', message: 'give all of subject, html and text, or none of them' });
    }
    return previewTemplate(deps, { ...which, service, source: { subject, html, text } });
  },
});

/** The kind, in the email log, of a test mail that an operator sent. */
export const TEST_MAIL = 'template-test';

/** Writes a template whose lock is held, and keeps it as the newest version. */
async function replaceTemplate(
  tx: Tx,
  { clock, actor }: ChangeDeps,
  { broker, previous }: { broker: BrokerRow; previous: TemplateRow | null },
  { kind, subject, html, text, active }: TemplateSource & Pick<TemplateRow, 'kind' | 'active'>,
  seen: Seen | undefined,
): Promise<ChangeOutcome<TemplateRecord>> {
  const row: TemplateRow = { brokerId: broker.id, kind, subject, html, text, active, updatedAt: clock.now() };
  const newest = await tx.templates.findVersion(broker.id, kind);
  refuseStale(seen, { newest_version: newest?.version ?? null, active: previous?.active ?? null });
  await tx.templates.upsert(row);
  const { before, version } = await keepVersion(tx, newest, row, actor.name);
  return {
    record: templateRecord(broker, row),
    about: { brokerId: broker.id, subject: `template/${kind}` },
    before: previous ? { ...auditedParts(previous), version: before } : undefined,
    after: { ...auditedParts(row), version },
  };
}

/** The same for parts that a person wrote: what is blank is refused together with every other fault of the parts. */
export async function setTemplate(
  parts: ChangeDeps,
  {
    seen,
    active = true,
    ...input
  }: { broker: string; kind: string; active?: boolean | undefined; seen?: Seen | undefined } & TemplateSource,
): Promise<TemplateRecord> {
  read('kind', KIND, input.kind);
  requireUsable(input);
  return setTemplateParts.run(parts, { ...input, active }, seen);
}

/** Throws with every fault of the template, each at its part. */
function requireUsable(template: TemplateSource): void {
  const faults = checkTemplate(template);
  if (faults.length > 0) throw invalid(...faults);
}

/** Of each template so many versions are kept, the newest among them: years of changes. */
export const VERSIONS_KEPT = 50;

/** Keeps what a template consists of now, unless nothing of it changed; returns its version, and the one before. */
async function keepVersion(
  tx: Tx,
  newest: TemplateVersionRow | null,
  { brokerId, kind, subject, html, text, updatedAt }: TemplateRow,
  actor: string,
): Promise<{ before: number | null; version: number }> {
  if (newest && newest.subject === subject && newest.html === html && newest.text === text) {
    return { before: newest.version, version: newest.version };
  }
  const version = (newest?.version ?? 0) + 1;
  const row: TemplateVersionRow = { brokerId, kind, version, subject, html, text, actor, createdAt: updatedAt };
  await tx.templates.insertVersion(row, VERSIONS_KEPT);
  return { before: newest?.version ?? null, version };
}

/** Sets a template to what it was in an earlier version, which becomes the newest. */
export const restoreTemplate = useCase({
  name: 'templates restore',
  role: 'admin',
  action: 'template.set',
  title: 'Restore',
  summary: 'Go back to a version of a template',
  description: 'Set a template to what it was in an earlier version',
  example: 'templates restore --broker acme --kind cancellation-warning --version 3',
  input: Type.Object({
    ...TEMPLATE,
    version: integer(1, Number.MAX_SAFE_INTEGER, {
      title: 'Version',
      description: 'As templates versions shows them',
      inJson: 'As the list of versions has them',
    }),
  }),
  on: ON_TEMPLATE,
  compares: ['newest_version'],
  path: 'POST /brokers/:broker/templates/:kind/restore',
  answer: TEMPLATE_RECORD,
  done: 'Restored, as the newest version.',
  async change(tx, deps: ChangeDeps, { version, ...which }, seen) {
    const { broker } = await requireTemplate(tx, which);
    await tx.templates.lock(broker.id, which.kind);
    const { template } = await requireTemplate(tx, which);
    const { subject, html, text } = await requireVersion(tx, template, version);
    requireUsable({ subject, html, text });
    return replaceTemplate(tx, deps, { broker, previous: template }, { ...template, subject, html, text }, seen);
  },
});

/** What a template was, newest first, without its parts. */
export const listTemplateVersions = useCase({
  name: 'templates versions',
  title: 'Versions',
  summary: 'List the versions of a template',
  description: 'List what a template was, newest first',
  example: 'templates versions --broker acme --kind cancellation-warning',
  input: Type.Object(TEMPLATE),
  path: 'GET /brokers/:broker/templates/:kind/versions',
  answer: VERSION,
  columns: ['version', 'created_date', 'actor', 'subject'],
  async run({ store }: ReadDeps, which) {
    const { template } = await requireTemplate(store.read, which);
    return (await store.read.templates.listVersions(template.brokerId, template.kind)).map(versionRecord);
  },
});

async function requireVersion(
  reads: Pick<Reads, 'templates'>,
  { brokerId, kind }: Pick<TemplateRow, 'brokerId' | 'kind'>,
  version: number,
) {
  const row = await reads.templates.findVersion(brokerId, kind, version);
  if (!row) throw unknown(`There is no version ${version} of this template; the last ${VERSIONS_KEPT} are kept`);
  return row;
}

const versionRecord = (row: Omit<TemplateVersionRow, 'html' | 'text'>) => ({
  version: row.version,
  subject: row.subject,
  /** Who set it, as in the audit trail; null where that is not known. */
  actor: row.actor,
  created_date: isoTimestamp(row.createdAt),
});

/** Brokers page by page, with the kinds of templates that each has and their states. */
export async function pageTemplates(parts: ReadDeps, input: PageInput & { search?: string | undefined }) {
  const { items, pagination } = await pageBrokers(parts, { ...input, order: 'name' });
  const rows = await parts.store.read.templates.listOf(items.map(({ broker_id }) => broker_id));
  const own = (brokerId: string) => rows.filter((row) => row.brokerId === brokerId);
  return {
    items: items.map(({ broker_id, slug, name }) => ({
      slug,
      name,
      templates: own(broker_id).map((row) => ({ kind: row.kind, state: row.active ? 'active' : 'inactive' })),
    })),
    pagination,
  };
}

/**
 * A template for its editor: its parts, in its present version or an earlier one; null parts where the broker has
 * none of this kind.
 */
export async function showTemplate(
  { store }: ReadDeps,
  input: { broker: string; kind: string; version?: Given<number> | undefined },
) {
  const kind = read('kind', KIND, input.kind);
  const version =
    input.version === undefined ? undefined : read('version', restoreTemplate.input.properties.version, input.version);
  const { slug, name, ...broker } = await requireBroker(store.read, input.broker);
  const template = await store.read.templates.find(broker.id, kind);
  const versions = await store.read.templates.listVersions(broker.id, kind);
  const chosen =
    version === undefined ? template : await requireVersion(store.read, { brokerId: broker.id, kind }, version);
  return {
    broker: { slug, name },
    kind,
    /** Whichever is shown. */
    newest_version: versions[0]?.version ?? null,
    active: template?.active ?? null,
    state: template && (template.active ? 'active' : 'inactive'),
    updated_date: template && isoTimestamp(template.updatedAt),
    source: chosen && { subject: chosen.subject, html: chosen.html, text: chosen.text },
    versions: versions.map(versionRecord),
  };
}

/** The broker's templates by kind, whether they are used or not. */
export const listTemplates = useCase({
  name: 'templates list',
  title: 'Templates',
  summary: 'List the templates of a broker',
  description: "List a broker's templates",
  example: 'templates list --broker acme',
  input: Type.Object(BROKER),
  path: 'GET /brokers/:broker/templates',
  answer: TEMPLATE_RECORD,
  columns: ['kind', 'active', 'subject', 'updated_date'],
  async run({ store }: ReadDeps, { broker: slug }): Promise<TemplateRecord[]> {
    const broker = await requireBroker(store.read, slug);
    return (await store.read.templates.list(broker.id)).map((row) => templateRecord(broker, row));
  },
});

/**
 * A template as a client would get it: of an example service unless one is named, or `newest` for the broker's own. With
 * `source`, what is being written in place of the stored template; its faults are thrown like those of `setTemplate`.
 */
export async function previewTemplate(
  parts: ReadDeps,
  input: {
    broker: string;
    kind: string;
    service?: Given<number> | 'newest' | undefined;
    source?: TemplateSource | undefined;
  },
) {
  const { broker, kind, template } = await requireSource(parts.store.read, input);
  requireUsable(template);
  const { number, values } = await valuesFor(parts, broker, kind, input.service);
  const mail = renderTemplate(template, values);
  return { broker: broker.slug, kind, service_number: number, ...mail, warnings: warningsOf(template) };
}

/** The kinds of which no email of this broker is sent, for it has no active template; none where there is no such broker. */
export async function listUnsentKinds({ store }: Pick<ReadDeps, 'store'>, slug: string): Promise<readonly string[]> {
  const broker = await store.read.brokers.findBySlug(slug);
  if (!broker) return [];
  const active = (await store.read.templates.list(broker.id)).filter((row) => row.active).map(({ kind }) => kind);
  return TEMPLATE_KINDS.filter((kind) => !active.includes(kind));
}

const SENT_TEST = answerSchema('TestMail', {
  email_id: Id('eml', 'Its entry in the email log'),
  broker: SLUG,
  kind: KIND_SHOWN,
  to: Shown(254, 'Who gets it'),
  message_id: Shown(1_000, 'The provider’s id of it'),
  outbox: Nullable(Shown(4_096, 'The folder that it lies in, where there is no provider'), { examples: [null] }),
});

const TEST_INPUT = Type.Object({
  ...TEMPLATE,
  to: mailbox({ title: 'To', description: 'Who gets it' }),
  service_number: Type.Optional(
    serviceNumber({ title: 'Service', option: 'service', description: 'One of the broker’s services' }),
  ),
});

/** Mails that preview to an address. The email log has it as `template-test`. */
export const sendTestTemplate = useCase({
  name: 'templates send-test',
  role: 'support',
  audits: ['template.send_test'],
  title: 'Send a test',
  summary: 'Mail a template as a test',
  description: 'Mail a template with example values, or those of a service',
  example: 'templates send-test --broker acme --kind cancellation-warning --to me@example.com',
  input: TEST_INPUT,
  on: ON_TEMPLATE,
  path: 'POST /brokers/:broker/templates/:kind/test',
  answer: SENT_TEST,
  done: ({ to, outbox }: Static<typeof SENT_TEST>) =>
    outbox === null
      ? `A test was sent to ${to}; it is listed among the emails.`
      : `No mail provider is set, so nothing reaches ${to}: the test is a file in ${outbox}.`,
  async run(
    deps: OperatorDeps,
    { to, service_number, ...which }: Static<typeof TEST_INPUT>,
  ): Promise<Static<typeof SENT_TEST>> {
    const { broker, template } = await requireTemplate(deps.store.read, which);
    const { values } = await valuesFor(deps, broker, template.kind, service_number);
    requireUsable(template);
    const mail = renderTemplate(template, values);
    try {
      const { emailId, receipt } = await sendLogged(
        { ...deps, log: { warn() {}, error() {} } },
        {
          brokerId: broker.id,
          kind: TEST_MAIL,
          serviceNumber: null,
          requestId: null,
          from: broker.senderEmail,
          fromName: broker.name,
          to,
          ...mail,
          audited: {
            actor: deps.actor,
            action: 'template.send_test',
            subject: `template/${template.kind}`,
            after: { recipient_email: to },
          },
        },
      );
      const { messageId: message_id } = receipt;
      const { outbox = null } = deps.mailer;
      return { email_id: emailId, broker: broker.slug, kind: template.kind, to, message_id, outbox };
    } catch (error) {
      if (!(error instanceof MailFailure)) throw error;
      throw refused(`The mail was not sent (${error.reason}): ${error.message}`);
    }
  },
});

/** What the audit trail keeps of a template: the hash of its bodies shows whether they changed. */
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
  updated_date: isoTimestamp(row.updatedAt),
  warnings: warningsOf(row),
});

async function requireTemplate(reads: Pick<Reads, 'brokers' | 'templates'>, input: { broker: string; kind: string }) {
  const kind = read('kind', KIND, input.kind);
  const broker = await requireBroker(reads, input.broker);
  const template = await reads.templates.find(broker.id, kind);
  if (!template) throw unknown(`"${broker.slug}" has no template of the kind ${kind}`);
  return { broker, template };
}

/** What is shown: the given source, or the stored template. */
async function requireSource(
  reads: Pick<Reads, 'brokers' | 'templates'>,
  input: { broker: string; kind: string; source?: TemplateSource | undefined },
): Promise<{ broker: BrokerRow; kind: string; template: TemplateSource }> {
  if (!input.source) {
    const { broker, template } = await requireTemplate(reads, input);
    return { broker, kind: template.kind, template };
  }
  const kind = read('kind', KIND, input.kind);
  return { broker: await requireBroker(reads, input.broker), kind, template: input.source };
}

/** The values of one of the broker's services, or of the example. */
async function valuesFor(
  { store }: ReadDeps,
  broker: BrokerRow,
  kind: string,
  service: Given<number> | 'newest' | undefined,
): Promise<{ number: number | null; values: TemplateValues }> {
  const view = service === undefined ? null : await viewOf(store.read, broker, service);
  if (!view) return { number: null, values: { ...EXAMPLE_VALUES, broker_name: broker.name } };
  const warningReason = kind === 'cancellation-warning' ? EXAMPLE_VALUES.warning_reason : '';
  const values = templateValues(view, { broker, warningReason });
  return { number: view.service.number, values: { ...values, client_email: view.service.clientEmail ?? '' } };
}

/** Null where the broker has no newest service, for it has none. */
async function viewOf(reads: Reads, broker: BrokerRow, service: Given<number>): Promise<ListedService | null> {
  if (service === 'newest') return (await reads.services.page(broker.id, {}, { limit: 1, offset: 0 }))[0] ?? null;
  const number = read('service_number', serviceNumber(), service);
  const view = await reads.services.findView(broker.id, number);
  if (!view) throw unknown(`"${broker.slug}" has no service ${number}`);
  return view;
}

/** What a template may name, in the order of the contract's section 6. */
export const TEMPLATE_VALUES = keysOf(EXAMPLE_VALUES);

/** What a client would get; the service's number is null for the example. */
export type TemplatePreview = Awaited<ReturnType<typeof previewTemplate>>;
export type TemplatePage = Awaited<ReturnType<typeof pageTemplates>>;
export type TemplateDetail = Awaited<ReturnType<typeof showTemplate>>;
