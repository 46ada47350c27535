import fp from 'fastify-plugin';
import { STRICT_TRANSPORT } from '../src/http/headers.ts';

export interface SecurityHeadersOptions {
  /** Whether requests can arrive over HTTPS: served by this process, or forwarded by a trusted proxy. */
  overHttps: boolean;
}

/**
 * Headers for browsers on every answer (contract, section 1): no sniffing of content types and, over HTTPS, strict
 * transport security.
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
