import { audit } from '../audit/audit.ts';
import { NO_CANCELLATION } from '../kinds/cancellation.ts';
import { creation } from '../kinds/creation.ts';
import { NO_SUSPENSION } from '../kinds/suspension.ts';
import { planNamed } from '../lifecycle/owned-records.ts';
import { type RequestRecord, requestRecord } from '../lifecycle/record.ts';
import { submit } from '../lifecycle/submit.ts';
import type { Context } from '../ports.ts';
import { described } from '../rules/descriptions.ts';
import { renewalOf } from '../rules/renewals.ts';
import type { ServiceStatus } from '../rules/words.ts';
import type { ServiceRow } from '../store/services.ts';
import { actorOf, type Caller, type Claim, type Outcome, type StoredAnswer, transactOnce } from './operation.ts';

export interface CreationInput {
  /** Id, slug or display name of an active plan. */
  plan: string;
  client: { name: string; email: string };
  label: string | null;
  externalReference: string | null;
}

type CreationRecord = RequestRecord & { service_status: ServiceStatus };

/**
 * Creates a pending service and the accepted request that will make it active (contract, section 6, "Create").
 * Throws `invalid_parameter` `plan_not_available`.
 */
export function createService(
  context: Context,
  caller: Caller,
  { plan, client, label, externalReference }: CreationInput,
  claim?: Claim,
): Promise<Outcome<CreationRecord> | StoredAnswer> {
  return transactOnce(context, claim, async (change) => {
    const { tx, now } = change;
    const type = 'service-creation';
    const assessment = creation.assess({ targetPlan: await planNamed(tx, caller.brokerId, plan) });
    const service: ServiceRow = {
      number: await tx.sequences.nextServiceNumber(),
      brokerId: caller.brokerId,
      status: 'pending',
      planId: assessment.newPlan.id,
      ...described({ label, externalReference, clientName: client.name, clientEmail: client.email }),
      requiresOperatorReview: false,
      createdAt: now,
      ...renewalOf(
        { billingType: assessment.newPlan.billingType, status: 'pending', createdAt: now },
        { now: change.now },
      ),
      cancelledAt: null,
      ...NO_CANCELLATION,
      ...NO_SUSPENSION,
      importId: null,
      updatedAt: now,
    };
    await tx.services.insert([service]);
    const view = await submit(change, service, { type, origin: 'broker' }, assessment);
    await audit(change, actorOf(caller), {
      action: 'service.create',
      brokerId: caller.brokerId,
      subject: `service/${service.number}`,
      after: {
        plan: assessment.newPlan.slug,
        label,
        external_reference: externalReference,
        request_id: view.request.id,
      },
    });
    return { statusCode: 201, data: { ...requestRecord(view, now), service_status: service.status } };
  });
}
