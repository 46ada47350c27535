import { KINDS } from '../kinds/index.ts';
import {
  type ConfigurationChanges,
  failureIfEnded,
  type Kind,
  type ServiceChanges,
  type Unmet,
} from '../kinds/kind.ts';
import type { WorkFailure } from '../ports.ts';
import { searchable } from '../rules/descriptions.ts';
import { NO_OFFER, type PlanOffer } from '../rules/offers.ts';
import { type Configuration, configurationOf, everyValueOf } from '../rules/options.ts';
import { lastChangeAt } from '../rules/timestamps.ts';
import { type Decider, isEnded, type RequestActor } from '../rules/words.ts';
import type { Change } from '../store/change.ts';
import type { RequestRow } from '../store/queries/requests.ts';
import type { ServiceRow } from '../store/queries/services.ts';
import { isFinished } from '../store/queries/update-state.ts';
import { type ChangeContext, moveRequest } from './move-request.ts';

/** How a request ends. Only an accepted one completes or fails; the others are denied. */
export type Ending =
  | {
      status: 'completed';
      learned?: Learned;
      /** What the new plan of a plan change offers, as it was read with its work. */
      offer?: PlanOffer | undefined;
    }
  | { status: 'failed'; failure: WorkFailure }
  | { status: 'denied'; by: Decider; reason: string | null };

/** What finished work says of its service; what is left out stays as it is. */
export interface Learned extends Partial<Pick<ServiceRow, 'access' | 'reference'>> {
  /** Values of its configuration. */
  settled?: Configuration;
}

/** A request as it was while open, and as it is now. */
export interface ClosedRequest {
  before: RequestRow;
  after: RequestRow;
}

export interface CloseOptions {
  actor: RequestActor;
  /** The lease that must be held; null: the request must have no lease. */
  leasedBy?: string | null;
  /** The note in the history. */
  note?: string | null;
  /** How many calls were made, where the row does not say so. */
  attempts?: number;
}

/**
 * Ends a request and writes to its locked service what follows: what the work did, or the reversal of what its acceptance
 * wrote. Returns null where the request has been moved, or its lease lost, meanwhile.
 */
export async function close(
  change: Change,
  service: ServiceRow,
  request: RequestRow,
  ending: Ending,
  { note = noteOf(ending), ...options }: CloseOptions,
): Promise<RequestRow | null> {
  const kind = KINDS[request.type];
  const waiting = kind.releases ? await listWaiting(change, service, kind.releases) : [];
  const changes = await changesBy(change, service, request, ending, waiting);
  const remains = !kind.createsService && !isEnded(changes?.status ?? service.status);
  const columns = { ...options, note, ...columnsOf(ending, remains) };
  if (ending.status === 'denied') return moveRequest(change, request, ending.status, columns);
  const to = {
    ...changes,
    ...(ending.status === 'completed' && learnedColumns(ending.learned, { ...service, ...changes }.configuration)),
    updatedAt: lastChangeAt(service.updatedAt, change.now),
  };
  if (changesSearchText(service, to)) Object.assign(to, searchable({ ...service, ...to }));
  const closed = await moveRequest(change, request, ending.status, {
    ...columns,
    onMoved: () => change.tx.services.update(service.brokerId, service.number, to, service),
  });
  if (!closed) return null;
  for (const { id } of waiting) {
    await change.tx.requests.move(service.brokerId, id, { status: 'accepted' }, { dueAt: change.now });
  }
  await closeWithService(change, { ...service, ...to });
  return closed;
}

/** What the end of a request changes of its service. */
async function changesBy(
  change: Change,
  service: ServiceRow,
  request: RequestRow,
  ending: Ending,
  waiting: readonly RequestRow[],
): Promise<(ServiceChanges & ConfigurationChanges) | undefined> {
  const kind = KINDS[request.type];
  if (ending.status === 'denied') return undefined;
  if (ending.status === 'failed') {
    const { reason } = ending.failure;
    return kind.revert?.(service, request, { reason, closedCreation: await closedCreation(change, request) });
  }
  // The record shows the operator's later word already.
  if (waiting.some(({ origin, type }) => origin === 'operator' && KINDS[type].followsRecord)) return undefined;
  const completed = kind.complete?.(service, request, change.now);
  if (!kind.configure) return completed;
  const offer = ending.offer ?? (await offerOf(change, kind, service, request));
  return { ...completed, ...(await readableBy1_1(change, kind.configure(service, request, offer))) };
}

/** Until 1.3: 1.1 does not know of values that are kept apart, and would leave them behind where it erases the client. */
async function readableBy1_1({ tx }: Change, changes: ConfigurationChanges): Promise<ConfigurationChanges> {
  const { configuration = null, keptConfiguration } = changes;
  if (!keptConfiguration || (await isFinished(tx))) return changes;
  const all = everyValueOf({ configuration, keptConfiguration });
  return { configuration: JSON.stringify(all), keptConfiguration: null };
}

function learnedColumns({ settled, ...columns }: Learned = {}, configuration: string | null): Partial<ServiceRow> {
  if (!settled) return columns;
  return { ...columns, configuration: JSON.stringify({ ...configurationOf(configuration), ...settled }) };
}

