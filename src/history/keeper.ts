import { randomUUID } from 'node:crypto';
import type { Actor } from '../audit/audit.ts';
import { ApiError } from '../errors.ts';
import { MINUTE_MS, SECOND_MS } from '../rules/durations.ts';
import { isoTimestamp } from '../rules/timestamps.ts';
import type { Clock } from '../runtime/clock.ts';
import type { NewId } from '../runtime/ids.ts';
import { type Change, transact } from '../store/change.ts';
import type { Report } from '../store/drivers/outage.ts';
import type { Identity, LossRow, PresentIdentity, RecordsState } from '../store/queries/history.ts';
import type { Reads, Store } from '../store/store.ts';
import { BEAT_EVERY_MS, findHeartbeat, leave, noteServer, raiseHeartbeat, serversUp } from './heartbeat.ts';
import {
  COPY_MARK,
  type FoundLoss,
  NOTHING_LOST,
  noteLoss,
  noteNothingLost,
  type RecordsPlace,
  takeHistory,
} from './loss.ts';
import { type Remembered, readRemembered, writeRemembered } from './seen-file.ts';

const LOOK_EVERY_MS = SECOND_MS;
const WRITE_SEEN_EVERY_MS = MINUTE_MS;

/** Another timeline whose last heartbeat is older is no failover: it was restored. */
const FAILOVER_WITHIN_MS = 5 * MINUTE_MS;

/** How long the servers that were up have to say that they find their last change again. */
const VOUCH_WITHIN_MS = 10 * SECOND_MS;

export interface RecordsKeeperParts {
  store: Store;
  clock: Clock;
  newId: NewId;
  actor: Actor;
  place: RecordsPlace;
  /** Where to note what was seen; undefined: nowhere. */
  seenFile: string | undefined;
  /** Whether a release that cannot vouch for its changes was seen lately. */
  hasFormerWorkers(): Promise<boolean>;
  report: Report;
}

/** What this process knows of the records since its last look. */
export interface RecordsInfo {
  /** The number of history; 0 before the first loss. */
  history: number;
  /** What keeps work and emails back; null: nothing. */
  holding: Awaited<ReturnType<Reads['history']['findHolding']>>;
  /** The losses that cannot be seen here, each as people call it. */
  unseen: readonly string[];
}

export interface RecordsKeeper {
  /** Finds a loss before a server does anything else. Rejects where the store fails. */
  open(): Promise<void>;
  /** The same for a command, which may reach the database elsewhere, and whose last change no other process asks for. */
  openForCommand(): Promise<void>;
  /** Looks every second, and notes the time every ten, until `stop`. */
  start(): void;
  stop(): Promise<void>;
  info(): RecordsInfo;
}

/** What a look has read. */
interface Sight extends Remembered {
  state: RecordsState;
  here: PresentIdentity | null;
}

