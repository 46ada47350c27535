import type { FastifyReply } from 'fastify';
import { describeFailure, type Failure } from '../http/failures.ts';

/** The result of a use case, or why it refused, in the labels of its form. Unexpected errors are thrown. */
export async function attempt<T>(
  work: () => Promise<T>,
  labelOf?: (field: string) => string | undefined,
): Promise<{ value: T; failure?: never } | { failure: Failure; value?: never }> {
  try {
    return { value: await work() };
  } catch (error) {
    const failure = describeFailure(error, labelOf);
    if (!failure) throw error;
    return { failure };
  }
}

/**
 * Runs the use case of a form. On success it redirects with a message, so that a reload does not send the form again.
 * On refusal `again` shows the form with the failure and the entered values.
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

/** The message for an edit form that was sent as it was shown. */
export const UNCHANGED = 'Nothing was changed.';

/** The same for a button without fields: the next page shows a refusal too. */
export const press = (reply: FastifyReply, to: string, work: () => Promise<string>): Promise<FastifyReply> =>
  act(
    reply,
    async () => ({ to, done: await work() }),
    async (failure) => reply.flash({ tone: 'bad', text: failure.message }).redirect(to, 303),
  );
