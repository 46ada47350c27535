import fp from 'fastify-plugin';
import { Problem } from '../http/problem.ts';

/** In production sessions need HTTPS, except on a loopback address. */
export default fp<{ required: boolean }>(
  async (app, { required }) => {
    if (!required) return;
    app.addHook('onRequest', async ({ protocol }) => {
      if (protocol !== 'https') throw new Problem(400, 'Use HTTPS', 'The console is served over HTTPS only.');
    });
  },
  { name: 'console-transport', dependencies: ['console-errors'], fastify: '5.x' },
);
