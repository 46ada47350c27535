import fp from 'fastify-plugin';
import type { Clock } from '../src/clock.ts';
import { fail } from '../src/errors.ts';

export interface OverloadOptions {
  clock: Pick<Clock, 'monotonic'>;
  /** Delay of the event loop, in milliseconds, above which calls are refused instead of queued. 0: never. */
  maxEventLoopDelayMs?: number;
}

/** How often the delay is measured; only the latest measurement counts. */
const MEASURED_EVERY_MS = 500;
const RETRY_AFTER_SECONDS = 5;

/**
 * Load shedding (contract, section 3): refuses calls before the gates run while the latest measured delay of the event
 * loop is above the limit. The log gets a line when the first call is refused, and one when calls are served again. The
 * start of the process is not measured: it blocks the event loop, but there are no callers yet.
 */
export default fp<OverloadOptions>(
  async (app, { clock, maxEventLoopDelayMs = 3000 }) => {
    if (maxEventLoopDelayMs === 0) return;
    let timer: NodeJS.Timeout | undefined;
    let measuredAt = 0;
    let delayMs = 0;
    let refused = 0;

    const measure = () => {
      const now = clock.monotonic();
      delayMs = now - measuredAt - MEASURED_EVERY_MS;
      measuredAt = now;
      if (refused === 0 || delayMs > maxEventLoopDelayMs) return;
      app.log.warn({ refused }, 'calls are served again: the event loop is in time');
      refused = 0;
    };
    const begin = async () => {
      clearInterval(timer);
      measuredAt = clock.monotonic();
      timer = setInterval(measure, MEASURED_EVERY_MS).unref();
    };
    app.addHook('onReady', begin);
    app.addHook('onListen', begin);
    app.addHook('onClose', async () => clearInterval(timer));

    app.addHook('onRequest', (_request, _reply, done) => {
      if (delayMs <= maxEventLoopDelayMs) return done();
      refused += 1;
      if (refused === 1) {
        app.log.warn({ delay_ms: Math.round(delayMs) }, 'calls are refused: the event loop is late');
      }
      done(fail.unavailable(RETRY_AFTER_SECONDS));
    });
  },
  { name: 'overload', dependencies: ['errors'], fastify: '5.x' },
);
