import { audit } from '../audit/audit.ts';
import { KINDS } from '../kinds/index.ts';
import { loadForChange } from '../lifecycle/load-for-change.ts';
import { type RequestRecord, requestRecord } from '../lifecycle/record.ts';
import { submit } from '../lifecycle/submit.ts';
import type { Context } from '../ports.ts';
import type { Change } from '../store/change.ts';
import { actorOf, type Caller, type Claim, type Outcome, ok, transactOnce } from './operation.ts';

export interface SuspensionInput {
  serviceNumber: number;
  reason: string | null;
}

/**
 * Accepts the suspension of a service (contract, section 6, "Suspend"), which becomes suspended when the work is done.
 * Throws `not_found` and `invalid_state` `service_cancelled`, `service_terminated`, `suspension_in_progress`,
 * `service_suspended`, `service_not_active`.
 */
export function suspendService(context: Context, caller: Caller, input: SuspensionInput, claim?: Claim) {
  return transactOnce(context, claim, (change) => submitted(change, caller, 'service-suspension', input));
}

/**
 * Accepts the end of a suspension by the broker. Throws `not_found` and `invalid_state` `service_cancelled`,
 * `service_terminated`, `suspension_in_progress`, `service_not_suspended`, `suspended_by_operator`.
 */
export function unsuspendService(
  context: Context,
  caller: Caller,
  { serviceNumber }: Pick<SuspensionInput, 'serviceNumber'>,
  claim?: Claim,
) {
  return transactOnce(context, claim, (change) =>
    submitted(change, caller, 'service-unsuspension', { serviceNumber, reason: null }),
  );
}

const ACTIONS = { 'service-suspension': 'service.suspend', 'service-unsuspension': 'service.unsuspend' } as const;

async function submitted(
  change: Change,
  caller: Caller,
  type: keyof typeof ACTIONS,
  { serviceNumber, reason }: SuspensionInput,
): Promise<Outcome<RequestRecord>> {
  const loaded = await loadForChange(change.tx, caller, serviceNumber);
  const assessment = KINDS[type].assess(loaded, { reason }, change.now);
  const record = requestRecord(
    await submit(change, loaded.service, { type, origin: 'broker' }, assessment),
    change.now,
  );
  await audit(change, actorOf(caller), {
    action: ACTIONS[type],
    brokerId: caller.brokerId,
    subject: `service/${serviceNumber}`,
    after: { request_id: record.request_id, request_status: record.request_status },
  });
  return ok(record);
}
