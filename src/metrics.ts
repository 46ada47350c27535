import { once } from 'node:events';
import { createServer } from 'node:http';
import { collectDefaultMetrics, Gauge, Registry } from 'prom-client';
import type { Store } from './store/store.ts';

/** Figures of the process and of the queue, in a registry of their own. */
export function createMetrics(store: Store): Registry {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  new Gauge({
    name: 'requests_open',
    help: 'Requests that are not final, by status',
    labelNames: ['status'],
    registers: [registry],
    async collect() {
      this.reset();
      for (const { status, total } of await store.read.requests.tally()) this.set({ status }, total);
    },
  });
  return registry;
}

/** Serves the figures to Prometheus on a port of their own, beside the API and outside of its gates. */
export async function serveMetrics(registry: Registry, host: string, port: number): Promise<{ close(): void }> {
  const server = createServer((_request, response) => {
    registry.metrics().then(
      (text) => response.writeHead(200, { 'content-type': registry.contentType }).end(text),
      () => response.writeHead(503).end(),
    );
  });
  server.listen(port, host);
  await once(server, 'listening');
  return { close: () => void server.close().closeAllConnections() };
}
