import fastifyUnderPressure from '@fastify/under-pressure';
import fp from 'fastify-plugin';
import { fail } from '../src/errors.ts';

export interface OverloadOptions {
  /** An event loop that is this late answers nobody in time; refusing is then kinder than queueing. 0: never. */
  maxEventLoopDelayMs?: number;
}

const RETRY_AFTER_SECONDS = 5;

/** Sheds load in the envelope, before any gate spends work on it (contract, section 3). */
export default fp<OverloadOptions>(
  async (app, { maxEventLoopDelayMs = 3000 }) => {
    await app.register(fastifyUnderPressure, {
      maxEventLoopDelay: maxEventLoopDelayMs,
      // An interval in which the loop never came round counts as endless delay, so it must exceed what is allowed.
      sampleInterval: maxEventLoopDelayMs + 1000,
      pressureHandler: () => {
        throw fail.unavailable(RETRY_AFTER_SECONDS);
      },
    });
  },
  { name: 'overload', dependencies: ['errors'], fastify: '5.x' },
);
