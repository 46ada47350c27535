import type { NewId } from '../ids.ts';
import { applyAcceptance } from '../requests/accept.ts';
import { moveRequest } from '../requests/move-request.ts';
import { enter, newRequest } from '../requests/submit.ts';
import { isOpen } from '../rules/words.ts';
import type { RequestRow } from '../store/requests.ts';
import type { ServiceRow } from '../store/services.ts';
import type { Tx } from '../store/store.ts';

const DAY_MS = 86_400_000;
const MINUTE_MS = 60_000;

/** A decision of the broker or the operator, as the request keeps it. */
const decided = (
  decisionAction: 'approve' | 'deny' | 'accept',
  decidedBy: 'broker' | 'operator',
  decidedAt: number,
  decisionReason: string | null = null,
) => ({ decisionAction, decidedBy, decidedAt, decisionReason });

/**
 * Requests of every kind and state, each moved there the way that a real one goes. Those that are accepted have an
 * effective date to come, so that a worker leaves them as they are.
 */
export async function makeDemoRequests(tx: Tx, newId: NewId, brokerId: string, now: number): Promise<void> {
  const change = (at: number) => ({ tx, newId, now: at });
  const plans = new Map((await tx.plans.list(brokerId)).map((plan) => [plan.slug, plan.id]));
  const plan = (slug: string): string => plans.get(slug) as string;

  /** Submits a request some days ago; returns it with its service. */
  async function submit(
    number: number,
    daysAgo: number,
    fields: Parameters<typeof newRequest>[3],
  ): Promise<{ request: RequestRow; service: ServiceRow }> {
    const service = (await tx.services.find(brokerId, number)) as ServiceRow;
    const at = now - daysAgo * DAY_MS;
    const request = newRequest(newId('req', at), service, at, fields);
    await enter(change(at), request);
    if (isOpen(request.status)) await tx.services.touch(brokerId, number, at);
    return { request, service };
  }
  const move = (
    request: RequestRow,
    to: RequestRow['status'],
    { now: at, ...changes }: { now: number } & Parameters<typeof moveRequest>[3],
  ) => moveRequest(change(at), request, to, changes);
  const upgrade = (from: string, to: string) =>
    ({ type: 'plan-upgrade', currentPlanId: plan(from), newPlanId: plan(to) }) as const;

  await submit(1000009, 3, {
    type: 'cancellation-warning',
    status: 'approved',
    origin: 'broker',
    warningReason: 'Two invoices are overdue.',
  });

  // Clients asked; the broker has not decided yet.
  await submit(1000017, 1, { ...upgrade('starter', 'business'), status: 'pending', origin: 'client' });
  await submit(1000018, 2, {
    type: 'cancellation',
    status: 'pending',
    origin: 'client',
    cancellationType: 'end_of_term',
    cancellationReason: 'The project has ended.',
  });

  await submit(1000019, 1, { ...upgrade('performance', 'dedicated'), status: 'operator_review', origin: 'broker' });

  // Accepted, and due when the term ends. The smaller plan has a smaller disk, so the operator had to agree.
  const smaller = await submit(1000020, 4, {
    type: 'plan-downgrade',
    status: 'operator_review',
    origin: 'broker',
    currentPlanId: plan('performance'),
    newPlanId: plan('business'),
  });
  const agreedAt = now - 3 * DAY_MS;
  await move(smaller.request, 'accepted', {
    now: agreedAt,
    actor: 'operator',
    effectiveAt: smaller.service.renewalAt,
    dueAt: smaller.service.renewalAt,
    ...decided('accept', 'operator', agreedAt),
  });
  const leaving = await submit(1000021, 5, {
    type: 'cancellation',
    status: 'pending',
    origin: 'client',
    cancellationType: 'end_of_term',
    cancellationReason: 'We are moving in with another team.',
  });
  const approvedAt = now - 4 * DAY_MS;
  const { renewalAt } = leaving.service;
  const scheduled = await move(leaving.request, 'accepted', {
    now: approvedAt,
    actor: 'broker',
    effectiveAt: renewalAt,
    dueAt: renewalAt,
    ...decided('approve', 'broker', approvedAt),
  });
  await applyAcceptance(change(approvedAt), leaving.service, scheduled as RequestRow);

  // Done: an upgrade, a creation, a cancellation.
  const grownAt = now - 20 * DAY_MS;
  const grown = await submit(1000022, 20, {
    ...upgrade('starter', 'business'),
    status: 'accepted',
    origin: 'broker',
    effectiveAt: grownAt,
    dueAt: grownAt,
  });
  await move(grown.request, 'completed', { now: grownAt + MINUTE_MS, actor: 'system' });

  const freshAt = now - 10 * DAY_MS;
  const fresh = await submit(1000024, 10, {
    type: 'service-creation',
    status: 'accepted',
    origin: 'broker',
    newPlanId: plan('starter'),
    dueAt: freshAt,
  });
  await move(fresh.request, 'completed', { now: freshAt + MINUTE_MS, actor: 'system' });

  const goneAt = now - 30 * DAY_MS;
  const gone = await submit(1000013, 30, {
    type: 'cancellation',
    status: 'accepted',
    origin: 'broker',
    cancellationType: 'immediate',
    effectiveAt: goneAt,
    dueAt: goneAt,
  });
  await applyAcceptance(change(goneAt), gone.service, gone.request);
  await move(gone.request, 'completed', { now: goneAt + MINUTE_MS, actor: 'system' });

  // Not done: one failed, one denied by the broker, one by the operator.
  const unluckyAt = now - 6 * DAY_MS;
  const unlucky = await submit(1000023, 6, {
    ...upgrade('starter', 'performance'),
    status: 'accepted',
    origin: 'broker',
    effectiveAt: unluckyAt,
    dueAt: unluckyAt,
  });
  await move(unlucky.request, 'failed', {
    now: unluckyAt + MINUTE_MS,
    actor: 'system',
    failureReason: 'provisioning_failed',
    failureMessage: 'No host had room for the larger plan',
    failureServiceUsable: true,
    failureRetryable: true,
  });

  const deniedAt = now - 7 * DAY_MS;
  const denied = await submit(1000002, 8, {
    ...upgrade('business', 'performance'),
    status: 'pending',
    origin: 'client',
  });
  await move(denied.request, 'denied', {
    now: deniedAt,
    actor: 'broker',
    ...decided('deny', 'broker', deniedAt, 'Please settle the open invoice first.'),
  });

  const reviewed = await submit(1000025, 9, {
    ...upgrade('starter', 'business'),
    status: 'operator_review',
    origin: 'broker',
  });
  await move(reviewed.request, 'denied', {
    now: deniedAt,
    actor: 'operator',
    ...decided('deny', 'operator', deniedAt, 'The migration is planned for next month.'),
  });

  // Two more that wait for the operator: a service that is watched asked again, and a disk would shrink.
  await submit(1000025, 0.2, { ...upgrade('starter', 'business'), status: 'operator_review', origin: 'broker' });
  await submit(1000003, 0.05, {
    type: 'plan-downgrade',
    status: 'operator_review',
    origin: 'broker',
    currentPlanId: plan('performance'),
    newPlanId: plan('business'),
  });
}
