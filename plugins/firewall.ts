import fp from 'fastify-plugin';
import { ApiError } from '../src/errors.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** The broker's firewall rule, as entered, that matched; null where the broker has no IP restriction. */
    matchedRule: string | null;
  }
}

/** Gate 2: the broker's IP firewall (contract, section 5). A request without a readable address is always refused. */
export default fp(
  async (app) => {
    app.decorateRequest('matchedRule', null);
    app.addHook('onRequest', (request, _reply, done) => {
      const { access, clientIp } = request;
      if (clientIp === '') return done(refusal(null));
      if (!access.broker.ipRestrictionEnabled) return done();
      request.matchedRule = access.matchedRule(clientIp);
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
