import type { Test } from 'tap';
import { buildApp } from '../../src/app.ts';
import { createSharedWindows } from '../../src/limits/redis-window.ts';
import type { Provisioner } from '../../src/ports.ts';
import { type Clock, clockOf, systemClock } from '../../src/runtime/clock.ts';
import { createIds } from '../../src/runtime/ids.ts';
import type { Sandboxes } from '../../src/sandbox/sandbox.ts';
import { openPostgres } from '../../src/store/drivers/postgres.ts';
import { recordsProvisioner } from '../../src/worker/compose.ts';
import { createWorker } from '../../src/worker/worker.ts';
import { createDatabase, REDIS_URL } from './services.ts';
import { PATIENCE_MS } from './until.ts';
import { createTestMailer, createWorld, exact, type World } from './world.ts';

export type Instance = Awaited<ReturnType<typeof startInstance>>;
export type Called = { status: number; headers: Record<string, unknown>; raw: string; json: Envelope };

// biome-ignore lint/suspicious/noExplicitAny: what an answer holds is what the test looks at.
type Envelope = { success: boolean; data?: any; error?: any; pagination?: any; message?: string };

/** What every process of a cluster has: connections of its own to the one database. */
async function startParts(t: Test, url: string, clock: Clock) {
  const logged: Array<{ details: object; text: string }> = [];
  const report = (text: string) => logged.push({ details: {}, text });
  const store = await openPostgres({ url, report, queuePatienceMs: PATIENCE_MS });
  t.teardown(() => store.close());
  const mailer = createTestMailer();
  const log = {
    error: (details: object, text: string) => logged.push({ details, text }),
    warn: (details: object, text: string) => logged.push({ details, text }),
  };
  const context = { store, mailer, clock, newId: createIds(), log };
  return { store, mailer, logged, context };
}

/** One server among several. */
async function startInstance(t: Test, url: string, clock: Clock) {
  const parts = await startParts(t, url, clock);
  const limits = createSharedWindows({ url: REDIS_URL, clock, patienceMs: PATIENCE_MS, onChange: () => undefined });
  t.teardown(() => limits.close());
  await limits.started;
  const app = await exact(() =>
    buildApp({
      config: {
        publicUrl: undefined,
        trustedProxies: [],
        keepAliveMs: 72_000,
        requireHttps: false,
        tls: undefined,
        rateLimit: { max: 120, windowSeconds: 60, authFailureMax: 0 },
      },
      context: parts.context,
      sandboxes: {} as Sandboxes,
      // A busy test machine is no reason to refuse a call.
      overload: { maxEventLoopDelayMs: 0 },
      limits,
    }),
  );
  t.teardown(() => app.close());
  return {
    ...parts,
    app,
    async call(
      key: string,
      method: 'GET' | 'POST',
      url: string,
      { body, idempotencyKey }: { body?: object; idempotencyKey?: string } = {},
    ): Promise<Called> {
      const response = await app.inject({
        method,
        url: url.startsWith('/health') ? url : `/api/v1${url}`,
        headers: {
          authorization: `Bearer ${key}`,
          ...(idempotencyKey !== undefined && { 'x-idempotency-key': idempotencyKey }),
        },
        ...(body && { payload: body }),
      });
      const { statusCode: status, headers, body: raw } = response;
      return { status, headers, raw, json: response.json() };
    },
  };
}

/** One worker process among several. */
export async function startWorker(
  t: Test,
  url: string,
  { provisioner = recordsProvisioner, clock = systemClock }: { provisioner?: Provisioner; clock?: Clock } = {},
) {
  const parts = await startParts(t, url, clock);
  return {
    ...parts,
    ...createWorker({ context: parts.context, provisioner, keptDays: { emails: 90, calls: 14, audit: 730 } }),
  };
}

/** A clock that is so many milliseconds ahead: for which a lease that was taken just now has run out. */
export const ahead = (ms: number): Clock =>
  clockOf({ now: () => systemClock.now() + ms, monotonic: () => systemClock.monotonic() });

/** Two instances, the means to fill their one database, and a clock that they share: the real one until it is advanced. */
export async function createCluster(t: Test, { url }: { url?: (direct: string) => Promise<string> } = {}) {
  const database = await createDatabase({ migrated: true });
  t.teardown(() => database.drop());
  const world: World = await createWorld({
    // The instances have the real clock: what stands before they start must not lie in their future.
    startMs: systemClock.now(),
    openStore: () => openPostgres({ url: database.url }),
  });
  t.teardown(() => world.close());
  const through = (await url?.(database.url)) ?? database.url;
  let aheadMs = 0;
  const clock = clockOf({
    now: () => systemClock.now() + aheadMs,
    monotonic: () => systemClock.monotonic() + aheadMs,
  });
  const instances = [await startInstance(t, through, clock), await startInstance(t, through, clock)] as const;
  return {
    database,
    world,
    instances,
    of: (turn: number) => instances[turn % 2] as Instance,
    advance: (ms: number) => {
      aheadMs += ms;
    },
  };
}
