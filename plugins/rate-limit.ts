import type { FastifyInstance, FastifyRequest } from 'fastify';
import fp from 'fastify-plugin';
import type { KeyHolder } from '../src/access/authenticate.ts';
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
    /** The state of the window that counts, this request included: set by gate 3. */
    rate: RateState;
  }
}

export interface RateLimitOptions {
  windowSeconds: number;
}

type Counted = Exclude<Awaited<ReturnType<ReturnType<FastifyInstance['createRateLimit']>>>, { isAllowed: true }>;

/**
 * Gate 3: limits the requests of a key in a window (contract, section 5), and those of all live keys of a broker where the
 * operator has set such a limit. Every later answer says how many are left, in the IETF's header fields and in the older
 * `X-RateLimit` ones: of the two limits the one of which fewer are left.
 */
export default fp<RateLimitOptions>(
  async (app, { windowSeconds }) => {
    app.decorateRequest('rate');
    const countOf = (limitOf: (holder: KeyHolder) => number, nameOf: (holder: KeyHolder) => string) => {
      const count = app.createRateLimit({
        timeWindow: windowSeconds * 1000,
        max: ({ keyHolder }) => limitOf(keyHolder),
        keyGenerator: ({ keyHolder }) => nameOf(keyHolder),
      });
      // Without an allow list every request is counted.
      return count as (request: FastifyRequest) => Promise<Counted>;
    };
    const countKey = countOf(
      ({ rateLimit }) => rateLimit,
      ({ keyId }) => keyId,
    );
    const countShared = countOf(
      ({ sharedLimit }) => Number(sharedLimit?.limit),
      ({ sharedLimit }) => String(sharedLimit?.name),
    );

    app.addHook('onRequest', async (request, reply) => {
      let window = await countKey(request);
      // What the key's own limit refuses takes nothing from the broker's other keys.
      if (request.keyHolder.sharedLimit !== null && !window.isExceeded) {
        const shared = await countShared(request);
        if (shared.isExceeded || shared.remaining < window.remaining) window = shared;
      }
      const { max: limit, remaining, ttlInSeconds: resetSeconds } = window;
      request.rate = { limit, remaining, windowSeconds, resetSeconds };
      reply.headers({
        'ratelimit-policy': `"default";q=${limit};w=${windowSeconds}`,
        ratelimit: `"default";r=${remaining};t=${resetSeconds}`,
        'x-ratelimit-limit': limit,
        'x-ratelimit-remaining': remaining,
        'x-ratelimit-reset': resetSeconds,
      });
      if (window.isExceeded) throw fail.rateLimited('rate_limit', limit, windowSeconds, Math.max(1, resetSeconds));
    });
  },
  { name: 'rate-limit', dependencies: ['firewall', '@fastify/rate-limit'], fastify: '5.x' },
);
