import type { NewId } from '../ids.ts';
import { BUCKETS, bucketOf } from '../rules/durations.ts';
import type { AuditRow } from '../store/audit.ts';
import type { EmailRow } from '../store/emails.ts';
import type { Tx } from '../store/store.ts';
import type { UsageRow } from '../store/usage.ts';
import { readJson } from './data.ts';
import { DEMO_OPERATOR, type DemoKeyName, demoKeyParts } from './keys.ts';

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

type Owner = 'demo' | 'other';

/** A kind of call: its share of a key's calls, its outcome and gate, and its usual duration in milliseconds. */
interface Kind {
  operation: string;
  share: number;
  ms: number;
  outcome?: string;
  gate?: number;
}

/** The content of day.json. */
interface Day {
  /** Calls of any integration, with the usual refusals and failures. */
  usual: Kind[];
  /** Calls of an integration that requests the same list in a loop. */
  loop: Kind[];
  emails: Array<{
    minutesAgo: number;
    kind: keyof typeof SUBJECTS;
    serviceNumber: number;
    status: EmailRow['status'];
    failureReason?: string;
  }>;
  /** Changes of the demo's operator, as the audit trail has them. */
  changes: Array<{
    minutesAgo: number;
    action: string;
    owner: Owner;
    subject: string;
    before: object;
    after: object;
  }>;
}

/** When the loop began and ended, before the demo is made. */
const LOOP_AGO = { from: 100 * MINUTE, to: 0 };

/** Calls a minute of each key at noon, and how long the night is. */
const KEYS: ReadonlyArray<{ key: DemoKeyName; owner: Owner; perMinute: number }> = [
  { key: 'live', owner: 'demo', perMinute: 64 },
  { key: 'otherLive', owner: 'other', perMinute: 21 },
  { key: 'test', owner: 'demo', perMinute: 6 },
];
const LOOP_PER_MINUTE = 260;

/**
 * Two days of what a service does, so that the pages which show it have something to show: calls with a day's curve,
 * refusals and a key that hammers, emails of which some failed, and changes of the demo's operator. The same in every
 * installation. Everything belongs to the demo's brokers and is removed with them, except for the rows of the audit
 * trail, whose actor is the demo's operator. Nothing is added to a database that has counted calls.
 */
export async function makeDemoDay(tx: Tx, newId: NewId, brokers: Record<Owner, string>, now: number): Promise<void> {
  const counted = await tx.usage.tallyCalls({ grain: 'day', since: 0 }, [], 1);
  if (counted[0]?.calls) return;
  const day = readJson<Day>('day.json');
  await tx.usage.countPast(await usageOf(day, tx, brokers, now));
  for (const row of emailsOf(day, newId, brokers.demo, now)) await tx.emails.insert(row);
  for (const row of changesOf(day, newId, brokers, now)) await tx.audit.insert(row);
}

async function usageOf({ usual, loop }: Day, tx: Tx, brokers: Record<Owner, string>, now: number): Promise<UsageRow[]> {
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
      const parts: Array<[readonly Kind[], number]> = [[usual, calls]];
      if (loops) parts.push([loop, LOOP_PER_MINUTE * minutes * (0.9 + 0.2 * random())]);
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
  return rows;
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

const emailsOf = ({ emails }: Day, newId: NewId, brokerId: string, now: number): EmailRow[] =>
  emails.map(({ minutesAgo, kind, serviceNumber, status, failureReason = null }) => {
    const at = now - minutesAgo * MINUTE;
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

const changesOf = ({ changes }: Day, newId: NewId, brokers: Record<Owner, string>, now: number): AuditRow[] =>
  changes.map(({ minutesAgo, action, owner, subject, before, after }) => {
    const at = now - minutesAgo * MINUTE;
    return {
      id: newId('aud', at),
      at,
      actorKind: 'operator',
      actor: DEMO_OPERATOR.email,
      clientIp: '127.0.0.1',
      action,
      brokerId: brokers[owner],
      subject,
      before: JSON.stringify(before),
      after: JSON.stringify(after),
    };
  });
