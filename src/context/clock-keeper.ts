import { type Actor, audit } from '../audit/audit.ts';
import type { GuardedClock } from '../clock.ts';
import type { NewId } from '../ids.ts';
import { isoTimestamp } from '../rules/timestamps.ts';
import type { Store } from '../store/store.ts';

/** What the processes of one database share about time, as it is stored. */
interface Shared {
  /** The latest date that any of them has used. */
  usedAt: number;
  /** When an operator last said that the machines' clocks are right; null: never. */
  acceptedAt: number | null;
}

/** How soon processes hear of each other's dates and of `broker clock accept`. */
const LOOK_EVERY_MS = 2_000;

/**
 * The stored date may be this much behind the one that a process has used: together with the time that a change may take
 * to become visible it is less than the minute by which readers of changes go back.
 */
const MARK_EVERY_MS = 20_000;

export interface ClockKeeper {
  /** Compares this process's clock with those of the others and of the database, once. Rejects where the store fails. */
  look(): Promise<void>;
  /** Looks every two seconds until `stop`. */
  start(): void;
  /** Stores what this process's changes have used, so that the next one starts from there. */
  stop(): Promise<void>;
}

/** Shares what the processes of one database know about time, in one row that is changed by compare-and-set. */
export function createClockKeeper(store: Pick<Store, 'read' | 'tx'>, clock: GuardedClock): ClockKeeper {
  let acceptedAt: number | null | undefined;
  let timer: NodeJS.Timeout | undefined;
  let looking: Promise<void> = Promise.resolve();

  async function look(mayMark = true): Promise<void> {
    const value = await store.read.clock.find();
    const shared = parsed(value);
    // An acceptance from before this process began says nothing about its clock.
    if (shared && acceptedAt !== undefined && shared.acceptedAt !== acceptedAt) clock.accept();
    acceptedAt = shared?.acceptedAt ?? null;
    if (shared) clock.learn(shared.usedAt);
    await compare();
    const usedAt = clock.used();
    if (!mayMark || usedAt === undefined || (shared && usedAt < shared.usedAt + MARK_EVERY_MS)) return;
    const next: Shared = { usedAt, acceptedAt };
    await store.tx((tx) => tx.clock.replace(value, JSON.stringify(next)));
  }

  async function compare(): Promise<void> {
    const askedAt = clock.monotonic();
    const databaseDate = await store.read.clock.findDatabaseDate();
    if (databaseDate === null) return;
    const tookMs = clock.monotonic() - askedAt;
    const aheadMs = clock.machine() - tookMs / 2 - databaseDate;
    // A slow answer tells less exactly.
    clock.compare(Math.sign(aheadMs) * Math.max(0, Math.abs(aheadMs) - tookMs / 2));
  }

  return {
    look: () => look(false),
    start() {
      timer ??= setInterval(() => {
        // The store tells of its own outages.
        looking = look().catch(() => undefined);
      }, LOOK_EVERY_MS);
      timer.unref();
    },
    async stop() {
      clearInterval(timer);
      await looking;
      if (clock.hasStamped()) await look().catch(() => undefined);
    },
  };
}

const parsed = (value: string | null): Shared | null => (value === null ? null : (JSON.parse(value) as Shared));

/**
 * The operator says that this machine's clock is right: all processes go on by their machines' clocks within two
 * seconds. Work that is due at once and was given a date ahead of it becomes due.
 */
export async function acceptClock({
  store,
  clock,
  newId,
  actor,
}: {
  store: Store;
  clock: GuardedClock;
  newId: NewId;
  actor: Actor;
}) {
  const acceptedAt = clock.machine();
  return store.tx(async (tx) => {
    const value = await tx.clock.find();
    const before = parsed(value);
    if (!(await tx.clock.replace(value, JSON.stringify({ usedAt: acceptedAt, acceptedAt } satisfies Shared)))) {
      throw new Error('another process changed the clock at the same time');
    }
    const released = await tx.requests.releaseAhead(acceptedAt);
    clock.accept();
    const usedDate = before && isoTimestamp(before.usedAt);
    const after = { accepted_date: isoTimestamp(acceptedAt) };
    await audit({ tx, newId, now: acceptedAt }, actor, {
      action: 'clock.accept',
      brokerId: null,
      subject: 'clock/all',
      before: { used_date: usedDate },
      after,
    });
    return { ...after, used_date: usedDate, requests_released: released };
  });
}
