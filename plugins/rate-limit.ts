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
    /** The key's window with this request counted: set by gate 3. */
    rate: RateState;
  }
}

export interface RateLimitOptions {
  /** Where the windows are counted: a store as @fastify/rate-limit defines it. */
  windows: Pick<fastifyRateLimit.FastifyRateLimitStore, 'incr'>;
  windowSeconds: number;
}

/**
 * Gate 3: so many requests a window and key (contract, section 5). Every answer from here on tells how many are
 * left, in the IETF's fields and in the older ones.
 *
 * The store is asked without the library's own hook, which awaits six times a request and costs a sixth of the
 * throughput; what it would add (allow lists, bans, skipping) is not wanted here.
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
          // A count that is missing must not open the gate.
          if (!window) return done(error ?? new Error('the window was not counted'));
          const remaining = Math.max(0, limit - window.current);
          const resetSeconds = Math.ceil(window.ttl / 1000);
          request.rate = { limit, remaining, windowSeconds, resetSeconds };
          reply.header('ratelimit-policy', quota.policy);
          reply.header('ratelimit', `"default";r=${remaining};t=${resetSeconds}`);
          // As text: Node checks each value's characters, and would make text of a number for it twice.
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
