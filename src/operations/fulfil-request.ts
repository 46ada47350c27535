import { hasEnded } from '../rules/cancellations.ts';
import { isMailbox } from '../rules/mailbox.ts';
import { isoMoment } from '../rules/moments.ts';
import type { LeasedRequest, RequestRow, RequestType, RequestView } from '../store/requests.ts';
import type { ServiceRow, ServiceView } from '../store/services.ts';
import type { Tx } from '../store/store.ts';
import type { Context } from './context.ts';
import type { Provisioner, Work, WorkFailure, WorkOutcome } from './ports.ts';
import { planRecord, serviceRecord } from './records.ts';
import { moveRequest, NO_CANCELLATION } from './request-lifecycle.ts';
import { sendLogged } from './send-logged.ts';
import { valuesOf } from './warn-cancellation.ts';

/** Together with the pauses between them some nine hours: an outage of one night costs nobody a request. */
export const MAX_ATTEMPTS = 20;
const FIRST_PAUSE_MS = 2_000;
const LONGEST_PAUSE_MS = 3_600_000;

/** The optional template that tells the client when the work is done (contract, section 9). */
const COMPLETION_TEMPLATES: Partial<Record<RequestType, string>> = {
  'plan-upgrade': 'plan-change-completed',
  'plan-downgrade': 'plan-change-completed',
  'service-creation': 'service-created',
  cancellation: 'cancellation-completed',
};

/**
 * Does the work of an accepted request and completes or fails it, or puts it off until the next attempt (contract,
 * section 6). The provisioner is called outside of any transaction, and what came of it is written in one: the
 * request, the service and the counters change together or not at all. Whoever lost the lease, or finds the request
 * closed by somebody else, changes nothing.
 * @param random a number from 0 up to 1, which spreads the attempts of many requests
 */
export async function fulfilRequest(
  context: Context,
  provisioner: Provisioner,
  lease: LeasedRequest,
  random: () => number = Math.random,
): Promise<void> {
  const { store, clock, log } = context;
  const { brokerId, serviceNumber } = lease;
  const [view, serviceView] = await Promise.all([
    store.read.requests.findView(brokerId, lease.id),
    store.read.services.findView(brokerId, serviceNumber),
  ]);
  const standing = view?.request;
  if (!view || !serviceView || standing?.status !== 'accepted' || standing.leaseOwner !== lease.leaseOwner) {
    log.warn(
      { request_id: lease.id },
      'a leased request was closed or taken up by somebody else before its work began',
    );
    return;
  }

  const result: WorkOutcome =
    // Where an earlier attempt may have done the work, only the provisioner knows what became of it.
    (lease.takenOver ? undefined : obstacleTo(lease, serviceView.service)) ??
    (await provisioner.fulfil(workOf(view, serviceView, lease.attempts)).catch((error: unknown) => {
      log.error({ err: error, request_id: lease.id }, 'the provisioner broke');
      return { outcome: 'retry', reason: 'outcome_unknown', message: 'The provisioner broke', mayBeDone: true };
    }));

  const settled = await store.tx(async (tx) => {
    const service = await tx.services.lock(brokerId, serviceNumber);
    if (!service) return null;
    const now = clock.now();
    const mayBeDone = lease.takenOver || (result.outcome === 'retry' && result.mayBeDone);
    if (result.outcome === 'retry' && lease.attempts < MAX_ATTEMPTS) {
      // Only a lease under which nothing was begun is given back: the others tell the next attempt, and a
      // withdrawal, that the work may have been done.
      return tx.requests.move(
        brokerId,
        lease.id,
        { status: 'accepted', leaseOwner: lease.leaseOwner },
        { dueAt: now + pauseMs(lease.attempts, random()), leaseOwner: mayBeDone ? lease.leaseOwner : null },
      );
    }
    const failure = failureOf(result, lease, service, mayBeDone);
    const by = { now, actor: 'system', leasedBy: lease.leaseOwner } as const;
    return failure ? failAccepted(tx, context, lease, service, failure, by) : complete(tx, context, lease, service, by);
  });
  if (!settled) {
    log.warn(
      { request_id: lease.id, outcome: result.outcome },
      'a leased request was closed or taken up by somebody else while its work was done',
    );
  } else if (settled.status === 'completed') {
    await tellClient(context, settled);
  }
}

/** Exponential, between half of its length and all of it, so that what failed together does not come back together. */
const pauseMs = (attempts: number, random: number): number =>
  Math.round(Math.min(FIRST_PAUSE_MS * 2 ** (attempts - 1), LONGEST_PAUSE_MS) * (0.5 + random / 2));

type ServiceStatus = Pick<ServiceRow, 'status'>;

/** What became of the service while its request waited, where it makes the work pointless. */
function obstacleTo(
  { type }: RequestRow,
  { status }: ServiceStatus,
): ({ outcome: 'failed' } & WorkFailure) | undefined {
  const changesPlan = type === 'plan-upgrade' || type === 'plan-downgrade';
  const meets = changesPlan ? status === 'active' : type === 'cancellation' || !hasEnded(status);
  if (meets) return undefined;
  return {
    outcome: 'failed',
    reason: changesPlan ? 'service_not_active' : `service_${status}`,
    message: `The service is ${status}`,
    serviceUsable: false,
    retryable: false,
  };
}

