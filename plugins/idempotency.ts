import { hash } from 'node:crypto';
import type { FastifyRequest, preHandlerHookHandler } from 'fastify';
import fp from 'fastify-plugin';
import type { Claim, Encode } from '../src/broker/operation.ts';
import { hooksOf } from '../src/http/hooks.ts';
import { DAY_MS } from '../src/rules/durations.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /**
     * Whether the route takes `X-Idempotency-Key`, alias `Idempotency-Key`. `compare` refuses other input under the same
     * key. `replay` returns the first answer to it; its keys have a namespace of their own and do not expire.
     */
    idempotency?: 'compare' | 'replay';
  }
  interface FastifyRequest {
    /** The caller's idempotency key, for the operation to claim; undefined where none was sent or the route takes none. */
    idempotency: Claim | undefined;
  }
}

const KEPT_FOR_MS = 30 * DAY_MS;

/**
 * Gate 6 (contract, section 7): turns the header into a claim. The claim itself is made by the operation, in
 * the transaction of the change that it protects, so this plugin stores nothing.
 */
export default fp(
  async (app) => {
    app.decorateRequest('idempotency', undefined);
    app.addHook('onRoute', (route) => {
      const policy = route.config?.idempotency;
      if (policy === undefined) return;
      const operation = String(route.schema?.operationId);
      // One per route. The route's serializers exist only from the first request on.
      let encode: Encode | undefined;
      const hook: preHandlerHookHandler = (request, reply, done) => {
        // Two names of one header; validation refuses them where they differ.
        const key = request.headers['x-idempotency-key'] ?? request.headers['idempotency-key'];
        encode ??= reply.encoder();
        if (typeof key === 'string') request.idempotency = claimOf(key, policy, operation, request, encode);
        done();
      };
      route.preHandler = [...hooksOf(route.preHandler), hook];
    });
  },
  { name: 'idempotency', dependencies: ['validation', 'envelope', 'auth'], fastify: '5.x' },
);

function claimOf(
  key: string,
  policy: 'compare' | 'replay',
  operation: string,
  request: FastifyRequest,
  encode: Encode,
): Claim {
  const { access } = request;
  return {
    name: {
      brokerId: access.broker.id,
      mode: access.mode,
      namespace: policy === 'replay' ? 'creation' : 'action',
      key,
    },
    fingerprint: hash(
      'sha256',
      JSON.stringify([operation, pathValues(request.params), sorted(request.bodyAsSent)]),
      'hex',
    ),
    onOtherInput: policy,
    keepForMs: policy === 'replay' ? null : KEPT_FOR_MS,
    encode,
  };
}

/** Path values after parsing, so that 007 and 7 name the same service; as text, as in the stored fingerprints. */
const pathValues = (params: unknown): Record<string, string> =>
  Object.fromEntries(Object.entries(params as object).map(([name, value]) => [name, String(value)]));

/** The same value with every object's keys in one order. */
function sorted(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([name, inner]) => [name, sorted(inner)]),
  );
}
