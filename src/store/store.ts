import type { SlotOwner } from '../limits/slot-queue.ts';
import { allConsumptionReads } from './queries/all-consumption.ts';
import { allPlanReads } from './queries/all-plans.ts';
import { allRequestReads } from './queries/all-requests.ts';
import { allServiceReads } from './queries/all-services.ts';
import { auditReads, auditWrites } from './queries/audit.ts';
import { brokerReads, brokerWrites } from './queries/brokers.ts';
import { callReads, callWrites } from './queries/calls.ts';
import { clockReads } from './queries/clock.ts';
import { consumptionReads, consumptionWrites } from './queries/consumption.ts';
import { emailReads, emailWrites } from './queries/emails.ts';
import { erasureReads, erasureWrites } from './queries/erasure.ts';
import { firewallReads, firewallWrites } from './queries/firewall.ts';
import { historyReads, historyWrites } from './queries/history.ts';
import { idempotencyWrites } from './queries/idempotency.ts';
import { invoiceReads, invoiceWrites } from './queries/invoices.ts';
import { keyReads, keyWrites } from './queries/keys.ts';
import { movedDatesReads, movedDatesWrites } from './queries/moved-dates.ts';
import { operatorKeyReads, operatorKeyWrites } from './queries/operator-keys.ts';
import { operatorReads, operatorWrites } from './queries/operators.ts';
import { ownedReads, ownedWrites } from './queries/owned.ts';
import { planReads, planWrites } from './queries/plans.ts';
import { requestReads, requestWrites } from './queries/requests.ts';
import { sandboxReads, sandboxWrites } from './queries/sandboxes.ts';
import { sequenceWrites } from './queries/sequences.ts';
import { serviceReads } from './queries/service-reads.ts';
import { removalReads, removalWrites } from './queries/service-removal.ts';
import { serviceWrites } from './queries/services.ts';
import { settingReads, settingWrites } from './queries/settings.ts';
import { sizeReads } from './queries/sizes.ts';
import { templateReads, templateWrites } from './queries/templates.ts';
import { usageReads, usageWrites } from './queries/usage.ts';
import { withheldReads, withheldWrites } from './queries/withheld.ts';
import { counterReads, counterWrites } from './session/counters.ts';
import type { Csv, CsvQuery } from './session/csv.ts';
import type { Session, Witness } from './session/session.ts';

/**
 * All reads. Those for brokers' calls take the broker's id; the look-up of a key, the operator's overviews and the worker's
 * claims are over all brokers, and say so.
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
  consumption: { ...consumptionReads(session), ...allConsumptionReads(session) },
  erasure: erasureReads(session),
  counters: counterReads(session),
  settings: settingReads(session),
  clock: clockReads(session),
  usage: usageReads(session),
  calls: callReads(session),
  audit: auditReads(session),
  operators: operatorReads(session),
  operatorKeys: operatorKeyReads(session),
  owned: ownedReads(session),
  removals: removalReads(session),
  allPlans: allPlanReads(session),
  allServices: allServiceReads(session),
  allRequests: allRequestReads(session),
  sizes: sizeReads(session),
  history: historyReads(session),
  withheld: withheldReads(session),
  movedDates: movedDatesReads(session),
  /** In the database of the sandboxes alone. */
  sandboxes: sandboxReads(session),
});

/** The reads and writes of a transaction. */
export const writesOf = (session: Session) => {
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
    consumption: { ...reads.consumption, ...consumptionWrites(session) },
    erasure: { ...reads.erasure, ...erasureWrites(session) },
    counters: { ...reads.counters, ...counterWrites(session) },
    settings: { ...reads.settings, ...settingWrites(session) },
    clock: reads.clock,
    operators: { ...reads.operators, ...operatorWrites(session) },
    operatorKeys: { ...reads.operatorKeys, ...operatorKeyWrites(session) },
    owned: { ...reads.owned, ...ownedWrites(session) },
    removals: { ...reads.removals, ...removalWrites(session) },
    allPlans: reads.allPlans,
    allServices: reads.allServices,
    allRequests: reads.allRequests,
    sizes: reads.sizes,
    sequences: sequenceWrites(session),
    history: { ...reads.history, ...historyWrites(session) },
    withheld: { ...reads.withheld, ...withheldWrites(session) },
    movedDates: { ...reads.movedDates, ...movedDatesWrites(session) },
    idempotency: idempotencyWrites(session),
    usage: { ...reads.usage, ...usageWrites(session) },
    calls: { ...reads.calls, ...callWrites(session) },
    audit: { ...reads.audit, ...auditWrites(session) },
    sandboxes: { ...reads.sandboxes, ...sandboxWrites(session) },
  };
};

