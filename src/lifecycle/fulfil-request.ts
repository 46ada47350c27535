import { NOT_THIS_SERVICE } from '../kinds/cancellation.ts';
import { KINDS } from '../kinds/index.ts';
import { OUTCOME_UNKNOWN } from '../kinds/kind.ts';
import { sendLogged } from '../mail/send-logged.ts';
import { renderTemplate } from '../mail/templates.ts';
import type {
  Context,
  MachineOwner,
  ProvisionedPlan,
  Provisioner,
  Work,
  WorkFailure,
  WorkOutcome,
  WorkResult,
} from '../ports.ts';
import { planRecord, serviceRecord } from '../records.ts';
import { accessColumn } from '../rules/access.ts';
import { DAY_MS, HOUR_MS } from '../rules/durations.ts';
import { isMailbox } from '../rules/mailbox.ts';
import { NO_OFFER, type PlanOffer } from '../rules/offers.ts';
import { configurationOf, configure, movedConfiguration } from '../rules/options.ts';
import { isoTimestamp, isoTimestampOrNull } from '../rules/timestamps.ts';
import { type Change, transact } from '../store/change.ts';
import type { LossRow } from '../store/queries/history.ts';
import type { PlanRow } from '../store/queries/plans.ts';
import type { LeasedRequest, RequestRow, WorkView } from '../store/queries/requests.ts';
import type { ServiceRow, ServiceView } from '../store/queries/services.ts';
import { together } from '../store/session/together.ts';
import { cleanUp } from './clean-up.ts';
import { close, type Learned } from './close.ts';
import { machineOwner } from './machine-owner.ts';
import { noteReplaced, RECORDS_ARE_OLD, REPLACED } from './replaced.ts';
import { suspendAgain } from './suspend-again.ts';
import { templateValues } from './template-values.ts';

/** With the pauses some nine hours: no request fails because of an outage of one night. */
export const MAX_ATTEMPTS = 20;
const FIRST_PAUSE_MS = 2_000;
const MAX_PAUSE_MS = HOUR_MS;

/** Work in progress fails after this: longer than it takes to buy and build a machine. */
export const MAX_WORK_MS = 7 * DAY_MS;

/** Between two questions about work that goes on, where the provisioner does not say. */
const MIN_POLL_MS = 200;
const MAX_POLL_MS = 30_000;

export interface FulfilOptions {
  /** A number from 0 up to 1, which spreads the attempts of many requests. */
  random?: () => number;
  /** Aborts the call to the provisioner at shutdown. */
  signal?: AbortSignal;
}

/**
 * Does the work of an accepted request and completes, fails or reschedules it (contract, section 6). The provisioner is
 * called outside of any transaction, and its result is written in one. Without the lease nothing is changed.
 */
