import { LRUCache } from 'lru-cache';
import { type ApiError, gateNumber } from '../errors.ts';
import { MINUTE_MS } from '../rules/durations.ts';
import { BUCKETS, bucketOf } from '../rules/histograms.ts';
import type { Clock } from '../runtime/clock.ts';
import type { CallRow } from '../store/queries/calls.ts';
import type { KeyRow } from '../store/queries/keys.ts';
import { GRAIN_MS, type UsageRow } from '../store/queries/usage.ts';
import type { Store } from '../store/store.ts';

/** The broker and the key of a call. */
interface CallOwner {
  broker: { id: string };
  key: { id: string };
}

/** One call of v1, when its answer is ready. */
export interface Call {
  requestId: string;
  /** Undefined where the key was refused. */
  owner: CallOwner | undefined;
  /** Empty where the proxy sent something that is not an address. */
  clientIp: string;
  method: string;
  operation: string;
  serviceNumber: number | null;
  status: number;
  /** Undefined where the call succeeded. */
  failure: ApiError | undefined;
  /** Duration in milliseconds. */
  ms: number;
  /** Whether the call log keeps it although it succeeded. */
  logged: boolean;
}

export type RecordedUse = Pick<KeyRow, 'lastUsedAt' | 'lastUsedIp'>;

/** Remembers calls (contract, section 11): usage, the call log, and the last use of keys. */
export interface Recorder {
  record(call: Call): void;
  /** The last use of a key as far as this process knows. */
  lastUse(keyId: string): RecordedUse | undefined;
  /** Calls that are in no usage row; and calls without a row in the log, by the bound that they passed. */
  readonly dropped: Readonly<Record<'usage' | RowBound, number>>;
  /** Writes what is due; runs once a second by itself. What could not be written stays for the next time. */
  writeDue(): Promise<void>;
  /** Writes everything for the last time. */
  close(): Promise<void>;
}

/** Rows of one key in a second; rows of all keys in a second; rows that wait for a database that is away. */
export const ROW_BOUNDS = ['key', 'all', 'waiting'] as const;
export type RowBound = (typeof ROW_BOUNDS)[number];

/** The first two as the contract has them. The third: ten seconds at full rate, about 1 MB. */
export const ROW_LIMITS: Readonly<Record<RowBound, number>> = { key: 20, all: 200, waiting: 2_000 };

export const USAGE_LIMITS = {
  /** Kinds of calls of one key between two writes. Integrations make a dozen; one that fails in every way fills neither memory nor table. */
  key: 64,
  /** Kinds of calls of all keys between two writes: below 2 MB of memory. */
  all: 5_000,
  /** Rows that wait for a database that is away: below 8 MB of memory, and minutes of a busy server. */
  waiting: 20_000,
};

/** First rows of a key, operation and reason in a minute, which are kept above the bounds of a key and of all: 2 MB of memory. */
const MAX_FIRST_ROWS = 10_000;

/** Keys whose last use is remembered, some 5 MB; the one that was silent longest is forgotten. */
export const MAX_KEYS = 20_000;

/** The operation and outcome of calls above a bound. */
export const OTHER = 'other';

/** The gate of calls that none refused. */
const NOT_REFUSED = gateNumber('work');

/** The owner of calls without a valid key. */
const NO_OWNER: CallOwner = { broker: { id: '' }, key: { id: '' } };

const TICK_MS = 1_000;
/** A crash loses the usage of this time. */
const USAGE_EVERY_MS = 10_000;
const USE_EVERY_MS = MINUTE_MS;

/** Rows of a transaction: other transactions wait a few milliseconds for them. A group of calls is eight rows at most. */
const ROWS_A_TRANSACTION = 500;
const GROUPS_A_TRANSACTION = 25;

type CallGroup = UsageRow & { durations: number[] };

interface Use {
  latest: RecordedUse;
  written: RecordedUse | undefined;
  writtenAt: number;
}

