import { NOT_THIS_SERVICE } from '../../kinds/cancellation.ts';
import { findReplaced, REPLACED } from '../../lifecycle/replaced.ts';
import { operatorOwner } from '../../limits/operator-slot.ts';
import { DAY_MS, MINUTE_MS } from '../../rules/durations.ts';
import { isoTimestamp } from '../../rules/timestamps.ts';
import { findProvisionerState } from '../../worker/provisioner-state.ts';
import { findBackup } from '../system/system.ts';
import type { OperatorContext } from '../use-case/dependencies.ts';

/** What the conditions are read from. */
export type NoticeReads = Pick<OperatorContext, 'store' | 'clock' | 'hasProvisioner'>;

/** A condition that is on. */
export interface Noticed {
  /** Since when, in epoch milliseconds; by default since it is found. */
  since?: number;
  /** A sentence of names and numbers, without personal data. */
  text: string;
}

/** One thing that people are notified of: an entry of `NOTICES`, and nothing else, makes it one. */
export interface NoticeKind {
  /** That it has begun, and that it is over: the first line of the notice, and the email's subject. */
  readonly begun: string;
  readonly over: string;
  /** The page of the console that shows it. */
  readonly path: string;
  /** Where it is notified again while it lasts: after so many milliseconds. */
  readonly repeatMs?: number;
  /** Null where it is not on. Is asked every half minute, so it reads little. */
  find(deps: NoticeReads): Promise<Noticed | null>;
}

/** How long each has to last before it is notified. Contract, section 14.6. */
const UNANSWERED_MS = 5 * MINUTE_MS;
const OVERDUE_MS = 10 * MINUTE_MS;
const REVIEW_MS = DAY_MS;
const BACKUP_MS = 2 * DAY_MS;

const MAX_COUNTED = 10_000;
const NAMED_SERVICES = 3;

/** All of them, by their names in the database, in the order in which an email has them. */
export const NOTICES = {
  records_went_back: {
    begun: 'The records went back',
    over: 'Work and emails go out again',
    path: '/system',
    async find({ store }) {
      const loss = await store.read.history.findLatest();
      if (loss?.state !== 'held') return null;
      const { history, lostFrom, lostUntil, place } = loss;
      return {
        since: lostUntil,
        text:
          `What was changed from ${minuteOf(lostFrom)} on is lost (history ${history}; ${place}). Nothing goes out before ` +
          'somebody says so: “broker restored --go-on”, or the button on System.',
      };
    },
  },
  records_failed_over: {
    begun: 'The database failed over and lost changes',
    over: 'The failover is more than a day ago',
    path: '/system',
    async find({ store, clock }) {
      const loss = await store.read.history.findLatest();
      if (loss?.cause !== 'failover' || clock.now() - loss.lostUntil > DAY_MS) return null;
      const { history, lostFrom, lostUntil, place } = loss;
      return {
        since: lostUntil,
        text: `Lost may be what was changed from ${minuteOf(lostFrom)} on (history ${history}; ${place}).`,
      };
    },
  },
  installation_replaced: {
    begun: 'The provisioner works for another installation',
    over: 'The provisioner works for this installation again',
    path: '/system',
    async find({ store }) {
      const replaced = await findReplaced(store.read);
      return replaced && { since: replaced.at, text: `${REPLACED}. Nothing more is done here.` };
    },
  },
  machines_of_others: {
    begun: 'Work met the machine of another service',
    over: 'No work of the last day met the machine of another service',
    path: '/machines',
    async find({ store, clock }) {
      const filter = { reason: NOT_THIS_SERVICE, endedSince: clock.now() - DAY_MS };
      const [failed] = await store.slow(operatorOwner(), (read) => read.allRequests.tallyFailures(filter, 1));
      if (!failed) return null;
      return { text: `${counted(failed.total, 'request', 'requests')} failed with ${NOT_THIS_SERVICE} within a day.` };
    },
  },
  provisioner_not_answering: {
    begun: 'The provisioner does not answer',
    over: 'The provisioner answers again',
    path: '/system',
    async find({ store, clock, hasProvisioner }) {
      if (!hasProvisioner) return null;
      const { state, failingSince, message } = await findProvisionerState(store.read);
      if (state !== 'not_answering' || failingSince === null) return null;
      if (clock.now() - failingSince < UNANSWERED_MS) return null;
      const waiting = await store.read.allRequests.countWaiting(clock.now(), MAX_COUNTED);
      return {
        since: failingSince,
        text: `${counted(waiting, 'request waits', 'requests wait')}. Latest: ${message}.`,
      };
    },
  },
  work_overdue: {
    begun: 'Work is overdue',
    over: 'No work is overdue any more',
    path: '/system',
    async find({ store, clock }) {
      const { due, oldestDueAt } = await store.read.allRequests.countDue(clock.now(), MAX_COUNTED);
      if (oldestDueAt === null || clock.now() - oldestDueAt < OVERDUE_MS) return null;
      return {
        since: oldestDueAt,
        text: `${counted(due, 'request is', 'requests are')} due and no worker takes them.`,
      };
    },
  },
  clean_up_failed: {
    begun: 'A clean-up failed',
    over: 'No failed clean-up is left',
    path: '/',
    async find({ store }) {
      const failed = await store.slow(operatorOwner(), (read) =>
        read.allRequests.listFailedCleanUps(NAMED_SERVICES + 1),
      );
      if (failed.length === 0) return null;
      const named = failed.slice(0, NAMED_SERVICES).map((each) => `${each.service_number} (${each.broker})`);
      const more = failed.length > NAMED_SERVICES ? ' and others' : '';
      return { text: `Services stay pending, and machines may be there: ${named.join(', ')}${more}.` };
    },
  },
  emails_unknown: {
    begun: 'The outcome of an email is unknown',
    over: 'The outcome of every email is known',
    path: '/emails?status=unknown',
    async find({ store, clock }) {
      const unknown = await store.read.emails.countMatches({ status: 'unknown', now: clock.now() });
      if (unknown === 0) return null;
      return { text: `${counted(unknown, 'email has', 'emails have')} to be settled.` };
    },
  },
  reviews_waiting: {
    begun: 'Reviews wait for more than a day',
    over: 'No review waits for more than a day',
    path: '/requests?status=operator_review',
    repeatMs: DAY_MS,
    async find({ store, clock }) {
      const before = clock.now() - REVIEW_MS;
      const waiting = await store.read.allRequests.countOlder('operator_review', before, MAX_COUNTED);
      if (waiting === 0) return null;
      return { text: `${counted(waiting, 'review is', 'reviews are')} older than a day.` };
    },
  },
  backup_missing: {
    begun: 'No backup was made for two days',
    over: 'A backup was made again',
    path: '/system',
    async find({ store, clock }) {
      const backup = await findBackup(store.read);
      if (!backup || clock.now() - backup.at < BACKUP_MS) return null;
      return { since: backup.at + BACKUP_MS, text: `The last one is of ${minuteOf(backup.at)}.` };
    },
  },
} satisfies Record<string, NoticeKind>;

export type NoticeName = keyof typeof NOTICES;

/** A date as it stands in an email. */
export const minuteOf = (at: number): string => `${isoTimestamp(at).slice(0, 16).replace('T', ' ')} UTC`;

function counted(count: number, one: string, many: string): string {
  return `${count >= MAX_COUNTED ? `${MAX_COUNTED} or more` : count} ${count === 1 ? one : many}`;
}
