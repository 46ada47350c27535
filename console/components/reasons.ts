import { sentence } from './badge.tsx';

/** What this program's own reasons mean; those of the provisioner are its own words. */
const REASONS: Readonly<Record<string, string>> = {
  outcome_unknown: 'Not known whether it was done',
  provisioner_busy: 'The provisioner was busy',
  provisioner_failed: 'The provisioner gave no reason',
  provisioner_refused: 'The provisioner refused it',
  provisioner_unreachable: 'The provisioner was not reached',
  service_cancelled: 'The service was cancelled',
  service_not_active: 'The service was not active',
  service_terminated: 'The service was terminated',
  superseded: 'Replaced by a later request',
  suspended_by_operator: 'The operator has suspended it',
  withdrawn: 'Withdrawn',
};

/** Why a request failed, in words. */
export const reasonInWords = (reason: string): string => REASONS[reason] ?? sentence(reason);
