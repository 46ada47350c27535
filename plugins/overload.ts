import fastifyUnderPressure from '@fastify/under-pressure';
import fp from 'fastify-plugin';
import { fail } from '../src/errors.ts';

/** An event loop that is this late answers nobody in time; refusing is then kinder than queueing. */
const MAX_EVENT_LOOP_DELAY_MS = 3000;
const RETRY_AFTER_SECONDS = 5;

/** Sheds load in the envelope, before any gate spends work on it (contract, section 3). */
export default fp(
  async (app) => {
    await app.register(fastifyUnderPressure, {
      maxEventLoopDelay: MAX_EVENT_LOOP_DELAY_MS,
      pressureHandler: () => {
        throw fail.unavailable(RETRY_AFTER_SECONDS);
      },
    });
  },
  { name: 'overload', dependencies: ['errors'], fastify: '5.x' },
);
