import type { onRequestAsyncHookHandler } from 'fastify';
import fp from 'fastify-plugin';
import { ApiError } from '../errors.ts';
import { hooksOf } from '../http/hooks.ts';
import { SlotQueue } from '../limits/slot-queue.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** Ends the call's place among those that its key has at once. */
    leave: (() => void) | undefined;
  }
}

/** How long a call waits for a place. Contract, section 13.4. */
const PATIENCE = { patienceMs: 1_000, retryAfterSeconds: 1 };

/**
 * Calls of a key at once, imports aside. Over all keys they are as many as ten keys have: each holds at most a body of a
 * megabyte, and reads wait for the operators' slow queries anyway.
 */
export const SLOTS_OF_CALLS = { atOnce: 40, atOnceOfOne: 4, waiting: 400, waitingOfOne: 60, ...PATIENCE };

/** Imports hold their whole body in memory until the one thread that does them has done theirs. */
const IMPORTS = { atOnce: 4, atOnceOfOne: 1, waiting: 20, waitingOfOne: 5, ...PATIENCE };

/** Gate of the operator's API behind the role, before the body is read: so many calls of a key run at once (contract, section 13.4). */
export default fp(
  async (app) => {
    app.decorateRequest('leave', undefined);
    const queues = { calls: new SlotQueue(SLOTS_OF_CALLS), imports: new SlotQueue(IMPORTS) };
    app.addHook('onClose', async () => {
      for (const queue of Object.values(queues)) queue.close();
    });
    app.addHook('onRoute', (route) => {
      const [queue, { atOnceOfOne }] = route.config?.rawBody
        ? [queues.imports, IMPORTS]
        : [queues.calls, SLOTS_OF_CALLS];
      const takeSlot: onRequestAsyncHookHandler = async (request) => {
        const { keyId } = request.keyHolder;
        const isDisconnected = () => request.raw.socket.destroyed;
        await new Promise<void>((entered, refused) => {
          const stay = () =>
            new Promise<void>((leave) => {
              request.leave = leave;
              entered();
            });
          queue.take({ key: keyId, isDisconnected }, stay).catch(() => refused(refusal(atOnceOfOne)));
        });
      };
      route.onRequest = [...hooksOf(route.onRequest), takeSlot];
    });
    // When the answer is ready, or, where it is made piece by piece, when its connection is done with it.
    app.addHook('onSend', async (request, reply, payload) => {
      if (payload !== null && typeof payload === 'object' && 'pipe' in payload)
        reply.raw.once('close', () => request.leave?.());
      else request.leave?.();
    });
  },
  { name: 'operator-slots', dependencies: ['operator-roles'], fastify: '5.x' },
);

const refusal = (limit: number) =>
  new ApiError('rate_limit_exceeded', 'Rate limit exceeded', {
    gate: 'capacity',
    details: {
      reason: 'too_many_at_once',
      limit,
      window_seconds: PATIENCE.patienceMs / 1_000,
      retry_after_seconds: PATIENCE.retryAfterSeconds,
    },
    retryAfterSeconds: PATIENCE.retryAfterSeconds,
  });
