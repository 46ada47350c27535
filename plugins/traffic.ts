import type { FastifyReply, FastifyRequest, onSendHookHandler } from 'fastify';
import fp from 'fastify-plugin';
import type { Registry } from 'prom-client';
import type { Clock } from '../src/clock.ts';
import type { ApiError } from '../src/errors.ts';
import { hooksOf } from '../src/hooks.ts';
import { NOBODYS, parseServiceNumber } from '../src/rules/service-number.ts';
import type { CallRow } from '../src/store/calls.ts';
import { BOUNDS, type CallLog } from '../src/traffic/call-log.ts';
import type { Usage } from '../src/traffic/usage.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Whether calls that went well leave no row of their own, though they are no reads. */
    unlogged?: boolean;
  }
}

export interface TrafficOptions {
  usage: Usage;
  calls: CallLog;
  clock: Clock;
  /** Where what had to be dropped is told; nowhere without it. */
  registry: Registry | undefined;
}

/**
 * Counts every call of v1, and keeps a row of those that may have changed something or were refused (contract, section
 * 11). One hook a route, made where the route is, so that nothing has to be looked up for a call. It runs when the
 * answer is ready, and not when it has arrived: a caller that left is counted too.
 */
export default fp<TrafficOptions>(
  async (app, { usage, calls, clock, registry }) => {
    if (registry) await tellOfDrops(registry, usage, calls);
    app.addHook('onRoute', (route) => {
      const operation = String(route.schema?.operationId);
      const logged = route.method === 'POST' && !route.config?.unlogged;
      const hook: onSendHookHandler = (request, reply, _payload, done) => {
        const { access, startedAt } = request as Partial<FastifyRequest>;
        const { failure } = reply;
        const ms = startedAt === undefined ? 0 : clock.monotonic() - startedAt;
        usage.count(access, operation, failure, ms);
        if (access && (logged || failure)) {
          calls.keep(access.key.id, () => rowOf(request, reply, operation, clock.now(), ms));
        }
        done();
      };
      route.onSend = [...hooksOf(route.onSend), hook];
    });
  },
  { name: 'traffic', dependencies: ['errors', 'auth'], fastify: '5.x' },
);

/** Calls of which no sum or no row tells, by what there was too much of. */
async function tellOfDrops(registry: Registry, usage: Usage, calls: CallLog): Promise<void> {
  const { Gauge } = await import('prom-client');
  new Gauge({
    name: 'usage_dropped_calls',
    help: 'Calls that were not added up since the start, because the database was away for too long',
    registers: [registry],
    collect() {
      this.set(usage.dropped);
    },
  });
  new Gauge({
    name: 'calls_dropped_rows',
    help: 'Calls that got no row of their own since the start, by what there was too much of',
    labelNames: ['bound'],
    registers: [registry],
    collect() {
      for (const bound of BOUNDS) this.set({ bound }, calls.dropped[bound]);
    },
  });
}

function rowOf(request: FastifyRequest, reply: FastifyReply, operation: string, at: number, ms: number): CallRow {
  const { access, clientIp } = request;
  const failure: ApiError | undefined = reply.failure;
  return {
    requestId: request.id,
    at,
    brokerId: access.broker.id,
    keyId: access.key.id,
    clientIp: clientIp === '' ? null : clientIp,
    method: request.method,
    operation,
    serviceNumber: serviceNumberOf(request),
    status: reply.statusCode,
    code: failure?.code ?? null,
    reason: failure?.details?.reason ?? null,
    durationUs: Math.round(ms * 1000),
  };
}

/** As the path has it; null for what no service can be called. */
function serviceNumberOf({ params }: FastifyRequest): number | null {
  const { service_number: given } = params as { service_number?: string | number };
  // A number from the gate on that reads it; a call that was refused before still has the text.
  const number = typeof given === 'string' ? parseServiceNumber(given) : given;
  return number === undefined || number === NOBODYS ? null : number;
}
