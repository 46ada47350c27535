import fp from 'fastify-plugin';
import { fail } from '../src/errors.ts';

export interface TransportOptions {
  requireHttps: boolean;
}

/**
 * Gate 0: refuses plain HTTP where HTTPS is required, before the key is read (contract, section 2). A redirect would
 * let clients go on sending their key unencrypted first. `X-Forwarded-Proto` is read from trusted proxies only.
 */
export default fp<TransportOptions>(
  async (app, { requireHttps }) => {
    if (!requireHttps) return;
    app.addHook('onRequest', (request, _reply, done) => {
      done(request.protocol === 'https' ? undefined : fail.invalidRequest('https_required', 'Use HTTPS', 'transport'));
    });
  },
  { name: 'transport', dependencies: ['errors'], fastify: '5.x' },
);
