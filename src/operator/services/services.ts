import { Type } from '@sinclair/typebox';
import { fail } from '../../errors.ts';
import { NO_CANCELLATION } from '../../kinds/cancellation.ts';
import { isSuspendedByOperator, type NO_SUSPENSION, suspensionOf } from '../../kinds/suspension.ts';
import { closeWithService } from '../../lifecycle/close.ts';
import { planOf } from '../../lifecycle/owned-records.ts';
import { described } from '../../rules/descriptions.ts';
import { isMailbox } from '../../rules/mailbox.ts';
import { renewalOf } from '../../rules/renewals.ts';
import { isoTimestampOrNull as dateOf, lastChangeAt } from '../../rules/timestamps.ts';
import { isEnded, type ServiceStatus } from '../../rules/words.ts';
import { type Change, transact } from '../../store/change.ts';
import type { ServiceRow } from '../../store/queries/services.ts';
import { type ChangeDeps, recordChange, requireOwner, SERVICE_NAME, unknownService } from '../use-case/dependencies.ts';
import { invalid, ofRule, refusedAt } from '../use-case/errors.ts';
import { nullable, termTimestamp, text } from '../use-case/fields.ts';
import { isAlready, refuseStale, type Seen } from '../use-case/stale.ts';
import { useCase } from '../use-case/use-case.ts';
import {
  ACCESS_INPUT,
  ACCESS_PATHS,
  type AccessValues,
  accessFrom,
  accessValues,
  CLIENT_EMAIL,
  CLIENT_NAME,
  noEmailTo,
  REVIEW,
  STATUS,
} from './fields.ts';
import { type ManagedService, requireView, SERVICE_RECORD, showService } from './views.ts';
import { isCarriedOut, notSuspended, RECORDS_ONLY, submitResume, suspendMachine, type WorkDeps } from './work.ts';

export { isMailbox };

const RENEWAL = termTimestamp({
  title: 'Renews',
  option: 'renewal',
  description: 'A date, or a time such as 2030-01-31T12:00:00Z; none for hourly services alone',
});

/** Changes what is given; an email or renewal of null is taken away. Contract, section 9. */
export const setService = useCase({
  name: 'services set',
  role: 'support',
  audits: ['service.set', 'request.close'],
  title: 'Edit',
  summary: 'Change a service',
  description:
    "Correct a service's record: status, review flag, client, renewal date, access; the provisioner is not called",
  example: 'services set 1000001 --client-email ada@example.com',
  input: Type.Object({
    ...SERVICE_NAME,
    ...Type.Partial(
      Type.Object({
        service_status: STATUS,
        requires_operator_review: REVIEW,
        'client.name': CLIENT_NAME,
        'client.email': nullable(CLIENT_EMAIL),
        renewal_date: nullable(RENEWAL),
        'access.hostname': nullable(ACCESS_INPUT['access.hostname']),
        'access.ip_addresses': nullable(ACCESS_INPUT['access.ip_addresses']),
        'access.username': nullable(ACCESS_INPUT['access.username']),
        'access.login_url': nullable(ACCESS_INPUT['access.login_url']),
        'access.notes': nullable(ACCESS_INPUT['access.notes']),
        reason: text(1000, {
          title: 'Reason to suspend',
          description: 'With the status suspended; callers can read it',
        }),
      }),
    ).properties,
  }),
  on: ['broker', 'service_number'],
  argument: 'service_number',
  edit: true,
  path: 'POST /services/:service_number/update',
  answer: SERVICE_RECORD,
  show: showService.run,
  confirm({ service_number: number, client, plan, service_status: before }, { service_status: status }) {
    if (!status || status === before || !(isEnded(status) || isEnded(before))) return null;
    const change = `Service ${number} of ${client.name} (${plan.display_name}, ${before}) becomes ${status}.`;
    return isEnded(status) ? change : `${change} Its server is not created again.`;
  },
  done: ({ client: { email } }: ManagedService) =>
    email === null || isMailbox(email) ? 'Saved.' : `Saved. ${noEmailTo(email)}.`,
  run(deps: ChangeDeps, input, seen) {
    if (input.reason !== undefined && input.service_status !== 'suspended') {
      throw invalid({ field: 'reason', message: 'belongs to the status suspended' });
    }
    return change(deps, input, seen);
  },
});

/** What a suspension is compared by: by whom and since when. */
const SUSPENSION = ['service_status', 'suspension.suspended_date'];

