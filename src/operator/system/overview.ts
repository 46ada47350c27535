import { gateOf } from '../../errors.ts';
import { operatorOwner } from '../../limits/operator-slot.ts';
import { HOUR_MS, MINUTE_MS } from '../../rules/durations.ts';
import { keyPrefix } from '../../rules/key-format.ts';
import { omit } from '../../rules/omit.ts';
import { isoTimestamp } from '../../rules/timestamps.ts';
import type { WorkRow } from '../../store/queries/all-requests.ts';
import type { CallSum } from '../../store/queries/usage.ts';
import type { Reads } from '../../store/store.ts';
import { ACCESS_ACTIONS, accessSubjects, changeRecord, changesAccess, isOfGate } from '../audit/access-changes.ts';
import { listAudit } from '../audit/audit.ts';
import {
  coarseSpanOf,
  readSpan,
  readTrafficLines,
  type Span,
  spanOf,
  sumsOf,
  trafficOf,
  type UseOfKey,
} from '../calls/traffic.ts';
import type { OperatorContext, ReadDeps } from '../use-case/dependencies.ts';
import { limitedTo } from '../use-case/pages.ts';
import { countPendingWork } from './pending-work.ts';
import { showProvisioner } from './provisioner.ts';
import { showRecords } from './records.ts';

/** Keys and brokers with the most calls that are listed. */
const BUSIEST = 8;
const MAX_KEYS = 2_000;

/** A broker fails of which so many calls, and such a share of them, did not go well within the hour. */
const MIN_CALLS = 10;
const FAILING_SHARE = 0.2;
const MAX_FAILING = 5;
/** Sums of an hour by broker, key and outcome. */
const MAX_SUMS = 20_000;
/** Since when: to five minutes within the last one or two hours, before them to an hour, as far back as three days. */
const FINE_MS = 5 * MINUTE_MS;
const LOOKED_BACK_MS = 72 * HOUR_MS;
const MAX_CHANGES = 100;

/** So many calls without a valid key within an hour are worth a look. */
const MANY_WITHOUT_KEY = 100;

/** Emails, due requests and finished ones that are counted, each at most. */
const MAX_COUNTED = 100_000;

const LATEST_CHANGES = 5;

/** Brokers that are named where reviews wait. */
const NAMED_BROKERS = 3;

/** Services that are named where a clean-up failed. */
const MAX_NAMED_SERVICES = 3;

/** A request that has been due for this long is taken by no worker. */
const STUCK_MS = 5 * MINUTE_MS;

/**
 * Whether the service is healthy, and what needs an operator: calls of a span, how long they took and what refused them,
 * the queue, emails, the keys with most calls, and the latest changes. One slow query, however much there is.
 * @param input `span`: `1h`, `24h`, `7d`, `30d` or `90d`
 */
