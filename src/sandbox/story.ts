import type { Context } from '../operations/context.ts';
import { fulfilRequest } from '../operations/fulfil-request.ts';
import { createOperations, type OperationName } from '../operations/operations.ts';
import { reviewRequest } from '../operations/operator-requests.ts';
import type { Provisioner } from '../operations/ports.ts';
import { FLEET_CALLER, fleetService, planId, SIMULATED_FAILURE } from './fleet.ts';
import type { Scenario } from './scenario-ids.ts';

/** How long simulated work and simulated reviews take. */
const WORK_MS = 10_000;
const REVIEW_MS = 20_000;

/**
 * Plays a request's story again on the stage, from its submission up to now, with the code that submits, reviews
 * and fulfils live requests.
 * @param contextAt what operations work with at a moment of the past, in epoch milliseconds; a request that they
 * submit gets `requestId` where one is given
 */
export async function playStory(
  contextAt: (ms: number, requestId?: string) => Context,
  requestId: string,
  scenario: Scenario,
  now: number,
): Promise<void> {
  const { submittedAt } = scenario;
  await submit(contextAt(submittedAt, requestId), scenario);

  const course = scenario.type.startsWith('plan-') ? fleetService(scenario.serviceNumber)?.course : undefined;
  const reviewed = course === 'review_accepted' || course === 'review_denied';
  const acceptedAt = reviewed ? submittedAt + REVIEW_MS : submittedAt;
  if (reviewed && acceptedAt <= now) {
    await reviewRequest(contextAt(acceptedAt), { requestId, accept: course === 'review_accepted', reason: null });
  }
  const doneAt = acceptedAt + WORK_MS;
  if (doneAt <= now) await work(contextAt(doneAt), course === 'fails' ? failing : succeeding);
}

async function submit(context: Context, { type, serviceNumber: number, variant }: Scenario): Promise<void> {
  const operations = createOperations(context);
  const serviceNumber = BigInt(number);
  switch (type) {
    case 'plan-upgrade':
    case 'plan-downgrade': {
      const direction = type === 'plan-upgrade' ? 'upgrade' : 'downgrade';
      await operations.changePlan(FLEET_CALLER, { serviceNumber, direction, newPlan: planId(variant) });
      return;
    }
    case 'cancellation': {
      const cancellationType = variant === 'immediate' ? 'immediate' : 'end_of_term';
      await operations.cancelService(FLEET_CALLER, { serviceNumber, cancellationType, reason: null });
      return;
    }
    case 'service-creation': {
      const client = { name: 'Sam Sandbox', email: 'client@example.com' };
      const plan = planId(variant);
      await operations.createService(FLEET_CALLER, { plan, client, label: null, externalReference: null });
      return;
    }
    case 'cancellation-warning':
      await operations.warnCancellation(FLEET_CALLER, { serviceNumber, warningReason: 'A simulated reason.' });
  }
}

const succeeding: Provisioner = { fulfil: async () => ({ outcome: 'done' }) };
const failing: Provisioner = { fulfil: async () => ({ outcome: 'failed', ...SIMULATED_FAILURE }) };

/** The worker's part: whatever is due on the stage at the context's time. */
async function work(context: Context, provisioner: Provisioner): Promise<void> {
  const now = context.clock.now();
  const leased = await context.store.tx((tx) =>
    tx.requests.claimDue({ now, leaseUntil: now + WORK_MS, leaseOwner: 'stage', limit: 10 }),
  );
  for (const lease of leased) await fulfilRequest(context, provisioner, lease);
}

/** The operations whose answer is a request that they have submitted. */
const SUBMITTING: readonly OperationName[] = ['changePlan', 'cancelService', 'createService', 'warnCancellation'];

/** The scenario of the request that an operation has submitted, told by its answer; undefined where there is none. */
export function scenarioOf(name: OperationName, data: unknown): Scenario | undefined {
  if (!SUBMITTING.includes(name)) return undefined;
  const submitted = data as {
    request_id: string | null;
    type: Scenario['type'];
    service_number: number;
    submitted_date: string;
    new_plan?: { slug: string };
    cancellation_type?: string;
  };
  if (submitted.request_id === null) return undefined;
  return {
    type: submitted.type,
    serviceNumber: submitted.service_number,
    variant: submitted.new_plan?.slug ?? submitted.cancellation_type ?? '',
    submittedAt: Date.parse(submitted.submitted_date),
    nonce: submitted.request_id.slice(-6),
  };
}