/** Why the request fails, or undefined when its work is done. */
function failureOf(
  result: WorkOutcome,
  request: RequestRow,
  service: ServiceRow,
  mayBeDone: boolean,
): WorkFailure | undefined {
  // Work that is done counts, unless there is no service left that it could show on.
  if (result.outcome === 'done') return hasEnded(service.status) ? obstacleTo(request, service) : undefined;
  if (result.outcome === 'failed') return result;
  return mayBeDone
    ? {
        reason: 'outcome_unknown',
        message: `It is not known whether the work was done. ${result.message}`,
        // Nobody can promise the client anything of a service in an unknown state.
        serviceUsable: false,
        retryable: false,
      }
    : {
        reason: result.reason,
        message: result.message,
        serviceUsable: service.status === 'active',
        retryable: false,
      };
}

interface Closing {
  now: number;
  actor: 'system' | 'operator';
  /** The lease under which the request is closed; null: only while there is none. */
  leasedBy: string | null;
}

/** Marks a request completed and writes its effect on the service. Null when the lease was lost. */
async function complete(
  tx: Tx,
  ids: Pick<Context, 'newId'>,
  request: RequestRow,
  service: ServiceRow,
  by: Closing,
): Promise<RequestRow | null> {
  const completed = await moveRequest(tx, ids, request, 'completed', by);
  if (completed) {
    await tx.services.update(service.brokerId, service.number, {
      ...effectOf(request, service, by.now),
      updatedAt: by.now,
    });
  }
  return completed;
}

function effectOf(request: RequestRow, service: ServiceRow, now: number): Partial<ServiceRow> {
  switch (request.type) {
    case 'cancellation':
      // An operator may have ended the service meanwhile; what is written of that stays.
      return hasEnded(service.status) ? {} : { status: 'cancelled', cancelledAt: now };
    case 'service-creation':
      return service.status === 'pending' ? { status: 'active' } : {};
    default:
      // No plan change is submitted without its plan.
      return { planId: request.newPlanId as string };
  }
}

/**
 * Fails an accepted request and takes back what its acceptance put on the service: a scheduled cancellation goes, a
 * service that was to be created is terminated. Null when somebody else was faster. Under the service's lock.
 */
export async function failAccepted(
  tx: Tx,
  ids: Pick<Context, 'newId'>,
  request: RequestRow,
  service: ServiceRow,
  { reason, message, serviceUsable, retryable }: WorkFailure,
  by: Closing,
): Promise<RequestRow | null> {
  const isCreation = request.type === 'service-creation';
  const failed = await moveRequest(tx, ids, request, 'failed', {
    ...by,
    note: reason,
    failureReason: reason,
    failureMessage: message,
    failureServiceUsable: serviceUsable && !isCreation,
    failureRetryable: retryable,
  });
  if (!failed) return null;
  const undo = {
    ...(request.type === 'cancellation' && NO_CANCELLATION),
    ...(isCreation && service.status === 'pending' && ({ status: 'terminated' } as const)),
  };
  await tx.services.update(service.brokerId, service.number, { ...undo, updatedAt: by.now });
  return failed;
}

/** Mails the client that the work is done, where the broker has a template for it. Fails nobody. */
async function tellClient(context: Context, { id, brokerId, serviceNumber, type }: RequestRow): Promise<void> {
  const { store, templates, log } = context;
  // The request is final before this begins, and nobody comes back to a final request: a crash in between costs
  // the client a mail, and no client gets it twice.
  try {
    const kind = COMPLETION_TEMPLATES[type] as string;
    const template = await store.read.templates.findActive(brokerId, kind);
    if (!template) return;
    const view = await store.read.services.findView(brokerId, serviceNumber);
    const broker = await store.read.brokers.find(brokerId);
    const to = view?.service.clientEmail;
    if (!view || !broker || !to || !isMailbox(to)) return;
    const mail = await templates.render(template, valuesOf(view, broker.name));
    await sendLogged(context, { brokerId, kind, serviceNumber, requestId: id, from: broker.senderEmail, to, ...mail });
  } catch (error) {
    log.error({ err: error, request_id: id }, 'the client could not be told of a completed request');
  }
}

function workOf({ request, currentPlan, newPlan }: RequestView, service: ServiceView, attempt: number): Work {
  return {
    request_id: request.id,
    type: request.type as Work['type'],
    attempt,
    broker_id: request.brokerId,
    service_number: request.serviceNumber,
    submitted_date: isoMoment(request.submittedAt),
    effective_date: request.effectiveAt === null ? null : isoMoment(request.effectiveAt),
    service: serviceRecord(service),
    current_plan: currentPlan && planRecord(currentPlan),
    new_plan: newPlan && planRecord(newPlan),
    cancellation_type: request.cancellationType,
  };
}
