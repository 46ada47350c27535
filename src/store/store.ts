import type { SlotOwner } from '../limits/slot-queue.ts';
import { allServiceReads } from './all-services.ts';
import { auditReads, auditWrites } from './audit.ts';
import { brokerReads, brokerWrites } from './brokers.ts';
import { callReads, callWrites } from './calls.ts';
import { counterReads, counterWrites } from './counters.ts';
import type { Csv, CsvQuery } from './csv.ts';
import { emailReads, emailWrites } from './emails.ts';
import { firewallReads, firewallWrites } from './firewall.ts';
import { idempotencyWrites } from './idempotency.ts';
import { invoiceReads, invoiceWrites } from './invoices.ts';
import { keyReads, keyWrites } from './keys.ts';
import { operatorReads, operatorWrites } from './operators.ts';
import { overviewReads } from './overview.ts';
import { planReads, planWrites } from './plans.ts';
import { requestReads, requestWrites } from './requests.ts';
import { sequenceWrites } from './sequences.ts';
import { serviceReads } from './service-reads.ts';
import { serviceWrites } from './services.ts';
import type { Session } from './session.ts';
import { settingReads, settingWrites } from './settings.ts';
import { sizeReads } from './sizes.ts';
import { templateReads, templateWrites } from './templates.ts';
import { usageReads, usageWrites } from './usage.ts';

/**
 * Every query that reads. Those that brokers' calls lead to find no record without the broker's id; the look-up of a
 * key, the operator's overviews and the worker's claims are about all brokers, and say so.
 */
export const readsOf = (session: Session) => ({
  brokers: brokerReads(session),
  keys: keyReads(session),
  firewall: firewallReads(session),
  plans: planReads(session),
  services: serviceReads(session),
  requests: requestReads(session),
  templates: templateReads(session),
  emails: emailReads(session),
  invoices: invoiceReads(session),
  counters: counterReads(session),
  settings: settingReads(session),
  usage: usageReads(session),
  calls: callReads(session),
  audit: auditReads(session),
  operators: operatorReads(session),
  overview: overviewReads(session),
  allServices: allServiceReads(session),
  sizes: sizeReads(session),
});

/** Everything that can be done inside a transaction: all reads, and the writes. */
export const changesOf = (session: Session) => {
  const reads = readsOf(session);
  return {
    brokers: { ...reads.brokers, ...brokerWrites(session) },
    keys: { ...reads.keys, ...keyWrites(session) },
    firewall: { ...reads.firewall, ...firewallWrites(session) },
    plans: { ...reads.plans, ...planWrites(session) },
    services: { ...reads.services, ...serviceWrites(session) },
    requests: { ...reads.requests, ...requestWrites(session) },
    templates: { ...reads.templates, ...templateWrites(session) },
    emails: { ...reads.emails, ...emailWrites(session) },
    invoices: { ...reads.invoices, ...invoiceWrites(session) },
    counters: { ...reads.counters, ...counterWrites(session) },
    settings: { ...reads.settings, ...settingWrites(session) },
    operators: { ...reads.operators, ...operatorWrites(session) },
    overview: reads.overview,
    allServices: reads.allServices,
    sizes: reads.sizes,
    sequences: sequenceWrites(session),
    idempotency: idempotencyWrites(session),
    usage: { ...reads.usage, ...usageWrites(session) },
    calls: { ...reads.calls, ...callWrites(session) },
    audit: { ...reads.audit, ...auditWrites(session) },
  };
};

type Call = (...args: unknown[]) => unknown;

/** Makes of a call one that, say, explains its errors. */
export type Guard = (call: Call) => Call;

/** The same groups of queries, with every call going through `wrap`. */
export function wrapCalls<T extends object>(groups: T, wrap: Guard): T {
  const wrapped = Object.entries(groups).map(([name, group]) => {
    const calls = Object.entries(group as Record<string, Call>);
    return [name, Object.fromEntries(calls.map(([method, call]) => [method, wrap(call.bind(group))]))];
  });
  return Object.fromEntries(wrapped) as T;
}

export type Reads = ReturnType<typeof readsOf>;
export type Tx = ReturnType<typeof changesOf>;

export interface Store {
  /** Reads what is committed; on SQLite through a connection that refuses to write. */
  readonly read: Reads;
  /**
   * Runs reads whose cost no index bounds (searches, counts of what is filtered, deep offsets) beside the event loop,
   * a few works at a time and in turn by broker. One after the other: a work holds the place of one read.
   *
   * Throws `server_error` with `Retry-After` where too many wait already, or the turn does not come in time.
   */
  slow<T>(owner: SlotOwner, work: (read: Reads) => Promise<T>): Promise<T>;
  /**
   * Runs a work that makes a file of a whole list (null where it would be larger than `maxBytes`) and holds it: one at
   * a time for a broker and two in a process. Throws like `slow`.
   */
  report<T>(
    owner: SlotOwner,
    work: (csv: (query: CsvQuery, maxBytes: number) => Promise<Csv | null>) => Promise<T>,
  ): Promise<T>;
  /**
   * Runs the work in a transaction of its own and resolves with its result once that is durable; undoes it
   * when the work throws. The work awaits nothing but the store (no mail, no network, no timer) and changes nothing
   * else, for it may be run again when it lost a race.
   */
  tx<T>(work: (tx: Tx) => Promise<T>): Promise<T>;
  /** Rejects when the database cannot be reached, or takes no changes; tries to write once a second at most. */
  ping(): Promise<void>;
  /** The same database for work that no caller waits for, where that has connections of its own. */
  readonly background?: Store;
  /** Copies the database to a new file while it is in use; SQLite alone can. */
  backup?(file: string): Promise<void>;
  close(): Promise<void>;
}
