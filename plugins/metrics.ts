import type { onResponseHookHandler } from 'fastify';
import fp from 'fastify-plugin';
import type { Registry } from 'prom-client';
import { hooksOf } from '../src/hooks.ts';
import { GATES, gateOf } from '../src/rules/gates.ts';
import { type CountAnswer, createAnswerTimes } from '../src/traffic/answer-times.ts';

export interface MetricsOptions {
  /** The registry of the metrics; undefined turns counting off. */
  registry: Registry | undefined;
  /** Tells whether Redis is unavailable; undefined where none is configured. */
  redis?: { away(): boolean } | undefined;
}

/** Counts answers and measures their duration, by route; labels never contain the name of a record. */
export default fp<MetricsOptions>(
  async (app, { registry, redis }) => {
    if (!registry) return;
    const { Counter, Gauge } = await import('prom-client');
    const answersOf = createAnswerTimes(registry);
    const refusals = new Counter({
      name: 'broker_http_refusals_total',
      help: 'Calls that were refused, or failed at their work, by the gate where that was',
      labelNames: ['gate'],
      registers: [registry],
    });
    if (redis) {
      new Gauge({
        name: 'broker_redis_up',
        help: 'Whether rate limits are counted in Redis: 1, or 0 when it is away',
        registers: [registry],
        collect() {
          this.set(redis.away() ? 0 : 1);
        },
      });
    }
    const hookOf = (count: CountAnswer): onResponseHookHandler => {
      return (request, reply, done) => {
        count(reply.statusCode, reply.elapsedTime / 1000);
        if (reply.failure && !request.is404) {
          const { access } = request as { access?: unknown };
          refusals.inc({ gate: GATES[gateOf(reply.failure, access !== undefined)] as string });
        }
        done();
      };
    };
    app.addHook('onRoute', (route) => {
      route.onResponse = [...hooksOf(route.onResponse), hookOf(answersOf(String(route.method), route.url))];
    });
    // Unknown paths are counted by method alone, so the number of labels is bounded by the methods that the parser knows.
    const unrouted = new Map<string, onResponseHookHandler>();
    app.addHook('onResponse', function (request, reply, done) {
      if (!request.is404) return done();
      const { method } = request;
      const hook = unrouted.get(method) ?? hookOf(answersOf(method, 'none'));
      unrouted.set(method, hook);
      hook.call(this, request, reply, done);
    });
  },
  { name: 'metrics', fastify: '5.x' },
);
