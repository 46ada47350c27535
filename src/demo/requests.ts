import { close } from '../lifecycle/close.ts';
import { moveRequest } from '../lifecycle/move-request.ts';
import { applyAcceptance, due, insertRequest, newRequest } from '../lifecycle/submit.ts';
import { DAY_MS, MINUTE_MS } from '../rules/durations.ts';
import { isOpen, type RequestActor, type RequestStatus } from '../rules/words.ts';
import type { NewId } from '../runtime/ids.ts';
import type { RequestRow } from '../store/queries/requests.ts';
import type { ServiceRow } from '../store/queries/services.ts';
import type { Tx } from '../store/store.ts';
import { readJson } from './data.ts';

/** A request of requests.json: how it was submitted, and how it was decided or completed. */
type DemoRequest = Pick<RequestRow, 'type' | 'status' | 'origin'> &
  Partial<RequestRow> & {
    service: number;
    daysAgo: number;
    /** Plans by their slug. */
    from?: string;
    to?: string;
    /** A minute later where it does not say how many days ago. */
    then?: Partial<RequestRow> & { status: RequestStatus; actor: RequestActor; daysAgo?: number };
  };

/**
 * Requests of every kind and state, each moved there the way that a real one goes. Those that are accepted take effect
 * when the term ends, so that a worker leaves them as they are.
 */
export async function makeDemoRequests(tx: Tx, newId: NewId, brokerId: string, now: number): Promise<void> {
  const plans = new Map((await tx.plans.list(brokerId)).map(({ slug, id }) => [slug, id]));
  const planId = (slug = ''): string | null => plans.get(slug) ?? null;
  for (const { service: number, daysAgo, from, to, then, ...fields } of readJson<DemoRequest[]>('requests.json')) {
    const service = (await tx.services.find(brokerId, number)) as ServiceRow;
    const submittedAt = now - daysAgo * DAY_MS;
    const request = newRequest(newId('req', submittedAt), service, submittedAt, {
      ...fields,
      currentPlanId: planId(from),
      newPlanId: planId(to),
      ...(fields.status === 'accepted' && due(fields.type === 'service-creation' ? null : submittedAt, submittedAt)),
    });
    const change = { tx, newId, now: submittedAt, hasProvisioner: false };
    await insertRequest(change, request);
    if (isOpen(request.status)) await tx.services.touch(brokerId, number, submittedAt);
    if (request.status === 'accepted') await applyAcceptance(change, service, request);
    if (!then) continue;

    const { status, daysAgo: movedDaysAgo, ...changes } = then;
    const at = movedDaysAgo === undefined ? submittedAt + MINUTE_MS : now - movedDaysAgo * DAY_MS;
    const later = { tx, newId, now: at, hasProvisioner: false };
    if (status === 'completed') {
      await close(later, service, request, { status: 'completed' }, { actor: 'system', leasedBy: null });
      continue;
    }
    const moved = await moveRequest(later, request, status, {
      ...changes,
      ...(changes.decidedBy && { decidedAt: at }),
      ...(status === 'accepted' && due(service.renewalAt, at)),
    });
    if (status === 'accepted') await applyAcceptance(later, service, moved as RequestRow);
  }
}
