import type { Test } from 'tap';
import { isOpen } from '../../src/rules/words.ts';
import { createIds } from '../../src/runtime/ids.ts';
import type { BrokerRow } from '../../src/store/queries/brokers.ts';
import type { PlanRow } from '../../src/store/queries/plans.ts';
import type { RequestRow } from '../../src/store/queries/requests.ts';
import type { ServiceRow } from '../../src/store/queries/services.ts';
import { aRequest } from './rows.ts';
import type { World } from './world.ts';

/** How every timestamp of an answer is written. */
export const TIMESTAMP = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

export const NESTED_PLAN = ['billing_type', 'display_name', 'id', 'slug', 'upgrade_rank'];

const REQUEST = [
  'decision',
  'failure',
  'is_final',
  'next_check_seconds',
  'operator_review',
  'origin',
  'processed_date',
  'request_id',
  'request_status',
  'retry_of',
  'service_number',
  'submitted_date',
  'type',
  'updated_date',
];
const PLAN_CHANGE = ['configuration', 'current_plan', 'effective_date', 'new_plan'];

/** The names of a request's record, by its type and nothing beyond. */
export const REQUEST_KEYS: Record<RequestRow['type'], string[]> = {
  'cancellation-warning': [...REQUEST, 'warning_reason'].sort(),
  'plan-upgrade': [...REQUEST, ...PLAN_CHANGE].sort(),
  'plan-downgrade': [...REQUEST, ...PLAN_CHANGE].sort(),
  cancellation: [...REQUEST, 'cancellation_type', 'effective_date', 'reason'].sort(),
  'service-suspension': [...REQUEST, 'reason'].sort(),
  'service-unsuspension': REQUEST,
  'service-creation': [...REQUEST, 'new_plan'].sort(),
  'service-action': [...REQUEST, 'action', 'configuration'].sort(),
};

export const SERVICE_KEYS = [
  'access',
  'cancellation',
  'cancelled_date',
  'client',
  'configuration',
  'created_date',
  'expected',
  'external_reference',
  'label',
  'open_request',
  'open_requests',
  'plan',
  'price',
  'renewal_date',
  'service_number',
  'service_status',
  'specifications',
  'suspension',
  'updated_date',
];

export const keysOf = (value: object) => Object.keys(value).sort();

/** The five fields of a plan wherever one is nested. */
export const nested = (plan: PlanRow) => ({
  id: plan.id,
  slug: plan.slug,
  display_name: plan.displayName,
  upgrade_rank: plan.upgradeRank,
  billing_type: plan.billingType,
});

export const iso = (ms: number) => new Date(ms).toISOString();

export type Answer = Awaited<ReturnType<World['call']>>;

interface Refusal {
  status: number;
  code: string;
  reason?: string;
  message?: string;
  /** Further keys of the details, exactly. */
  details?: object;
  /** `path rule` of each faulty field. */
  fields?: string[];
}

/** Holds an answer against the error envelope and everything that the refusal says of it, in one assertion. */
export function refused(t: Test, answer: Answer, refusal: Refusal, title: string = refusal.reason ?? refusal.code) {
  const { error, ...envelope } = answer.json;
  const { code, message, details, ...beyond } = error ?? {};
  const { fields, correlation_id: correlationId, ...own } = details ?? {};
  const seen = {
    status: answer.status,
    envelope,
    code,
    message: refusal.message === undefined ? typeof message : message,
    details: own,
    fields: fields?.map((fault: { path: string; rule: string }) => `${fault.path} ${fault.rule}`).sort(),
    correlated: details && correlationId === answer.headers['x-request-id'],
    beyond,
  };
  const { reason, message: text = 'string' } = refusal;
  t.strictSame(
    seen,
    {
      status: refusal.status,
      envelope: { success: false },
      code: refusal.code,
      message: text,
      details: { ...(reason !== undefined && { reason }), ...refusal.details },
      fields: refusal.fields && [...refusal.fields].sort(),
      // Details stand only where there is something to tell, and then name the request's id.
      correlated: reason !== undefined || refusal.fields || refusal.details ? true : undefined,
      beyond: {},
    },
    title,
  );
}

/** Of one service by itself. */
export const SINGLE_SERVICE_KEYS = [...SERVICE_KEYS, 'actions', 'has_credentials'].sort();

export const NO_SERVICE = { status: 404, code: 'not_found', message: 'Service not found or access denied' };
export const NO_REQUEST = { status: 404, code: 'not_found', message: 'Request not found or access denied' };

/** Fails where a timestamp anywhere in an answer is written in another way. */
export function momentsAreIso(t: Test, value: unknown): void {
  const wrong: string[] = [];
  const walk = (node: unknown, name: string) => {
    if (node !== null && typeof node === 'object') {
      for (const [key, child] of Object.entries(node)) walk(child, key);
    } else if (/_(date|at)$/.test(name) && node !== null && !TIMESTAMP.test(String(node))) {
      wrong.push(`${name}: ${node}`);
    }
  };
  walk(value, '');
  t.strictSame(wrong, [], 'every timestamp is ISO 8601 in UTC with milliseconds');
}

const newId = createIds();

/** Puts a request into the store in any state, with the line of history that belongs to it. */
export async function addRequest(
  world: World,
  service: ServiceRow,
  fields: Partial<RequestRow> & Pick<RequestRow, 'type'>,
): Promise<RequestRow> {
  const now = world.clock.now();
  const row = aRequest(service, {
    id: newId('req', now),
    submittedAt: now,
    updatedAt: now,
    cancellationType: fields.type === 'cancellation' ? 'end_of_term' : null,
    ...fields,
  });
  await world.store.tx(async (tx) => {
    // As `submit` does: the service shows an open request.
    if (isOpen(row.status)) await tx.services.touch(row.brokerId, row.serviceNumber, row.submittedAt);
    await tx.requests.insert(row);
    if (row.failureReason !== null) {
      const { failureReason, failureMessage, failureServiceUsable, failureRetryable } = row;
      const failure = { failureReason, failureMessage, failureServiceUsable, failureRetryable };
      await tx.requests.move(row.brokerId, row.id, { status: row.status }, failure);
    }
    const { brokerId, id: requestId, status } = row;
    const actor = row.origin;
    await tx.requests.addHistory({ id: newId('evt', now), brokerId, requestId, status, at: now, actor, note: null });
  });
  return row;
}

export const requestsOf = (world: World, broker: BrokerRow) =>
  world.store.read.requests.page(broker.id, {}, { limit: 100, offset: 0 });

export const emailsOf = (world: World, broker: BrokerRow) =>
  world.store.read.emails.list({ brokerId: broker.id, now: world.clock.now(), limit: 100 });

export const moveService = (world: World, service: ServiceRow, changes: Partial<ServiceRow>) =>
  world.store.tx((tx) => tx.services.update(service.brokerId, service.number, changes as never));
