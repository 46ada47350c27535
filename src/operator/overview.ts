import { keyPrefix } from '../rules/key-format.ts';
import { isoTimestamp } from '../rules/timestamps.ts';
import { OPERATOR } from '../store/slow-queries.ts';
import type { Reads } from '../store/store.ts';
import type { CallSum } from '../store/usage.ts';
import { listAudit } from './audit.ts';
import type { ReadDeps } from './dependencies.ts';
import { countPendingWork } from './pending-work.ts';
import { coarseSpanOf, linesOf, readSpan, type Span, spanOf, sumsOf, trafficOf, type UseOfKey } from './traffic.ts';

/** Keys and brokers with the most calls that are listed. */
const BUSIEST = 8;
const MOST_KEYS = 2_000;

/** A key that is refused so often within an hour, and in so many of its calls, is probably a loop, and worth a look. */
const HAMMERING = 100;
const HAMMERING_SHARE = 0.2;
const HAMMERING_MS = 3_600_000;
const MAX_HAMMERING = 3;

/** The latest emails, due requests and failures that are counted, at most. */
const MAX_COUNTED = 100_000;

const LATEST_CHANGES = 6;

/** A request that has been due for this long is taken by no worker. */
const STUCK_MS = 5 * 60_000;

/**
 * Whether the service is healthy, and what needs an operator: calls of a span, how long they took and what refused them,
 * the queue, emails, the keys with most calls, and the latest changes. One slow query, however much there is.
 * @param input `span`: `1h`, `24h`, `7d`, `30d` or `90d`
 */
export async function showOverview({ store, clock }: ReadDeps, input: { span?: string | undefined } = {}) {
  const now = clock.now();
  const name = readSpan(input.span ?? '24h');
  const span = spanOf(name, now);
  const waiting = await countPendingWork({ store, clock });
  const figures = await store.slow(OPERATOR, async (read) => ({
    traffic: await trafficOf(read, span),
    busiest: await busiest(read, coarseSpanOf(name, now)),
    hammering: await hammeringKeys(read, now),
    queue: await read.overview.countDue(now, MAX_COUNTED),
    open: await read.requests.tally(),
    emails: await read.overview.countEmails(span.startAt, MAX_COUNTED),
    failed: await read.overview.countFailed(span.startAt, MAX_COUNTED),
  }));
  const { queue, open, emails } = figures;
  const openOf = (status: string) => {
    const row = open.find((entry) => entry.status === status);
    return { total: row?.total ?? 0, oldest_date: row?.oldestAt ? isoTimestamp(row.oldestAt) : null };
  };
  const emailsOf = (status: string) => emails.find((row) => row.status === status)?.total ?? 0;
  return {
    traffic: figures.traffic,
    busiest_keys: figures.busiest.keys,
    busiest_brokers: figures.busiest.brokers,
    queue: {
      due: queue.due,
      oldest_due_date: queue.oldestDueAt === null ? null : isoTimestamp(queue.oldestDueAt),
      accepted: openOf('accepted').total,
    },
    emails: {
      total: emails.reduce((sum, { total }) => sum + total, 0),
      sent: emailsOf('sent'),
      failed: emailsOf('failed'),
      unknown: emailsOf('unknown'),
    },
    /** What needs a person. */
    attention: {
      reviews: openOf('operator_review'),
      unknown_emails: waiting.unknown_emails,
      failed_requests: figures.failed,
      hammering: figures.hammering,
      is_stuck: queue.oldestDueAt !== null && now - queue.oldestDueAt > STUCK_MS,
    },
    changes: await listAudit({ store, clock }, { limit: String(LATEST_CHANGES) }),
  };
}

type Named = Pick<Reads, 'brokers' | 'keys' | 'usage'>;