export async function showOverview(
  { store, clock, hasProvisioner }: ReadDeps & Pick<OperatorContext, 'hasProvisioner'>,
  input: { span?: string | undefined } = {},
) {
  const now = clock.now();
  const name = readSpan(input.span ?? '24h');
  const span = spanOf(name, now);
  const waiting = await countPendingWork({ store, clock });
  const figures = await store.slow(operatorOwner(), async (read) => ({
    traffic: await trafficOf(read, span),
    busiest: await busiest(read, coarseSpanOf(name, now)),
    failing: await failingBrokers(read, now),
    queue: await read.allRequests.countDue(now, MAX_COUNTED),
    open: await read.requests.tally(),
    reviewed: await read.allRequests.listMostOf('operator_review', NAMED_BROKERS + 1),
    emails: await read.emails.countByStatus(span.startAt, MAX_COUNTED),
    work: await workOf(read, span.startAt),
    cleanUps: await read.allRequests.listFailedCleanUps(MAX_NAMED_SERVICES + 1),
    provisioner: await showProvisioner({ clock, hasProvisioner }, read),
    records: await showRecords(read),
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
    work: {
      ...figures.work,
      /** Since when what was completed and what failed is counted. */
      since_date: isoTimestamp(span.startAt),
      /** What waits now: for an operator's decision, for the broker's, and for a worker. */
      to_review: openOf('operator_review').total,
      with_brokers: openOf('pending').total,
      due: queue.due,
    },
    /** What needs a person. */
    attention: {
      /** Null where none is set. */
      provisioner: figures.provisioner,
      records: figures.records,
      reviews: {
        ...openOf('operator_review'),
        /** Those with most of them. */
        brokers: figures.reviewed.slice(0, NAMED_BROKERS),
        more_brokers: figures.reviewed.length > NAMED_BROKERS,
      },
      unknown_emails: waiting.unknown_emails,
      failed_requests: figures.work.failed,
      /** Services that stay pending, for the clean-up after their creation failed. */
      failed_clean_ups: figures.cleanUps.slice(0, MAX_NAMED_SERVICES),
      more_failed_clean_ups: figures.cleanUps.length > MAX_NAMED_SERVICES,
      failing: figures.failing,
      is_stuck: queue.oldestDueAt !== null && now - queue.oldestDueAt > STUCK_MS,
    },
    changes: await listAudit({ store, clock }, { limit: LATEST_CHANGES }),
  };
}

/** Finished requests of a span whose times are compared. */
const MAX_TIMES = 5_000;

/** What was completed and what failed since a date, how long that took, and what the provisioner has in progress. */
async function workOf({ allRequests }: Pick<Reads, 'allRequests'>, since: number) {
  const { completed, failed } = await allRequests.countFinished(since, MAX_COUNTED);
  const { truncated, records: rows } = limitedTo(MAX_TIMES, await allRequests.listFinished(since, MAX_TIMES + 1));
  const took = rows
    .filter(({ status }) => status === 'completed')
    .map(timeOf)
    .sort((one, other) => one - other);
  return {
    completed,
    failed,
    in_progress: await allRequests.countInProgress(MAX_COUNTED),
    /** Of those that were completed, from the time at which each could be begun. */
    median_ms: took[Math.floor(took.length / 2)] ?? null,
    longest_ms: took.at(-1) ?? null,
    /** How many were compared, where these are not all. */
    compared: truncated ? took.length : null,
  };
}

const timeOf = ({ submittedAt, decidedAt, effectiveAt, processedAt }: WorkRow): number => {
  const end = processedAt ?? submittedAt;
  const begins = [submittedAt, decidedAt ?? 0, effectiveAt ?? 0].filter((date) => date <= end);
  return end - Math.max(...begins);
};

type Named = Pick<Reads, 'brokers' | 'keys' | 'usage'>;

/** The keys with most calls, and their brokers. */
async function busiest(read: Named, span: Span) {
  const sums = await read.usage.tallyCalls(sumsOf(span), ['brokerId', 'keyId'], MAX_KEYS);
  const keys = await keysOf(read, sums.slice(0, BUSIEST + 1));
  const lines = await readTrafficLines(read, span, {
    brokerIds: [...new Set(keys.map(({ broker }) => broker.broker_id))],
    keyIds: keys.map(({ key_id }) => key_id),
  });
  return {
    keys: keys.slice(0, BUSIEST).map((key) => ({ ...key, ...(lines.get(key.key_id) as UseOfKey) })),
    brokers: await brokersOfKeys(read, span, sums),
  };
}

async function brokersOfKeys(read: Named, span: Span, sums: ReadonlyArray<CallSum<'brokerId'>>) {
  const byBroker = new Map<string, number>();
  for (const { brokerId, calls } of sums) {
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

/**
 * Brokers whose calls fail, those with most failures within the hour first: why, since when, how many since then, and the
 * last change before that, and since, of what decides whether they are admitted. The number of queries does not depend on
 * how many there are.
 */
async function failingBrokers(read: Named & Pick<Reads, 'audit'>, now: number) {
  const hour = { grain: 'minute' as const, since: now - HOUR_MS };
  const sums = await read.usage.tallyCalls(hour, ['brokerId', 'keyId', 'outcome', 'gate'], MAX_SUMS);
  const ofBrokers = Map.groupBy(sums, ({ brokerId }) => brokerId);
  const withoutKey = callsOf(failures(ofBrokers.get('') ?? []));
  ofBrokers.delete('');
  const many = [...ofBrokers]
    .map(([brokerId, own]) => ({ brokerId, calls: callsOf(own), failed: callsOf(failures(own)), own }))
    .filter(({ calls, failed }) => calls >= MIN_CALLS && failed >= calls * FAILING_SHARE)
    .sort((one, other) => other.failed - one.failed)
    .slice(0, MAX_FAILING)
    .flatMap((each) => {
      const main = mainCause(failures(each.own));
      return main ? [{ ...each, main }] : [];
    });
  const brokerIds = many.map(({ brokerId }) => brokerId);
  const began = many.length === 0 ? new Map<string, Begun>() : await beginnings(read, brokerIds, now);
  const keys = await keysOf(
    read,
    many.map(({ main, failed }) => ({ keyId: main.keyId, calls: failed })),
  );
  const changes = await changesOf(read, keys);
  const brokers = many.flatMap(({ brokerId, main }) => {
    const key = keys.find(({ key_id }) => key_id === main.keyId);
    const begun = began.get(brokerId);
    // What goes well again, and what was stopped, needs no operator.
    if (!begun || key?.key_state !== 'active') return [];
    const { broker, key_id, key_prefix } = key;
    const gate = gateOf(main.gate);
    const own = changes.filter(({ subject }) => subjectsOf(key).includes(subject));
    const before = own.filter(({ at }) => at < begun.at + begun.stepMs);
    const change = before.find((row) => isOfGate(row, gate)) ?? before[0];
    const [after] = own;
    return [
      {
        broker,
        key_id,
        key_prefix,
        calls: begun.calls,
        failed: begun.failed,
        code: main.outcome,
        gate,
        since_date: isoTimestamp(begun.at),
        change: change ? changeRecord(change) : null,
        /** The latest since then, which may have mended it. */
        change_since: after && !before.includes(after) ? changeRecord(after) : null,
      },
    ];
  });
  return { brokers, calls_without_key: withoutKey >= MANY_WITHOUT_KEY ? withoutKey : 0 };
}

/** The brokers whose calls fail, as the overview names them, in flat records. */
export async function listFailingBrokers({ store, clock }: ReadDeps) {
  const { brokers } = await store.slow(operatorOwner(), (read) => failingBrokers(read, clock.now()));
  return brokers.map(({ broker, change, change_since, ...failing }) => {
    const last = change_since ?? change;
    return { broker: broker.slug, ...omit(failing, 'key_id'), last_change: last && `${last.action} by ${last.actor}` };
  });
}

const callsOf = (sums: ReadonlyArray<{ calls: number }>): number => sums.reduce((all, { calls }) => all + calls, 0);

const failures = <S extends CallSum<'outcome'>>(sums: readonly S[]): S[] =>
  sums.filter(({ outcome }) => outcome !== 'ok');

/** The outcome of most failures, and the key that had most of these; the sums are sorted. */
function mainCause<S extends CallSum<'outcome' | 'gate'>>(sums: readonly S[]): S | undefined {
  const causes = [...Map.groupBy(sums, ({ outcome, gate }) => `${outcome} ${gate}`).values()];
  return causes.sort((one, other) => callsOf(other) - callsOf(one))[0]?.[0];
}

/** When failures began, exact to a step, and the calls since then. Epoch milliseconds, milliseconds. */
interface Begun {
  at: number;
  stepMs: number;
  calls: number;
  failed: number;
}

/** Since when each broker's calls have failed; without those whose latest calls went well. */
async function beginnings({ usage }: Named, brokerIds: string[], now: number): Promise<Map<string, Begun>> {
  const fineSince = now - (now % HOUR_MS) - HOUR_MS;
  const by = ['fromAt', 'brokerId', 'outcome'] as const;
  const fine = { grain: 'minute', since: fineSince, stepMs: FINE_MS, brokerIds } as const;
  const coarse = { grain: 'hour', since: now - LOOKED_BACK_MS, until: fineSince, brokerIds } as const;
  const [recent, earlier] = [await usage.tallyCalls(fine, by, MAX_SUMS), await usage.tallyCalls(coarse, by, MAX_SUMS)];
  const began = new Map<string, Begun>();
  for (const id of brokerIds) {
    const own = <S extends CallSum<'brokerId'>>(sums: readonly S[]) => sums.filter(({ brokerId }) => brokerId === id);
    const [late, early] = [failingSteps(own(recent)), failingSteps(own(earlier))];
    const at = (late.isWhole ? early.from : null) ?? late.from;
    if (late.from === null || at === null) continue;
    const since = own([...recent, ...earlier]).filter(({ fromAt }) => fromAt >= at);
    const stepMs = at < fineSince ? HOUR_MS : FINE_MS;
    began.set(id, { at, stepMs, calls: callsOf(since), failed: callsOf(failures(since)) });
  }
  return began;
}

/** The first of the latest steps that fail, one after the other; whether these are all steps with calls. */
function failingSteps(sums: ReadonlyArray<CallSum<'fromAt' | 'outcome'>>): { from: number | null; isWhole: boolean } {
  const steps = [...Map.groupBy(sums, ({ fromAt }) => fromAt)].sort(([one], [other]) => other - one);
  const wellAt = steps.findIndex(([, step]) => callsOf(failures(step)) < callsOf(step) * FAILING_SHARE);
  const failing = wellAt < 0 ? steps : steps.slice(0, wellAt);
  return { from: failing.at(-1)?.[0] ?? null, isWhole: wellAt < 0 };
}

type NamedKey = Awaited<ReturnType<typeof keysOf>>[number];

const subjectsOf = ({ broker, key_id: id, rotated_from_id: rotatedFromId }: NamedKey): string[] =>
  accessSubjects(broker.slug, { id, rotatedFromId });

/** What was changed of these keys, and of the firewall, the limit and the status of their brokers, newest first. */
async function changesOf({ audit }: Pick<Reads, 'audit'>, keys: NamedKey[]) {
  if (keys.length === 0) return [];
  const rows = await audit.list({ subjects: keys.flatMap(subjectsOf), action: ACCESS_ACTIONS }, MAX_CHANGES);
  return rows.filter(changesAccess);
}

/** Keys with what they are called and whose they are; calls whose key was refused, and keys that are no more, are left out. */
async function keysOf(read: Named, sums: ReadonlyArray<CallSum<'keyId'>>) {
  const rows = await read.keys.findMany(sums.map(({ keyId }) => keyId));
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
    rotated_from_id: row.rotatedFromId,
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
