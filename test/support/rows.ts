import { newRequest } from '../../src/lifecycle/submit.ts';
import { searchable } from '../../src/rules/descriptions.ts';
import { BUCKETS } from '../../src/rules/histograms.ts';
import { anchorOf } from '../../src/rules/renewals.ts';
import { createIds } from '../../src/runtime/ids.ts';
import type { AuditRow } from '../../src/store/queries/audit.ts';
import type { BrokerRow } from '../../src/store/queries/brokers.ts';
import type { CallRow } from '../../src/store/queries/calls.ts';
import type { EmailRow } from '../../src/store/queries/emails.ts';
import type { LossRow } from '../../src/store/queries/history.ts';
import type { InvoiceRow } from '../../src/store/queries/invoices.ts';
import type { KeyRow } from '../../src/store/queries/keys.ts';
import type { PlanRow } from '../../src/store/queries/plans.ts';
import type { RequestRow } from '../../src/store/queries/requests.ts';
import type { ServiceRow } from '../../src/store/queries/services.ts';
import type { UsageRow } from '../../src/store/queries/usage.ts';
import type { Store } from '../../src/store/store.ts';

/* Every row that tests and benchmarks write: a new column is one edit here. */

/** When every record was made unless a test says otherwise. */
export const T0 = Date.UTC(2030, 0, 15, 12);

const newId = createIds();
let made = 0;

/** A number that no record of this process has yet; far below those that the store issues. */
export function next(): number {
  made += 1;
  return made;
}

export const aBroker = (fields: Partial<BrokerRow> = {}): BrokerRow => ({
  id: newId('brk', T0),
  slug: `broker-${next()}`,
  name: 'Example Hosting',
  status: 'active',
  contactEmail: 'contact@example.com',
  senderEmail: 'sender@example.com',
  ipRestrictionEnabled: false,
  rateLimit: null,
  createdAt: T0,
  updatedAt: T0,
  ...fields,
});

export const aKey = (broker: BrokerRow, fields: Partial<KeyRow> = {}): KeyRow => ({
  id: newId('key', T0),
  brokerId: broker.id,
  publicId: String(next()).padStart(8, '0'),
  hash: 'a hash',
  mode: 'live',
  name: 'a key',
  scopes: '["admin:full"]',
  status: 'active',
  rateLimit: null,
  expiresAt: null,
  createdAt: T0,
  lastUsedAt: null,
  lastUsedIp: null,
  rotatedFromId: null,
  ...fields,
});

export function aPlan(broker: BrokerRow, fields: Partial<PlanRow> = {}): PlanRow {
  const slug = fields.slug ?? `plan-${next()}`;
  const displayName = fields.displayName ?? `Plan ${next()}`;
  return {
    id: newId('pln', T0),
    brokerId: broker.id,
    slug,
    slugFolded: slug.toLowerCase(),
    displayName,
    displayNameFolded: displayName.toLowerCase(),
    upgradeRank: 10,
    billingType: 'monthly',
    active: true,
    requiresOperatorReview: false,
    description: null,
    vcpu: 1,
    memoryMb: 1024,
    diskGb: 20,
    transferGb: null,
    priceAmount: '9.90',
    priceCurrency: 'EUR',
    createdAt: T0,
    updatedAt: T0,
    ...fields,
  };
}

export function aService(broker: BrokerRow, plan: PlanRow, fields: Partial<ServiceRow> = {}): ServiceRow {
  const row: ServiceRow = {
    number: 5000 + next(),
    brokerId: broker.id,
    status: 'active',
    planId: plan.id,
    label: null,
    externalReference: null,
    clientName: 'Ada Example',
    clientEmail: 'ada@example.com',
    clientEmailFolded: null,
    searchText: '',
    requiresOperatorReview: false,
    createdAt: T0,
    renewalAt: null,
    renewalAnchor: null,
    cancelledAt: null,
    cancellationType: null,
    cancellationEffectiveAt: null,
    cancellationRequestId: null,
    suspendedBy: null,
    suspensionReason: null,
    suspendedAt: null,
    configuration: null,
    access: null,
    keptConfiguration: null,
    reference: null,
    importId: null,
    uid: null,
    updatedAt: T0,
    ...fields,
  };
  return {
    ...row,
    renewalAnchor: row.renewalAt === null ? null : anchorOf(row.renewalAt),
    ...searchable(row),
  };
}

