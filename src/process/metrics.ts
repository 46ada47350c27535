import { once } from 'node:events';
import type { RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout } from 'node:timers/promises';
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import { type Config, ConfigError } from '../config.ts';
import { innermost, REASONS } from '../errors.ts';
import { rawAnswer } from '../http/client-errors.ts';
import { routeWithin } from '../http/request-shape.ts';
import { createHttpServer, listenAddress } from '../http/server.ts';
import { operatorOwner } from '../limits/operator-slot.ts';
import { type Mailer, MailFailure } from '../ports.ts';
import type { Clock } from '../runtime/clock.ts';
import { VERSION } from '../runtime/version.ts';
import { overdueSeconds } from '../store/queries/requests.ts';
import { type ConnectionOwner, type Store, storeFor, wrapCalls, wrapLazily } from '../store/store.ts';
import { CALL_OUTCOMES, isProvisionerAway, type ObserveCall } from '../worker/provisioner-state.ts';

/** A registry of metrics, and the measured store and mailer, to be used instead of the given ones. */
export interface Metrics {
  registry: Registry;
  store: Store;
  mailer: Mailer;
  /** Counts a call to the provisioner. */
  observeCall: ObserveCall;
}

/**
 * Returns the parts unchanged or, where a metrics port is configured, measured ones whose metrics are served until
 * `close`. Throws a `ConfigError` where the port cannot be opened.
 */
export async function openMetrics(
  {
    metricsPort,
    host,
    trustedProxies,
    keepAliveMs,
  }: Pick<Config, 'metricsPort' | 'host' | 'trustedProxies' | 'keepAliveMs'>,
  parts: Pick<MeasuredParts, 'store' | 'mailer' | 'clock'>,
): Promise<Pick<Metrics, 'store' | 'mailer'> & Partial<Pick<Metrics, 'registry' | 'observeCall'>> & { close(): void }> {
  if (metricsPort === undefined) return { ...parts, close: () => undefined };
  const metrics = createMetrics(parts);
  const { registry } = metrics;
  const port = { registry, clock: parts.clock, host, port: metricsPort, trustedProxies, keepAliveMs };
  const server = await serveMetrics(port).catch((error: unknown) => {
    throw new ConfigError(`METRICS_PORT: ${innermost(error)}`);
  });
  return { ...metrics, ...server };
}

type Tally = Awaited<ReturnType<Store['read']['requests']['tally']>>;

/** Seconds. */
const DATABASE_BUCKETS = [0.0005, 0.001, 0.005, 0.01, 0.05, 0.1, 0.5, 1, 5, 10];

interface MeasuredParts {
  store: Store;
  mailer: Mailer;
  clock: Clock;
  /** How long the database may take for its figures, in milliseconds; Prometheus waits 10 s for all of them. */
  patienceMs?: number;
}

/** Makes the metrics of the process, the queue, the database and the mail; all labels have few, fixed values. */
export function createMetrics({ store, mailer, clock, patienceMs = 5_000 }: MeasuredParts): Metrics {
  const registry = new Registry();
  const registers = [registry];
  collectDefaultMetrics({ register: registry });
  new Gauge({
    name: 'broker_build_info',
    help: 'Always 1; the labels say what runs',
    labelNames: ['version', 'node'],
    registers,
  }).set({ version: VERSION, node: process.versions.node }, 1);
  new Gauge({
    name: 'broker_database_up',
    help: 'Whether the database takes changes: 1, or 0 when it is away',
    registers,
    async collect() {
      this.set(
        await patiently(store.ping(), patienceMs).then(
          () => 1,
          () => 0,
        ),
      );
    },
  });
  measureQueue({ store, clock, patienceMs, registry });
  measureConnections(store, registry);
  measureState({ store, patienceMs, registry });
  measureRecords({ store, patienceMs, registry });
  return {
    registry,
    store: measuredStore(store, clock, registry),
    mailer: measuredMailer(mailer, registry),
    observeCall: observerOfCalls(registry),
  };
}

/** A gauge of what the calls of all processes say. While the database is away it keeps its last value. */
function measureState({ store, patienceMs, registry }: { store: Store; patienceMs: number; registry: Registry }): void {
  new Gauge({
    name: 'broker_provisioner_answering',
    help: 'Whether the provisioner answers, as far as is known: 1, or 0 after three calls over a minute without an answer',
    registers: [registry],
    async collect() {
      const isAway = await patiently(isProvisionerAway(store.read), patienceMs).catch(() => undefined);
      if (isAway !== undefined) this.set(isAway ? 0 : 1);
    },
  });
}

