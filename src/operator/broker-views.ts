import { templateState } from '../mail/templates.ts';
import { pagination } from '../records.ts';
import { fold } from '../rules/search-text.ts';
import { isoTimestamp } from '../rules/timestamps.ts';
import { OPEN_STATUSES } from '../rules/words.ts';
import type { BrokerRow } from '../store/brokers.ts';
import type { KeyRow } from '../store/keys.ts';
import type { BrokerTally } from '../store/overview.ts';
import { OPERATOR } from '../store/slow-queries.ts';
import type { Reads } from '../store/store.ts';
import { brokerRecord } from './brokers.ts';
import { type ReadDeps, requireBroker } from './dependencies.ts';
import { oneOf, read } from './fields.ts';
import { keyRecord } from './keys.ts';
import { type PageInput, windowOf } from './pages.ts';
import { coarseSpanOf, linesOf, type UseOfKey } from './traffic.ts';

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
      state: templateState(row),
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

/** A broker's keys, those that can be used first, page by page, with what each did in the last day, hour by hour. */
export async function pageKeys({ store, clock }: ReadDeps, input: PageInput & { broker: string }) {
  const window = windowOf(input);
  const broker = await requireBroker(store.read, input.broker);
  const now = clock.now();
  const { rows, total } = await store.read.overview.pageKeys(broker.id, window);
  const keyIds = rows.map(({ id }) => id);
  const uses = await store.slow(OPERATOR, (read) =>
    linesOf(read, coarseSpanOf('24h', now), { brokerIds: [broker.id], keyIds }),
  );
  return {
    items: rows.map((row) => ({ ...keyLine(row, clock.machine()), use: uses.get(row.id) as UseOfKey })),
    pagination: pagination(window, total),
  };
}

export type KeyPage = Awaited<ReturnType<typeof pageKeys>>;

/** One key with whose it is, or null. */
export async function findKey({ store, clock }: ReadDeps, input: { keyId: string }) {
  const row = await store.read.keys.find(input.keyId);
  const broker = row && (await store.read.brokers.find(row.brokerId));
  return (
    row &&
    broker && {
      ...keyLine(row, clock.machine()),
      broker: { broker_id: broker.id, slug: broker.slug, name: broker.name },
    }
  );
}

function keyLine(row: KeyRow, now: number) {
  const { key_status: status, ...record } = keyRecord(row);
  const isExpired = status === 'active' && row.expiresAt !== null && row.expiresAt <= now;
  /** `key_state` as a caller meets it: an active key whose time is over is refused. */
  return { ...record, key_state: isExpired ? ('expired' as const) : status, rotated_from_id: row.rotatedFromId };
}

export type BrokerPage = Awaited<ReturnType<typeof pageBrokers>>;
export type BrokerDetail = Awaited<ReturnType<typeof showBroker>>;
export type KeyLine = ReturnType<typeof keyLine>;
