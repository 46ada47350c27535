import { Type } from '@sinclair/typebox';
import { fold } from '../../rules/search-text.ts';
import type { BrokerRow } from '../../store/queries/brokers.ts';
import type { Tx } from '../../store/store.ts';
import { BROKER, type ChangeDeps, requireBroker } from '../use-case/dependencies.ts';
import { refused, refusedAt, unknown } from '../use-case/errors.ts';
import { brokerSlug, line, mailbox, named, nullable, rateLimit } from '../use-case/fields.ts';
import { isAlready, refuseStale, type Seen } from '../use-case/stale.ts';
import { type ChangeOutcome, useCase } from '../use-case/use-case.ts';
import { BROKER_WITH_RECIPIENTS, type BrokerRecord, brokerRecord, showBroker, withRecipients } from './views.ts';

const FIELDS = {
  name: line(200, { title: 'Name', description: 'Shown to clients in emails' }),
  contact_email: mailbox({
    title: 'Contact',
    option: 'contact',
    description: 'An email address, which receives its reports',
  }),
  sender_email: mailbox({
    title: 'Sender',
    option: 'sender',
    description: 'An email address, from which its emails to clients come',
  }),
};

/** Creates an active broker without keys, plans or firewall rules; one that is there with these values stays as it is. */
export const createBroker = useCase({
  name: 'brokers create',
  role: 'admin',
  action: 'broker.create',
  title: 'Add a broker',
  summary: 'Create a broker',
  description: 'Create a broker',
  example: 'brokers create --slug acme --name "Acme Hosting" --contact office@example.com --sender support@example.com',
  input: Type.Object({
    slug: brokerSlug({
      title: 'Slug',
      description: 'Short name: small letters, digits, “-” and “_”. It cannot be changed',
    }),
    ...FIELDS,
  }),
  path: 'POST /brokers',
  answer: BROKER_WITH_RECIPIENTS,
  done: ({ name }: BrokerRecord) => `${name} was added. It needs plans and a key next.`,
  async change(tx, { clock, newId }: ChangeDeps, input) {
    const now = clock.now();
    const given = {
      slug: input.slug,
      name: input.name,
      contactEmail: input.contact_email,
      senderEmail: input.sender_email,
    };
    const found = await tx.brokers.findBySlug(given.slug);
    if (found && isAlready(found, given)) return { record: await withRecipients(tx, found), isChanged: false };
    if (found) throw refusedAt({ field: 'slug', message: `there is a broker "${given.slug}" already` });
    const row: BrokerRow = {
      id: newId('brk', now),
      ...given,
      status: 'active',
      ipRestrictionEnabled: false,
      rateLimit: null,
      createdAt: now,
      updatedAt: now,
    };
    await tx.brokers.insert(row);
    const record = brokerRecord(row);
    return { record: { ...record, report_recipients: [] }, about: aboutBroker(row), after: record };
  },
});

/** Changes what is given. */
export const setBroker = useCase({
  name: 'brokers set',
  role: 'admin',
  action: 'broker.set',
  title: 'Edit',
  summary: 'Change a broker',
  description: "Change a broker's name, addresses or limit",
  example: 'brokers set acme --contact accounts@example.com',
  input: Type.Object({
    ...BROKER,
    ...Type.Partial(
      Type.Object({
        ...FIELDS,
        rate_limit: nullable(
          rateLimit({
            title: 'Calls a minute',
            description: 'Of all its live keys together; without it each key has its own limit alone',
          }),
        ),
      }),
    ).properties,
  }),
  on: ['broker'],
  argument: 'broker',
  edit: true,
  path: 'POST /brokers/:broker/update',
  answer: BROKER_WITH_RECIPIENTS,
  done: 'Saved.',
  change: (tx, deps: ChangeDeps, input, seen) =>
    change(
      tx,
      deps,
      input.broker,
      {
        ...(input.name !== undefined && { name: input.name }),
        ...(input.contact_email !== undefined && { contactEmail: input.contact_email }),
        ...(input.sender_email !== undefined && { senderEmail: input.sender_email }),
        ...(input.rate_limit !== undefined && { rateLimit: input.rate_limit }),
      },
      { seen },
    ),
});

/** From now on the broker's keys are refused as inactive. */
export const suspendBroker = useCase({
  name: 'brokers suspend',
  role: 'admin',
  action: 'broker.suspend',
  title: 'Suspend',
  summary: 'Suspend a broker',
  description: "Refuse the broker's keys from now on",
  example: 'brokers suspend acme --reason "unpaid since March"',
  input: Type.Object({
    ...BROKER,
    reason: Type.Optional(line(1000, { title: 'Reason', description: 'For the audit trail', inForm: true })),
  }),
  on: ['broker'],
  argument: 'broker',
  path: 'POST /brokers/:broker/suspend',
  answer: BROKER_WITH_RECIPIENTS,
  show: showBroker.run,
  confirm: ({ name, active_keys: keys }) =>
    `${name} is suspended: its ${keys} active ${keys === 1 ? 'key is' : 'keys are'} refused within a second, until it is resumed. Accepted requests are still completed, and nothing is deleted.`,
  done: ({ name }: BrokerRecord) => `${name} is suspended.`,
  change: (tx, deps: ChangeDeps, { broker, reason }) =>
    change(tx, deps, broker, { status: 'suspended' }, { note: { reason } }),
});

