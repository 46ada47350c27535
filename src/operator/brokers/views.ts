import { type Static, Type } from '@sinclair/typebox';
import { Id, ListOf, MAX_INT32, Nullable, OneOf, Shown, Timestamp, Whole } from '../../../schemas/atoms.ts';
import { TEMPLATE_KINDS } from '../../kinds/index.ts';
import { operatorOwner } from '../../limits/operator-slot.ts';
import { pagination } from '../../records.ts';
import { fold } from '../../rules/search-text.ts';
import { isoTimestamp } from '../../rules/timestamps.ts';
import { BROKER_STATUSES, OPEN_STATUSES, REQUEST_STATUSES, SERVICE_STATUSES } from '../../rules/words.ts';
import type { BrokerRow } from '../../store/queries/brokers.ts';
import type { BrokerTally } from '../../store/session/counters.ts';
import type { Reads } from '../../store/store.ts';
import { listAudit } from '../audit/audit.ts';
import { coarseSpanOf, readSpan, sumsOf, trafficOf } from '../calls/traffic.ts';
import { BROKER, type ReadDeps, requireBroker } from '../use-case/dependencies.ts';
import { oneOf, read } from '../use-case/fields.ts';
import { type PageInput, SHORT_LIST, wholeList, windowOf } from '../use-case/pages.ts';
import { recordOf, recordWith } from '../use-case/record.ts';
import { useCase } from '../use-case/use-case.ts';

const COUNT = (description: string) => Whole(0, Number.MAX_SAFE_INTEGER, description, { examples: [3] });

/** A broker as operators see it. */
const BROKER_RECORD = recordOf<BrokerRow>()('Broker', (field) => ({
  broker_id: field(Id('brk', 'The broker’s id'), 'id'),
  slug: field(Shown(64, 'Its short name, by which it is named', { examples: ['acme'] }), 'slug'),
  name: field(Shown(200, 'Shown to clients in emails', { examples: ['Acme Hosting'] }), 'name'),
  broker_status: field(OneOf(BROKER_STATUSES, { description: 'A suspended broker’s keys are refused' }), 'status'),
  contact_email: field(Shown(254, 'Receives its reports', { examples: ['office@acme.example.com'] }), 'contactEmail'),
  sender_email: field(Shown(254, 'Sends its emails', { examples: ['support@acme.example.com'] }), 'senderEmail'),
  ip_restriction_enabled: field(Type.Boolean({ description: 'Whether its firewall is on' }), 'ipRestrictionEnabled'),
  rate_limit: field(
    Nullable(Whole(1, 1_000_000, 'Of all its live keys together; null: each key has its own alone'), {
      examples: [null],
    }),
    'rateLimit',
  ),
  created_date: field(Timestamp('When it was made.'), 'createdAt'),
  updated_date: field(Timestamp('When it last changed.'), 'updatedAt'),
}));

export const brokerRecord = BROKER_RECORD.of;

/** The broker with its verified list. */
export const BROKER_WITH_RECIPIENTS = recordWith('BrokerWithRecipients', BROKER_RECORD.schema, {
  report_recipients: Type.Array(Shown(254), {
    description: 'Addresses that reports may go to, in addition to the contact',
    examples: [['books@acme.example.com']],
  }),
});

const tallyOf = (words: readonly string[], description: string) =>
  Type.Unsafe<Record<string, number>>(
    Type.Object(Object.fromEntries(words.map((word) => [word, Type.Optional(COUNT(''))])), { description }),
  );

const BROKER_DETAIL = recordWith('BrokerDetail', BROKER_WITH_RECIPIENTS, {
  services: COUNT('Services, ended ones included'),
  active_services: COUNT('Services that are active'),
  open_requests: COUNT('Requests that are not final'),
  reviews_waiting: COUNT('Requests that wait for the operator'),
  active_keys: COUNT('Keys that can be used'),
  services_by_status: tallyOf(SERVICE_STATUSES, 'Services by status; those of which there are none are absent'),
  requests_by_status: tallyOf(REQUEST_STATUSES, 'Requests by status; those of which there are none are absent'),
  plans: Type.Object({ total: Whole(0, MAX_INT32), active: Whole(0, MAX_INT32) }),
  templates: ListOf(
    Type.Object({
      kind: Type.Unsafe<string>(OneOf(TEMPLATE_KINDS)),
      state: OneOf(['active', 'inactive']),
      updated_date: Timestamp('When it was last set.'),
    }),
  ),
});

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
  const ordered = window.reverse ? sorted.toReversed() : sorted;
  const rows = ordered.slice(window.offset, window.offset + window.limit);
  const figures = await figuresOf(store.read, rows, clock.machine());
  const calls = await store.slow(operatorOwner(), (each) => callsOf(each, rows, clock.now()));
  return {
    items: rows.map((row) => ({ ...brokerRecord(row), ...figures(row.id), ...calls(row.id) })),
    pagination: pagination(window, matching.length),
  };
}