/** Suspends a service, in place of a broker's suspension too; the broker cannot lift it. */
export const suspendService = useCase({
  name: 'services suspend',
  role: 'support',
  audits: ['service.set', 'service.suspend', 'request.close'],
  title: 'Suspend',
  summary: 'Suspend a service',
  description: 'Suspend a service; the broker cannot lift that',
  example: 'services suspend 1000001 --reason "unpaid"',
  input: Type.Object({
    ...SERVICE_NAME,
    reason: Type.Optional(text(1000, { title: 'Reason', description: 'The broker can read it', multiline: true })),
    records_only: RECORDS_ONLY,
  }),
  on: ['broker', 'service_number'],
  argument: 'service_number',
  compares: SUSPENSION,
  path: 'POST /services/:service_number/suspend',
  answer: SERVICE_RECORD,
  reasons: ['service_cancelled', 'service_terminated', 'suspension_in_progress'],
  done: 'Suspended: only an operator can lift that.',
  async run(deps: WorkDeps, { records_only: recordsOnly, ...input }, seen) {
    const carriedOut = !recordsOnly && isCarriedOut(deps);
    return change(deps, { ...input, service_status: 'suspended' }, seen, {
      check: requireLiving,
      ...(carriedOut && { work: suspendMachine(deps, input.reason ?? null) }),
    });
  },
});

/** Lifts the suspension of a service, whether the broker or an operator suspended it. */
export const resumeService = useCase({
  name: 'services resume',
  role: 'support',
  audits: ['service.set', 'service.unsuspend', 'request.close'],
  title: 'Lift the suspension',
  summary: 'Lift a suspension',
  description: 'Lift the suspension of a service, by the broker or by the operator',
  example: 'services resume 1000001',
  input: Type.Object({ ...SERVICE_NAME, records_only: RECORDS_ONLY }),
  on: ['broker', 'service_number'],
  argument: 'service_number',
  compares: SUSPENSION,
  path: 'POST /services/:service_number/unsuspend',
  answer: SERVICE_RECORD,
  reasons: ['service_cancelled', 'service_terminated', 'service_not_suspended', 'suspension_in_progress'],
  done: ({ service_status: status }: ManagedService) =>
    status === 'suspended' ? 'Submitted: the suspension is lifted when that is done.' : 'The suspension is lifted.',
  async run(deps: WorkDeps, { records_only: recordsOnly, ...input }, seen) {
    if (!recordsOnly && isCarriedOut(deps)) return submitResume(deps, input, seen);
    return change(deps, { ...input, service_status: 'active' }, seen, { check: requireSuspended });
  },
});

function requireLiving({ number, status }: ServiceRow): void {
  if (isEnded(status)) throw ofRule(fail.invalidState(`service_${status}`, `Service ${number} is ${status}`));
}

function requireSuspended(service: ServiceRow): void {
  if (service.status !== 'suspended') throw notSuspended(service);
}

interface ServiceChange extends Partial<AccessValues> {
  broker?: string;
  service_number: number;
  service_status?: ServiceStatus;
  requires_operator_review?: boolean;
  'client.name'?: string;
  'client.email'?: string | null;
  renewal_date?: number | null;
  /** Of a suspension. */
  reason?: string;
}

/**
 * What changes nothing leaves the row as it is, its date too.
 * @param options.check refuses what cannot be changed like this
 * @param options.work follows in the same transaction
 */
