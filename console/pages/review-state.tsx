import type { RequestDetail } from '../../src/operator/requests/views.ts';
import { sizeOf } from '../components/amounts.ts';
import { Day, Time } from '../components/timestamp.tsx';

/** Whether a plan change waits that the rules refuse until the suspension has ended (contract, section 6). */
export const isSuspended = ({ review, service }: RequestDetail): boolean =>
  review !== null && service.service_status === 'suspended';

export const SUSPENDED = 'The service is suspended: the change can be accepted once the suspension is lifted.';

/** Of an action of the plan. */
export const DESTROYS = 'It deletes what the client has on the service.';

/** Warns, as long as the request is open, where the service uses more disk than it would have. */
export function DiskWarning({ detail: { plans, consumption, is_final } }: { detail: RequestDetail }) {
  const diskGb = plans?.to.specifications?.disk_gb ?? null;
  if (is_final || diskGb === null || !consumption || Number(consumption.disk_gb_used) <= diskGb) return null;
  return (
    <p class="notice warn">
      The service uses {sizeOf(consumption.disk_gb_used, 'GB')} of disk (measured{' '}
      <Time at={consumption.measured_date} />
      ), more than the {sizeOf(diskGb, 'GB')} that it would have.
    </p>
  );
}

/** When a reviewed plan change would take effect, if it were accepted now. */
export const effectOf = ({ effective_date: date }: NonNullable<RequestDetail['review']>) =>
  date ? <Day at={date} /> : 'as soon as it is accepted';
