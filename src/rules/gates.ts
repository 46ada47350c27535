import type { ApiError } from '../errors.ts';

/** The gates in the order and with the numbers of the contract's section 2; the last is the operation itself. */
export const GATES = [
  'transport',
  'authentication',
  'firewall',
  'rate_limit',
  'scope',
  'input',
  'idempotency',
  'ownership',
  'rules',
  'work',
] as const;

export type GateName = (typeof GATES)[number];

/** The number for calls that no gate refused. */
export const WORK_GATE = 9;

/** The number of the gate that refused a call. `admitted`: whether the key was accepted. */
export function gateOf({ code, details }: Pick<ApiError, 'code' | 'details'>, admitted: boolean): number {
  switch (code) {
    case 'authentication_failed':
      return 1;
    case 'insufficient_permissions':
      return details?.reason === 'missing_scope' ? 4 : 2;
    case 'rate_limit_exceeded':
      if (details?.reason === 'warning_limit') return 8;
      return admitted ? 3 : 1;
    case 'invalid_request':
      return details?.reason === 'https_required' ? 0 : 5;
    case 'missing_parameter':
      return 5;
    case 'invalid_parameter':
      return details?.reason === undefined ? 5 : 8;
    case 'already_processed':
      return details?.reason === 'idempotency_key_reused' ? 6 : 8;
    case 'not_found':
      return 7;
    case 'email_send_error':
    case 'server_error':
      return WORK_GATE;
    default:
      return 8;
  }
}
