import { REQUEST_STATUSES, REQUEST_TYPES } from '../../src/operator/requests/views.ts';
import { requestTitle } from '../components/links.tsx';
import { brokerFilter, filterValues } from '../lists/list-page.tsx';

export const REQUESTS_PATH = '/requests';

/** The filters of the list of requests. A review that is opened from the list has them in its address too. */
export const REQUEST_FILTERS = {
  status: {
    type: 'tabs',
    label: 'Which requests',
    choices: {
      '': 'All',
      operator_review: 'To review',
      pending: 'With brokers',
      accepted: 'Queued',
      failed: 'Failed',
      completed: 'Completed',
      denied: 'Denied',
    },
    values: REQUEST_STATUSES,
    counted: 'operator_review',
    empty:
      'No request waits for a review. Plan changes are reviewed where a plan or a service requires it, or a disk would shrink; actions, where the plan says so.',
  },
  broker: brokerFilter,
  type: { type: 'select', label: 'Kind', choices: new Map(REQUEST_TYPES.map((type) => [type, requestTitle(type)])) },
  service: { type: 'text', label: 'Service number', digits: true, field: 'service_number' },
  reason: { type: 'text', label: 'Reason of a failure', size: 16 },
  since: { type: 'date', label: 'Ended from', field: 'ended_since' },
  until: { type: 'date', label: 'Ended before', field: 'ended_until' },
} as const;

/** The filters in the address of the list, or of a review that was opened from it, as a query for links to its reviews. */
export function filtersIn(url: string): string {
  const set = Object.entries(filterValues(REQUEST_FILTERS, { url })).filter(([, value]) => value !== undefined);
  return set.length === 0 ? '' : `?${new URLSearchParams(set as Array<[string, string]>)}`;
}
