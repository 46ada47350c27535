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
  /** Requests a window for keys without a number of their own. */
  max: number;
  windowSeconds: number;
}

/**
 * Gate 3: so many requests a window and key (contract, section 5). Every answer from here on tells how many are
 * left, in the IETF's fields and in the older ones.
 */
export default fp<RateLimitOptions>(
  async (app, { max, windowSeconds }) => {
    app.decorateRequest('rate');
    const hit = app.createRateLimit({
      max: (request) => request.access.key.rateLimit ?? max,
      timeWindow: windowSeconds * 1000,
      keyGenerator: (request) => request.access.key.id,
    });
    app.addHook('onRequest', async (request, reply) => {
      const count = await hit(request);
      // Without an allow list the library never answers otherwise; its type does not know.
      if (count.isAllowed) return;
      const { max: limit, remaining, ttlInSeconds: resetSeconds } = count;
      request.rate = { limit, remaining, windowSeconds, resetSeconds };
      reply.header('ratelimit-policy', `"default";q=${limit};w=${windowSeconds}`);
      reply.header('ratelimit', `"default";r=${remaining};t=${resetSeconds}`);
      reply.header('x-ratelimit-limit', limit);
      reply.header('x-ratelimit-remaining', remaining);
      reply.header('x-ratelimit-reset', resetSeconds);
      if (count.isExceeded) throw fail.rateLimited(limit, windowSeconds, Math.max(1, resetSeconds));
    });
  },
  { name: 'rate-limit', dependencies: ['firewall', '@fastify/rate-limit'], fastify: '5.x' },
);
