import fp from 'fastify-plugin';
import type { Registry } from 'prom-client';
import { GATES } from '../src/errors.ts';

/** Seconds. */
const BUCKETS = [0.001, 0.005, 0.01, 0.05, 0.1, 0.5, 1, 5, 10];

export interface MetricsOptions {
  /** The registry of the metrics; undefined turns counting off. */
  registry: Registry | undefined;
  /** Whether Redis is unavailable; undefined where none is configured. */
  redis?: { away(): boolean } | undefined;
}

/** Counts answers and measures their duration, by route; labels never contain the name of a record. */
export default fp<MetricsOptions>(
  async (app, { registry, redis }) => {
    if (!registry) return;
    const { Counter, Gauge, Histogram } = await import('prom-client');
    const answers = new Counter({
      name: 'broker_http_answers_total',
      help: 'Answers sent',
      labelNames: ['method', 'route', 'status'],
      registers: [registry],
    });
    const durations = new Histogram({
      name: 'broker_http_answer_duration_seconds',
      help: 'Time from the request to the end of its answer',
      labelNames: ['method', 'route', 'status'],
      buckets: BUCKETS,
      registers: [registry],
    });
    const refusals = new Counter({
      name: 'broker_http_refusals_total',
      help: 'Calls that were refused, or failed at their work, by the gate where that was',
      labelNames: ['gate'],
      registers: [registry],
    });
    // Prometheus sees no increase where a series begins.
    for (const gate of GATES) refusals.inc({ gate }, 0);
    app.addHook('onRoute', ({ method, url: route }) => {
      for (const each of [method].flat()) answers.inc({ method: each, route, status: 500 }, 0);
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
    app.addHook('onResponse', (request, reply, done) => {
      // Unknown paths are counted by method alone, so the number of labels is bounded by the methods that the parser knows.
      const route = request.is404 ? 'none' : String(request.routeOptions.url);
      const labels = { method: request.method, route, status: reply.statusCode };
      answers.inc(labels);
      durations.observe(labels, reply.elapsedTime / 1000);
      if (reply.failure && !request.is404) refusals.inc({ gate: reply.failure.gate });
      done();
    });
  },
  { name: 'metrics', fastify: '5.x' },
);