interface RecorderParts {
  store: Pick<Store, 'tx'>;
  clock: Pick<Clock, 'now' | 'monotonic'>;
  /** Called once for each outage. */
  onError: (error: unknown) => void;
}

export function createRecorder({ store, clock, onError }: RecorderParts): Recorder {
  const dropped = { usage: 0, key: 0, all: 0, waiting: 0 };
  const groups = new Map<string, CallGroup>();
  /** What is being written, or could not be, as far as is known: where only the answer to a commit was lost it counts twice. */
  let batch: CallGroup[] = [];
  let usageAt = clock.monotonic();
  const rows: CallRow[] = [];
  const uses = new LRUCache<string, Use>({ max: MAX_KEYS });
  const groupQuota = createQuota(clock, USAGE_EVERY_MS, USAGE_LIMITS);
  const rowQuota = createQuota(clock, TICK_MS, ROW_LIMITS);
  const isFirst = createFirsts(clock);

  /** The group that such a call belongs to; undefined where the bound is reached. */
  function groupOf(
    { broker, key }: CallOwner,
    operation: string,
    outcome: string,
    gate: number,
  ): CallGroup | undefined {
    const now = clock.now();
    const fromAt = now - (now % GRAIN_MS.minute);
    const name = `${fromAt} ${key.id} ${operation} ${outcome} ${gate}`;
    let group = groups.get(name);
    if (group) return group;
    if (groups.size + batch.length >= USAGE_LIMITS.waiting) return undefined;
    const bound = operation === OTHER ? undefined : groupQuota(key.id);
    if (bound) return groupOf(bound === 'all' ? NO_OWNER : { broker, key }, OTHER, OTHER, NOT_REFUSED);
    const durations = new Array<number>(BUCKETS).fill(0);
    group = { fromAt, brokerId: broker.id, keyId: key.id, operation, outcome, gate, calls: 0, durations };
    groups.set(name, group);
    return group;
  }

  function count({ owner, operation, failure, ms }: Call): void {
    const gate = failure ? gateNumber(failure.gate) : NOT_REFUSED;
    const group = groupOf(owner ?? NO_OWNER, operation, failure?.code ?? 'ok', gate);
    if (!group) dropped.usage += 1;
    else {
      group.calls += 1;
      (group.durations[bucketOf(ms)] as number) += 1;
    }
  }

  function keep({ broker, key }: CallOwner, call: Call): void {
    const first = isFirst(`${key.id} ${call.operation} ${call.failure?.code} ${call.failure?.details?.reason}`);
    const over = rowQuota(key.id);
    const bound = rows.length >= ROW_LIMITS.waiting ? 'waiting' : first ? undefined : over;
    if (bound) dropped[bound] += 1;
    else rows.push(rowOf(call, { brokerId: broker.id, keyId: key.id, at: clock.now() }));
  }

  function noteUse(keyId: string, clientIp: string): void {
    const latest: RecordedUse = { lastUsedAt: clock.now(), lastUsedIp: clientIp };
    const use = uses.get(keyId);
    if (use) use.latest = latest;
    else uses.set(keyId, { latest, written: undefined, writtenAt: Number.NEGATIVE_INFINITY });
  }

  async function writeRows(): Promise<void> {
    while (rows.length > 0) {
      const some = rows.slice(0, ROWS_A_TRANSACTION);
      await store.tx((tx) => tx.calls.insert(some));
      rows.splice(0, some.length);
    }
  }

  async function writeUsage(): Promise<void> {
    usageAt = clock.monotonic();
    while (batch.length > 0 || groups.size > 0) {
      if (batch.length === 0) batch = takeBatch();
      await store.tx((tx) => tx.usage.count(batch));
      batch = [];
    }
  }

  function takeBatch(): CallGroup[] {
    const taken = [...groups].slice(0, GROUPS_A_TRANSACTION);
    for (const [name] of taken) groups.delete(name);
    return taken.map(([, group]) => group);
  }

  async function writeUses(all: boolean): Promise<void> {
    const now = clock.monotonic();
    const due = [...uses.entries()]
      .filter(([, use]) => use.latest !== use.written && (all || now - use.writtenAt >= USE_EVERY_MS))
      .map(([keyId, use]) => ({ keyId, use, latest: use.latest }))
      // In one order: two processes that write the same keys do not wait for each other in a circle.
      .sort((a, b) => (a.keyId < b.keyId ? -1 : 1));
    for (let at = 0; at < due.length; at += ROWS_A_TRANSACTION) {
      const some = due.slice(at, at + ROWS_A_TRANSACTION);
      await store.tx(async (tx) => {
        for (const { keyId, latest } of some) await tx.keys.update(keyId, latest);
      });
      for (const { use, latest } of some) Object.assign(use, { written: latest, writtenAt: now });
    }
  }

  let failing = false;
  async function write(all: boolean): Promise<void> {
    try {
      await writeRows();
      await writeUses(all);
      if (all || clock.monotonic() - usageAt >= USAGE_EVERY_MS) await writeUsage();
      failing = false;
    } catch (error) {
      if (!failing) onError(error);
      failing = true;
    }
  }

  let writing: Promise<void> | undefined;
  const begin = (all: boolean): Promise<void> => {
    writing ??= write(all).finally(() => {
      writing = undefined;
    });
    return writing;
  };
  // It does not keep a process alive that has ended otherwise.
  const timer = setInterval(() => void begin(false), TICK_MS).unref();

  return {
    record(call) {
      count(call);
      if (!call.owner) return;
      if (call.logged || call.failure) keep(call.owner, call);
      // The firewall refuses a caller without an address, so there is no use to record.
      if (call.clientIp !== '') noteUse(call.owner.key.id, call.clientIp);
    },
    lastUse: (keyId) => uses.get(keyId)?.latest,
    dropped,
    writeDue: () => begin(false),
    async close() {
      clearInterval(timer);
      await writing;
      await begin(true);
    },
  };
}

