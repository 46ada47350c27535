import fp from 'fastify-plugin';
import { ApiError } from '../src/errors.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** The rule, as entered, that let the caller's address in; null where the caller is not restricted. */
    matchedRule: string | null;
  }
}

/**
 * Gate 2: the addresses that a key may be used from: those of the broker's IP firewall, or of an operator's key (contract,
 * sections 5 and 13.1). A request without a readable address is always refused.
 */
export default fp(
  async (app) => {
    app.decorateRequest('matchedRule', null);
    app.addHook('onRequest', (request, _reply, done) => {
      const { keyHolder, clientIp } = request;
      if (clientIp === '') return done(refusal(null));
      if (!keyHolder.isRestricted) return done();
      request.matchedRule = keyHolder.matchedRule(clientIp);
      done(request.matchedRule === null ? refusal(clientIp) : undefined);
    });
  },
  { name: 'firewall', dependencies: ['auth'], fastify: '5.x' },
);

const refusal = (clientIp: string | null) =>
  new ApiError('insufficient_permissions', 'IP address not whitelisted', {
    gate: 'firewall',
    details: { reason: 'ip_not_whitelisted', client_ip: clientIp },
  });
