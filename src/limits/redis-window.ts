import type fastifyRateLimit from '@fastify/rate-limit';
import { Redis } from 'ioredis';
import type { Clock } from '../clock.ts';
import { type RedisServers, readRedisUrl } from '../rules/redis-urls.ts';
import { fixedWindowStore } from './fixed-window.ts';

type Store = fastifyRateLimit.FastifyRateLimitStore;
type Hit = Parameters<Store['incr']>[1];

/** How long Redis may take for an answer; after at most twice this, the request is counted in this process instead. */
const PATIENCE_MS = 250;
/** How long each step of setting up a connection may take. */
const SETUP_TIMEOUT_MS = 1_000;
/** How long the start of the server waits for Redis at most. */
const START_PATIENCE_MS = 1_500;
/**
 * The first attempt to reconnect comes after the first pause, each further one after twice the time. The duration of the
 * last connection is subtracted, so that a connection that keeps breaking is retried and logged less often.
 */
const FIRST_PAUSE_MS = 100;
const LONGEST_PAUSE_MS = 2_000;
/**
 * Hits that may wait for an answer at the same time, over all keys: more than a process receives while it waits for one
 * answer. A Redis that is further behind counts as lost. About a kilobyte each.
 */
const MOST_IN_FLIGHT = 10_000;

/**
 * Counts a hit and sets the window's expiry with the first one, in one script: a crash in between would leave a counter
 * that never expires. A hit that reaches Redis after its deadline (by Redis's clock) has been counted elsewhere already.
 */
const COUNT = `
local now = redis.call('TIME')
if now[1] * 1000 + now[2] / 1000 > tonumber(ARGV[2]) then return redis.error_reply('LATE the hit came too late') end
local count = redis.call('INCR', KEYS[1])
if count == 1 then redis.call('PEXPIRE', KEYS[1], ARGV[1]) end
return { count, redis.call('PTTL', KEYS[1]) }`;

interface CountingRedis extends Redis {
  countHit(key: string, windowMs: number, deadline: number): Promise<[count: number, ttlMs: number]>;
}

export interface SharedWindows {
  /** For @fastify/rate-limit: one count over all instances on this Redis. */
  readonly store: fastifyRateLimit.FastifyRateLimitStoreCtor;
  /** Resolves when the first connection is established, or after 1.5 seconds without one. */
  readonly started: Promise<void>;
  /** Whether Redis is unavailable, so that this process counts by itself. */
  away(): boolean;
  close(): void;
}

/**
 * Rate-limit windows in Redis, version 5 or later. While Redis is unavailable, each process counts for itself and no
 * request fails. `onChange` is called once for each outage and once for its end.
 *
 * A Redis that accepts commands but does not answer is unavailable too: after the first hit that times out, the
 * connection is dropped with its pending commands and nothing is sent or queued. A new connection is used once a trial
 * hit on it was answered in time.
 */
export function createSharedWindows({
  url,
  clock,
  onChange,
  patienceMs = PATIENCE_MS,
}: {
  url: string;
  clock: Clock;
  /** How long a hit waits for its answer, in milliseconds. */
  patienceMs?: number;
  /** Called when Redis becomes unavailable (with the reason) and when it is available again (without). */
  onChange: (reason: Error | undefined) => void;
}): SharedWindows {
  let pauseMs = 0;
  let connectedMs = 0;
  const pause = () => {
    pauseMs = Math.min(Math.max(pauseMs * 2 - connectedMs, FIRST_PAUSE_MS), LONGEST_PAUSE_MS);
    connectedMs = 0;
    return pauseMs;
  };
  const { url: one, group, sentinels, username, password } = readRedisUrl(url) as RedisServers;
  const options = {
    commandTimeout: SETUP_TIMEOUT_MS,
    maxRetriesPerRequest: 0,
    enableOfflineQueue: false,
    autoResendUnfulfilledCommands: false,
    // Commands that a hanging server has not received are dropped, not kept.
    disconnectTimeout: 0,
    retryStrategy: pause,
    sentinelRetryStrategy: pause,
    sentinelCommandTimeout: SETUP_TIMEOUT_MS,
  };
  const redis = (
    one === undefined ? new Redis({ ...options, sentinels, name: group, username, password }) : new Redis(one, options)
  ) as CountingRedis;
  redis.defineCommand('countHit', { numberOfKeys: 1, lua: COUNT });

  let connected = false;
  let connectedAt = 0;
  let toldAway = false;
  let asked = 0;
  let answered = 0;
  let watching = false;
  /** Redis's clock minus the local one, too low by one round trip at most: a hit that timed out here is not counted there. */
  let offsetMs = 0;

  const lost = (reason: Error) => {
    if (connected) connectedMs = clock.monotonic() - connectedAt;
    connected = false;
    if (toldAway) return;
    toldAway = true;
    onChange(reason);
  };
  const giveUp = (reason: Error) => {
    if (connected) redis.disconnect(true);
    lost(reason);
  };
  const countHit = (key: string, windowMs: number) =>
    redis.countHit(`rate ${key}`, windowMs, Math.floor(clock.monotonic() + offsetMs + patienceMs));

  /** Drops the connection when a hit waits too long. One timer for all hits, because they are answered in order. */
  const watch = () => {
    if (watching || asked === answered) return;
    watching = true;
    const awaited = asked;
    setTimeout(() => {
      // If the event loop itself was late, answers that have arrived meanwhile are read first.
      setImmediate(() => {
        watching = false;
        if (answered < awaited) giveUp(new Error('Redis did not answer in time'));
        watch();
      });
    }, patienceMs).unref();
  };

  /** Uses a connection only after a trial hit: a Redis may accept connections and refuse writes. */
  async function tryOut(): Promise<void> {
    const [seconds, microseconds] = await redis.time();
    offsetMs = Number(seconds) * 1000 + Number(microseconds) / 1000 - clock.monotonic();
    await countHit('trial', PATIENCE_MS);
    connected = true;
    connectedAt = clock.monotonic();
    if (toldAway) onChange(undefined);
    toldAway = false;
  }
  const started = new Promise<void>((resolve) => {
    const patience = setTimeout(() => {
      lost(new Error('Redis did not answer'));
      resolve();
    }, START_PATIENCE_MS);
    redis.on('ready', () => {
      tryOut().then(
        () => {
          clearTimeout(patience);
          resolve();
        },
        (error: Error) => {
          redis.disconnect(true);
          lost(error);
        },
      );
    });
  });
  redis.on('error', lost);
  redis.on('close', () => lost(new Error('the connection to Redis was closed')));

  const Local = fixedWindowStore(clock);
  class Shared implements Store {
    private readonly local = new Local({});

    incr(key: string, callback: Hit, timeWindowMs: number, max: number): void {
      if (asked - answered >= MOST_IN_FLIGHT) giveUp(new Error('Redis is too far behind'));
      if (!connected) {
        this.local.incr(key, callback, timeWindowMs, max);
        return;
      }
      asked += 1;
      watch();
      countHit(key, timeWindowMs).then(
        ([current, ttl]) => {
          answered += 1;
          callback(null, { current, ttl: Math.max(0, ttl) });
        },
        (error: Error) => {
          answered += 1;
          giveUp(error);
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
    started,
    away: () => !connected,
    close() {
      redis.removeAllListeners('close');
      redis.disconnect();
    },
  };
}
