import { fail } from '../errors.ts';
import { findTargetPlan, foldPlanName } from '../rules/plan-changes.ts';
import { fold, searchText } from '../rules/search-text.ts';
import type { Context } from './context.ts';
import type { Caller, Claim, Outcome, StoredAnswer } from './outcome.ts';
import { nestedPlan, requestRecord } from './records.ts';
import { newRequest, submitRequest } from './request-lifecycle.ts';

export interface CreationInput {
  /** Id, slug or display name of an active plan. */
  plan: string;
  client: { name: string; email: string };
  label: string | null;
  externalReference: string | null;
}

/**
 * Creates a pending service and the accepted request that will make it active (contract, section 6, "Create").
 * Throws `invalid_parameter` `plan_not_available`.
 */
export function createService(
  context: Context,
  caller: Caller,
  { plan: planName, client, label, externalReference }: CreationInput,
  claim?: Claim,
): Promise<Outcome<object> | StoredAnswer> {
  return context.change(claim, async (tx) => {
    const now = context.clock.now();
    const named = await tx.plans.listActiveNamed(caller.brokerId, planName, foldPlanName(planName));
    const plan = findTargetPlan(named, planName);
    if (!plan) {
      throw fail.invalidParameter(
        'plan_not_available',
        'No active plan has this id, slug or display name; GET /v1/plans lists the available ones',
      );
    }
    const number = await tx.sequences.nextServiceNumber();
    await tx.services.insert([
      {
        number,
        brokerId: caller.brokerId,
        status: 'pending',
        planId: plan.id,
        label,
        externalReference,
        clientName: client.name,
        clientEmail: client.email,
        clientEmailFolded: fold(client.email),
        searchText: searchText([label, client.name, externalReference]),
        requiresOperatorReview: false,
        createdAt: now,
        renewalAt: null,
        cancelledAt: null,
        cancellationType: null,
        cancellationEffectiveAt: null,
        cancellationRequestId: null,
        updatedAt: now,
      },
    ]);
    const request = newRequest(context.newId('req', now), { brokerId: caller.brokerId, number }, now, {
      type: 'service-creation',
      status: 'accepted',
      origin: 'broker',
      newPlanId: plan.id,
      dueAt: now,
    });
    await submitRequest(tx, context, request);
    return {
      statusCode: 201,
      data: {
        ...requestRecord({ request, currentPlan: null, newPlan: plan }, now),
        service_status: 'pending',
        new_plan: nestedPlan(plan),
      },
    };
  });
}
