import { importConsumption } from '../operator/billing/consumption.ts';
import { importInvoices } from '../operator/billing/invoices.ts';
import { addRecipient, createBroker } from '../operator/brokers/brokers.ts';
import { setTemplate } from '../operator/mail/templates.ts';
import { addOperator, removeOperator } from '../operator/people/operators.ts';
import { importPlans } from '../operator/plans/plans.ts';
import { importServices } from '../operator/services/import.ts';
import { type ChangeDeps, type OperatorDeps, recordChange } from '../operator/use-case/dependencies.ts';
import { refused } from '../operator/use-case/errors.ts';
import { DAY_MS } from '../rules/durations.ts';
import { hashKey } from '../rules/key-format.ts';
import { createIds } from '../runtime/ids.ts';
import type { BrokerRow } from '../store/queries/brokers.ts';
import type { KeyRow } from '../store/queries/keys.ts';
import type { Reads, Store, Tx } from '../store/store.ts';
import { asOf, makeDemoChanges } from './changes.ts';
import { type DemoBroker, readBrokers, readDemoImport, readOffers, readTemplates } from './data.ts';
import { makeDemoDay } from './day.ts';
import { DEMO_KEYS, DEMO_OPERATOR, DEMO_PUBLIC_IDS, type DemoKeyName, demoKeyParts } from './keys.ts';
import { makeDemoRequests } from './requests.ts';

export { DEMO_KEYS, DEMO_OPERATOR, hasActiveDemoKey } from './keys.ts';

type DemoParts = Pick<OperatorDeps, 'store' | 'clock' | 'newId' | 'actor'>;

/** Older than the oldest service, and than the oldest call. */
const BROKERS_AGO = 1_600 * DAY_MS;
const KEYS_AGO = 90 * DAY_MS;

/** Far more records than the demo has of one kind. */
const AT_ONCE = 10_000;

const BY_OPERATOR = { kind: 'operator', name: DEMO_OPERATOR.email, clientIp: '127.0.0.1' } as const;

/**
 * Adds the demo data in one transaction: two brokers with sample records, and `DEMO_KEYS`. Changes nothing where they
 * exist already. Contract, section 10.
 */
export async function createDemo(parts: DemoParts) {
  return parts.store.tx(async (tx) => {
    if ((await demoBrokers(tx)).length > 0) return { created: false, brokers: await demoBrokers(tx), keys: DEMO_KEYS };
    const inside: DemoParts = {
      ...parts,
      store: within(parts.store, { ...tx, audit: withoutAudit(tx) }),
    };
    const now = parts.clock.now();

    const brokers = readBrokers();
    // Said in whole sentences: the command has no fields.
    for (const { slug } of [brokers.demo, brokers.other]) {
      if (await tx.brokers.findBySlug(slug)) throw refused(`There is a broker "${slug}" already`);
    }
    const first = asOf({ ...inside, newId: idsOf }, now - BROKERS_AGO);
    const demo = await createBroker.run(first, brokers.demo);
    for (const email of brokers.demo.recipients) await addRecipient.run(inside, { broker: demo.slug, email });
    await importRecords(inside, first, tx, brokers.demo);
    for (const [kind, template] of readTemplates(brokers.demo)) {
      await setTemplate(first, { broker: demo.slug, kind, ...template });
    }
    await makeDemoRequests(tx, idsOf, demo.broker_id, now);
    await addKey(inside, tx, demo.broker_id, 'live', ['admin:full']);
    await addKey(inside, tx, demo.broker_id, 'test', ['admin:full']);
    await addKey(inside, tx, demo.broker_id, 'testNoScopes', []);
    await addKey(inside, tx, demo.broker_id, 'testExpired', ['admin:full'], 'expired', { expiresAt: now - DAY_MS });
    await addKey(inside, tx, demo.broker_id, 'testRevoked', ['admin:full'], 'revoked', { status: 'revoked' });

    const other = await createBroker.run(first, brokers.other);
    await importRecords(inside, first, tx, brokers.other);
    await addKey(inside, tx, other.broker_id, 'otherLive', ['admin:full'], undefined, { rateLimit: 20 });
    if (!(await tx.operators.findByEmail(DEMO_OPERATOR.email))) await addOperator.run(inside, DEMO_OPERATOR);
    await makeDemoChanges({ ...inside, store: within(parts.store, tx), newId: idsOf, actor: BY_OPERATOR }, now);
    await makeDemoDay(
      { ...inside, store: within(parts.store, tx), newId: idsOf, actor: BY_OPERATOR },
      tx,
      { demo: demo.broker_id, other: other.broker_id },
      now,
    );
    for (const { broker_id, slug } of [demo, other]) {
      await recordChange(parts, tx, { action: 'demo.create', brokerId: broker_id, subject: `broker/${slug}` });
    }
    return { created: true, brokers: await demoBrokers(tx), keys: DEMO_KEYS };
  });
}