/** All brokers by slug, each with its verified list. */
export const listBrokers = useCase({
  name: 'brokers list',
  title: 'Brokers',
  summary: 'List brokers',
  description: 'List all brokers',
  example: 'brokers list',
  input: Type.Object(SHORT_LIST),
  path: 'GET /brokers',
  answer: BROKER_WITH_RECIPIENTS,
  columns: ['slug', 'name', 'broker_status', 'contact_email', 'sender_email', 'broker_id'],
  async run({ store }: ReadDeps, window) {
    const [brokers, recipients] = await Promise.all([
      store.read.brokers.list(),
      store.read.brokers.listAllRecipients(),
    ]);
    const addressesOf = (id: string) => recipients.filter(({ brokerId }) => brokerId === id).map(({ email }) => email);
    const { records, ...counts } = wholeList(brokers, window);
    return {
      ...counts,
      records: records.map((row) => ({ ...brokerRecord(row), report_recipients: addressesOf(row.id) })),
    };
  },
});

async function inOrder({ store, clock }: ReadDeps, rows: BrokerRow[], order: Ordering): Promise<BrokerRow[]> {
  if (order === 'slug') return rows;
  if (order === 'name') return rows.toSorted((a, b) => (fold(a.name) < fold(b.name) ? -1 : 1));
  if (order === 'newest') return rows.toSorted((a, b) => b.createdAt - a.createdAt);
  // Every broker's figures: a slow query.
  const figures = await store.slow(operatorOwner(), (read) => figuresOf(read, rows, clock.machine()));
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
async function figuresOf(reads: Pick<Reads, 'counters' | 'keys'>, brokers: BrokerRow[], now: number) {
  const ids = brokers.map(({ id }) => id);
  const tallies: BrokerTally[] = [];
  const keys = new Map<string, number>();
  for (let from = 0; from < ids.length; from += BATCH) {
    const batch = ids.slice(from, from + BATCH);
    tallies.push(...(await reads.counters.listTallies(batch)));
    for (const [id, total] of await reads.keys.countUsable(batch, now)) keys.set(id, total);
  }
  const byBroker = Map.groupBy(tallies, ({ brokerId }) => brokerId);
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

/** Calls of the last 24 hours by broker, and those of them that were refused or failed. */
async function callsOf({ usage }: Pick<Reads, 'usage'>, brokers: BrokerRow[], now: number) {
  const brokerIds = brokers.map(({ id }) => id);
  const span = { ...sumsOf(coarseSpanOf('24h', now)), brokerIds };
  const sums = await usage.tallyCalls(span, ['brokerId', 'outcome'], MAX_SUMS);
  return (id: string) => {
    const own = sums.filter(({ brokerId }) => brokerId === id);
    const count = (some: typeof own) => some.reduce((total, { calls }) => total + calls, 0);
    return { calls: count(own), failed_calls: count(own.filter(({ outcome }) => outcome !== 'ok')) };
  };
}

/** A page of brokers, each with a few dozen outcomes. */
const MAX_SUMS = 20_000;

const sum = (tallies: BrokerTally[], subject: BrokerTally['subject'], ...statuses: string[]): number =>
  tallies
    .filter((row) => row.subject === subject && (statuses.length === 0 || statuses.includes(row.status)))
    .reduce((total, row) => total + row.total, 0);

/** One broker with everything that its page begins with. */
export const showBroker = useCase({
  name: 'brokers show',
  title: 'Broker',
  summary: 'Read a broker',
  description: 'Show one broker, and what it has',
  example: 'brokers show acme',
  input: Type.Object(BROKER),
  on: ['broker'],
  argument: 'broker',
  path: 'GET /brokers/:broker',
  answer: BROKER_DETAIL,
  run: showBrokerOf,
});

async function showBrokerOf({ store, clock }: ReadDeps, input: { broker: string }): Promise<BrokerDetail> {
  const broker = await requireBroker(store.read, input.broker);
  const [recipients, tallies, figures, templates, plans] = await Promise.all([
    store.read.brokers.listRecipients(broker.id),
    store.read.counters.listTallies([broker.id]),
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
      state: row.active ? ('active' as const) : ('inactive' as const),
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

/** Since when the broker is suspended, by whom and why; null where it is not. */
export async function findSuspension(parts: ReadDeps, { slug, broker_status }: BrokerRecord) {
  if (broker_status !== 'suspended') return null;
  const [row] = await listAudit(parts, { subject: `broker/${slug}`, action: 'broker.suspend', limit: 1 });
  return row ? { date: row.date, actor: row.actor, reason: (row.after?.reason as string | undefined) ?? null } : null;
}

export type BrokerPage = Awaited<ReturnType<typeof pageBrokers>>;
export type BrokerDetail = Static<typeof BROKER_DETAIL>;

/**
 * The calls of a broker over a span, in steps as coarse as those of its keys, of which it may have many. A slow query. Throws
 * an `OperatorError`.
 */
export function showBrokerTraffic({ store, clock }: ReadDeps, input: { brokerId: string; span: string }) {
  const span = coarseSpanOf(readSpan(input.span), clock.now());
  return store.slow(operatorOwner(), (read) => trafficOf(read, span, { brokerId: input.brokerId }));
}

/** A broker with its verified list. */
export async function withRecipients(reads: Pick<Reads, 'brokers'>, broker: BrokerRow): Promise<BrokerRecord> {
  const recipients = await reads.brokers.listRecipients(broker.id);
  return { ...brokerRecord(broker), report_recipients: recipients.map(({ email }) => email) };
}

/** A broker as operators see it, with its verified list. */
export type BrokerRecord = Static<typeof BROKER_WITH_RECIPIENTS>;