type Call = (...args: unknown[]) => unknown;

/** Wraps a call, for example to translate its errors. */
export type Guard = (call: Call) => Call;

/** The same groups of queries with every call wrapped. */
export function wrapCalls<T extends object>(groups: T, wrap: Guard): T {
  const wrapped = Object.entries(groups).map(([name, group]) => {
    const calls = Object.entries(group as Record<string, Call>);
    return [name, Object.fromEntries(calls.map(([method, call]) => [method, wrap(call.bind(group))]))];
  });
  return Object.fromEntries(wrapped) as T;
}

/** The same, where a call's wrapper is made when the call is: for a store that serves one request. */
export const wrapLazily = <T extends object>(groups: T, wrap: Guard): T =>
  new Proxy(groups, {
    get: (all, name) =>
      new Proxy(Reflect.get(all, name) as object, {
        get: (group, method) => wrap(Reflect.get(group, method) as Call),
      }),
  });

export type Reads = ReturnType<typeof readsOf>;
export type Tx = ReturnType<typeof writesOf>;

/** Called with the date, in epoch milliseconds, at which a committed change made work due. */
export type OnDue = (dueAt: number) => void;

/** What the connections of an engine that has a pool of them do. */
export interface ConnectionUse {
  inUse: number;
  idle: number;
  /** Statements and transactions that wait for one. */
  waiting: number;
}

/**
 * For whom a statement or transaction runs. On PostgreSQL a share has connections of its own, within which names are served
 * round-robin; on SQLite all owners are served round-robin by the one writer.
 */
export interface ConnectionOwner {
  readonly share: 'calls' | 'keys' | 'console' | 'background';
  /** In the share of calls the broker's id. */
  readonly name: string;
}

/** Work that no caller waits for, and whatever names no other share. */
export const BACKGROUND: ConnectionOwner = { share: 'background', name: 'background' };

export interface Store {
  /** Reads committed rows; on SQLite through a connection that cannot write. */
  readonly read: Reads;
  /**
   * Runs reads whose cost no index bounds (searches, filtered counts, deep offsets) in the slow-query pool, a few jobs at a
   * time and fairly among brokers. A job runs its reads one after the other.
   *
   * Throws `server_error` with `Retry-After` where too many wait already, or a slot is not free in time.
   */
  slow<T>(owner: SlotOwner, work: (read: Reads) => Promise<T>): Promise<T>;
  /**
   * Runs a job that creates a file of a whole list (null where it would be larger than `maxBytes`): one at a time per
   * broker and two per process. Throws like `slow`.
   */
  report<T>(
    owner: SlotOwner,
    work: (csv: (query: CsvQuery, maxBytes: number) => Promise<Csv | null>) => Promise<T>,
  ): Promise<T>;
  /**
   * Runs the work in its own transaction and resolves with its result once that is durable; rolls back when the work
   * throws. The work must await only the store (no mail, no network, no timer) and have no other effects, because it is
   * run again after a lost race.
   */
  tx<T>(work: (tx: Tx) => Promise<T>): Promise<T>;
  /** Rejects when the database cannot be reached or written; tries to write once a second at most. */
  ping(): Promise<void>;
  /** The same database for an owner. Without it, work counts as background. */
  for?(owner: ConnectionOwner): Store;
  /** Rows of the last changes that this process has committed, where a standby may lack them. */
  witnesses?(): readonly Witness[];
  /** The use of the connections now, where the engine has a pool of them. */
  connections?(): ConnectionUse;
  close(): Promise<void>;
}

/** The same database for an owner; the store itself where it serves one owner already. */
export const storeFor = (store: Store, owner: ConnectionOwner): Store => store.for?.(owner) ?? store;

/** For a broker's calls, its sandbox included. */
export const storeForBroker = (store: Store, brokerId: string): Store =>
  storeFor(store, { share: 'calls', name: brokerId });
