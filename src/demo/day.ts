import { type ErrorCode, statusOf } from '../errors.ts';
import type { RequestType } from '../kinds/index.ts';
import { settleEmail } from '../operator/mail/emails.ts';
import type { OperatorDeps } from '../operator/use-case/dependencies.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../rules/durations.ts';
import { BUCKETS, bucketOf } from '../rules/histograms.ts';
import { type NewId, newCorrelationId } from '../runtime/ids.ts';
import type { CallRow } from '../store/queries/calls.ts';
import type { EmailRow } from '../store/queries/emails.ts';
import type { UsageRow } from '../store/queries/usage.ts';
import type { Tx } from '../store/store.ts';
import { asOf } from './changes.ts';
import { readJson } from './data.ts';
import { type DemoKeyName, demoKeyParts } from './keys.ts';

/** Steps of the usage rows: longer ones further in the past, single minutes for the most recent time. */
const STEPS = [
  { from: 2 * DAY_MS, every: HOUR_MS },
  { from: DAY_MS, every: 15 * MINUTE_MS },
  { from: 2 * HOUR_MS, every: 5 * MINUTE_MS },
  { from: 65 * MINUTE_MS, every: MINUTE_MS },
] as const;

type BrokerRole = 'demo' | 'other';

/** A kind of call: its share of a key's calls, its outcome and gate, and its usual duration in milliseconds. */
interface CallSample {
  operation: string;
  share: number;
  ms: number;
  outcome?: ErrorCode;
  gate?: number;
  /** Of its single calls, which are kept where they were refused. */
  method?: 'POST';
  reason?: string;
  service?: number;
}

/** The content of day.json. */
interface Day {
  /** Calls of any integration, with the usual refusals and failures. */
  usual: CallSample[];
  /** Calls of an integration that requests the same list in a loop. */
  loop: CallSample[];
  emails: Array<{
    minutesAgo: number;
    kind: keyof typeof SUBJECTS;
    serviceNumber: number;
    status: EmailRow['status'];
    failureReason?: string;
    /** When an operator settled it as arrived. */
    settled?: { minutesAgo: number; note: string };
  }>;
}

/** When the loop began and ended, before the demo is made. */
const LOOP_AGO = { from: 100 * MINUTE_MS, to: 0 };

/** Calls a minute of each key at noon, and how long the night is. */
const KEYS: ReadonlyArray<{ key: DemoKeyName; owner: BrokerRole; perMinute: number; clientIp: string }> = [
  { key: 'live', owner: 'demo', perMinute: 12, clientIp: '192.0.2.10' },
  { key: 'otherLive', owner: 'other', perMinute: 5, clientIp: '203.0.113.20' },
  { key: 'test', owner: 'demo', perMinute: 1, clientIp: '192.0.2.11' },
];
/** With its usual calls more than the key's limit. */
const LOOP_PER_MINUTE = 20;

/** Calls that made the demo's requests, by the request's type. */
const OPERATIONS: Partial<Record<RequestType, string>> = {
  'plan-upgrade': 'upgradeService',
  'plan-downgrade': 'downgradeService',
};

/**
 * Two days of what a service does, so that the pages which show it have something to show: calls with a day's curve, the
 * single calls that a service keeps of them, a key that hammers, and emails of which some failed. The same in every
 * installation. All of it belongs to the demo's brokers and is removed with them. Nothing is added to a database that has
 * counted calls.
 */
export async function makeDemoDay(
  parts: Pick<OperatorDeps, 'store' | 'clock' | 'newId' | 'actor'>,
  tx: Tx,
  brokers: Record<BrokerRole, string>,
  now: number,
): Promise<void> {
  const counted = await tx.usage.tallyCalls({ grain: 'day', since: 0 }, [], 1);
  if (counted[0]?.calls) return;
  const day = readJson<Day>('day.json');
  const emails = emailsOf(day, parts.newId, brokers.demo, now);
  for (const row of emails) await tx.emails.insert(row);
  const traffic = await usageOf(day, tx, brokers, now);
  await addMade(traffic, tx, emails, brokers.demo, now);
  await tx.usage.countPast(traffic.rows);
  await tx.calls.insert(traffic.calls);
  for (const [keyId, { at, clientIp }] of traffic.used) {
    await tx.keys.update(keyId, { lastUsedAt: at, lastUsedIp: clientIp });
  }
  for (const [index, { settled }] of day.emails.entries()) {
    const email = emails[index] as EmailRow;
    if (settled) {
      const then = asOf(parts, now - settled.minutesAgo * MINUTE_MS);
      await settleEmail.run(then, { email_id: email.id, arrived: true, note: settled.note });
    }
  }
}

