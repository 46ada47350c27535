import underPressure from '@fastify/under-pressure';
import fp from 'fastify-plugin';
import { fail } from '../src/errors.ts';
import { systemClock } from '../src/runtime/clock.ts';

export interface OverloadOptions {
  /** Delay of the event loop, in milliseconds, above which calls are refused instead of queued. 0: never. */
  maxEventLoopDelayMs?: number;
}

const RETRY_AFTER_SECONDS = 5;

/**
 * Load shedding (contract, section 3): refuses calls before the gates run while the event loop was late in the last
 * second.
 */
export default fp<OverloadOptions>(
  async (app, { maxEventLoopDelayMs = 3000 }) => {
    if (maxEventLoopDelayMs === 0) return;
    let reportedMs: number | undefined;
    let listensSince = Number.NEGATIVE_INFINITY;
    app.addHook('onListen', async () => {
      listensSince = systemClock.monotonic();
    });
    await app.register(underPressure, {
      maxEventLoopDelay: maxEventLoopDelayMs,
      pressureHandler(_request, _reply, _type, delayMs) {
        // Without a sample in the last second the library reports this.
        if (delayMs === undefined || delayMs === Number.POSITIVE_INFINITY) return;
        // It began during the start, when no call waited.
        if (delayMs > systemClock.monotonic() - listensSince) return;
        // It is measured once a second, so this is at most a line a second.
        if (delayMs !== reportedMs) app.log.warn({ delay_ms: delayMs }, 'calls are refused: the event loop is late');
        reportedMs = delayMs;
        throw fail.overloaded(RETRY_AFTER_SECONDS);
      },
    });
  },
  { name: 'overload', dependencies: ['errors'], fastify: '5.x' },
);
