import type fastifyRateLimit from '@fastify/rate-limit';
import type { FastifyReply, FastifyRequest } from 'fastify';
import fp from 'fastify-plugin';
import type { Quota } from '../src/access/authenticate.ts';
import { type ApiError, fail } from '../src/errors.ts';

export interface RateState {
  limit: number;
  remaining: number;
  windowSeconds: number;
  /** Whole seconds until the window ends. */
  resetSeconds: number;
}

declare module 'fastify' {
  interface FastifyRequest {
    /** The state of the window that counts, this request included: set by gate 3. */
    rate: RateState;
  }
}

/** Requests counted in it, and the milliseconds until it ends. */
type Window = { current: number; ttl: number };

export interface RateLimitOptions {
  /** Where the windows are counted: a store as @fastify/rate-limit defines it. */
  windows: Pick<fastifyRateLimit.FastifyRateLimitStore, 'incr'>;
  windowSeconds: number;
}

/** Without a count the request must be refused. */
const notCounted = () => new Error('the window was not counted');

/**
 * Gate 3: limits the requests of a key in a window (contract, section 5), and those of all live keys of a broker where the
 * operator has set such a limit. Every later answer tells how many are left, in the IETF's header fields and in the older
 * `X-RateLimit` ones: of the two limits the one of which fewer are left.
 *
 * Calls the store without the library's own hook: that awaits six times per request, which costs a sixth of the
 * throughput, and its features (allow lists, bans, skipping) are not needed.
 */
export default fp<RateLimitOptions>(
  async (app, { windows, windowSeconds }) => {
    app.decorateRequest('rate');
    const windowMs = windowSeconds * 1000;

    function tell(request: FastifyRequest, reply: FastifyReply, quota: Quota, window: Window): ApiError | undefined {
      const { limit } = quota;
      const remaining = Math.max(0, limit - window.current);
      const resetSeconds = Math.ceil(window.ttl / 1000);
      request.rate = { limit, remaining, windowSeconds, resetSeconds };
      reply.header('ratelimit-policy', quota.policy);
      reply.header('ratelimit', `"default";r=${remaining};t=${resetSeconds}`);
      // As strings: Node checks each value's characters and would convert a number twice for that.
      reply.header('x-ratelimit-limit', quota.limitAsText);
      reply.header('x-ratelimit-remaining', String(remaining));
      reply.header('x-ratelimit-reset', String(resetSeconds));
      const exceeded = window.current > limit;
      return exceeded ? fail.rateLimited(limit, windowSeconds, Math.max(1, resetSeconds)) : undefined;
    }

    app.addHook('onRequest', (request, reply, done) => {
      const { key, quota, broker, brokerQuota } = request.access;
      windows.incr(
        key.id,
        (error, own) => {
          if (!own) return done(error ?? notCounted());
          // What the key's own limit refuses takes nothing from the broker's other keys.
          if (!brokerQuota || own.current > quota.limit) return done(tell(request, reply, quota, own));
          windows.incr(
            `broker ${broker.id}`,
            (failure, shared) => {
              if (!shared) return done(failure ?? notCounted());
              const isTighter = brokerQuota.limit - shared.current < quota.limit - own.current;
              done(isTighter ? tell(request, reply, brokerQuota, shared) : tell(request, reply, quota, own));
            },
            windowMs,
            brokerQuota.limit,
          );
        },
        windowMs,
        quota.limit,
      );
    });
  },
  { name: 'rate-limit', dependencies: ['firewall'], fastify: '5.x' },
);