interface Traffic {
  rows: UsageRow[];
  calls: CallRow[];
  /** The last use of each key, by its id. */
  used: Map<string, { at: number; clientIp: string }>;
}

async function usageOf(
  { usual, loop }: Day,
  tx: Tx,
  brokers: Record<BrokerRole, string>,
  now: number,
): Promise<Traffic> {
  const random = chance();
  const traffic: Traffic = { rows: [], calls: [], used: new Map() };
  for (const { key, owner, perMinute, clientIp } of KEYS) {
    const keyId = await keyIdOf(tx, key);
    const brokerId = brokers[owner];
    for (const { at, every } of stepsBefore(now)) {
      const minutes = every / MINUTE_MS;
      const calls = perMinute * minutes * curveAt(at) * (0.85 + 0.3 * random());
      const ago = now - at;
      const loops = key === 'otherLive' && ago <= LOOP_AGO.from && ago > LOOP_AGO.to;
      const parts: Array<[readonly CallSample[], number]> = [[usual, calls]];
      if (loops) parts.push([loop, LOOP_PER_MINUTE * minutes * (0.9 + 0.2 * random())]);
      for (const [kinds, total] of parts) {
        for (const kind of kinds) {
          const { operation, share, ms, outcome = 'ok', gate = 9 } = kind;
          const count = Math.floor(total * share + random());
          if (count === 0) continue;
          const durations = spread(count, ms, random);
          traffic.rows.push({ fromAt: at, brokerId, keyId, operation, outcome, gate, calls: count, durations });
          const last = at + Math.floor(((count - 0.5) * every) / count);
          traffic.used.set(keyId, { at: Math.max(last, traffic.used.get(keyId)?.at ?? 0), clientIp });
          if (kind.outcome === undefined) continue;
          for (let nth = 0; nth < count; nth += 1) {
            const date = at + Math.floor(((nth + 0.5) * every) / count);
            traffic.calls.push(callOf(kind, { at: date, brokerId, keyId, clientIp }));
          }
        }
      }
    }
  }
  return traffic;
}

async function keyIdOf(tx: Tx, key: DemoKeyName): Promise<string> {
  const access = await tx.keys.findAccess(demoKeyParts(key).publicId);
  // Exists: created in this transaction.
  return access?.key.id as string;
}

const callOf = (
  { operation, ms, outcome, gate, method = 'POST', reason, service }: Omit<CallSample, 'share'>,
  made: Pick<CallRow, 'at' | 'brokerId' | 'keyId' | 'clientIp'>,
): CallRow => ({
  ...made,
  requestId: newCorrelationId(),
  method: /^(get|list)/.test(operation) ? 'GET' : method,
  operation,
  serviceNumber: service ?? null,
  status: outcome === undefined ? 200 : statusOf(outcome),
  code: outcome ?? null,
  reason: reason ?? null,
  gate: gate ?? null,
  durationUs: Math.round(ms * 1000),
});

