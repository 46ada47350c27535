import fp from 'fastify-plugin';
import { fail } from '../src/errors.ts';
import { drainAtEnd } from '../src/http/drain.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Whether the route is also served while the server closes; its handler reads `app.closing` itself. */
    whileClosing?: boolean;
  }
}

const RETRY_AFTER_SECONDS = 2;

/** Graceful shutdown (contract, section 10): new requests are refused with Retry-After, see `drainAtEnd` for the others. */
export default fp(
  async (app) => {
    drainAtEnd(app, ({ routeOptions }) =>
      routeOptions.config.whileClosing ? undefined : fail.overloaded(RETRY_AFTER_SECONDS),
    );
  },
  { name: 'drain', dependencies: ['errors'], fastify: '5.x' },
);
