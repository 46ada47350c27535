import type { FastifyInstance } from 'fastify';
import { ApiError } from '../src/errors.ts';
import { REPLACED } from '../src/lifecycle/replaced.ts';

export interface HealthChecks {
  /** Rejects when the database cannot be reached. */
  database(): Promise<void>;
  /** Whether the provisioner works for another installation, which goes on from later records. */
  replaced(): Promise<boolean>;
  /** Whether each part that the server can do without is impaired, by name. */
  degraded(): Promise<Record<string, boolean>>;
}

/** Served during shutdown too, and also to HEAD, which some load balancers use. */
const PROBE = { config: { whileClosing: true }, exposeHeadRoute: true };

/** Health checks for the operator's load balancer and supervisor; outside /api and without a key (contract, section 1). */
export default async (app: FastifyInstance, { checks }: { checks: HealthChecks }) => {
  app.get('/health/live', PROBE, async () => ({
    success: true,
    data: { status: 'ok', checks: { process: 'ok' } },
  }));

  app.get('/health/ready', PROBE, async (request) => {
    if (app.draining || app.closing) throw unavailable('Shutting down');
    await checks.database().catch((error: unknown) => {
      request.log.error({ err: error }, 'the database cannot be reached');
      throw unavailable('The database cannot be reached');
    });
    if (await checks.replaced()) throw unavailable(REPLACED);
    const away = await checks.degraded();
    const degraded = Object.values(away).some((isAway) => isAway);
    return {
      success: true,
      data: {
        status: degraded ? 'degraded' : 'ok',
        checks: {
          database: 'ok',
          ...Object.fromEntries(Object.entries(away).map(([name, isAway]) => [name, isAway ? 'degraded' : 'ok'])),
        },
      },
    };
  });
};

const unavailable = (message: string) =>
  new ApiError('server_error', message, { gate: 'work', statusCode: 503, retryAfterSeconds: 2 });