/** Notices where the records went back, of the process that it is made for (contract, section 15.1). */
export function createRecordsKeeper({
  store,
  clock,
  newId,
  actor,
  place,
  seenFile,
  hasFormerWorkers,
  report,
}: RecordsKeeperParts): RecordsKeeper {
  const id = randomUUID();
  const NOWHERE: RecordsPlace = { ...place, address: null };
  let by = { place: NOWHERE, actor };
  let info: RecordsInfo = { history: 0, holding: null, unseen: [] };
  /** What this process has seen, which the records cannot be behind. */
  let seen: Remembered | undefined;
  let isServer = false;
  let failoverSince: number | undefined;
  let beatDueAt = Number.NEGATIVE_INFINITY;
  let seenDueAt = Number.NEGATIVE_INFINITY;
  let timer: NodeJS.Timeout | undefined;
  let looking: Promise<void> | undefined;
  let isFailing = false;

  async function sight({ history, settings }: Pick<Reads, 'history' | 'settings'>): Promise<Sight> {
    const state = await history.findState();
    const heartbeat = (await findHeartbeat({ settings })) ?? 0;
    return { state, here: await history.findHere(), number: state.nextNumber, heartbeat };
  }

  const isBehind = (now: Remembered, before: Remembered | null | undefined): boolean =>
    before != null && (now.number < before.number || now.heartbeat < before.heartbeat);

  /** Runs the work where the condition still holds once no other process notes a loss. */
  const whileLocked = <T>(isStill: (now: Sight) => boolean, work: (change: Change) => Promise<T>): Promise<T | null> =>
    transact({ store, clock, newId }, async (change) => {
      await change.tx.history.lock();
      return isStill(await sight(change.tx)) ? work(change) : null;
    });

  async function note(found: FoundLoss, isStill: (now: Sight) => boolean): Promise<void> {
    const noted = await whileLocked(isStill, (change) => noteLoss(change, found, by));
    if (noted) beginAnew(noted, found);
  }

  /** Nothing of before a loss is remembered: the clock may have gone back with the records. */
  function beginAnew(loss: LossRow, found: Pick<FoundLoss, 'finding'>): void {
    seen = undefined;
    [beatDueAt, seenDueAt] = [Number.NEGATIVE_INFINITY, Number.NEGATIVE_INFINITY];
    report(lineOf(loss, found));
  }

  /** Another timeline, of which the servers that were up have to say whether it has their changes. */
  async function judgeFailover(now: Sight): Promise<void> {
    const timeline = now.here?.timeline ?? null;
    const isOther = (later: Sight) => differenceOf(later, by.place) !== 'none';
    failoverSince ??= clock.monotonic();
    const isLost =
      isBehind(now, seen) ||
      (await store.read.history.countMissing(store.witnesses?.() ?? [])) > 0 ||
      (await hasFormerWorkers());
    if (!isLost) {
      const isVouchedFor = await whileLocked(isOther, async (change) => {
        await noteServer(change.tx, { id, seenAt: change.now, vouchesFor: timeline });
        const others = await serversUp(change.tx);
        if (!others.every(({ vouchesFor }) => vouchesFor === timeline)) return false;
        await noteNothingLost(change, by, 'servers');
        return true;
      });
      if (isVouchedFor) report('the database has failed over, and nothing was lost');
      if (isVouchedFor !== false || clock.monotonic() - failoverSince < VOUCH_WITHIN_MS) return;
    }
    await note({ cause: 'failover', finding: 'other_history', leastNumber: seen?.number }, isOther);
  }

  /** Notes what the records have lost, if anything. */
  async function judge(now: Sight, isStart: boolean): Promise<void> {
    const difference = differenceOf(now, isStart ? by.place : NOWHERE);
    const isFailover = difference === 'timeline' && !now.here?.isUpToTarget;
    if (isFailover && clock.now() - now.heartbeat < FAILOVER_WITHIN_MS) return judgeFailover(now);
    failoverSince = undefined;
    if (isBehind(now, seen)) {
      const before = seen as Remembered;
      const found = { cause: 'restore', finding: 'behind_this_process', leastNumber: before.number } as const;
      return note(found, (later) => isBehind(later, before));
    }
    if (difference !== 'none') {
      const isStill = (later: Sight) => differenceOf(later, isStart ? by.place : NOWHERE) !== 'none';
      if (await isDeclaredLossless()) {
        await whileLocked(isStill, (change) => noteNothingLost(change, by, 'operator'));
        return;
      }
      return note({ cause: 'restore', finding: 'other_history' }, isStill);
    }
    if (isStart) await judgeCopy(now);
  }

  /** A file that was put back. */
  async function judgeCopy(now: Sight): Promise<void> {
    const before = seenFile === undefined ? null : readRemembered(seenFile);
    const isMarked = (await store.read.settings.find(COPY_MARK)) !== null;
    if (!isMarked && !isBehind(now, before)) return;
    const isLossless = await isDeclaredLossless();
    const finding = isMarked ? 'marked_copy' : 'behind_what_was_seen';
    const noted = await transact({ store, clock, newId }, async (change) => {
      const { tx } = change;
      await tx.history.lock();
      if ((await tx.settings.find(COPY_MARK)) === null && !isBehind(await sight(tx), before)) return null;
      if (isLossless) {
        await tx.settings.remove(COPY_MARK);
        await noteNothingLost(change, by, 'operator');
        return null;
      }
      return noteLoss(change, { cause: 'restore', finding, leastNumber: before?.number }, by);
    });
    if (noted) beginAnew(noted, { finding });
  }

  const isDeclaredLossless = async () => Number(await store.read.settings.find(NOTHING_LOST)) > clock.now();

  async function look(isStart: boolean): Promise<void> {
    const now = await sight(store.read);
    await judge(now, isStart);
    if (isIncomplete(now, by.place) && differenceOf(now, by.place) === 'none') {
      await whileLocked(
        (later) => differenceOf(later, by.place) === 'none',
        async (change) => takeHistory(change.tx, by.place, (await change.tx.history.findState()).nextNumber),
      );
    }
    const latest = await store.read.history.findLatest();
    const holding = await store.read.history.findHolding();
    info = { history: latest?.history ?? 0, holding, unseen: unseenOf(now.here) };
    // Of a history that is not noted yet, nothing is remembered.
    if (holding === 'not_noted') return;
    const { number, heartbeat } = seen === undefined ? await sight(store.read) : now;
    seen = { number, heartbeat };
    if (!isServer) return;
    if (clock.monotonic() >= beatDueAt) await beat();
    if (clock.monotonic() >= seenDueAt) noteSeen();
  }

  /** Until a look succeeds again. The store reports its own outages. */
  function reportOnce(error: Error): void {
    if (!(error instanceof ApiError) && !isFailing) report('the history of the records could not be looked at', error);
    isFailing = true;
  }

  function noteSeen(): void {
    if (seenFile === undefined || seen === undefined) return;
    writeRemembered(seenFile, seen);
    seenDueAt = clock.monotonic() + WRITE_SEEN_EVERY_MS;
  }

  /** Notes the time, in records that are still those of the look. */
  async function beat(): Promise<void> {
    const noted = await transact({ store, clock, newId }, async (change) => {
      const { tx, now } = change;
      if ((await tx.history.findHolding()) === 'not_noted' || isBehind(await sight(tx), seen)) return null;
      await raiseHeartbeat(tx, now);
      await noteServer(tx, { id, seenAt: now, vouchesFor: null });
      return sight(tx);
    });
    // A file of before this heartbeat that is put back is behind it, however soon that is.
    if (noted) seen = { number: noted.number, heartbeat: noted.heartbeat };
    beatDueAt = clock.monotonic() + BEAT_EVERY_MS;
  }

  return {
    async open() {
      isServer = true;
      by = { place, actor };
      await look(true);
    },
    openForCommand: () => look(true),
    start() {
      timer ??= setInterval(() => {
        looking ??= look(false)
          .then(() => {
            isFailing = false;
          })
          .catch(reportOnce)
          .finally(() => {
            looking = undefined;
          });
      }, LOOK_EVERY_MS).unref();
    },
    async stop() {
      if (!timer) return;
      clearInterval(timer);
      await looking;
      // What came since the last look.
      if (seenFile !== undefined) await look(false).then(noteSeen).catch(reportOnce);
      await store.tx((tx) => leave(tx, id)).catch(reportOnce);
    },
    info: () => info,
  };
}

