import { once } from 'node:events';
import type fastifyRateLimit from '@fastify/rate-limit';
import { Redis } from 'ioredis';
import type { Clock } from '../clock.ts';
import { fixedWindowStore } from './fixed-window.ts';

type Store = fastifyRateLimit.FastifyRateLimitStore;
type Hit = Parameters<Store['incr']>[1];

/** A request waits this long for the shared counter, and is then counted here. */
const COMMAND_TIMEOUT_MS = 250;
/** A server that starts before its Redis does not wait for it. */
const START_PATIENCE_MS = 1_500;
const RECONNECT_AT_MOST_EVERY_MS = 2_000;

/** Counts a hit and opens the window with the first one, in one step: a crash in between cannot leave a counter for ever. */
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
  /** Resolves when the first connection stands, or after a moment without it. */
  readonly started: Promise<void>;
  /** Whether Redis is away, so that this process counts alone. */
  away(): boolean;
  close(): void;
}

/**
 * Rate-limit windows in Redis. While Redis is away each process counts for itself and no request fails; that is
 * said once in the log, and once more when it is over.
 */
export function createSharedWindows({
  url,
  clock,
  onChange,
}: {
  url: string;
  clock: Clock;
  /** Told when Redis goes away (with the reason) and when it is back (without). */
  onChange: (reason: Error | undefined) => void;
}): SharedWindows {
  const redis = new Redis(url, {
    commandTimeout: COMMAND_TIMEOUT_MS,
    maxRetriesPerRequest: 0,
    // Without a connection a command fails at once and is counted here, where queueing would hold the request.
    enableOfflineQueue: false,
    retryStrategy: (attempts) => Math.min(attempts * 100, RECONNECT_AT_MOST_EVERY_MS),
  }) as CountingRedis;
  redis.defineCommand('countHit', { numberOfKeys: 1, lua: COUNT });

  let isAway = false;
  const change = (reason: Error | undefined) => {
    if (isAway === (reason !== undefined)) return;
    isAway = reason !== undefined;
    onChange(reason);
  };
  redis.on('error', change);
  redis.on('close', () => change(new Error('the connection to Redis was closed')));
  redis.on('ready', () => change(undefined));

  const Local = fixedWindowStore(clock);
  class Shared implements Store {
    private readonly local = new Local({});

    incr(key: string, callback: Hit, timeWindowMs: number, max: number): void {
      const shared = redis.countHit(`rate ${key}`, timeWindowMs);
      if (isAway) {
        // Nobody waits for a Redis that hangs; the hit itself finds out whether it is back.
        shared.then(() => change(undefined), change);
        this.local.incr(key, callback, timeWindowMs, max);
        return;
      }
      shared.then(
        ([current, ttl]) => callback(null, { current, ttl: Math.max(0, ttl) }),
        (error: Error) => {
          change(error);
          this.local.incr(key, callback, timeWindowMs, max);
        },
      );
    }

    child(): Store {
      return new Shared();
    }
  }

  return {
    store: Shared,
    started: once(redis, 'ready', { signal: AbortSignal.timeout(START_PATIENCE_MS) }).then(
      () => undefined,
      () => change(new Error('Redis did not answer')),
    ),
    away: () => isAway,
    close() {
      redis.removeAllListeners('close');
      redis.disconnect();
    },
  };
}
