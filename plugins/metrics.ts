import fp from 'fastify-plugin';
import type { Registry } from 'prom-client';
import { GATES, gateOf } from '../src/rules/gates.ts';

export interface MetricsOptions {
  /** Where the figures are kept; without one nothing is counted. */
  registry: Registry | undefined;
}

/** Counts answers and measures how long they took, by operation: names of routes, never of records. */
export default fp<MetricsOptions>(
  async (app, { registry }) => {
    if (!registry) return;
    const { Counter, Histogram } = await import('prom-client');
    const labelNames = ['method', 'route', 'status'] as const;
    const answers = new Counter({
      name: 'http_answers_total',
      help: 'Answers sent',
      labelNames,
      registers: [registry],
    });
    const duration = new Histogram({
      name: 'http_answer_duration_seconds',
      help: 'Time from the request to the end of its answer',
      labelNames,
      buckets: [0.001, 0.005, 0.01, 0.05, 0.1, 0.5, 1, 5, 10],
      registers: [registry],
    });
    const refusals = new Counter({
      name: 'http_refusals_total',
      help: 'Calls that were refused, or failed at their work, by the gate where that was',
      labelNames: ['gate'],
      registers: [registry],
    });
    app.addHook('onResponse', (request, reply, done) => {
      const labels = { method: request.method, route: request.routeOptions.url ?? 'none', status: reply.statusCode };
      answers.inc(labels);
      duration.observe(labels, reply.elapsedTime / 1000);
      if (reply.failure && !request.is404) {
        const { access } = request as { access?: unknown };
        refusals.inc({ gate: GATES[gateOf(reply.failure, access !== undefined)] as string });
      }
      done();
    });
  },
  { name: 'metrics', fastify: '5.x' },
);
