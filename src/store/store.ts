import { brokerReads, brokerWrites } from './brokers.ts';
import { counterReads, counterWrites } from './counters.ts';
import { emailReads, emailWrites } from './emails.ts';
import { firewallReads, firewallWrites } from './firewall.ts';
import { idempotencyWrites } from './idempotency.ts';
import { invoiceReads, invoiceWrites } from './invoices.ts';
import { keyReads, keyWrites } from './keys.ts';
import { planReads, planWrites } from './plans.ts';
import { requestReads, requestWrites } from './requests.ts';
import { serviceReads, serviceWrites } from './services.ts';
import type { Session } from './session.ts';
import { sequenceWrites, settingReads } from './settings.ts';
import { templateReads, templateWrites } from './templates.ts';

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
    settings: reads.settings,
    sequences: sequenceWrites(session),
    idempotency: idempotencyWrites(session),
  };
};

type Call = (...args: unknown[]) => unknown;

/** The same groups of queries, with every call going through `wrap`. */
export function wrapCalls<T extends object>(groups: T, wrap: (call: Call) => Call): T {
  const wrapped = Object.entries(groups).map(([name, group]) => {
    const calls = Object.entries(group as Record<string, Call>);
    return [name, Object.fromEntries(calls.map(([method, call]) => [method, wrap(call.bind(group))]))];
  });
  return Object.fromEntries(wrapped) as T;
}

/** Calls that reject with what `explain` makes of their errors. */
export const guarding =
  (explain: (error: unknown) => unknown) =>
  (call: Call): Call =>
  (...args) =>
    Promise.resolve(call(...args)).catch((error: unknown) => {
      throw explain(error);
    });

export type Reads = ReturnType<typeof readsOf>;
export type Tx = ReturnType<typeof changesOf>;

export interface Store {
  /** Reads what is committed; on SQLite through a connection that refuses to write. */
  readonly read: Reads;
  /**
   * Runs the work in a transaction of its own and resolves with its result once that is durable; undoes it
   * when the work throws. The work awaits nothing but the store: no mail, no network, no timer.
   */
  tx<T>(work: (tx: Tx) => Promise<T>): Promise<T>;
  /** Rejects when the database cannot be reached. */
  ping(): Promise<void>;
  /** Copies the database to a new file while it is in use; SQLite alone can. */
  backup?(file: string): Promise<void>;
  close(): Promise<void>;
}
