import type { Provisioner, WorkOutcome } from '../ports.ts';
import { MINUTE_MS } from '../rules/durations.ts';
import type { Clock } from '../runtime/clock.ts';
import type { Reads, Store } from '../store/store.ts';

/** What is known of the operator's endpoint from its answers (contract, section 14.5). Dates in epoch milliseconds. */
export interface ProvisionerState {
  state: 'answering' | 'not_answering' | 'unknown';
  /** The last answer; null: none yet. */
  answeredAt: number | null;
  /** The first of the calls since then that had no answer; null: there is none. */
  failingSince: number | null;
  /** Why the latest of these calls had none. */
  reason: string | null;
  message: string | null;
}

/** The calls of all processes, as they are stored: the last answer, and the calls without one since then. */
interface Record {
  answeredAt: number | null;
  unanswered: Unanswered | null;
}

interface Unanswered {
  calls: number;
  firstAt: number;
  lastAt: number;
  reason: string;
  message: string;
}

const SETTING = 'provisioner';

/** How long the state that other processes see may be old: a write every few seconds, not one for each call. */
const RECORD_EVERY_MS = 5_000;

/** It does not answer after so many calls without an answer, over so long a time. */
const MIN_CALLS = 3;
const MIN_SPAN_MS = MINUTE_MS;

const NOTHING: Record = { answeredAt: null, unanswered: null };

/** An outcome that says nothing of the work: no answer, a 5xx, a wrong address, a body that cannot be read. */
const isAnswer = (result: WorkOutcome): boolean => result.outcome !== 'retry' || result.reason === 'provisioner_busy';

/** Every outcome of a call, as a word. */
export const CALL_OUTCOMES = [
  ...['done', 'failed', 'in_progress', 'provisioner_busy'],
  ...['provisioner_refused', 'provisioner_unreachable', 'outcome_unknown'],
] as const;

/** What a call came to, for the metrics: the outcome, or why there was none. */
const wordOf = (result: WorkOutcome): string => (result.outcome === 'retry' ? result.reason : result.outcome);

/** Is called after each call: its outcome as a word, and how long it took in milliseconds. */
export type ObserveCall = (outcome: string, ms: number) => void;

/** A provisioner whose calls are counted. */
export interface WatchedProvisioner {
  provisioner: Provisioner;
  /** Writes down what was seen since the last time; does so every five seconds at most unless it is the last time. */
  record(isLast?: boolean): Promise<void>;
}

/** Counts the calls of this process; none that was cut short by its end. */
export function watchProvisioner(
  { fulfil }: Provisioner,
  { store, clock, observe }: { store: Pick<Store, 'tx'>; clock: Clock; observe?: ObserveCall | undefined },
): WatchedProvisioner {
  let seen = NOTHING;
  let dueAt = Number.NEGATIVE_INFINITY;
  return {
    provisioner: {
      async fulfil(work, signal) {
        const startedAt = clock.monotonic();
        const result = await fulfil(work, signal);
        if (signal?.aborted && !isAnswer(result)) return result;
        observe?.(wordOf(result), clock.monotonic() - startedAt);
        seen = after(seen, result, clock.now());
        return result;
      },
    },
    async record(isLast = false) {
      if (seen === NOTHING || (!isLast && clock.monotonic() < dueAt)) return;
      dueAt = clock.monotonic() + RECORD_EVERY_MS;
      const latest = seen;
      seen = NOTHING;
      await store
        .tx(async (tx) => {
          await tx.settings.lock(SETTING);
          const value = JSON.stringify(merged(await findRecord(tx), latest));
          await tx.settings.put({ name: SETTING, value });
        })
        .catch((error: unknown) => {
          seen = merged(latest, seen);
          throw error;
        });
    },
  };
}

function after({ answeredAt, unanswered }: Record, result: WorkOutcome, now: number): Record {
  if (result.outcome !== 'retry' || isAnswer(result)) return { answeredAt: now, unanswered: null };
  const { reason, message } = result;
  const calls = (unanswered?.calls ?? 0) + 1;
  return { answeredAt, unanswered: { calls, firstAt: unanswered?.firstAt ?? now, lastAt: now, reason, message } };
}

/** Two records as one; a call without an answer counts where it came after the last answer of both. */
function merged(one: Record, other: Record): Record {
  const answeredAt = Math.max(one.answeredAt ?? 0, other.answeredAt ?? 0);
  const both = [one.unanswered, other.unanswered].filter((each) => each !== null && each.lastAt > answeredAt);
  const [first, second = first] = (both as Unanswered[]).sort((a, b) => a.lastAt - b.lastAt);
  const unanswered = second && {
    ...second,
    calls: (both as Unanswered[]).reduce((sum, { calls }) => sum + calls, 0),
    firstAt: Math.max(answeredAt, Math.min(first?.firstAt ?? second.firstAt, second.firstAt)),
  };
  return { answeredAt: answeredAt || null, unanswered: unanswered ?? null };
}

async function findRecord({ settings }: Pick<Reads, 'settings'>): Promise<Record> {
  const value = await settings.find(SETTING);
  return value === null ? NOTHING : (JSON.parse(value) as Record);
}

/** Whether it does not answer. Costs one read. */
export const isProvisionerAway = async (reads: Pick<Reads, 'settings'>): Promise<boolean> =>
  (await findProvisionerState(reads)).state === 'not_answering';

/** What the processes know of it together. Costs one read. */
export async function findProvisionerState(reads: Pick<Reads, 'settings'>): Promise<ProvisionerState> {
  const { answeredAt, unanswered } = await findRecord(reads);
  const isAway =
    unanswered !== null && unanswered.calls >= MIN_CALLS && unanswered.lastAt - unanswered.firstAt >= MIN_SPAN_MS;
  return {
    state: isAway ? 'not_answering' : answeredAt === null ? 'unknown' : 'answering',
    answeredAt,
    failingSince: unanswered?.firstAt ?? null,
    reason: unanswered?.reason ?? null,
    message: unanswered?.message ?? null,
  };
}