export async function fulfilRequest(
  context: Context,
  provisioner: Provisioner,
  lease: LeasedRequest,
  { random = Math.random, signal }: FulfilOptions = {},
): Promise<void> {
  const { log, store } = context;
  const { brokerId, serviceNumber } = lease;
  const [found, service] = await Promise.all([
    store.read.requests.findWork(brokerId, lease.id),
    store.read.services.findView(brokerId, serviceNumber),
  ]);
  if (!service || found?.request.status !== 'accepted' || found.request.leaseOwner !== lease.leaseOwner) {
    log.warn({ request_id: lease.id }, 'a leased request was closed or claimed elsewhere before its work began');
    return;
  }

  const unmet = mustAsk(lease) ? undefined : unmetPrecondition(lease, service.service);
  const owner = machineOwner(service, found);
  const result: WorkOutcome =
    unmet ??
    (await provisioner.fulfil(workOf(found, service, lease.attempts, owner), signal).catch((error: unknown) => {
      log.error({ err: error, request_id: lease.id }, 'the provisioner broke');
      return { outcome: 'retry', reason: OUTCOME_UNKNOWN, message: 'The provisioner broke', mayBeDone: true };
    }));

  const isReplaced = result.outcome === 'retry' && result.reason === RECORDS_ARE_OLD;
  if (isReplaced) log.error({ request_id: lease.id, history: owner.history }, REPLACED);
  if (result.outcome === 'failed' && result.reason === NOT_THIS_SERVICE)
    log.warn({ request_id: lease.id }, 'the machine of this number is the one of another service: it was left alone');

  let changesStatus = false;
  const settled = await transact(context, async (change) => {
    const service = await change.tx.services.lock(brokerId, serviceNumber);
    if (!service) return null;
    const mayBeDone =
      lease.takenOver || result.outcome === 'in_progress' || (result.outcome === 'retry' && result.mayBeDone);
    const again = nextAttempt(result, lease, {
      now: change.now,
      random,
      cutShort: signal?.aborted === true || isReplaced,
    });
    if (isReplaced) await noteReplaced(change.tx, { history: owner.history, at: change.now });
    if (again) {
      // Kept where the work may have been started: so the next attempt, and a withdrawal, know that it may be done.
      return change.tx.requests.move(
        brokerId,
        lease.id,
        { status: 'accepted', leaseOwner: lease.leaseOwner },
        { ...again, leaseOwner: mayBeDone ? lease.leaseOwner : null },
      );
    }
    const failure = failureOf(result, lease, service, mayBeDone);
    const isCalled = unmet === undefined;
    const attempts = isCalled ? lease.attempts : lease.attempts - 1;
    const by = { actor: 'system', leasedBy: lease.leaseOwner, attempts } as const;
    if (failure) {
      const failed = await close(change, service, lease, { status: 'failed', failure }, by);
      // A failure of the provisioner's own may have done half of the work.
      if (failed && (mayBeDone || (isCalled && result.outcome !== 'retry')))
        await suspendAgain(change, lease, failed.updatedAt);
      if (failed && KINDS[lease.type].createsService && failure.reason === OUTCOME_UNKNOWN) {
        await cleanUp(change, service);
      }
      return failed;
    }
    const done = result as { outcome: 'done' } & WorkResult;
    changesStatus = KINDS[lease.type].complete?.(service, lease, change.now).status !== undefined;
    const { learned, invalid } = await learnedOf(
      change,
      { ...service, planId: lease.newPlanId ?? service.planId },
      done,
    );
    if (invalid.length > 0) {
      log.warn({ request_id: lease.id, fields: invalid }, 'the service has no such options, or not with these values');
    }
    const note = done.isPartlyInvalid || invalid.length > 0 ? 'access_not_valid' : null;
    const offer = lease.newPlanId === null ? undefined : (found.offers.get(lease.newPlanId) ?? NO_OFFER);
    const completed = await close(change, service, lease, { status: 'completed', learned, offer }, { ...by, note });
    if (completed) await suspendAgain(change, lease, completed.updatedAt);
    return completed;
  });
  if (!settled) {
    log.warn(
      { request_id: lease.id, outcome: result.outcome },
      'a leased request was closed or claimed elsewhere while its work was done',
    );
  } else if (settled.status === 'completed' && isMailed(settled, changesStatus)) {
    await mailClient(context, settled);
  }
}

/** No email about requests of the operator, who announces them; and none where nothing changed. */
const isMailed = ({ origin, type }: RequestRow, changesStatus: boolean): boolean =>
  origin !== 'operator' && (changesStatus || KINDS[type].mailsChangesOnly !== true);

/**
 * The columns of a service that finished work settles; its configuration by the names of its plan's options.
 * `invalid`: the names of values that those do not allow, which are left out.
 */