export const aRequest = (
  service: Pick<ServiceRow, 'brokerId' | 'number'>,
  fields: Partial<RequestRow> = {},
): RequestRow =>
  newRequest(newId('req', T0), service, T0, {
    type: 'cancellation-warning',
    status: 'pending',
    origin: 'client',
    ...fields,
  });

/** A restore a minute ago that lost ten minutes, whose dates have been moved. */
export const aLoss = (fields: Partial<LossRow> = {}): LossRow => ({
  history: T0 / 1000,
  cause: 'restore',
  state: 'over',
  lostFrom: T0 - 660_000,
  lostUntil: T0 - 60_000,
  firstNumber: 1_000_000,
  lastNumber: 2_006_000,
  place: 'machine/broker.db',
  endedAt: T0,
  moving: null,
  ...fields,
});

export const anEmail = (broker: BrokerRow, fields: Partial<EmailRow> = {}): EmailRow => ({
  id: newId('eml', T0),
  brokerId: broker.id,
  kind: 'cancellation-warning',
  serviceNumber: null,
  requestId: null,
  status: 'open',
  recipient: 'ada@example.com',
  subject: 'About your service',
  html: '<p>Hello</p>',
  text: 'Hello',
  failureReason: null,
  providerCode: null,
  providerMessageId: null,
  createdAt: T0,
  completedAt: null,
  settledAt: null,
  settledNote: null,
  erasedAt: null,
  ...fields,
});

export const anInvoice = (service: ServiceRow, fields: Partial<InvoiceRow> = {}): InvoiceRow => ({
  brokerId: service.brokerId,
  invoiceNumber: `INV-${next()}`,
  serviceNumber: service.number,
  amount: '19.90',
  currency: 'EUR',
  status: 'open',
  issuedAt: T0,
  dueAt: null,
  paidAt: null,
  updatedAt: T0,
  ...fields,
});

/** A new broker with one plan and so many active services on it. */
export async function stock(store: Store, services = 1) {
  const broker = aBroker();
  const plan = aPlan(broker);
  const rows = Array.from({ length: services }, () => aService(broker, plan));
  await store.tx(async (tx) => {
    await tx.brokers.insert(broker);
    await tx.plans.insert(plan);
    if (rows.length > 0) await tx.services.insert(rows);
  });
  return { broker, plan, rows, service: rows[0] as ServiceRow };
}

export const aCall = (broker: BrokerRow, key: KeyRow, fields: Partial<CallRow> = {}): CallRow => ({
  requestId: `call-${next()}`,
  at: T0,
  brokerId: broker.id,
  keyId: key.id,
  clientIp: '192.0.2.1',
  method: 'POST',
  operation: 'upgradeService',
  serviceNumber: 9_007_199_254_740_991,
  status: 200,
  code: null,
  reason: null,
  durationUs: 1234,
  gate: null,
  ...fields,
});

export const anAuditRow = (fields: Partial<AuditRow> = {}): AuditRow => ({
  id: newId('aud', T0),
  at: T0,
  actorKind: 'command',
  actor: 'root',
  clientIp: null,
  action: 'key.revoke',
  brokerId: null,
  subject: `key/${next()}`,
  before: '{"key_status":"active"}',
  after: '{"key_status":"revoked"}',
  ...fields,
});

/** One call of a minute, of a few milliseconds. */
export const aUsageRow = (brokerId: string, fromAt: number, fields: Partial<UsageRow> = {}): UsageRow => ({
  fromAt,
  brokerId,
  keyId: `key of ${brokerId}`,
  operation: 'listPlans',
  outcome: 'ok',
  gate: 9,
  calls: 1,
  durations: Array.from({ length: BUCKETS }, (_, bucket) => (bucket === 3 ? 1 : 0)),
  ...fields,
});
