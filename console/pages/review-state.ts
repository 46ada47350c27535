import type { RequestDetail } from '../../src/operator/request-views.ts';

/** Whether a plan change waits that the rules refuse until the suspension has ended (contract, section 6). */
export const isSuspended = ({ review, service }: RequestDetail): boolean =>
  review !== null && service.service_status === 'suspended';

export const SUSPENDED = 'The service is suspended: the change can be accepted once the suspension is lifted.';

/** Of an action of the plan. */
export const DESTROYS = 'It deletes what the client has on the service.';
