import fp from 'fastify-plugin';
import { STRICT_TRANSPORT } from '../src/http/headers.ts';

export interface SecurityHeadersOptions {
  /** Whether anybody can come over HTTPS: it is served here, or forwarded by a proxy that is trusted. */
  overHttps: boolean;
}

/**
 * What browsers are told with every answer (contract, section 1): to take its type as it is named, and, where they
 * came over HTTPS, never to come without it.
 */
export default fp<SecurityHeadersOptions>(
  async (app, { overHttps }) => {
    app.addHook('onRequest', (request, reply, done) => {
      reply.header('x-content-type-options', 'nosniff');
      if (overHttps && request.protocol === 'https') reply.header('strict-transport-security', STRICT_TRANSPORT);
      done();
    });
  },
  { name: 'security-headers', fastify: '5.x' },
);
