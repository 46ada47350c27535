import type { NewId } from '../ids.ts';
import { BUCKETS, bucketOf } from '../rules/durations.ts';
import type { EmailRow } from '../store/emails.ts';
import type { Tx } from '../store/store.ts';
import type { UsageRow } from '../store/usage.ts';
import { type DemoKeyName, demoKeyParts } from './keys.ts';
import { DEMO_OPERATOR } from './operator.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** Steps of the usage rows: longer ones further in the past, single minutes for the most recent time. */
const STEPS = [
  { from: 2 * DAY, every: HOUR },
  { from: DAY, every: 15 * MINUTE },
  { from: 2 * HOUR, every: 5 * MINUTE },
  { from: 65 * MINUTE, every: MINUTE },
] as const;

/** A kind of call: how many of a key's calls are of it, how they ended, and about how long they took. */
interface Kind {
  operation: string;
  share: number;
  ms: number;
  outcome?: string;
  gate?: number;
}

/** Refusals and failures that any integration has now and then. */
const USUAL: readonly Kind[] = [
  { operation: 'listServices', share: 0.34, ms: 3.2 },
  { operation: 'getService', share: 0.3, ms: 1.4 },
  { operation: 'listRequests', share: 0.16, ms: 2.6 },
  { operation: 'listPlans', share: 0.08, ms: 1.1 },
  { operation: 'checkAccess', share: 0.06, ms: 0.6 },
  { operation: 'upgradeService', share: 0.025, ms: 9 },
  { operation: 'getService', share: 0.018, ms: 0.9, outcome: 'not_found', gate: 7 },
  { operation: 'listServices', share: 0.009, ms: 0.5, outcome: 'invalid_parameter', gate: 5 },
  { operation: 'upgradeService', share: 0.005, ms: 4, outcome: 'invalid_state', gate: 8 },
  { operation: 'warnCancellation', share: 0.002, ms: 240, outcome: 'email_send_error', gate: 9 },
  { operation: 'createService', share: 0.001, ms: 0.4, outcome: 'insufficient_permissions', gate: 4 },
];

/** An integration with a loop that requests the same list again and again. */
const LOOP: readonly Kind[] = [
  { operation: 'listServices', share: 0.13, ms: 3.4 },
  { operation: 'listServices', share: 0.87, ms: 0.2, outcome: 'rate_limit_exceeded', gate: 3 },
];

/** When the loop began and ended, before the demo is made. */
const LOOP_AGO = { from: 100 * MINUTE, to: 0 };

/** Calls a minute of each key at noon, and how long the night is. */
const KEYS: ReadonlyArray<{ key: DemoKeyName; owner: 'demo' | 'other'; perMinute: number }> = [
  { key: 'live', owner: 'demo', perMinute: 64 },
  { key: 'otherLive', owner: 'other', perMinute: 21 },
  { key: 'test', owner: 'demo', perMinute: 6 },
];
const LOOP_PER_MINUTE = 260;

/**
 * Two days of what a service does, so that the pages which show it have something to show: calls with a day's curve,
 * refusals and a key that hammers, emails of which some failed, and changes of the demo's operator. The same in every
 * installation. Everything belongs to the demo's brokers and goes with them, but for the audit trail, which keeps what it
 * is told; there the rows stand under the demo's operator. Nothing is added to a database that has counted calls.
 */
export async function makeDemoDay(
  tx: Tx,
  newId: NewId,
  brokers: Record<'demo' | 'other', string>,
  now: number,
): Promise<void> {
  const counted = await tx.usage.tallyCalls({ grain: 'day', since: 0 }, [], 1);
  if (counted[0]?.calls) return;
  await tx.usage.countPast(await usageOf(tx, brokers, now));
  for (const row of emailsOf(newId, brokers.demo, now)) await tx.emails.insert(row);
  for (const row of changesOf(newId, brokers, now)) await tx.audit.insert(row);
}

async function usageOf(tx: Tx, brokers: Record<'demo' | 'other', string>, now: number): Promise<UsageRow[]> {
  const random = chance();
  const rows: UsageRow[] = [];
  for (const { key, owner, perMinute } of KEYS) {
    const access = await tx.keys.findAccess(demoKeyParts(key).publicId);
    // Exists: created in this transaction.
    const keyId = access?.key.id as string;
    for (const { at, every } of stepsBefore(now)) {
      const minutes = every / MINUTE;
      const calls = perMinute * minutes * curveAt(at) * (0.85 + 0.3 * random());
      const ago = now - at;
      const loops = key === 'otherLive' && ago <= LOOP_AGO.from && ago > LOOP_AGO.to;
      const parts: Array<[readonly Kind[], number]> = [[USUAL, calls]];
      if (loops) parts.push([LOOP, LOOP_PER_MINUTE * minutes * (0.9 + 0.2 * random())]);
      for (const [kinds, total] of parts) {
        for (const { operation, share, ms, outcome = 'ok', gate = 9 } of kinds) {
          const count = Math.floor(total * share + random());
          if (count === 0) continue;
          const durations = spread(count, ms, random);
          rows.push({ fromAt: at, brokerId: brokers[owner], keyId, operation, outcome, gate, calls: count, durations });
        }
      }
    }
  }
  return merged(rows);
}

