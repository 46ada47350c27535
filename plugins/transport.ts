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
    if (!requireHttps) return;
    app.addHook('onRequest', (request, _reply, done) => {
      done(request.protocol === 'https' ? undefined : fail.invalidRequest('https_required', 'Use HTTPS'));
    });
  },
  { name: 'transport', dependencies: ['errors'], fastify: '5.x' },
);
