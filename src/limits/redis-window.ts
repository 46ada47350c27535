import { once } from 'node:events';
import type fastifyRateLimit from '@fastify/rate-limit';
import { Redis } from 'ioredis';
import type { Clock } from '../runtime/clock.ts';
import { fixedWindowStore } from './fixed-window.ts';

type Store = fastifyRateLimit.FastifyRateLimitStore;
type Hit = Parameters<Store['incr']>[1];

/** How long a hit waits for Redis before this process counts it (contract, section 10). */
export const PATIENCE_MS = 250;
/** How long the start of the server waits for the first connection. */
const START_PATIENCE_MS = 1_500;
/** After a failure this process counts by itself for so long. */
export const PAUSE_MS = 2_000;

/** Of every key, so that an ACL can name them; no key holds a blank (docs/parts.md). */
const PREFIX = 'broker:rate:';

/** One script, because a crash between the two commands would leave a counter that never expires. */
const COUNT = `
local count = redis.call('INCR', KEYS[1])
if count == 1 then redis.call('PEXPIRE', KEYS[1], ARGV[1]) end
return { count, redis.call('PTTL', KEYS[1]) }`;

interface CountingRedis extends Redis {
  countHit(key: string, windowMs: number): Promise<[count: number, ttlMs: number]>;
}

export interface SharedWindows {
  /** For @fastify/rate-limit: one count over all instances on this Redis. */
  readonly store: fastifyRateLimit.FastifyRateLimitStoreCtor;
  /** Resolves when the first hit was counted by Redis, or after 1.5 seconds. */
  readonly started: Promise<void>;
  /** Whether Redis is unavailable, so that this process counts by itself. */
  away(): boolean;
  close(): void;
}

/**
 * Rate-limit windows in Redis. After a hit that fails or takes too long the process counts by itself and tries Redis again
 * every two seconds, so no request fails. `onChange` is called once for each outage (with the reason) and once for its end.
 */
export function createSharedWindows({
  url,
  clock,
  patienceMs = PATIENCE_MS,
  pauseMs = PAUSE_MS,
  onChange,
}: {
  url: string;
  clock: Clock;
  patienceMs?: number;
  pauseMs?: number;
  onChange: (reason: Error | undefined) => void;
}): SharedWindows {
  const redis = new Redis(url, {
    // One command less that an ACL has to allow.
    disableClientInfo: true,
    commandTimeout: patienceMs,
    maxRetriesPerRequest: 0,
    enableOfflineQueue: false,
    autoResendUnfulfilledCommands: false,
    retryStrategy: () => pauseMs / 2,
  }) as CountingRedis;
  redis.defineCommand('countHit', { numberOfKeys: 1, lua: COUNT });

  let away = false;
  /** The connection is being closed. */
  let dropped = false;
  let trial: NodeJS.Timeout | undefined;

  const failed = (reason: Error): void => {
    if (!away) onChange(reason);
    away = true;
    // What hangs is dropped with its connection, once for all calls that wait on it.
    if (redis.status === 'ready' && !dropped) {
      dropped = true;
      redis.disconnect(true);
    }
    trial ??= setTimeout(tryAgain, pauseMs).unref();
  };
  const tryAgain = async (): Promise<void> => {
    trial = undefined;
    try {
      await redis.countHit(`${PREFIX}trial`, pauseMs);
      if (away) onChange(undefined);
      away = false;
    } catch (error) {
      failed(error as Error);
    }
  };

  const Local = fixedWindowStore(clock);
  class Shared implements Store {
    private readonly local = new Local({});

    incr(key: string, callback: Hit, timeWindowMs: number, max: number): void {
      if (away) {
        this.local.incr(key, callback, timeWindowMs, max);
        return;
      }
      redis.countHit(`${PREFIX}${key}`, timeWindowMs).then(
        ([current, ttl]) => callback(null, { current, ttl: Math.max(0, ttl) }),
        (error: Error) => {
          failed(error);
          this.local.incr(key, callback, timeWindowMs, max);
        },
      );
    }

    child(): Store {
      return new Shared();
    }
  }

  redis.on('error', failed);
  redis.on('ready', () => {
    dropped = false;
  });
  redis.on('close', () => failed(new Error('the connection to Redis was closed')));
  const connected = once(redis, 'ready', { signal: AbortSignal.timeout(Math.max(START_PATIENCE_MS, patienceMs)) });

  return {
    store: Shared,
    started: connected.catch(() => undefined).then(tryAgain),
    away: () => away,
    close() {
      redis.removeAllListeners('close');
      redis.disconnect();
      clearTimeout(trial);
    },
  };
}
