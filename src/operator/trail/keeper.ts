import type { Context } from '../../ports.ts';
import { DAY_MS, MINUTE_MS } from '../../rules/durations.ts';
import { fold } from '../../rules/search-text.ts';
import type { AuditRow } from '../../store/queries/audit.ts';
import { historyAt, TRAIL_ACTIONS, type TrailLine, trailLine } from './lines.ts';

const LOOK_EVERY_MS = 1_000;
/** An entry becomes visible with its commit: so long after its date at most. */
const WINDOW_MS = MINUTE_MS;
/** At a start, entries of commands that ran while no server did; those that were logged before are once more. */
const AT_START_MS = DAY_MS;
const PAGE = 500;

export interface TrailKeeper {
  /** Logs the entries that are new to this process. */
  look(): Promise<void>;
  start(): void;
  stop(): Promise<void>;
}

/**
 * Logs the entries of the audit trail about keys, brokers, operators, firewalls and erasures, whoever wrote them (contract,
 * section 15.6). Several servers may log the same one.
 * @param write writes one line, at every log level
 */
export function keepTrail(
  { store, clock, log }: Pick<Context, 'store' | 'clock' | 'log'>,
  write: (line: TrailLine) => void,
): TrailKeeper {
  /** Logged already, with their dates: those of the window alone. */
  const logged = new Map<string, number>();
  let since = clock.now() - AT_START_MS;
  let timer: NodeJS.Timeout | undefined;
  let looking: Promise<void> | undefined;

  async function entriesSince(date: number): Promise<AuditRow[]> {
    const found: AuditRow[] = [];
    for (;;) {
      const olderThan = found.at(-1)?.id;
      const page = await store.read.audit.list({ action: TRAIL_ACTIONS, since: date, olderThan }, PAGE);
      found.push(...page);
      if (page.length < PAGE) return found.reverse();
    }
  }

  async function look(): Promise<void> {
    const now = clock.now();
    const fresh = (await entriesSince(since)).filter(({ id }) => !logged.has(id));
    if (fresh.length > 0) {
      const losses = await store.read.history.list();
      for (const row of fresh) {
        write(trailLine(row, historyAt(losses, row.at), await personOf(row)));
        logged.set(row.id, row.at);
      }
    }
    since = Math.max(since, now - WINDOW_MS);
    for (const [id, at] of logged) if (at < since) logged.delete(id);
  }

  async function personOf({ subject }: AuditRow): Promise<string | undefined> {
    const [kind, email = ''] = subject.split(/\/(.*)/s);
    return kind === 'operator' ? (await store.read.operators.findByEmail(fold(email)))?.id : undefined;
  }

  return {
    look,
    start() {
      timer ??= setInterval(() => {
        looking ??= look()
          .catch((error: unknown) => log.warn({ err: error }, 'the audit trail could not be read; it is again soon'))
          .finally(() => {
            looking = undefined;
          });
      }, LOOK_EVERY_MS).unref();
    },
    async stop() {
      clearInterval(timer);
      await looking;
      // What was entered since the last look.
      await look().catch(() => undefined);
    },
  };
}
