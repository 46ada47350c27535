import { createHash } from 'node:crypto';
import type { FastifyReply, FastifyRequest, preHandlerHookHandler } from 'fastify';
import fp from 'fastify-plugin';
import { hooksOf } from '../src/hooks.ts';
import type { Claim } from '../src/operations/outcome.ts';
import { parseServiceNumber } from '../src/rules/service-number.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /**
     * Whether the route takes `X-Idempotency-Key`. `compare` refuses other input under the same key; `replay`
     * gives it the first answer, and keeps its keys apart and for good.
     */
    idempotency?: 'compare' | 'replay';
  }
  interface FastifyRequest {
    /** The caller's idempotency key, for the operation to claim; undefined where none was sent or none counts. */
    idempotency: Claim | undefined;
  }
}

const KEPT_FOR_MS = 30 * 24 * 3_600_000;

/**
 * Gate 6 (contract, section 7): turns the header into a claim. The claim itself is made by the operation, in
 * the transaction of the change that it protects, so nothing is stored here and nothing can be left behind.
 */
export default fp(
  async (app) => {
    app.decorateRequest('idempotency', undefined);
    app.addHook('onRoute', (route) => {
      const policy = route.config?.idempotency;
      if (policy === undefined) return;
      const operation = String(route.schema?.operationId);
      const hook: preHandlerHookHandler = (request, reply, done) => {
        const key = request.headers['x-idempotency-key'];
        if (typeof key === 'string') request.idempotency = claimOf(key, policy, operation, request, reply);
        done();
      };
      route.preHandler = [hook, ...hooksOf(route.preHandler)];
    });
  },
  { name: 'idempotency', dependencies: ['validation', 'envelope', 'auth'], fastify: '5.x' },
);

function claimOf(
  key: string,
  policy: 'compare' | 'replay',
  operation: string,
  request: FastifyRequest,
  reply: FastifyReply,
): Claim {
  const { access } = request;
  return {
    name: {
      brokerId: access.broker.id,
      mode: access.mode,
      namespace: policy === 'replay' ? 'creation' : 'action',
      key,
    },
    fingerprint: createHash('sha256')
      .update(JSON.stringify([operation, pathValues(request.params), sorted(request.bodyAsSent)]))
      .digest('hex'),
    onOtherInput: policy,
    keepForMs: policy === 'replay' ? null : KEPT_FOR_MS,
    encode: (outcome) => reply.encode(outcome),
  };
}

/** Path values as parsed: 007 and 7 name the same service. */
const pathValues = (params: unknown): Record<string, string> =>
  Object.fromEntries(
    Object.entries(params as Record<string, string>).map(([name, text]) => [
      name,
      name === 'service_number' ? String(parseServiceNumber(text)) : text,
    ]),
  );

/** The same value with every object's keys in one order. */
function sorted(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([name, inner]) => [name, sorted(inner)]),
  );
}
