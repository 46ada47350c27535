import type { FastifyReply } from 'fastify';
import { type Failure, failureOf } from './failures.ts';

/** What a use case answered, or why it refused. What nobody foresaw is thrown. */
export async function attempt<T>(
  work: () => Promise<T>,
): Promise<{ value: T; failure?: never } | { failure: Failure; value?: never }> {
  try {
    return { value: await work() };
  } catch (error) {
    const failure = failureOf(error);
    if (!failure) throw error;
    return { failure };
  }
}

/**
 * Does what a form asked for. Done: says so on the next page, so that a reload does not send the form again. Refused:
 * `again` shows the form with what was wrong, and what had been entered.
 */
export async function act(
  reply: FastifyReply,
  work: () => Promise<{ to: string; done: string }>,
  again: (failure: Failure) => Promise<FastifyReply>,
): Promise<FastifyReply> {
  const { value, failure } = await attempt(work);
  if (failure) return again(failure);
  return reply.flash({ tone: 'good', text: value.done }).redirect(value.to, 303);
}

/** The same for a button with nothing to enter: what was refused stands on the next page too. */
export const press = (reply: FastifyReply, to: string, work: () => Promise<string>): Promise<FastifyReply> =>
  act(
    reply,
    async () => ({ to, done: await work() }),
    async (failure) => reply.flash({ tone: 'bad', text: failure.message }).redirect(to, 303),
  );
