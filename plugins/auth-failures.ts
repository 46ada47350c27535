import fp from 'fastify-plugin';
import { ApiError, fail } from '../src/errors.ts';
import { addressBucket } from '../src/rules/ip-rules.ts';

declare module 'fastify' {
  interface FastifyInstance {
    /** Counts a failed authentication and returns what the caller gets to hear of it: 401, or 429 after too many. */
    countAuthFailure(request: FastifyRequest, failure: Error): Promise<Error>;
  }
}

export interface AuthFailuresOptions {
  /** Failed authentications that an address may have in a window; 0 counts nothing. */
  max: number;
}

const WINDOW_SECONDS = 60;

/**
 * Slows down the guessing of keys (contract, section 2): failures are counted per client address, IPv6 by its
 * /64. Only a request that failed is ever refused by the count, so nobody can lock out a neighbour's valid key.
 */
export default fp<AuthFailuresOptions>(
  async (app, { max }) => {
    const hit = app.createRateLimit({
      max,
      timeWindow: WINDOW_SECONDS * 1000,
      keyGenerator: (request) => `auth-failure ${addressBucket(request.clientIp)}`,
    });
    app.decorate('countAuthFailure', async (request, failure) => {
      // Whatever was thrown, even nothing, must refuse: a gate that is handed no error opens.
      if (!(failure instanceof ApiError)) return fail.internal(failure);
      if (max === 0 || failure.code !== 'authentication_failed') return failure;
      const count = await hit(request);
      if (count.isAllowed || !count.isExceeded) return failure;
      return fail.rateLimited(max, WINDOW_SECONDS, Math.max(1, count.ttlInSeconds));
    });
  },
  { name: 'auth-failures', dependencies: ['@fastify/rate-limit'], fastify: '5.x' },
);
