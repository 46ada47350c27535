import fp from 'fastify-plugin';
import { fail } from '../../src/errors.ts';
import { drainAtEnd } from '../../src/http/drain.ts';
import { Problem } from '../http/problem.ts';

const RETRY_AFTER_SECONDS = 5;

/** Graceful shutdown: pages in progress are finished, new ones are refused. */
export default fp(
  async (app) => {
    drainAtEnd(app, ({ url }) =>
      url.startsWith('/operator/')
        ? fail.overloaded(RETRY_AFTER_SECONDS)
        : new Problem(
            503,
            'The console is restarting',
            'Nothing was changed. Try again in a few seconds.',
            undefined,
            RETRY_AFTER_SECONDS,
          ),
    );
  },
  { name: 'console-drain', fastify: '5.x' },
);
