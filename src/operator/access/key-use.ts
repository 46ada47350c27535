import { operatorOwner } from '../../limits/operator-slot.ts';
import { pagination } from '../../records.ts';
import { isoTimestamp } from '../../rules/timestamps.ts';
import { listCallsOfKey } from '../calls/calls.ts';
import {
  coarseSpanOf,
  outcomeGroupOf,
  readSpan,
  readTrafficLines,
  spanOf,
  sumsOf,
  trafficOf,
  type UseOfKey,
} from '../calls/traffic.ts';
import { requireBroker } from '../use-case/dependencies.ts';
import { unknown } from '../use-case/errors.ts';
import { type PageInput, windowOf } from '../use-case/pages.ts';
import { type KeyDeps, keyLine, showKey } from './keys.ts';

/** Combinations of operation and outcome that a key's page lists: an integration has a dozen. */
const MAX_KINDS = 50;

/** Lines of single calls, the latest: those that changed something, and those that were refused. */
const MAX_CALLS = 20;

/**
 * What one key did in a span: calls as in the overview, by operation and outcome, and its latest single calls. Throws an
 * `OperatorError` where the broker has no such key.
 */
export async function showKeyUse(
  { store, clock, defaultRateLimit }: KeyDeps,
  input: { broker: string; keyId: string; span?: string | undefined },
) {
  const key = await showKey.run({ store, clock, defaultRateLimit }, { key_id: input.keyId });
  if (key.broker.slug !== input.broker) throw unknown(`"${input.broker}" has no key "${input.keyId}"`);
  const span = spanOf(readSpan(input.span ?? '24h'), clock.now());
  const owner = { brokerId: key.broker.broker_id, keyId: key.key_id };
  const { traffic, kinds, minutes } = await store.slow(operatorOwner(), async (read) => ({
    traffic: await trafficOf(read, span, owner),
    kinds: await read.usage.tallyCalls({ ...sumsOf(span), ...owner }, ['operation', 'outcome'], MAX_KINDS),
    // Minutes are not kept for longer spans.
    minutes:
      span.grain === 'minute'
        ? await read.usage.tallyCalls({ grain: 'minute', since: span.startAt, ...owner }, ['fromAt'], 1)
        : [],
  }));
  const [busiest] = minutes;
  const calls = await listCallsOfKey({ store }, key.key_id, Date.parse(traffic.since_date), MAX_CALLS);
  return {
    key,
    traffic,
    kinds: kinds.map(({ operation, outcome, calls }) => ({
      operation,
      outcome,
      end: outcomeGroupOf(outcome),
      calls,
    })),
    calls,
    /** The minute with most calls, which a limit a minute is to be compared with; null where minutes are not kept. */
    busiest_minute: busiest ? { date: isoTimestamp(busiest.fromAt), calls: busiest.calls } : null,
  };
}

export type KeyUse = Awaited<ReturnType<typeof showKeyUse>>;

/** A broker's keys, those that can be used first, page by page, with what each did in the last day, hour by hour. */
export async function pageKeys({ store, clock, defaultRateLimit }: KeyDeps, input: PageInput & { broker: string }) {
  const window = windowOf(input);
  const broker = await requireBroker(store.read, input.broker);
  const now = clock.now();
  const { rows, total } = await store.read.keys.page(broker.id, window);
  const keyIds = rows.map(({ id }) => id);
  const successors = await store.read.keys.listSuccessors(broker.id, keyIds);
  const uses = await store.slow(operatorOwner(), (read) =>
    readTrafficLines(read, coarseSpanOf('24h', now), { brokerIds: [broker.id], keyIds }),
  );
  return {
    items: rows.map((row) => ({
      ...keyLine(row, {
        successor: successors.find(({ rotatedFromId }) => rotatedFromId === row.id),
        defaultRateLimit,
        now: clock.machine(),
      }),
      broker: { slug: broker.slug },
      use: uses.get(row.id) as UseOfKey,
    })),
    pagination: pagination(window, total),
  };
}

export type KeyPage = Awaited<ReturnType<typeof pageKeys>>;