export const resumeBroker = useCase({
  name: 'brokers resume',
  role: 'admin',
  action: 'broker.resume',
  title: 'Resume',
  summary: 'Resume a broker',
  description: "Accept the broker's keys again",
  example: 'brokers resume acme',
  input: Type.Object(BROKER),
  on: ['broker'],
  argument: 'broker',
  path: 'POST /brokers/:broker/resume',
  answer: BROKER_WITH_RECIPIENTS,
  done: 'Resumed: its keys are accepted again.',
  change: (tx, deps: ChangeDeps, { broker }) => change(tx, deps, broker, { status: 'active' }),
});

/** Every record of the broker names all of them; a department's addresses are a handful. */
const MAX_RECIPIENTS = 50;

/** Puts an address on the list that the broker's reports may go to, in addition to its contact. */
export const addRecipient = useCase({
  name: 'brokers recipients add',
  role: 'admin',
  action: 'recipient.add',
  title: 'Add',
  summary: 'Add a recipient of reports',
  description: 'Allow reports to an address',
  example: 'brokers recipients add books@example.com --broker acme',
  input: Type.Object({ ...BROKER, email: mailbox({ title: 'Another address' }) }),
  on: ['broker'],
  argument: 'email',
  path: 'POST /brokers/:broker/recipients',
  answer: BROKER_WITH_RECIPIENTS,
  done: 'Reports can be sent to this address now.',
  async change(tx, { clock }: ChangeDeps, { broker: slug, email }) {
    await tx.brokers.lock(slug);
    const broker = await requireBroker(tx, slug);
    const listed = await tx.brokers.listRecipients(broker.id);
    const row = { brokerId: broker.id, email, emailFolded: fold(email), createdAt: clock.now() };
    const same = listed.find(({ emailFolded }) => emailFolded === row.emailFolded);
    if (same?.email === email) return { record: await withRecipients(tx, broker), isChanged: false };
    if (same) throw refused(`"${email}" is on the list already`);
    if (listed.length >= MAX_RECIPIENTS) {
      throw refused(`A broker can have ${MAX_RECIPIENTS} report recipients at most`);
    }
    await tx.brokers.addRecipient(row);
    return { record: await withRecipients(tx, broker), about: aboutBroker(broker), after: { email } };
  },
});

/** Takes an address off that list, whatever its case. */
export const removeRecipient = useCase({
  name: 'brokers recipients remove',
  role: 'admin',
  action: 'recipient.remove',
  title: 'Remove',
  summary: 'Remove a recipient of reports',
  description: 'Allow no more reports to an address',
  example: 'brokers recipients remove books@example.com --broker acme',
  input: Type.Object({ ...BROKER, email: named('email', 'The address, without case') }),
  on: ['broker', 'email'],
  argument: 'email',
  path: 'POST /brokers/:broker/recipients/remove',
  answer: BROKER_WITH_RECIPIENTS,
  done: 'Reports are no longer sent to this address.',
  async change(tx, _deps: ChangeDeps, { broker: slug, email }) {
    const broker = await requireBroker(tx, slug);
    if (!(await tx.brokers.removeRecipient(broker.id, fold(email)))) {
      throw unknown(`"${email}" is not on the list of "${broker.slug}"`);
    }
    return { record: await withRecipients(tx, broker), about: aboutBroker(broker), before: { email } };
  },
});

/** @param given `note`: what the row of the audit trail says beside the record */
async function change(
  tx: Tx,
  { clock }: ChangeDeps,
  slug: string,
  changes: Partial<BrokerRow>,
  given: { seen?: Seen | undefined; note?: object | undefined } = {},
): Promise<ChangeOutcome<BrokerRecord>> {
  await tx.brokers.lock(slug);
  const broker = await requireBroker(tx, slug);
  refuseStale(given.seen, brokerRecord(broker));
  // What changes nothing leaves the date of the last change too.
  if (isAlready(broker, changes)) return { record: await withRecipients(tx, broker), isChanged: false };
  const changed = { ...broker, ...changes, updatedAt: clock.now() };
  await tx.brokers.update(broker.id, { ...changes, updatedAt: changed.updatedAt });
  return {
    record: await withRecipients(tx, changed),
    about: aboutBroker(broker),
    before: brokerRecord(broker),
    after: { ...brokerRecord(changed), ...given.note },
  };
}

/** What the audit trail calls a broker. */
export const aboutBroker = ({ id, slug }: BrokerRow) => ({ brokerId: id, subject: `broker/${slug}` });
