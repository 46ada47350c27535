import type { Work, WorkOutcome } from '../../src/ports.ts';
import type { RequestRow } from '../../src/store/queries/requests.ts';
import { createWorker, type Worker } from '../../src/worker/worker.ts';
import type { World } from './world.ts';

/** A provisioner that keeps what it was given and answers as a test says; done by default. */
export function createTestProvisioner() {
  const given: Work[] = [];
  return {
    given,
    /** What the next calls meet, one each. */
    answers: [] as Array<WorkOutcome | Error | ((work: Work, signal?: AbortSignal) => Promise<WorkOutcome>)>,
    async fulfil(work: Work, signal?: AbortSignal): Promise<WorkOutcome> {
      given.push(work);
      const answer = this.answers.shift() ?? { outcome: 'done' };
      if (answer instanceof Error) throw answer;
      return typeof answer === 'function' ? answer(work, signal) : answer;
    },
  };
}

/** A worker that the test sets to work by hand. */
export const workerOf = (
  { context }: Pick<World, 'context'>,
  provisioner: ReturnType<typeof createTestProvisioner>,
): Worker => createWorker({ context, provisioner, keptDays: { emails: 90, calls: 14, audit: 730 } });

/** A request as it is stored. */
export async function storedRequest(
  { store }: Pick<World, 'store'>,
  brokerId: string,
  id: string,
): Promise<RequestRow> {
  const view = await store.read.requests.findView(brokerId, id);
  if (!view) throw new Error(`there is no request ${id}`);
  return view.request;
}

/** The id of the request that an operation answered with. */
export const requestIdOf = (outcome: unknown): string => (outcome as { data: { request_id: string } }).data.request_id;
