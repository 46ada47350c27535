import fp from 'fastify-plugin';
import { fail } from '../src/errors.ts';
import { addressBucket } from '../src/rules/ip-rules.ts';

/**
 * Requests of an address in a window, outside of version 1. A page of the documentation takes four, and costs less than a
 * call: a caller that uses the limit up costs less than 1 % of a processor.
 */
const PUBLIC_LIMIT = { max: 300, windowSeconds: 60 };

/** Calls have limits of their own, and health checks are always answered. */
const NOT_LIMITED = /^\/(?:(?:api|operator)\/v1|health)(?:[/?]|$)/;

/**
 * Limits what is served without a key, documentation and unknown paths, for each address, for IPv6 for each /64 (contract,
 * section 1).
 */
export default fp(
  async (app) => {
    const { max, windowSeconds } = PUBLIC_LIMIT;
    const hit = app.createRateLimit({
      max,
      timeWindow: windowSeconds * 1000,
      keyGenerator: (request) => `public:${addressBucket(request.ip)}`,
    });
    app.addHook('onRequest', (request, _reply, done) => {
      if (NOT_LIMITED.test(request.url) || request.raw.malformed !== undefined) return done();
      hit(request).then((count) => {
        const isRefused = !count.isAllowed && count.isExceeded;
        done(
          isRefused ? fail.rateLimited('rate_limit', max, windowSeconds, Math.max(1, count.ttlInSeconds)) : undefined,
        );
      }, done);
    });
  },
  { name: 'public-limit', dependencies: ['@fastify/rate-limit', 'request-id'], fastify: '5.x' },
);