const rowOf = (
  { requestId, clientIp, method, operation, serviceNumber, status, failure, ms }: Call,
  owner: Pick<CallRow, 'brokerId' | 'keyId' | 'at'>,
): CallRow => ({
  ...owner,
  requestId,
  clientIp: clientIp === '' ? null : clientIp,
  method,
  operation,
  serviceNumber,
  status,
  code: failure?.code ?? null,
  reason: failure?.details?.reason ?? null,
  gate: failure ? gateNumber(failure.gate) : null,
  durationUs: Math.round(ms * 1000),
});

/** Counts what is new, of each key and of all keys, within a window of time. */
function createQuota(clock: Pick<Clock, 'monotonic'>, windowMs: number, limits: { key: number; all: number }) {
  let window: number | undefined;
  let all = 0;
  const byKey = new Map<string, number>();
  /** Counts one more of this key, or returns the bound that it would pass. */
  return (keyId: string): 'key' | 'all' | undefined => {
    const now = Math.floor(clock.monotonic() / windowMs);
    if (now !== window) {
      window = now;
      all = 0;
      byKey.clear();
    }
    const ofKey = byKey.get(keyId) ?? 0;
    if (ofKey >= limits.key) return 'key';
    if (all >= limits.all) return 'all';
    all += 1;
    byKey.set(keyId, ofKey + 1);
    return undefined;
  };
}

/** Whether a call is the first of its kind in this minute; of more kinds than the bound none is. */
function createFirsts(clock: Pick<Clock, 'now'>) {
  let minute: number | undefined;
  const kinds = new Set<string>();
  return (kind: string): boolean => {
    const now = Math.floor(clock.now() / GRAIN_MS.minute);
    if (now !== minute) {
      minute = now;
      kinds.clear();
    }
    if (kinds.has(kind) || kinds.size >= MAX_FIRST_ROWS) return false;
    kinds.add(kind);
    return true;
  };
}