/** Each step begins where the previous one ended, at a multiple of its length. */
function* stepsBefore(now: number): Generator<{ at: number; every: number }> {
  let at = now - STEPS[0].from - ((now - STEPS[0].from) % STEPS[0].every);
  for (const [index, { every }] of STEPS.entries()) {
    const next = STEPS[index + 1];
    // The next steps are shorter ones, and begin at a whole one of these.
    const until = next ? now - next.from - ((now - next.from) % every) : now - (now % MINUTE);
    for (; at < until; at += every) yield { at, every };
  }
}

/** Adds up rows with the same key: the loop uses the same operations as other calls. */
function merged(rows: UsageRow[]): UsageRow[] {
  const sums = new Map<string, UsageRow>();
  for (const row of rows) {
    const name = [row.fromAt, row.keyId, row.operation, row.outcome].join(' ');
    const sum = sums.get(name);
    if (!sum) sums.set(name, row);
    else {
      const durations = row.durations.map((count, bucket) => count + (sum.durations[bucket] as number));
      sums.set(name, { ...sum, calls: sum.calls + row.calls, durations });
    }
  }
  return [...sums.values()];
}

/** Busy by day and quiet by night, most at two in the afternoon (UTC). From 0.15 to 1. */
const curveAt = (at: number): number => 0.575 + 0.425 * Math.cos((((at % DAY) / HOUR - 14) / 24) * 2 * Math.PI);

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

/** Minutes ago, what it was about, which service, and what became of it. */
const EMAILS: ReadonlyArray<[number, keyof typeof SUBJECTS, number, EmailRow['status'], string?]> = [
  [26 * 60, 'plan-change-completed', 1000022, 'sent'],
  [22 * 60, 'cancellation-warning', 1000001, 'sent'],
  [20 * 60, 'service-created', 1000024, 'sent'],
  [17 * 60, 'cancellation-warning', 1000004, 'sent'],
  [13 * 60, 'plan-change-completed', 1000003, 'sent'],
  [9 * 60, 'cancellation-warning', 1000023, 'failed', 'rejected'],
  [7 * 60, 'cancellation-warning', 1000002, 'sent'],
  [5 * 60, 'plan-change-completed', 1000025, 'sent'],
  [185, 'cancellation-warning', 1000009, 'unknown', 'outcome_unknown'],
  [150, 'service-created', 1000011, 'sent'],
  [95, 'cancellation-warning', 1000018, 'failed', 'unreachable'],
  [40, 'cancellation-warning', 1000017, 'unknown', 'outcome_unknown'],
  [12, 'cancellation-warning', 1000021, 'sent'],
];

const emailsOf = (newId: NewId, brokerId: string, now: number): EmailRow[] =>
  EMAILS.map(([ago, kind, serviceNumber, status, failureReason = null]) => {
    const at = now - ago * MINUTE;
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

/** Minutes ago, what was done, whose it was, to what, and the values before and after. */
const CHANGES: ReadonlyArray<[number, string, 'demo' | 'other', string, object, object]> = [
  [30 * 60, 'plan.set', 'demo', 'plan/business', { price: '17.00' }, { price: '18.00' }],
  [23 * 60, 'broker.set', 'other', 'broker/demo-other', { name: 'Other Host' }, { name: 'Other Hosting' }],
  [
    11 * 60,
    'service.set',
    'demo',
    'service/1000025',
    { requires_operator_review: false },
    { requires_operator_review: true },
  ],
  [8 * 60, 'service.set', 'demo', 'service/1000009', { service_status: 'active' }, { service_status: 'suspended' }],
  [6 * 60, 'email.settle', 'demo', 'email/demo', { email_status: 'unknown' }, { email_status: 'sent' }],
  [55, 'key.set', 'other', 'key/demo', { rate_limit: null }, { rate_limit: 120 }],
];

const changesOf = (newId: NewId, brokers: Record<'demo' | 'other', string>, now: number) =>
  CHANGES.map(([ago, action, owner, subject, before, after]) => {
    const at = now - ago * MINUTE;
    return {
      id: newId('aud', at),
      at,
      actorKind: 'operator' as const,
      actor: DEMO_OPERATOR.email,
      clientIp: '127.0.0.1',
      action,
      brokerId: brokers[owner],
      subject,
      before: JSON.stringify(before),
      after: JSON.stringify(after),
    };
  });
