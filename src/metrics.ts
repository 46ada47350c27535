import { once } from 'node:events';
import { createServer } from 'node:http';
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import type { Clock } from './clock.ts';
import { type Config, ConfigError } from './config.ts';
import { innermost } from './errors.ts';
import { type Mailer, MailFailure } from './ports.ts';
import { overdueSeconds } from './store/requests.ts';
import { OPERATOR } from './store/slow-queries.ts';
import { type Store, wrapCalls } from './store/store.ts';

/** A registry of metrics, and the measured store and mailer, to be used instead of the given ones. */
export interface Metrics {
  registry: Registry;
  store: Store;
  mailer: Mailer;
}

/**
 * Returns the parts unchanged or, where a metrics port is configured, measured ones whose metrics are served until
 * `close`. Throws a `ConfigError` where the port cannot be opened.
 */
export async function openMetrics(
  { metricsPort, host }: Pick<Config, 'metricsPort' | 'host'>,
  parts: { store: Store; mailer: Mailer; clock: Clock },
): Promise<Omit<Metrics, 'registry'> & { registry: Registry | undefined; close(): void }> {
  if (metricsPort === undefined) return { ...parts, registry: undefined, close: () => undefined };
  const metrics = createMetrics(parts);
  const server = await serveMetrics(metrics.registry, host, metricsPort).catch((error: unknown) => {
    throw new ConfigError(`METRICS_PORT: ${innermost(error)}`);
  });
  return { ...metrics, ...server };
}

type Tally = Awaited<ReturnType<Store['read']['requests']['tally']>>;

/** Seconds. */
const DATABASE_BUCKETS = [0.0005, 0.001, 0.005, 0.01, 0.05, 0.1, 0.5, 1, 5, 10];

/** Makes the metrics of the process, the queue, the database and the mail; all labels have few, fixed values. */
export function createMetrics({ store, mailer, clock }: { store: Store; mailer: Mailer; clock: Clock }): Metrics {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  // The gauges are collected at the same time and share one query.
  let looking: Promise<Tally> | undefined;
  const look = (): Promise<Tally> => {
    looking ??= store
      .slow(OPERATOR, (read) => read.requests.tally())
      .finally(() => {
        looking = undefined;
      });
    return looking;
  };
  const gauge = (name: string, help: string, figureOf: (row: Tally[number]) => number) =>
    new Gauge({
      name,
      help,
      labelNames: ['status'],
      registers: [registry],
      async collect() {
        this.reset();
        for (const row of await look()) this.set({ status: row.status }, figureOf(row));
      },
    });
  gauge('requests_open', 'Requests that are not final, by status', ({ total }) => total);
  gauge(
    'requests_open_oldest_seconds',
    'How long ago the oldest of them was submitted, by status',
    ({ oldestAt }) => (clock.now() - (oldestAt as number)) / 1000,
  );
  new Gauge({
    name: 'requests_overdue_seconds',
    help: 'How long work that could be done has been waiting for a worker',
    registers: [registry],
    async collect() {
      this.set(overdueSeconds(await look(), clock.now()));
    },
  });
  return { registry, store: measuredStore(store, clock, registry), mailer: measuredMailer(mailer, registry) };
}

function measuredMailer(mailer: Mailer, registry: Registry): Mailer {
  const emails = new Counter({
    name: 'emails_total',
    help: 'Emails handed to the provider, by outcome: sent, rejected, unreachable, outcome_unknown',
    labelNames: ['outcome'],
    registers: [registry],
  });
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
    name: 'database_seconds',
    help: 'Time for a read, and for a transaction from its begin to its commit',
    labelNames: ['kind'],
    buckets: DATABASE_BUCKETS,
    registers: [registry],
  });
  const wait = new Histogram({
    name: 'database_wait_seconds',
    help: 'Time that transactions waited for a connection of the pool, or for the one writer of a file',
    buckets: DATABASE_BUCKETS,
    registers: [registry],
  });
  const since = (startedAt: number): number => (clock.monotonic() - startedAt) / 1000;
  const measured = (store: Store): Store => ({
    ...store,
    ...(store.background && { background: measured(store.background) }),
    ...(store.console && { console: measured(store.console) }),
    read: wrapCalls(store.read, (call) => async (...args) => {
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

/** Serves the metrics to Prometheus on a port of their own, outside the API's gates. */
export async function serveMetrics(registry: Registry, host: string, port: number): Promise<{ close(): void }> {
  const server = createServer((_request, response) => {
    registry.metrics().then(
      (text) => response.writeHead(200, { 'content-type': registry.contentType }).end(text),
      () => response.writeHead(503).end(),
    );
  });
  server.listen(port, host);
  await once(server, 'listening');
  return { close: () => void server.close().closeAllConnections() };
}