async function learnedOf(
  change: Change,
  service: ServiceRow,
  { access, configuration, reference }: WorkResult,
): Promise<{ learned: Learned; invalid: string[] }> {
  const learned: Learned = {};
  const invalid: string[] = [];
  if (reference !== undefined) learned.reference = reference;
  if (configuration && Object.keys(configuration).length > 0) {
    const { options } = await change.tx.plans.findOffer(service.brokerId, service.planId);
    const stored = configurationOf(service.configuration);
    const { values, faults } = configure(options, configuration, 'configuration', { complete: false, stored });
    learned.settled = values;
    invalid.push(...faults.map(({ path }) => path));
  }
  if (access !== undefined) learned.access = accessColumn(access);
  return { learned, invalid };
}

/** The changes for a further attempt; undefined where the work has ended. */
function nextAttempt(
  result: WorkOutcome,
  lease: LeasedRequest,
  { now, random, cutShort }: { now: number; random: () => number; cutShort: boolean },
): Partial<RequestRow> | undefined {
  if (result.outcome === 'in_progress') {
    const begunAt = lease.workBegunAt ?? now;
    if (now - begunAt >= MAX_WORK_MS) return undefined;
    const dueAt =
      now +
      Math.round(result.checkAfterSeconds === null ? pollPauseMs(now - begunAt) : result.checkAfterSeconds * 1000);
    return { dueAt, attempts: 0, failingSince: null, workToken: result.token, workBegunAt: begunAt };
  }
  if (result.outcome !== 'retry') return undefined;
  // An attempt that was aborted at shutdown does not count, nor one of an installation that was replaced.
  if (cutShort) return { dueAt: now, attempts: lease.attempts - 1 };
  const failingSince = lease.failingSince ?? now;
  const dueAt = nextTry(lease, { failingSince, now, random: random() });
  return dueAt === undefined ? undefined : { dueAt, attempts: lease.attempts, failingSince };
}

/** Half of the time that the work has taken so far: what takes seconds is noticed within a second. */
const pollPauseMs = (workedMs: number): number => Math.min(Math.max(workedMs / 2, MIN_POLL_MS), MAX_POLL_MS);

/** When work is tried again, in epoch milliseconds; undefined where it is given up. */
function nextTry(
  { type, attempts }: Pick<RequestRow, 'type' | 'attempts'>,
  { failingSince, now, random }: { failingSince: number; now: number; random: number },
): number | undefined {
  const { tried } = KINDS[type];
  if (!tried) return attempts < MAX_ATTEMPTS ? now + pauseMs(attempts, MAX_PAUSE_MS, random) : undefined;
  const end = failingSince + tried.forMs;
  // The last attempt is at the end.
  return now < end ? Math.min(now + pauseMs(attempts, tried.maxPauseMs, random), end) : undefined;
}

/** Exponential with jitter of up to one half, so that requests that failed together are not retried together. */
const pauseMs = (attempts: number, maxMs: number, random: number): number =>
  Math.round(Math.min(FIRST_PAUSE_MS * 2 ** (attempts - 1), maxMs) * (0.5 + random / 2));

/**
 * Whether the provisioner is asked whatever the service is by now: if an earlier attempt may have done the work, only the
 * provisioner knows. But what may start the machine of a suspended service is repeated only where it is half done, as an
 * answer of "in progress" said (contract, section 12.4).
 */
const mustAsk = ({ type, takenOver, workBegunAt }: LeasedRequest): boolean =>
  takenOver && (workBegunAt !== null || !KINDS[type].startsMachine);

/** The failure where the service's current state makes the work pointless. */
function unmetPrecondition(
  request: RequestRow & Partial<Pick<LeasedRequest, 'takenOver'>>,
  service: ServiceRow,
): ({ outcome: 'failed' } & WorkFailure) | undefined {
  const unmet = KINDS[request.type].precondition?.(service, request);
  if (!unmet) return undefined;
  const message = request.takenOver ? `${unmet.message}; an earlier call may have done the work` : unmet.message;
  return { outcome: 'failed', ...unmet, message, serviceUsable: false, retryable: false };
}