export function change(
  deps: WorkDeps,
  input: ServiceChange,
  seen: Seen | undefined,
  {
    check,
    work,
  }: { check?: (service: ServiceRow) => void; work?: (change: Change, service: ServiceRow) => Promise<void> } = {},
): Promise<ManagedService> {
  const {
    broker: slug,
    service_number: number,
    service_status: status,
    requires_operator_review: review,
    'client.name': clientName,
    'client.email': clientEmail,
    renewal_date: renewal,
    reason,
  } = input;
  return transact(deps, async (change) => {
    const { tx } = change;
    const broker = await requireOwner(tx, { broker: slug, service_number: number });
    const service = await tx.services.lock(broker.id, number);
    if (!service) throw unknownService(broker.slug, number);
    // Behind the lock: a timestamp from before it could be one that readers of changes have gone past.
    const { now } = change;
    refuseStale(seen, await requireView(tx, broker, number));
    check?.(service);
    const { billingType } = await planOf(tx, service);
    if (renewal === null && billingType === 'monthly') {
      throw refusedAt({ field: 'renewal_date', message: 'a monthly service always has one' });
    }
    const given = ACCESS_PATHS.filter((path) => input[path] !== undefined);
    const access =
      given.length === 0
        ? service.access
        : accessFrom({
            ...accessValues(service.access),
            ...Object.fromEntries(given.map((path) => [path, input[path] ?? null])),
          });
    const updatedAt = lastChangeAt(service.updatedAt, now);
    const changes: Partial<ServiceRow> = {
      ...(status !== undefined && ending(service, status, service.cancelledAt ?? now)),
      ...(status === 'suspended' && suspending(service, reason, updatedAt)),
      ...(review !== undefined && { requiresOperatorReview: review }),
      ...described({
        ...service,
        access,
        status: status ?? service.status,
        clientName: clientName ?? service.clientName,
        clientEmail: clientEmail === undefined ? service.clientEmail : clientEmail,
      }),
      access,
      ...renewalOf(
        { billingType, status: status ?? service.status, createdAt: service.createdAt },
        { ...(renewal !== undefined && { given: renewal }), before: service, now },
      ),
    };
    if (isAlready(service, changes)) {
      await work?.(change, service);
      return requireView(tx, broker, number);
    }
    await tx.services.update(broker.id, number, { ...changes, updatedAt });
    const changed = (await tx.services.find(broker.id, number)) as ServiceRow;
    const closed = await closeWithService(change, changed, 'operator');
    await recordChange(deps, tx, {
      action: 'service.set',
      brokerId: broker.id,
      subject: `service/${number}`,
      before: auditedFields(service),
      after: { ...auditedFields(changed), ...(status === 'suspended' && reasonOf(service, changed)) },
    });
    for (const { before, after } of closed) {
      await recordChange(deps, tx, {
        action: 'request.close',
        brokerId: broker.id,
        subject: `request/${before.id}`,
        before: { request_status: before.status },
        after: { request_status: after.status },
      });
    }
    await work?.(change, changed);
    return requireView(tx, broker, number);
  });
}

/** What an operator can set of a service. */
const auditedFields = (row: ServiceRow) => ({
  service_status: row.status,
  suspended_by: suspensionOf(row)?.by ?? null,
  requires_operator_review: row.requiresOperatorReview,
  client_name: row.clientName,
  client_email: row.clientEmail,
  renewal_date: dateOf(row.renewalAt),
  access: row.access,
});

/** The operator's reason for a suspension, where it is a new one. A broker's own is what a caller sent: it stays out. */
const reasonOf = (before: ServiceRow, { suspendedBy, suspensionReason: reason }: ServiceRow) =>
  suspendedBy === 'operator' && reason !== null && reason !== before.suspensionReason
    ? { suspension_reason: reason }
    : undefined;

/** The operator's suspension, which replaces a broker's; their own stays unless they give another reason. */
const suspending = (
  service: ServiceRow,
  reason: string | undefined,
  suspendedAt: number,
): Partial<Pick<ServiceRow, keyof typeof NO_SUSPENSION>> =>
  isSuspendedByOperator(service) && reason === undefined
    ? {}
    : {
        suspendedBy: 'operator',
        suspensionReason: reason ?? null,
        suspendedAt: isSuspendedByOperator(service) ? (suspensionOf(service)?.at ?? suspendedAt) : suspendedAt,
      };

/**
 * The status with what belongs to the end of a service. One that is brought back to life loses the cancellation that
 * ended it; one that is scheduled for a living service stays.
 */
export function ending(
  before: ServiceRow | undefined,
  status: ServiceStatus,
  endedAt: number,
): Pick<ServiceRow, 'status' | 'cancelledAt' | keyof typeof NO_CANCELLATION> {
  const cancellation = {
    cancellationType: before?.cancellationType ?? null,
    cancellationEffectiveAt: before?.cancellationEffectiveAt ?? null,
    cancellationRequestId: before?.cancellationRequestId ?? null,
  };
  const hadEnded = before !== undefined && isEnded(before.status);
  // One that has ended already keeps its date, and has none where its creation failed.
  if (isEnded(status)) return { status, cancelledAt: hadEnded ? before.cancelledAt : endedAt, ...cancellation };
  return { status, cancelledAt: null, ...(hadEnded ? NO_CANCELLATION : cancellation) };
}
