import { Type } from '@sinclair/typebox';
import { pagination } from '../records.ts';
import { fold } from '../rules/search-text.ts';
import { isoTimestamp } from '../rules/timestamps.ts';
import { OPEN_STATUSES } from '../rules/words.ts';
import type { BrokerRow } from '../store/brokers.ts';
import type { BrokerTally } from '../store/overview.ts';
import { OPERATOR } from '../store/slow-queries.ts';
import type { Reads } from '../store/store.ts';
import { type ReadDeps, requireBroker } from './dependencies.ts';
import { oneOf, read } from './fields.ts';
import { type PageInput, windowOf } from './pages.ts';
import { coarseSpanOf, readSpan, trafficOf } from './traffic.ts';
import { useCase } from './use-case.ts';

const STATUS = oneOf<BrokerRow['status']>(['active', 'suspended']);

export const BROKER_ORDERS = ['slug', 'name', 'newest', 'services', 'open_requests'] as const;
const ORDER = oneOf(BROKER_ORDERS);

type Ordering = (typeof BROKER_ORDERS)[number];

/**
 * Brokers as a person looks for them: by a part of slug, name or contact (without case, in any script), by status, with
 * what each of them has. A thousand are looked through in memory, for only there do letters of every script compare.
 */
export async function pageBrokers(
  { store, clock }: ReadDeps,
  input: PageInput & { search?: string | undefined; status?: string | undefined; order?: string | undefined } = {},
) {
  const window = windowOf(input);
  const status = input.status === undefined ? undefined : read('status', STATUS, input.status);
  const order = input.order === undefined ? 'slug' : read('order', ORDER, input.order);
  const search = fold(input.search?.trim() ?? '');
  const matching = (await store.read.brokers.list()).filter(
    (row) =>
      (status === undefined || row.status === status) &&
      (search === '' ||
        fold(row.id) === search ||
        [row.slug, row.name, row.contactEmail].some((field) => fold(field).includes(search))),
  );
  const sorted = await inOrder({ store, clock }, matching, order);
  const rows = sorted.slice(window.offset, window.offset + window.limit);
  const figures = await figuresOf(store.read, rows, clock.machine());
  return {
    items: rows.map((row) => ({ ...brokerRecord(row), ...figures(row.id) })),
    pagination: pagination(window, matching.length),
  };
}

/** All brokers by slug, each with its verified list. */
export const listBrokers = useCase({
  name: 'brokers list',
  title: 'Brokers',
  description: 'List all brokers',
  example: 'brokers list',
  input: Type.Object({}),
  columns: ['slug', 'name', 'broker_status', 'contact_email', 'sender_email', 'broker_id'],
  async run({ store }: ReadDeps): Promise<BrokerRecord[]> {
    const [brokers, recipients] = await Promise.all([
      store.read.brokers.list(),
      store.read.brokers.listAllRecipients(),
    ]);
    const listOf = (id: string) => recipients.filter(({ brokerId }) => brokerId === id).map(({ email }) => email);
    return brokers.map((row) => ({ ...brokerRecord(row), report_recipients: listOf(row.id) }));
  },
});

async function inOrder({ store, clock }: ReadDeps, rows: BrokerRow[], order: Ordering): Promise<BrokerRow[]> {
  if (order === 'slug') return rows;
  if (order === 'name') return rows.toSorted((a, b) => (fold(a.name) < fold(b.name) ? -1 : 1));
  if (order === 'newest') return rows.toSorted((a, b) => b.createdAt - a.createdAt);
  // Every broker's figures: a slow query.
  const figures = await store.slow(OPERATOR, (read) => figuresOf(read, rows, clock.machine()));
  const figure = ({ id }: BrokerRow) => figures(id)[order];
  return rows.toSorted((a, b) => figure(b) - figure(a));
}

export interface BrokerFigures {
  services: number;
  active_services: number;
  open_requests: number;
  reviews_waiting: number;
  active_keys: number;
}

/** Identifiers of one statement: below what both engines take as parameters. */
const BATCH = 500;

/** @param now by the machine's clock, as the expiry of keys */
async function figuresOf(reads: Pick<Reads, 'overview'>, brokers: BrokerRow[], now: number) {
  const ids = brokers.map(({ id }) => id);
  const tallies: BrokerTally[] = [];
  const keys = new Map<string, number>();
  for (let from = 0; from < ids.length; from += BATCH) {
    const batch = ids.slice(from, from + BATCH);
    tallies.push(...(await reads.overview.listTallies(batch)));
    for (const [id, total] of await reads.overview.countKeys(batch, now)) keys.set(id, total);
  }
  const byBroker = new Map<string, BrokerTally[]>();
  for (const row of tallies) byBroker.set(row.brokerId, [...(byBroker.get(row.brokerId) ?? []), row]);
  return (id: string): BrokerFigures => {
    const own = byBroker.get(id) ?? [];
    return {
      services: sum(own, 'services'),
      active_services: sum(own, 'services', 'active'),
      open_requests: sum(own, 'requests', ...OPEN_STATUSES),
      reviews_waiting: sum(own, 'requests', 'operator_review'),
      active_keys: keys.get(id) ?? 0,
    };
  };
}

const sum = (tallies: BrokerTally[], subject: BrokerTally['subject'], ...statuses: string[]): number =>
  tallies
    .filter((row) => row.subject === subject && (statuses.length === 0 || statuses.includes(row.status)))
    .reduce((total, row) => total + row.total, 0);

/** One broker with everything that its page begins with. Throws an `OperatorError` where there is none. */
export async function showBroker({ store, clock }: ReadDeps, input: { broker: string }) {
  const broker = await requireBroker(store.read, input.broker);
  const [recipients, tallies, figures, templates, plans] = await Promise.all([
    store.read.brokers.listRecipients(broker.id),
    store.read.overview.listTallies([broker.id]),
    figuresOf(store.read, [broker], clock.machine()),
    store.read.templates.list(broker.id),
    store.read.plans.list(broker.id),
  ]);
  return {
    ...brokerRecord(broker),
    report_recipients: recipients.map(({ email }) => email),
    ...figures(broker.id),
    services_by_status: byStatus(tallies, 'services'),
    requests_by_status: byStatus(tallies, 'requests'),
    plans: { total: plans.length, active: plans.filter(({ active }) => active).length },
    templates: templates.map((row) => ({
      kind: row.kind,
      state: row.active ? 'active' : 'inactive',
      updated_date: isoTimestamp(row.updatedAt),
    })),
  };
}

function byStatus(tallies: BrokerTally[], subject: BrokerTally['subject']): Record<string, number> {
  const totals: Record<string, number> = {};
  for (const row of tallies) {
    if (row.subject === subject && row.total > 0) totals[row.status] = (totals[row.status] ?? 0) + row.total;
  }
  return totals;
}

export type BrokerPage = Awaited<ReturnType<typeof pageBrokers>>;
export type BrokerDetail = Awaited<ReturnType<typeof showBroker>>;

/**
 * The calls of a broker over a span, in steps as coarse as those of its keys, of which it may have many. A slow query. Throws
 * an `OperatorError`.
 */
export function showBrokerTraffic({ store, clock }: ReadDeps, input: { brokerId: string; span: string }) {
  const span = coarseSpanOf(readSpan(input.span), clock.now());
  return store.slow(OPERATOR, (read) => trafficOf(read, span, { brokerId: input.brokerId }));
}

/** A broker with its verified list. */
export async function withRecipients(reads: Pick<Reads, 'brokers'>, broker: BrokerRow): Promise<BrokerRecord> {
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
