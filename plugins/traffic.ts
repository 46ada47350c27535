import type { FastifyRequest, onSendHookHandler } from 'fastify';
import fp from 'fastify-plugin';
import type { Registry } from 'prom-client';
import { hooksOf } from '../src/http/hooks.ts';
import { NO_SERVICE, parseServiceNumber } from '../src/rules/service-number.ts';
import type { Clock } from '../src/runtime/clock.ts';
import { type Recorder, ROW_BOUNDS } from '../src/traffic/recorder.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Whether successful calls are not logged, although the method is POST. */
    unlogged?: boolean;
  }
}

export interface TrafficOptions {
  recorder: Recorder;
  clock: Clock;
  /** Gets metrics of dropped records; undefined: none. */
  registry: Registry | undefined;
}

/**
 * Records every call of v1 (contract, section 11). Each route has its own hook, so that a call needs no look-up. The hook
 * runs when the answer is ready, not when it has arrived, so that calls of disconnected callers count too.
 */
export default fp<TrafficOptions>(
  async (app, { recorder, clock, registry }) => {
    if (registry) await measureDrops(registry, recorder);
    app.addHook('onRoute', (route) => {
      const operation = String(route.schema?.operationId);
      const logged = route.method === 'POST' && !route.config?.unlogged;
      const hook: onSendHookHandler = (request, reply, _payload, done) => {
        const { access, startedAt } = request as Partial<FastifyRequest>;
        recorder.record({
          requestId: request.id,
          owner: access,
          clientIp: request.clientIp,
          method: request.method,
          operation,
          serviceNumber: serviceNumberOf(request),
          status: reply.statusCode,
          failure: reply.failure,
          ms: startedAt === undefined ? 0 : clock.monotonic() - startedAt,
          logged,
        });
        done();
      };
      route.onSend = [...hooksOf(route.onSend), hook];
    });
  },
  { name: 'traffic', dependencies: ['errors', 'auth'], fastify: '5.x' },
);

/** Gauges of the calls that were dropped: from the usage sums, and from the call log by the bound that was reached. */
async function measureDrops(registry: Registry, { dropped }: Recorder): Promise<void> {
  const { Gauge } = await import('prom-client');
  new Gauge({
    name: 'broker_usage_dropped_calls',
    help: 'Calls that were not added up since the start, because the database was away for too long',
    registers: [registry],
    collect() {
      this.set(dropped.usage);
    },
  });
  new Gauge({
    name: 'broker_calls_dropped_rows',
    help: 'Calls that got no row of their own since the start, by what there was too much of',
    labelNames: ['bound'],
    registers: [registry],
    collect() {
      for (const bound of ROW_BOUNDS) this.set({ bound }, dropped[bound]);
    },
  });
}

/** The service number in the path; null where there is none or no service can have it. */
function serviceNumberOf({ params }: FastifyRequest): number | null {
  const { service_number: given } = params as { service_number?: string | number };
  // A number after gate 5 (plugins/service-number.ts); still text where the call was refused before.
  const number = typeof given === 'string' ? parseServiceNumber(given) : given;
  return number === undefined || number === NO_SERVICE ? null : number;
}