/** Whether a search finds the service by something else from now on: its address, or not by it any more. */
const changesSearchText = (
  service: ServiceRow,
  { status = service.status, access = service.access }: Partial<ServiceRow>,
) => access !== service.access || (access !== null && isEnded(status) !== isEnded(service.status));

async function offerOf(
  { tx }: Change,
  { readsOffer }: Kind,
  { brokerId, planId }: ServiceRow,
  { newPlanId }: RequestRow,
): Promise<PlanOffer> {
  const offering = readsOffer === 'new_plan' ? newPlanId : readsOffer && planId;
  return offering ? tx.plans.findOffer(brokerId, offering) : NO_OFFER;
}

/** The open requests of a service that wait for the end of another one. */
async function listWaiting(
  { tx }: Pick<Change, 'tx'>,
  { brokerId, number }: ServiceRow,
  released: readonly string[],
): Promise<RequestRow[]> {
  const open = await tx.requests.listOpen(brokerId, number);
  return open.filter(
    ({ type, status, dueAt }) =>
      status === 'accepted' && dueAt === null && released.includes(KINDS[type].excludes ?? ''),
  );
}

/** Why a request ended that a later one took the place of. */
export const SUPERSEDED = 'superseded';

/** The failure of a request that a later one took back before its work began. */
export const supersededBy = ({ status }: Pick<ServiceRow, 'status'>): WorkFailure => ({
  reason: SUPERSEDED,
  message: 'A later request took it back before its work began',
  serviceUsable: status === 'active',
  retryable: false,
});

/**
 * Closes the open requests of a service that cannot go on; the result of work that has begun is discarded. What their
 * acceptance wrote to the service stays.
 * @param unmet why they cannot
 * @param by the operator, or the work of a request that the broker submitted
 * @param stays whether a request goes on
 * Resolves with the requests as they were, and as they are now.
 */
export async function closeOthers(
  change: ChangeContext,
  service: ServiceRow,
  { reason, message }: Unmet,
  by: 'operator' | 'system',
  stays: (request: RequestRow) => boolean = () => false,
): Promise<ClosedRequest[]> {
  const closed: ClosedRequest[] = [];
  for (const open of await change.tx.requests.listOpen(service.brokerId, service.number)) {
    if (stays(open)) continue;
    const serviceUsable = service.status === 'active';
    const ending: Ending =
      open.status === 'accepted'
        ? { status: 'failed', failure: { reason, message, serviceUsable, retryable: false } }
        : { status: 'denied', by: by === 'operator' ? by : 'broker', reason };
    const after = await moveRequest(change, open, ending.status, {
      actor: by,
      note: reason,
      ...columnsOf(ending, serviceUsable),
    });
    if (after) closed.push({ before: open, after });
  }
  return closed;
}

/**
 * Closes every open request of a service that has ended, and reverts what their acceptance wrote to it: nothing of it may
 * come back when an operator makes the service active again (contract, section 6).
 * @param by who ended it: the operator, or the work of a request that the broker submitted
 * Resolves with the requests as they were, and as they are now.
 */
export async function closeWithService(
  change: ChangeContext,
  service: ServiceRow,
  by: 'operator' | 'system' = 'system',
): Promise<ClosedRequest[]> {
  const unmet = failureIfEnded(service);
  if (!unmet) return [];
  const reverted: Partial<ServiceRow> = {};
  const closed = await closeOthers(change, service, unmet, by);
  for (const { before } of closed) {
    if (before.status === 'accepted') {
      const end = { reason: unmet.reason, closedCreation: false };
      Object.assign(reverted, KINDS[before.type].revert?.(service, before, end));
    }
  }
  if (Object.keys(reverted).length > 0) {
    await change.tx.services.update(service.brokerId, service.number, reverted);
  }
  return closed;
}

/** Whether the acceptance of a request closed the creation of its service; a service has one creation at most. */
export async function closedCreation({ tx }: Pick<Change, 'tx'>, request: RequestRow): Promise<boolean> {
  const { closesOthers } = KINDS[request.type];
  if (!closesOthers) return false;
  const filter = { type: 'service-creation', status: 'failed', serviceNumber: request.serviceNumber } as const;
  const [creation] = await tx.requests.page(request.brokerId, filter, { limit: 1, offset: 0 });
  // If an earlier request closed the creation, it was final before this request was submitted.
  return (
    creation?.request.failureReason === closesOthers.reason &&
    Number(creation.request.processedAt) >= request.submittedAt
  );
}

const noteOf = (ending: Ending): string | null =>
  ending.status === 'failed' ? ending.failure.reason : ending.status === 'denied' ? ending.reason : null;

/** @param remains whether the service can still be usable */
function columnsOf(ending: Ending, remains: boolean): Partial<RequestRow> {
  if (ending.status === 'completed') return {};
  if (ending.status === 'denied') {
    return { decisionAction: 'deny', decidedBy: ending.by, decisionReason: ending.reason };
  }
  const { reason, message, serviceUsable, retryable } = ending.failure;
  return {
    failureReason: reason,
    failureMessage: message,
    failureServiceUsable: serviceUsable && remains,
    failureRetryable: retryable,
  };
}
