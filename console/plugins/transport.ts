import fp from 'fastify-plugin';
import { Problem } from '../problem.ts';

/** In production a session never travels in the clear, save within the machine. */
export default fp<{ required: boolean }>(
  async (app, { required }) => {
    if (!required) return;
    app.addHook('onRequest', async ({ protocol }) => {
      if (protocol !== 'https') throw new Problem(400, 'Use HTTPS', 'The console is served over HTTPS alone.');
    });
  },
  { name: 'console-transport', dependencies: ['console-errors'], fastify: '5.x' },
);