/** Why the request fails; undefined when its work is done. */
function failureOf(
  result: WorkOutcome,
  request: RequestRow,
  service: ServiceRow,
  mayBeDone: boolean,
): WorkFailure | undefined {
  // The service may have changed while the work was done.
  if (result.outcome === 'done') return unmetPrecondition(request, service);
  if (result.outcome === 'failed') return result;
  if (result.outcome === 'in_progress') return unknownEnd('The provisioner was still at work after seven days');
  if (mayBeDone) return unknownEnd(result.message);
  const { reason, message } = result;
  return { reason, message, serviceUsable: service.status === 'active', retryable: false };
}

const unknownEnd = (message: string): WorkFailure => ({
  reason: OUTCOME_UNKNOWN,
  message: `It is not known whether the work was done. ${message}`,
  // The state of the service is unknown.
  serviceUsable: false,
  retryable: false,
});

/** Mails the client that the work is done, if the broker has a template for it. Logs errors. */
async function mailClient(context: Context, request: RequestRow): Promise<void> {
  const { id, brokerId, serviceNumber, type, actionDisplayName: actionName } = request;
  const { store, log } = context;
  // The request is final already, so it is not processed again: after a crash the mail is lost, never sent twice.
  try {
    const kind = KINDS[type].template;
    const [template, loss] = await together([
      store.read.templates.findActive(brokerId, kind),
      store.read.history.findLatest(),
    ]);
    if (!template || mayBeMailed(request, loss)) return;
    const view = await store.read.services.findView(brokerId, serviceNumber);
    const broker = await store.read.brokers.find(brokerId);
    const to = view?.service.clientEmail;
    if (!view || !broker || !to || !isMailbox(to)) return;
    const mail = renderTemplate(template, templateValues(view, { broker, actionName }));
    const { senderEmail: from, name: fromName } = broker;
    await sendLogged(context, { brokerId, kind, serviceNumber, requestId: id, from, fromName, to, ...mail });
  } catch (error) {
    log.error({ err: error, request_id: id }, 'the client could not be mailed about a completed request');
  }
}

/** Whether the work may have been done, and the client mailed, in what the records have lost (contract, section 15.5). */
const mayBeMailed = ({ effectiveAt, decidedAt, submittedAt }: RequestRow, loss: LossRow | null): boolean =>
  loss !== null && (effectiveAt ?? decidedAt ?? submittedAt) < loss.lostUntil;

function workOf(
  { request, currentPlan, newPlan, offers }: WorkView,
  view: ServiceView,
  attempt: number,
  owner: MachineOwner,
): Work {
  const { service, plan } = view;
  const provisioned = (one: PlanRow) => provisionedPlan(one, offers.get(one.id) ?? NO_OFFER);
  return {
    request_id: request.id,
    type: request.type,
    attempt,
    broker_id: request.brokerId,
    ...owner,
    service_number: request.serviceNumber,
    token: request.workToken,
    submitted_date: isoTimestamp(request.submittedAt),
    effective_date: isoTimestampOrNull(request.effectiveAt),
    service: serviceRecord(view),
    reference: service.reference,
    configuration: configurationOf(configurationColumn(request, service, offers.get(newPlan?.id ?? ''))),
    action: request.actionName === null ? null : { name: request.actionName },
    plan: provisioned(plan),
    current_plan: currentPlan && provisioned(currentPlan),
    new_plan: newPlan && provisioned(newPlan),
    cancellation_type: request.cancellationType,
  };
}

/** What the work is done with: of an action its own, of a plan change what the service will have, else the service's. */
function configurationColumn(
  { actionName, actionConfiguration, type }: RequestRow,
  service: ServiceRow,
  { options }: PlanOffer = NO_OFFER,
): string | null {
  if (actionName !== null) return actionConfiguration;
  if (KINDS[type].direction === undefined) return service.configuration;
  return movedConfiguration(options, service, configurationOf(actionConfiguration)).configuration;
}

/** A plan as the provisioner gets it. */
export const provisionedPlan = (plan: PlanRow, offer: PlanOffer): ProvisionedPlan => ({
  ...planRecord(plan, offer),
  provisioning: offer.provisioning,
});
