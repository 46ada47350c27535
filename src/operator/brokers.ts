import { fold } from '../rules/search-text.ts';
import { isoTimestamp } from '../rules/timestamps.ts';
import type { BrokerRow } from '../store/brokers.ts';
import { isUniqueViolation } from '../store/session.ts';
import type { Reads } from '../store/store.ts';
import { type ChangeDeps, note, type ReadDeps, requireBroker } from './dependencies.ts';
import { nothingToChange, refused, unknown } from './errors.ts';
import { brokerSlug, type Given, line, mailbox, read, readRateLimit } from './fields.ts';
import { refuseStale, type Seen } from './stale.ts';

const NAME = line(200);

/** Creates an active broker without keys, plans or firewall rules. */
export async function createBroker(
  parts: ChangeDeps,
  input: { slug: string; name: string; contact: string; sender: string },
): Promise<BrokerRecord> {
  const { store, clock, newId } = parts;
  const now = clock.now();
  const row: BrokerRow = {
    id: newId('brk', now),
    slug: read('slug', brokerSlug, input.slug),
    name: read('name', NAME, input.name),
    status: 'active',
    contactEmail: read('contact_email', mailbox, input.contact),
    senderEmail: read('sender_email', mailbox, input.sender),
    ipRestrictionEnabled: false,
    rateLimit: null,
    createdAt: now,
    updatedAt: now,
  };
  try {
    await store.tx(async (tx) => {
      await tx.brokers.insert(row);
      await note(parts, tx, { action: 'broker.create', ...about(row), after: brokerRecord(row) });
    });
  } catch (error) {
    throw isUniqueViolation(error) ? refused(`There is a broker "${row.slug}" already`) : error;
  }
  return { ...brokerRecord(row), report_recipients: [] };
}

/** All brokers by slug, each with its verified list. */
export async function listBrokers({ store }: ReadDeps): Promise<BrokerRecord[]> {
  const brokers = await store.read.brokers.list();
  return Promise.all(brokers.map((broker) => withRecipients(store.read, broker)));
}

/** Changes what is given; a rate limit is one of all live keys together, null for none. */
export async function setBroker(
  parts: ChangeDeps,
  input: {
    broker: string;
    name?: string | undefined;
    contact?: string | undefined;
    sender?: string | undefined;
    rateLimit?: Given<number> | null | undefined;
    seen?: Seen | undefined;
  },
): Promise<BrokerRecord> {
  const changes: Partial<BrokerRow> = {
    ...(input.name !== undefined && { name: read('name', NAME, input.name) }),
    ...(input.contact !== undefined && { contactEmail: read('contact_email', mailbox, input.contact) }),
    ...(input.sender !== undefined && { senderEmail: read('sender_email', mailbox, input.sender) }),
    ...(input.rateLimit !== undefined && { rateLimit: readRateLimit(input.rateLimit) }),
  };
  if (Object.keys(changes).length === 0) throw nothingToChange('name', 'contact_email', 'sender_email', 'rate_limit');
  return change(parts, 'broker.set', input.broker, changes, input.seen);
}

/** From now on the broker's keys are refused as inactive. */
export const suspendBroker = (parts: ChangeDeps, input: { broker: string }) =>
  change(parts, 'broker.suspend', input.broker, { status: 'suspended' });

export const resumeBroker = (parts: ChangeDeps, input: { broker: string }) =>
  change(parts, 'broker.resume', input.broker, { status: 'active' });

/** Puts an address on the list that the broker's reports may go to, in addition to its contact. */
export async function addRecipient(parts: ChangeDeps, input: { broker: string; email: string }): Promise<BrokerRecord> {
  const email = read('email', mailbox, input.email);
  return parts.store.tx(async (tx) => {
    const broker = await requireBroker(tx, input.broker);
    const row = { brokerId: broker.id, email, emailFolded: fold(email), createdAt: parts.clock.now() };
    if (!(await tx.brokers.addRecipient(row))) throw refused(`"${email}" is on the list already`);
    await note(parts, tx, { action: 'recipient.add', ...about(broker), after: { email } });
    return withRecipients(tx, broker);
  });
}

/** Takes an address off that list, whatever its case. */
export async function removeRecipient(parts: ChangeDeps, input: { broker: string; email: string }) {
  return parts.store.tx(async (tx) => {
    const broker = await requireBroker(tx, input.broker);
    const removed = await tx.brokers.removeRecipient(broker.id, fold(input.email.trim()));
    if (!removed) throw unknown(`"${input.email}" is not on the list of "${broker.slug}"`);
    await note(parts, tx, { action: 'recipient.remove', ...about(broker), before: { email: input.email.trim() } });
    return withRecipients(tx, broker);
  });
}

async function change(parts: ChangeDeps, action: string, slug: string, changes: Partial<BrokerRow>, seen?: Seen) {
  return parts.store.tx(async (tx) => {
    await tx.brokers.lock(slug);
    const broker = await requireBroker(tx, slug);
    refuseStale(seen, brokerRecord(broker));
    const changed = { ...changes, updatedAt: parts.clock.now() };
    await tx.brokers.update(broker.id, changed);
    const [before, after] = [brokerRecord(broker), brokerRecord({ ...broker, ...changed })];
    await note(parts, tx, { action, ...about(broker), before, after });
    return withRecipients(tx, { ...broker, ...changed });
  });
}

/** What the audit trail calls a broker. */
export const about = ({ id, slug }: BrokerRow) => ({ brokerId: id, subject: `broker/${slug}` });

async function withRecipients(reads: Pick<Reads, 'brokers'>, broker: BrokerRow): Promise<BrokerRecord> {
  const recipients = await reads.brokers.listRecipients(broker.id);
  return { ...brokerRecord(broker), report_recipients: recipients.map(({ email }) => email) };
}

/** A broker as operators see it, with its verified list. */
export type BrokerRecord = ReturnType<typeof brokerRecord> & { report_recipients: string[] };

export const brokerRecord = (row: BrokerRow) => ({
  broker_id: row.id,
  slug: row.slug,
  name: row.name,
  broker_status: row.status,
  contact_email: row.contactEmail,
  sender_email: row.senderEmail,
  ip_restriction_enabled: row.ipRestrictionEnabled,
  /** Of all its live keys together; null where each key has its own alone. */
  rate_limit: row.rateLimit,
  created_date: isoTimestamp(row.createdAt),
  updated_date: isoTimestamp(row.updatedAt),
});