/** How many brokers of the installation's own the demo's would stand beside; null where the demo is there already. */
export async function countBesideDemo({ store }: Pick<DemoParts, 'store'>): Promise<number | null> {
  if ((await demoBrokers(store.read)).length > 0) return null;
  return (await store.read.brokers.list()).length;
}

/** Deletes the demo's brokers with all their records and keys, in one transaction. */
export async function removeDemo(parts: ChangeDeps) {
  return parts.store.tx(async (tx) => {
    const brokers = await demoBrokers(tx);
    for (const { broker_id, slug } of brokers) {
      while (await tx.owned.removeSome(broker_id, AT_ONCE));
      await recordChange(parts, tx, { action: 'demo.remove', brokerId: broker_id, subject: `broker/${slug}` });
    }
    const operator = brokers.length > 0 && (await tx.operators.findByEmail(DEMO_OPERATOR.email));
    if (operator) await removeOperator.run({ ...parts, store: within(parts.store, tx) }, { email: operator.email });
    return { removed: brokers.length > 0, brokers };
  });
}

/** The brokers that own demo keys; a broker with the same name but without a demo key is not a demo broker. */
async function demoBrokers(reads: Pick<Reads, 'keys'>) {
  const found = new Map<string, { broker_id: string; slug: string; name: string }>();
  for (const publicId of DEMO_PUBLIC_IDS) {
    const access = await reads.keys.findAccess(publicId);
    if (access) {
      const { id, slug, name } = access.broker;
      found.set(id, { broker_id: id, slug, name });
    }
  }
  return [...found.values()];
}

/** Ids of what happened in the past, which sort by when that was: one maker of ids never goes back in time. */
const idsOf: DemoParts['newId'] = (prefix, at) => createIds()(prefix, at);

/** Suppresses the audit rows of the single imports: one row covers the whole demo. */
const withoutAudit = ({ audit }: Tx): Tx['audit'] => ({ ...audit, insert: async () => undefined });

/** The store as the operator's use cases know it, with all that they do in the transaction that is open. */
const within = (store: Store, tx: Tx): Store => ({ ...store, read: tx, tx: (work) => work(tx) });

/** The records of a broker, as old as they say: nothing has changed them since. @param first the parts as of the beginning */
async function importRecords(
  parts: DemoParts,
  first: DemoParts,
  tx: Tx,
  { slug: broker, folder, has_offers, has_consumption }: DemoBroker,
) {
  const read = (name: string) => ({ broker, file: readDemoImport(`${folder}/${name}.csv`, parts.clock.now()) });
  await importPlans(first, read('plans'));
  if (has_offers) await importPlans(first, { broker, file: readOffers() });
  await importServices(first, read('services'));
  await importInvoices(parts, read('invoices'));
  if (has_consumption) await importConsumption(parts, read('consumption'));
  const { id } = (await tx.brokers.findBySlug(broker)) as BrokerRow;
  const services = await tx.allServices.page({ brokerId: id }, 'number', { limit: AT_ONCE, offset: 0 });
  for (const { service } of services) {
    const { number, createdAt, suspendedAt, cancelledAt } = service;
    await tx.services.touch(id, number, Math.max(createdAt, suspendedAt ?? 0, cancelledAt ?? 0));
  }
}

async function addKey(
  { clock, newId }: Pick<DemoParts, 'clock' | 'newId'>,
  tx: Tx,
  brokerId: string,
  name: DemoKeyName,
  scopes: string[],
  note = scopes.join(', ') || 'no scopes',
  end: Partial<Pick<KeyRow, 'status' | 'expiresAt' | 'rateLimit'>> = {},
): Promise<void> {
  const now = clock.now();
  await tx.keys.insert({
    id: newId('key', now),
    brokerId,
    ...demoKeyParts(name),
    hash: hashKey(DEMO_KEYS[name]),
    name: `Demo key (${note})`,
    scopes: JSON.stringify(scopes),
    status: 'active',
    rateLimit: null,
    expiresAt: null,
    createdAt: now - KEYS_AGO,
    lastUsedAt: null,
    lastUsedIp: null,
    rotatedFromId: null,
    ...end,
  });
}
