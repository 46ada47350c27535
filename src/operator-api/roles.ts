import type { onRequestHookHandler } from 'fastify';
import fp from 'fastify-plugin';
import type { OperatorAccess } from '../access/operator-keys.ts';
import { ApiError } from '../errors.ts';
import { hooksOf } from '../http/hooks.ts';
import { mayAct } from '../operator/people/operators.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** The key of the operator that calls: set by gate 1. */
    operator: OperatorAccess;
  }
}

/** Gate 4 of the operator's API: the role of the key (contract, section 13.1). */
export default fp(
  async (app) => {
    app.addHook('onRoute', (route) => {
      const needed = route.config?.role;
      if (needed === undefined || needed === 'public') throw new Error(`${route.url} does not state its role`);
      const check: onRequestHookHandler = ({ operator }, _reply, done) =>
        done(mayAct(operator.role, needed) ? undefined : refusal(needed));
      route.onRequest = [check, ...hooksOf(route.onRequest)];
    });
  },
  { name: 'operator-roles', dependencies: ['rate-limit'], fastify: '5.x' },
);

const refusal = (required_role: string) =>
  new ApiError('insufficient_permissions', 'Missing required role', {
    gate: 'scope',
    details: { reason: 'missing_role', required_role },
  });
