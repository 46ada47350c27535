import type { Actor } from '../audit/audit.ts';
import { ApiError } from '../errors.ts';
import { fulfilRequest, MAX_ATTEMPTS } from '../lifecycle/fulfil-request.ts';
import { reviewRequest, submitForClient } from '../lifecycle/operator-requests.ts';
import type { Context, Provisioner } from '../ports.ts';
import type { RequestRow } from '../store/queries/requests.ts';
import type { ServiceView } from '../store/queries/services.ts';
import type { Tx } from '../store/store.ts';
import { accessOfNumber, consoleOfNumber } from './access.ts';
import { SIMULATED_FAILURE } from './samples.ts';
import { behaviourOf } from './services.ts';
import { BEGINS_MS, ENDS_MS } from './simulated-store.ts';

const LEASE = 'sandbox';

const succeeding: Provisioner = {
  async fulfil({ type, service_number: number, configuration, service, action }) {
    if (type === 'service-creation') return { outcome: 'done', access: accessOfNumber(number, configuration) };
    return {
      outcome: 'done',
      ...(action?.name === 'console' && { access: consoleOfNumber(number, service.configuration) }),
    };
  },
};
const losing: Provisioner = {
  fulfil: async () => ({ outcome: 'retry', reason: 'outcome_unknown', message: 'It did not answer', mayBeDone: true }),
};
const failing: Provisioner = { fulfil: async () => ({ outcome: 'failed', ...SIMULATED_FAILURE }) };

/** Who decides on what is under review; the sandbox has no audit trail. */
export const REVIEWER: Actor = { kind: 'operator', name: 'operator', clientIp: null };

type StepContext = Context & { actor: Actor };

/**
 * Takes the step of a request that is due: the operator's decision, the beginning of its work, or the end.
 * @param tx a transaction that holds the sandbox's lock
 * @param context of the live operations, at the date of the step and within `tx`
 */
export async function takeStep(tx: Tx, context: StepContext, request: RequestRow): Promise<void> {
  const { brokerId, id, serviceNumber, leaseOwner } = request;
  // Nothing of a service is removed before its requests.
  const view = (await tx.services.findView(brokerId, serviceNumber)) as ServiceView;
  if (request.status === 'operator_review') return decide(context, id, behaviourOf(view.service).operator !== 'denies');
  if (leaseOwner === null) {
    const endsAt = Number(request.dueAt) + ENDS_MS - BEGINS_MS;
    const begun = { leaseOwner: LEASE, attempts: 1, dueAt: endsAt };
    await tx.requests.move(brokerId, id, { status: 'accepted', leaseOwner: null }, begun);
    return;
  }
  const { fails, losesCreation } = behaviourOf(view.service);
  const isLost = losesCreation === true && request.type === 'service-creation';
  const provisioner = isLost ? losing : fails ? failing : succeeding;
  // What is lost is given up at once, and not tried for hours.
  const attempts = isLost ? MAX_ATTEMPTS : request.attempts;
  await fulfilRequest(context, provisioner, { ...request, attempts, leaseOwner, takenOver: false });
  if (request.type === 'service-creation') await askAsClient(tx, context, view);
}

/** Where the rules refuse what the operator wants to accept, it is denied for that reason. */
async function decide(context: StepContext, requestId: string, accept: boolean): Promise<void> {
  const reason = accept
    ? await reviewRequest(context, { requestId, accept, reason: null }).then(() => undefined, reasonOf)
    : null;
  if (reason !== undefined) await reviewRequest(context, { requestId, accept: false, reason });
}

function reasonOf(error: unknown): string {
  if (error instanceof ApiError) return error.details?.reason ?? error.code;
  throw error;
}

/** Submits the request of a new service's client, where the service borrows such a row. */
async function askAsClient(tx: Tx, context: StepContext, { service, plan }: ServiceView): Promise<void> {
  const { client: type } = behaviourOf(service);
  const { brokerId, number: serviceNumber } = service;
  if (!type) return;
  const subject = { brokerId, serviceNumber, reason: null };
  if (type === 'cancellation') {
    const cancellationType = plan.billingType === 'hourly' ? 'immediate' : 'end_of_term';
    await submitForClient(context, { ...subject, type, cancellationType });
    return;
  }
  const higher = (await tx.plans.listActive(brokerId)).find(
    ({ billingType, upgradeRank }) => billingType === plan.billingType && upgradeRank > plan.upgradeRank,
  );
  // There is nothing above the highest.
  if (higher) await submitForClient(context, { ...subject, type, newPlan: higher.id });
}
