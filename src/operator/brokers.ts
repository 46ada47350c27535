import { isoMoment } from '../rules/moments.ts';
import { fold } from '../rules/search-text.ts';
import type { BrokerRow } from '../store/brokers.ts';
import { isUniqueViolation } from '../store/session.ts';
import { OperatorError } from './errors.ts';
import { brokerSlug, line, mailbox, read } from './fields.ts';
import { type OperatorParts, requireBroker } from './parts.ts';

const NAME = line(200);

/** Creates an active broker without keys, plans or firewall rules. */
export async function createBroker(
  { store, clock, newId }: Pick<OperatorParts, 'store' | 'clock' | 'newId'>,
  input: { slug: string; name: string; contact: string; sender: string },
) {
  const now = clock.now();
  const row: BrokerRow = {
    id: newId('brk', now),
    slug: read('slug', brokerSlug, input.slug),
    name: read('name', NAME, input.name),
    status: 'active',
    contactEmail: read('contact', mailbox, input.contact),
    senderEmail: read('sender', mailbox, input.sender),
    ipRestrictionEnabled: false,
    createdAt: now,
    updatedAt: now,
  };
  try {
    await store.tx((tx) => tx.brokers.insert(row));
  } catch (error) {
    throw isUniqueViolation(error) ? new OperatorError(`There is a broker "${row.slug}" already`) : error;
  }
  return { ...brokerRecord(row), report_recipients: [] as string[] };
}

/** All brokers by slug, each with its verified list. */
export async function listBrokers({ store }: Pick<OperatorParts, 'store'>) {
  const brokers = await store.read.brokers.list();
  return Promise.all(brokers.map((broker) => withRecipients(store.read, broker)));
}

/** Changes what is given: the name, the contact address, the sender address. */
export async function setBroker(
  { store, clock }: Pick<OperatorParts, 'store' | 'clock'>,
  input: { broker: string; name?: string | undefined; contact?: string | undefined; sender?: string | undefined },
) {
  const changes: Partial<BrokerRow> = {
    ...(input.name !== undefined && { name: read('name', NAME, input.name) }),
    ...(input.contact !== undefined && { contactEmail: read('contact', mailbox, input.contact) }),
    ...(input.sender !== undefined && { senderEmail: read('sender', mailbox, input.sender) }),
  };
  if (Object.keys(changes).length === 0) throw new OperatorError('Nothing to change: give a name, contact or sender');
  return change({ store, clock }, input.broker, changes);
}

/** From now on the broker's keys are refused as inactive. */
export const suspendBroker = (parts: Pick<OperatorParts, 'store' | 'clock'>, input: { broker: string }) =>
  change(parts, input.broker, { status: 'suspended' });

export const resumeBroker = (parts: Pick<OperatorParts, 'store' | 'clock'>, input: { broker: string }) =>
  change(parts, input.broker, { status: 'active' });

/** Puts an address on the list that the broker's reports may go to, beside its contact. */
export async function addRecipient(
  { store, clock }: Pick<OperatorParts, 'store' | 'clock'>,
  input: { broker: string; email: string },
) {
  const email = read('email', mailbox, input.email);
  return store.tx(async (tx) => {
    const broker = await requireBroker(tx, input.broker);
    const row = { brokerId: broker.id, email, emailFolded: fold(email), createdAt: clock.now() };
    if (!(await tx.brokers.addRecipient(row))) throw new OperatorError(`"${email}" is on the list already`);
    return withRecipients(tx, broker);
  });
}

/** Takes an address off that list, whatever its case. */
export async function removeRecipient(
  { store }: Pick<OperatorParts, 'store'>,
  input: { broker: string; email: string },
) {
  return store.tx(async (tx) => {
    const broker = await requireBroker(tx, input.broker);
    const removed = await tx.brokers.removeRecipient(broker.id, fold(input.email.trim()));
    if (!removed) throw new OperatorError(`"${input.email}" is not on the list of "${broker.slug}"`);
    return withRecipients(tx, broker);
  });
}

async function change(
  { store, clock }: Pick<OperatorParts, 'store' | 'clock'>,
  slug: string,
  changes: Partial<BrokerRow>,
) {
  return store.tx(async (tx) => {
    const broker = await requireBroker(tx, slug);
    const changed = { ...changes, updatedAt: clock.now() };
    await tx.brokers.update(broker.id, changed);
    return withRecipients(tx, { ...broker, ...changed });
  });
}

async function withRecipients(reads: Pick<OperatorParts['store']['read'], 'brokers'>, broker: BrokerRow) {
  const recipients = await reads.brokers.listRecipients(broker.id);
  return { ...brokerRecord(broker), report_recipients: recipients.map(({ email }) => email) };
}

const brokerRecord = (row: BrokerRow) => ({
  broker_id: row.id,
  slug: row.slug,
  name: row.name,
  broker_status: row.status,
  contact_email: row.contactEmail,
  sender_email: row.senderEmail,
  ip_restriction_enabled: row.ipRestrictionEnabled,
  created_date: isoMoment(row.createdAt),
  updated_date: isoMoment(row.updatedAt),
});
