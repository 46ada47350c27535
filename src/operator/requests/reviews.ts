import type { ReadDeps } from '../use-case/dependencies.ts';
import { invalid } from '../use-case/errors.ts';
import { PER_PAGE } from '../use-case/pages.ts';
import { decideEach, MAX_DECIDED } from '../use-case/several.ts';
import { decideReview } from './decisions.ts';
import { listRequests, type RequestDetail, showRequest } from './views.ts';

/** Reviews that are shown and decided together: a page of the list. */
const MAX_SHOWN = PER_PAGE;

type ByActor = Parameters<typeof decideReview.run>[0];

/** The requests of these ids that wait for a review, in full. Throws an `OperatorError` where there are none or too many. */
export async function showReviews(parts: ReadDeps, input: { requestIds: readonly string[] }): Promise<RequestDetail[]> {
  const requestIds = [...new Set(input.requestIds)];
  if (requestIds.length === 0 || requestIds.length > MAX_SHOWN) {
    throw invalid({ field: 'request_id', message: `must name 1 to ${MAX_SHOWN} requests` });
  }
  const details: RequestDetail[] = [];
  for (const requestId of requestIds) details.push(await showRequest(parts, { requestId }));
  return details.filter(({ request_status }) => request_status === 'operator_review');
}

/** The requests that wait for a review, the newest thousand; of one broker or type. */
export const listReviews = async (parts: ReadDeps, input: { broker?: string | undefined; type?: string | undefined }) =>
  listRequests.run(parts, { ...input, request_status: 'operator_review', limit: MAX_DECIDED });

/** Accepts or denies several reviews; see `decideEach`. */
export const decideReviews = (
  context: ByActor,
  { requestIds, accept, reason }: { requestIds: readonly string[]; accept: boolean; reason?: string | undefined },
) => decideEach('request_id', requestIds, (request_id) => decideReview.run(context, { request_id, accept, reason }));