/** How the history of the database differs from the noted one; what is not known is never different. */
function differenceOf({ state: { noted }, here }: Sight, { address }: Pick<RecordsPlace, 'address'>) {
  if (here === null) return 'none';
  const isOther = (one: string | null, other: string | null) => one !== null && other !== null && one !== other;
  const isElsewhere = isOther(noted.address, address);
  if (isElsewhere || isOther(noted.system, here.system) || isOther(noted.table, here.table)) return 'more';
  return isOther(noted.timeline, here.timeline) ? 'timeline' : 'none';
}

/** Whether something is known now that was not when the history was noted. */
const isIncomplete = ({ state: { noted }, here }: Sight, { address }: RecordsPlace): boolean =>
  here !== null &&
  ((noted.system === null && here.system !== null) ||
    (noted.table === null && here.table !== null) ||
    (noted.timeline === null && here.timeline !== null) ||
    (noted.address === null && address !== null));

/** The losses that cannot be seen in a database, each as people call it. */
export function unseenOf(here: Identity | null): string[] {
  if (here === null) return ['a snapshot of the whole machine'];
  return [
    ...(here.timeline === null ? ['a failover', 'a point in time'] : []),
    ...(here.system === null ? ['another cluster under the same address'] : []),
  ];
}

const FINDINGS: Record<FoundLoss['finding'], string> = {
  marked_copy: 'the file is a copy that “broker backup” made',
  behind_what_was_seen: 'the records are behind what a server had seen',
  other_history: 'the database has another history',
  behind_this_process: 'the records are behind what this process has seen',
  declared: 'an operator said so',
};

const lineOf = ({ history, cause, lostFrom, lostUntil, state }: LossRow, { finding }: Pick<FoundLoss, 'finding'>) =>
  `the records went back (${cause}, history ${history}): ${FINDINGS[finding]}; lost may be what was changed from ` +
  `${isoTimestamp(lostFrom)} to ${isoTimestamp(lostUntil)}` +
  (state === 'held' ? '. Nothing goes out before “broker restored --go-on” (docs/operate.md)' : '');
