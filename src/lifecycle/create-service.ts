import { fail } from '../errors.ts';
import { NO_CANCELLATION } from '../kinds/cancellation.ts';
import { creation } from '../kinds/creation.ts';
import { NO_SUSPENSION } from '../kinds/suspension.ts';
import { described } from '../rules/descriptions.ts';
import { configure } from '../rules/options.ts';
import { renewalOf } from '../rules/renewals.ts';
import type { Change } from '../store/change.ts';
import type { ServiceRow } from '../store/queries/services.ts';
import { type Owner, planNamed } from './owned-records.ts';
import { type Submission, type SubmittedRequest, submitAssessed } from './submit.ts';

export interface CreationInput {
  /** Id, slug or display name of an active plan. */
  plan: string;
  client: { name: string; email: string };
  label: string | null;
  externalReference: string | null;
  /** By the names of the plan's options. */
  configuration?: Readonly<Record<string, unknown>> | undefined;
}

/**
 * Creates a pending service and the accepted request that will make it active (contract, section 6, "Create").
 * Throws `invalid_parameter` `plan_not_available`, and faults of the configuration (section 12.1).
 */
export async function addService(
  change: Change,
  { brokerId }: Owner,
  { plan, client, label, externalReference, configuration = {} }: CreationInput,
  submission: Omit<Submission, 'type' | 'requestId'>,
): Promise<SubmittedRequest> {
  const { tx } = change;
  const assessment = creation.assess({ targetPlan: await planNamed(tx, brokerId, plan) });
  const { options } = await tx.plans.findOffer(brokerId, assessment.newPlan.id);
  const { values, faults } = configure(options, configuration, 'body.configuration');
  if (faults.length > 0) throw fail.invalidFields(faults);
  const number = await tx.sequences.nextServiceNumber();
  // Behind the lock of the sequence, on which calls may wait for each other.
  const { now } = change;
  const requestId = change.newId('req', now);
  const service: ServiceRow = {
    number,
    brokerId,
    status: 'pending',
    planId: assessment.newPlan.id,
    ...described({
      label,
      externalReference,
      clientName: client.name,
      clientEmail: client.email,
      status: 'pending',
      access: null,
    }),
    requiresOperatorReview: false,
    createdAt: now,
    ...renewalOf(
      { billingType: assessment.newPlan.billingType, status: 'pending', createdAt: now },
      { now: change.now },
    ),
    cancelledAt: null,
    ...NO_CANCELLATION,
    ...NO_SUSPENSION,
    configuration: Object.keys(values).length > 0 ? JSON.stringify(values) : null,
    keptConfiguration: null,
    access: null,
    reference: null,
    importId: null,
    uid: requestId,
    updatedAt: now,
  };
  await tx.services.insert([service]);
  return submitAssessed(change, service, assessment, { type: 'service-creation', requestId, ...submission });
}
