import fp from 'fastify-plugin';
import { fail } from '../src/errors.ts';

export interface TransportOptions {
  requireHttps: boolean;
}

/**
 * Gate 0: refuses plain HTTP where HTTPS is required, before the key is read (contract, section 2). A redirect
 * would only teach clients to send their key in the clear first. `X-Forwarded-Proto` counts from trusted proxies.
 */
export default fp<TransportOptions>(
  async (app, { requireHttps }) => {
    app.addHook('onRequest', (request, reply, done) => {
      const secure = request.protocol === 'https';
      if (secure) reply.header('strict-transport-security', 'max-age=31536000; includeSubDomains');
      done(requireHttps && !secure ? fail.invalidRequest('https_required', 'Use HTTPS') : undefined);
    });
  },
  { name: 'transport', dependencies: ['errors'], fastify: '5.x' },
);
