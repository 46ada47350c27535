import type fastifyRateLimit from '@fastify/rate-limit';
import fp from 'fastify-plugin';
import { fail } from '../src/errors.ts';

export interface RateState {
  limit: number;
  remaining: number;
  windowSeconds: number;
  /** Whole seconds until the window ends. */
  resetSeconds: number;
}

declare module 'fastify' {
  interface FastifyRequest {
    /** The state of the key's window, this request included: set by gate 3. */
    rate: RateState;
  }
}

export interface RateLimitOptions {
  /** Where the windows are counted: a store as @fastify/rate-limit defines it. */
  windows: Pick<fastifyRateLimit.FastifyRateLimitStore, 'incr'>;
  windowSeconds: number;
}

/**
 * Gate 3: limits the requests of a key in a window (contract, section 5). Every later answer tells how many are left,
 * in the IETF's header fields and in the older `X-RateLimit` ones.
 *
 * Calls the store without the library's own hook: that awaits six times per request, which costs a sixth of the
 * throughput, and its features (allow lists, bans, skipping) are not needed.
 */
export default fp<RateLimitOptions>(
  async (app, { windows, windowSeconds }) => {
    app.decorateRequest('rate');
    const windowMs = windowSeconds * 1000;
    app.addHook('onRequest', (request, reply, done) => {
      const { key, quota } = request.access;
      const { limit } = quota;
      windows.incr(
        key.id,
        (error, window) => {
          // Without a count the request must be refused.
          if (!window) return done(error ?? new Error('the window was not counted'));
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
          done(exceeded ? fail.rateLimited(limit, windowSeconds, Math.max(1, resetSeconds)) : undefined);
        },
        windowMs,
        limit,
      );
    });
  },
  { name: 'rate-limit', dependencies: ['firewall'], fastify: '5.x' },
);