/** The number of history, and whether anything is held since. While the database is away they keep their last values. */
function measureRecords({
  store,
  patienceMs,
  registry,
}: {
  store: Store;
  patienceMs: number;
  registry: Registry;
}): void {
  const gauge = (name: string, help: string, read: () => Promise<number>) =>
    new Gauge({
      name,
      help,
      registers: [registry],
      async collect() {
        const value = await patiently(read(), patienceMs).catch(() => undefined);
        if (value !== undefined) this.set(value);
      },
    });
  gauge(
    'broker_records_history',
    'The number of history: the second in which the last loss of records was found',
    async () => (await store.read.history.findLatest())?.history ?? 0,
  );
  gauge(
    'broker_records_held',
    'Whether work and emails are held back since the records went back: 1, or 0',
    async () => ((await store.read.history.findHolding()) === null ? 0 : 1),
  );
}

/** Seconds; a call has no more than ten. */
const PROVISIONER_BUCKETS = [0.01, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

function observerOfCalls(registry: Registry): ObserveCall {
  const calls = new Histogram({
    name: 'broker_provisioner_seconds',
    help: `Calls of this process to the provisioner: how long each took, by outcome (${CALL_OUTCOMES.join(', ')})`,
    labelNames: ['outcome'],
    buckets: PROVISIONER_BUCKETS,
    registers: [registry],
  });
  for (const outcome of CALL_OUTCOMES) calls.zero({ outcome });
  return (outcome, ms) => calls.observe({ outcome }, ms / 1000);
}

/** Rejects when the database takes too long. */
const patiently = <T>(work: Promise<T>, patienceMs: number): Promise<T> =>
  Promise.race([
    work,
    setTimeout(patienceMs, undefined, { ref: false }).then(() => {
      throw new Error('the database does not answer in time');
    }),
  ]);

/** Gauges of the open requests. While the database is away they keep their last values. */
function measureQueue({
  store,
  clock,
  patienceMs,
  registry,
}: Required<Pick<MeasuredParts, 'store' | 'clock' | 'patienceMs'>> & { registry: Registry }): void {
  // The gauges are collected at the same time and share one query.
  let reading: Promise<Tally> | undefined;
  let latest: Tally = [];
  const readTally = async (): Promise<Tally> => {
    reading ??= store
      .slow(operatorOwner(), (read) => read.requests.tally())
      .finally(() => {
        reading = undefined;
      });
    latest = await patiently(reading, patienceMs).catch(() => latest);
    return latest;
  };
  const gauge = (name: string, help: string, figureOf: (row: Tally[number]) => number) =>
    new Gauge({
      name,
      help,
      labelNames: ['status'],
      registers: [registry],
      async collect() {
        const rows = await readTally();
        this.reset();
        for (const row of rows) this.set({ status: row.status }, figureOf(row));
      },
    });
  gauge('broker_requests_open', 'Requests that are not final, by status', ({ total }) => total);
  gauge(
    'broker_requests_open_oldest_seconds',
    'How long ago the oldest of them was submitted, by status',
    ({ oldestAt }) => (clock.now() - (oldestAt as number)) / 1000,
  );
  new Gauge({
    name: 'broker_requests_overdue_seconds',
    help: 'How long work that could be done has been waiting for a worker',
    registers: [registry],
    async collect() {
      this.set(overdueSeconds(await readTally(), clock.now()));
    },
  });
}

/** Gauges of the database's connections, where the engine has a pool of them. */
function measureConnections({ connections }: Store, registry: Registry): void {
  if (!connections) return;
  new Gauge({
    name: 'broker_database_connections',
    help: 'Connections to the database: in_use, idle; and waiting, what waits for one',
    labelNames: ['state'],
    registers: [registry],
    collect() {
      const { inUse, idle, waiting } = connections();
      this.set({ state: 'in_use' }, inUse);
      this.set({ state: 'idle' }, idle);
      this.set({ state: 'waiting' }, waiting);
    },
  });
}

function measuredMailer(mailer: Mailer, registry: Registry): Mailer {
  const emails = new Counter({
    name: 'broker_emails_total',
    help: 'Emails handed to the provider, by outcome: sent, rejected, unreachable, outcome_unknown',
    labelNames: ['outcome'],
    registers: [registry],
  });
  // Prometheus sees no increase where a series begins.
  for (const outcome of ['sent', ...REASONS.email_send_error]) emails.inc({ outcome }, 0);
  return {
    ...mailer,
    async send(message) {
      try {
        const receipt = await mailer.send(message);
        emails.inc({ outcome: 'sent' });
        return receipt;
      } catch (error) {
        emails.inc({ outcome: error instanceof MailFailure ? error.reason : 'outcome_unknown' });
        throw error;
      }
    },
  };
}

function measuredStore(store: Store, clock: Clock, registry: Registry): Store {
  const time = new Histogram({
    name: 'broker_database_seconds',
    help: 'Time for a read, and for a transaction from its begin to its commit',
    labelNames: ['kind'],
    buckets: DATABASE_BUCKETS,
    registers: [registry],
  });
  const wait = new Histogram({
    name: 'broker_database_wait_seconds',
    help: 'Time that transactions waited for a connection of the pool, or for the one writer of a file',
    buckets: DATABASE_BUCKETS,
    registers: [registry],
  });
  const since = (startedAt: number): number => (clock.monotonic() - startedAt) / 1000;
  const measured = (store: Store, wrap = wrapCalls): Store => ({
    ...store,
    ...(store.for && { for: (owner: ConnectionOwner) => measured(storeFor(store, owner), wrapLazily) }),
    read: wrap(store.read, (call) => async (...args) => {
      const startedAt = clock.monotonic();
      try {
        return await call(...args);
      } finally {
        time.observe({ kind: 'read' }, since(startedAt));
      }
    }),
    async tx(work) {
      const askedAt = clock.monotonic();
      // The store repeats a transaction that conflicts with another one; only the wait before its first start counts.
      let begunAt: number | undefined;
      try {
        return await store.tx((tx) => {
          if (begunAt === undefined) {
            begunAt = clock.monotonic();
            wait.observe((begunAt - askedAt) / 1000);
          }
          return work(tx);
        });
      } finally {
        time.observe({ kind: 'transaction' }, since(begunAt ?? askedAt));
      }
    },
  });
  return measured(store);
}

export interface MetricsPort extends Pick<Config, 'host' | 'trustedProxies' | 'keepAliveMs'> {
  registry: Registry;
  clock: Clock;
  port: number;
}

/** The figures are made once in this time at most, however many callers ask. */
const FIGURES_FOR_MS = 1_000;

/** Serves `GET /metrics`, and nothing else, to Prometheus on a port of its own, without a key (contract, section 10). */
export async function serveMetrics({
  registry,
  clock,
  host,
  port,
  trustedProxies,
  keepAliveMs,
}: MetricsPort): Promise<{ port: number; close(): void }> {
  const figures = keptFor(FIGURES_FOR_MS, clock, () => registry.metrics());
  const handle: RequestListener = (request, response) => {
    const route = routeOf(request);
    const answer = (status: number, text: string, type = PLAIN) =>
      void response
        .writeHead(status, { ...HEADERS, 'content-type': type, 'content-length': Buffer.byteLength(text) })
        .end(text);
    if (request.malformed !== undefined) answer(400, `${request.malformed}\n`);
    else if (request.method !== 'GET' || route !== '/metrics') answer(404, 'Not found\n');
    else
      figures().then(
        (text) => answer(200, text, registry.contentType),
        () => answer(500, 'The figures cannot be made\n'),
      );
  };
  const server = createHttpServer(handle, {
    trustedProxies,
    keepAliveMs,
    answerUnreadable: ({ status, message }) => rawAnswer(status, { ...HEADERS, 'content-type': PLAIN }, `${message}\n`),
  });
  server.listen(port, listenAddress(host));
  await once(server, 'listening');
  return { port: (server.address() as AddressInfo).port, close: () => void server.close().closeAllConnections() };
}

const PLAIN = 'text/plain; charset=utf-8';
const HEADERS = { 'cache-control': 'no-store', 'x-content-type-options': 'nosniff' };

/** The one path is short; a longer segment is refused like on the other ports. */
const routeOf = routeWithin(1000);

/** Makes a value again only when the last one is older than `ms`; callers that ask meanwhile get the same one. */
function keptFor<T>(ms: number, clock: Clock, make: () => Promise<T>): () => Promise<T> {
  let kept: { value: Promise<T>; madeAt: number } | undefined;
  return () => {
    if (kept !== undefined && clock.monotonic() - kept.madeAt < ms) return kept.value;
    const making = { value: make(), madeAt: Number.POSITIVE_INFINITY };
    const made = () => {
      making.madeAt = clock.monotonic();
    };
    making.value.then(made, made);
    kept = making;
    return making.value;
  };
}
