import type { Context } from '../context/context.ts';
import { fulfilRequest } from '../operations/fulfil-request.ts';
import { createOperations, type OperationName } from '../operations/operations.ts';
import { reviewRequest } from '../operations/review-request.ts';
import type { Provisioner } from '../ports.ts';
import type { RequestStatus } from '../rules/words.ts';
import type { LeasedRequest } from '../store/requests.ts';
import { type Scenario, STORIES, type Submitted, storiesOf } from './request-ids.ts';
import { FLEET_BROKER_ID, FLEET_OPERATOR, SIMULATED_FAILURE, seedService } from './seed-data.ts';

/** How long simulated work and simulated reviews take. */
const WORK_MS = 10_000;
const REVIEW_MS = 20_000;

/** How long before its end work has begun; what was asked for can be withdrawn until then. */
const UNDER_WAY_MS = 5_000;

/**
 * Tells a request's story again, from its submission up to now, with the code that submits, reviews and fulfils live
 * requests.
 * @param contextAt what operations work with at a moment of the past, in epoch milliseconds; a request that they
 * submit gets `requestId` where one is given
 */
export async function tellStory(
  contextAt: (ms: number, requestId?: string) => Promise<Context>,
  requestId: string,
  scenario: Scenario,
  now: number,
): Promise<void> {
  const context = await contextAt(scenario.submittedAt, requestId);
  await STORIES[scenario.type].submit(createOperations(context), scenario);

  const { course, reviewed, acceptedAt } = plotOf(scenario);
  if (reviewed && acceptedAt <= now) {
    await reviewRequest(
      { ...(await contextAt(acceptedAt)), actor: FLEET_OPERATOR },
      { requestId, accept: course === 'review_accepted', reason: null },
    );
  }
  const { store } = context;
  const standing = (await store.read.requests.findView(FLEET_BROKER_ID, requestId))?.request;
  if (standing?.status !== 'accepted') return;
  const doneAt = workDoneAt(acceptedAt, standing.effectiveAt);
  if (doneAt - UNDER_WAY_MS > now) return;
  const lease = await take(store, requestId);
  if (doneAt <= now) await fulfilRequest(await contextAt(doneAt), course === 'fails' ? failing : succeeding, lease);
}

/** What the fleet says of a story beside what was asked for. */
function plotOf({ type, serviceNumber, submittedAt }: Scenario) {
  const course = STORIES[type].hasCourse && seedService(serviceNumber)?.course;
  const reviewed = course === 'review_accepted' || course === 'review_denied';
  return { course, reviewed, acceptedAt: reviewed ? submittedAt + REVIEW_MS : submittedAt };
}

/** Work that waits for the end of a term is done at that moment, other work some time after its acceptance. */
const workDoneAt = (acceptedAt: number, effectiveAt: number | null): number =>
  effectiveAt !== null && effectiveAt > acceptedAt ? effectiveAt : acceptedAt + WORK_MS;

/** When something happens next to a request of a story that is not final. */
export const nextStepAt = (scenario: Scenario, status: RequestStatus, effectiveAt: number | null): number => {
  const { acceptedAt } = plotOf(scenario);
  return status === 'operator_review' ? acceptedAt : workDoneAt(acceptedAt, effectiveAt);
};

const succeeding: Provisioner = { fulfil: async () => ({ outcome: 'done' }) };
const failing: Provisioner = { fulfil: async () => ({ outcome: 'failed', ...SIMULATED_FAILURE }) };

/** The worker's part: takes up the one request, due or not. */
async function take(store: Context['store'], requestId: string): Promise<LeasedRequest> {
  const leaseOwner = 'simulation';
  const taken = await store.tx((tx) =>
    tx.requests.move(FLEET_BROKER_ID, requestId, { status: 'accepted', leaseOwner: null }, { leaseOwner, attempts: 1 }),
  );
  // Nobody else is there who could have it.
  return { ...(taken as LeasedRequest), leaseOwner, takenOver: false };
}

/** The scenario of the request that an operation has submitted, told by its answer; undefined where there is none. */
export function scenarioOf(name: OperationName, data: object): Scenario | undefined {
  if (storiesOf(name).length === 0) return undefined;
  // Whatever submits a request answers with these fields of it.
  const submitted = data as Submitted;
  if (submitted.request_id === null) return undefined;
  return {
    type: submitted.type,
    serviceNumber: submitted.service_number,
    variant: STORIES[submitted.type].variant?.(submitted) ?? '',
    submittedAt: Date.parse(submitted.submitted_date),
    nonce: submitted.request_id.slice(-6),
  };
}