/** The keys with most calls, and their brokers. */
async function busiest(read: Named, span: Span) {
  const sums = await read.usage.tallyCalls(sumsOf(span), ['brokerId', 'keyId'], MOST_KEYS);
  const keys = await keysOf(read, sums.slice(0, BUSIEST + 1));
  const lines = await linesOf(read, span, {
    brokerIds: [...new Set(keys.map(({ broker }) => broker.broker_id))],
    keyIds: keys.map(({ key_id }) => key_id),
  });
  return {
    keys: keys.slice(0, BUSIEST).map((key) => ({ ...key, ...(lines.get(key.key_id) as UseOfKey) })),
    brokers: await brokersOfKeys(read, span, sums),
  };
}

async function brokersOfKeys(read: Named, span: Span, sums: readonly CallSum[]) {
  const byBroker = new Map<string, number>();
  for (const { brokerId = '', calls } of sums) {
    if (brokerId !== '') byBroker.set(brokerId, (byBroker.get(brokerId) ?? 0) + calls);
  }
  const top = [...byBroker].sort(([, a], [, b]) => b - a).slice(0, BUSIEST);
  const brokerIds = top.map(([id]) => id);
  const refused =
    top.length === 0
      ? []
      : await read.usage.tallyCalls({ ...sumsOf(span), brokerIds, refused: true }, ['brokerId'], BUSIEST);
  const names = await brokersOf(read, brokerIds);
  return top.flatMap(([id, calls]) => {
    const broker = names.get(id);
    return broker ? [{ ...broker, calls, refused: refused.find(({ brokerId }) => brokerId === id)?.calls ?? 0 }] : [];
  });
}

async function hammeringKeys(read: Named, now: number) {
  const since = now - HAMMERING_MS;
  const filter = { grain: 'minute' as const, since, refused: true };
  const sums = await read.usage.tallyCalls(filter, ['brokerId', 'keyId'], MAX_HAMMERING + 1);
  const many = sums.filter(({ calls }) => calls >= HAMMERING);
  const keys = (await keysOf(read, many)).filter(({ key_state }) => key_state === 'active');
  const lines = await linesOf(read, coarseSpanOf('1h', now), {
    brokerIds: keys.map(({ broker }) => broker.broker_id),
    keyIds: keys.map(({ key_id }) => key_id),
  });
  const share = ({ key_id, calls }: { key_id: string; calls: number }) => calls / (lines.get(key_id) as UseOfKey).calls;
  return {
    keys: keys.filter((key) => share(key) >= HAMMERING_SHARE),
    calls_without_key: many.find(({ keyId }) => keyId === '')?.calls ?? 0,
  };
}

/** Keys with what they are called and whose they are; calls whose key was refused, and keys that are no more, are left out. */
async function keysOf(read: Named, sums: ReadonlyArray<{ keyId?: string; calls: number }>) {
  const rows = await read.keys.findMany(sums.map(({ keyId }) => keyId as string));
  const keys = sums.flatMap(({ keyId, calls }) => {
    const row = rows.find(({ id }) => id === keyId);
    return row ? [{ row, calls }] : [];
  });
  const brokers = await brokersOf(
    read,
    keys.map(({ row }) => row.brokerId),
  );
  return keys.map(({ row, calls }) => ({
    key_id: row.id,
    key_prefix: keyPrefix(row.mode, row.publicId),
    name: row.name,
    key_state: row.status,
    // A foreign key says that there is one.
    broker: brokers.get(row.brokerId) as BrokerName,
    calls,
  }));
}

interface BrokerName {
  broker_id: string;
  slug: string;
  name: string;
}

async function brokersOf(read: Named, ids: readonly string[]): Promise<Map<string, BrokerName>> {
  const brokers = new Map<string, BrokerName>();
  for (const id of new Set(ids)) {
    const row = await read.brokers.find(id);
    if (row) brokers.set(id, { broker_id: id, slug: row.slug, name: row.name });
  }
  return brokers;
}

export type Overview = Awaited<ReturnType<typeof showOverview>>;
