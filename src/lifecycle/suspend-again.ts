import { KINDS } from '../kinds/index.ts';
import { suspensionOf } from '../kinds/suspension.ts';
import type { Change } from '../store/change.ts';
import type { RequestRow } from '../store/queries/requests.ts';
import { findOpenRequests } from './load-for-change.ts';
import { submitAssessed } from './submit.ts';

/** More requests than a service has while its suspension is open. */
const MAX_BESIDE = 50;

/**
 * Submits the suspension of a service once more where work that may have started the machine overlapped with it, so that
 * a suspended machine ends switched off in whatever order the provisioner did both (contract, section 12.4). The request
 * is one of origin operator and changes no record. None is submitted where a suspension, or the end of one, is open.
 * @param request as it was while open: a suspension, or work of which a call may have been made
 * @param endedAt when that was closed, in epoch milliseconds
 */
export async function suspendAgain(change: Change, request: RequestRow, endedAt: number): Promise<void> {
  const { brokerId, serviceNumber, type } = request;
  const isSuspension = type === 'service-suspension';
  if (!change.hasProvisioner || !(isSuspension || KINDS[type].startsMachine)) return;
  const service = await change.tx.services.lock(brokerId, serviceNumber);
  const suspension = service && suspensionOf(service);
  if (!suspension) return;
  const lastEndAt = isSuspension ? await lastEndBeside(change, request) : endedAt;
  // What was accepted on a suspended service began behind its suspension.
  const overlapped = isSuspension ? lastEndAt > request.submittedAt : suspension.at >= acceptedAt(request);
  if (!overlapped) return;
  const { suspend, unsuspend } = await findOpenRequests(change.tx, service);
  if (suspend || unsuspend) return;
  const fields = { cancellationReason: suspension.reason };
  const assessment = { currentPlan: null, newPlan: null, needsReview: false, effectiveAt: null, fields };
  // Behind all that it repeats, also where several dates fall into one millisecond: it is not repeated for them.
  const behind = { ...change, now: Math.max(change.now, endedAt, lastEndAt) };
  await submitAssessed(behind, service, assessment, { type: 'service-suspension', origin: 'operator', actor: null });
}

/** Its `updatedAt` moves on after a loss (contract, section 15.4). */
const acceptedAt = ({ decidedAt, submittedAt }: RequestRow): number => decidedAt ?? submittedAt;

/** When the last work ended that may have started the machine, in epoch milliseconds; 0: none is known. */
async function lastEndBeside({ tx }: Change, { brokerId, serviceNumber }: RequestRow): Promise<number> {
  const views = await tx.requests.page(brokerId, { serviceNumber }, { limit: MAX_BESIDE, offset: 0 });
  const acted = views.filter(
    ({ request: { type, attempts, workBegunAt } }) =>
      KINDS[type].startsMachine && (attempts > 0 || workBegunAt !== null),
  );
  return Math.max(0, ...acted.map(({ request }) => Number(request.processedAt)));
}