/** The calls that made the broker's requests and warnings of these days. */
async function addMade(traffic: Traffic, tx: Tx, emails: EmailRow[], brokerId: string, now: number): Promise<void> {
  const keyId = await keyIdOf(tx, 'live');
  const { clientIp } = KEYS[0] as (typeof KEYS)[number];
  const since = now - 2 * DAY_MS;
  const requests = (await tx.requests.page(brokerId, {}, { limit: 100, offset: 0 })).map(({ request }) => request);
  const made = [
    ...requests
      .filter(({ origin, submittedAt }) => origin === 'broker' && submittedAt > since)
      .flatMap(({ type, submittedAt, serviceNumber }) => {
        const operation = OPERATIONS[type];
        return operation === undefined ? [] : [{ at: submittedAt, operation, ms: 9, service: serviceNumber }];
      }),
    ...emails
      .filter(({ kind }) => kind === 'cancellation-warning')
      .map(({ createdAt, status, failureReason, serviceNumber }) => ({
        at: createdAt + 400,
        operation: 'warnCancellation',
        ms: 400,
        service: serviceNumber as number,
        ...(status !== 'sent' && { outcome: 'email_send_error' as const, reason: failureReason as string }),
      })),
  ];
  for (const { at, ...kind } of made) {
    const { operation, ms, outcome = 'ok' } = { outcome: undefined, ...kind };
    traffic.calls.push(callOf(kind, { at, brokerId, keyId, clientIp }));
    const durations = spread(1, ms, () => 0);
    const fromAt = at - (at % MINUTE_MS);
    traffic.rows.push({ fromAt, brokerId, keyId, operation, outcome, gate: 9, calls: 1, durations });
  }
}

/** Each step begins where the previous one ended, at a multiple of its length. */
function* stepsBefore(now: number): Generator<{ at: number; every: number }> {
  let at = now - STEPS[0].from - ((now - STEPS[0].from) % STEPS[0].every);
  for (const [index, { every }] of STEPS.entries()) {
    const next = STEPS[index + 1];
    // The next steps are shorter ones, and begin at a whole one of these.
    const until = next ? now - next.from - ((now - next.from) % every) : now - (now % MINUTE_MS);
    for (; at < until; at += every) yield { at, every };
  }
}

/** Busy by day and quiet by night, most at two in the afternoon (UTC). From 0.15 to 1. */
const curveAt = (at: number): number => 0.575 + 0.425 * Math.cos((((at % DAY_MS) / HOUR_MS - 14) / 24) * 2 * Math.PI);

/** Durations around a middle: half of them near it, some half or twice as long, a few far beyond. */
function spread(count: number, ms: number, random: () => number): number[] {
  const durations = new Array<number>(BUCKETS).fill(0);
  let left = count;
  for (const [share, factor] of [
    [0.25, 0.6],
    [0.45, 1],
    [0.2, 1.7],
    [0.08, 3.5],
    [0.02, 9],
  ] as const) {
    const some = Math.min(left, Math.floor(count * share + random()));
    (durations[bucketOf(ms * factor)] as number) += some;
    left -= some;
  }
  (durations[bucketOf(ms)] as number) += left;
  return durations;
}

/** A pseudo-random generator with a fixed seed, so that the demo is the same in every installation. */
function chance(): () => number {
  let state = 20_300_115;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

const SUBJECTS = {
  'cancellation-warning': (number: number) => `Your service ${number} is at risk of cancellation`,
  'plan-change-completed': (number: number) => `Your service ${number} has a new plan`,
  'service-created': (number: number) => `Your new service ${number} is ready`,
};

const emailsOf = ({ emails }: Day, newId: NewId, brokerId: string, now: number): EmailRow[] =>
  emails.map(({ minutesAgo, kind, serviceNumber, status, failureReason = null }) => {
    const at = now - minutesAgo * MINUTE_MS;
    const subject = SUBJECTS[kind](serviceNumber);
    const text = `${subject}.\n\nThis email is part of the demo; it was not sent.\n`;
    return {
      id: newId('eml', at),
      brokerId,
      kind,
      serviceNumber,
      requestId: null,
      status,
      recipient: `client-${serviceNumber}@example.com`,
      subject,
      html: `<!doctype html><p>${subject}.</p><p>This email is part of the demo; it was not sent.</p>`,
      text,
      failureReason,
      providerCode: failureReason === 'rejected' ? '406' : null,
      providerMessageId: status === 'sent' ? `demo-${serviceNumber}` : null,
      createdAt: at,
      completedAt: status === 'unknown' ? null : at + 400,
      settledAt: null,
      settledNote: null,
      erasedAt: null,
    };
  });
