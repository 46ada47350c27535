import type { FastifyInstance } from 'fastify';
import fp from 'fastify-plugin';
import { KeyLookupRefused } from '../src/access/authenticate.ts';
import { ApiError, fail } from '../src/errors.ts';
import { addressBucket } from '../src/rules/ip-rules.ts';

declare module 'fastify' {
  interface FastifyInstance {
    /** Counts a failed authentication and returns the error to answer with: 401, or 429 after too many. */
    countAuthFailure(request: FastifyRequest, failure: Error): Promise<Error>;
  }
}

export interface AuthFailuresOptions {
  /** Failed authentications that an address may have in a window of 60 seconds; 0 turns the limit off. */
  max: number;
  /** In place of a count of its own: that of another port. */
  shared?: FastifyInstance['countAuthFailure'] | undefined;
}

const WINDOW_SECONDS = 60;

/**
 * Slows down the guessing of keys (contract, section 2). Failures are counted per client address, for IPv6 per /64.
 * Only requests that failed are refused, so a caller cannot lock out a valid key that shares its address.
 */
export default fp<AuthFailuresOptions>(
  async (app, { max, shared }) => {
    if (shared) {
      app.decorate('countAuthFailure', shared);
      return;
    }
    const hit = app.createRateLimit({
      max,
      timeWindow: WINDOW_SECONDS * 1000,
      keyGenerator: (request) => `auth-failure:${addressBucket(request.clientIp)}`,
    });
    app.decorate('countAuthFailure', async (request, failure) => {
      // Every rejection must end in an error, even `undefined`: without an error the hook would let the request pass.
      if (!(failure instanceof ApiError)) return fail.internal(failure);
      if (max === 0 || !(failure.code === 'authentication_failed' || failure instanceof KeyLookupRefused))
        return failure;
      const count = await hit(request);
      if (count.isAllowed || !count.isExceeded) return failure;
      return fail.rateLimited('authentication', max, WINDOW_SECONDS, Math.max(1, count.ttlInSeconds));
    });
  },
  { name: 'auth-failures', dependencies: ['@fastify/rate-limit'], fastify: '5.x' },
);
