import t from 'tap';
import { ApiError, type ErrorCode, type ErrorDetails, fail } from '../../src/errors.ts';
import { GATES, gateOf } from '../../src/rules/gates.ts';

const error = (code: ErrorCode, details?: ErrorDetails) => new ApiError(code, 'refused', details ? { details } : {});

t.test('every failure is that of the gate which the contract gives it', async (t) => {
  const cases: Array<[gate: string, failure: ApiError, admitted?: boolean]> = [
    ['transport', fail.invalidRequest('https_required', 'Use HTTPS'), false],
    ['authentication', fail.unauthenticated('missing'), false],
    ['authentication', fail.rateLimited(100, 60, 1), false],
    ['firewall', error('insufficient_permissions', { reason: 'ip_not_whitelisted' })],
    ['rate_limit', fail.rateLimited(120, 60, 1)],
    ['scope', error('insufficient_permissions', { reason: 'missing_scope' })],
    ['input', fail.invalidRequest('malformed_json', 'No JSON')],
    ['input', fail.invalidFields([{ path: 'body.plan', rule: 'required', message: 'is required' }])],
    ['input', fail.invalidFields([{ path: 'body.plan', rule: 'type', message: 'is no text' }])],
    ['idempotency', error('already_processed', { reason: 'idempotency_key_reused' })],
    ['ownership', fail.serviceNotFound()],
    ['rules', error('already_processed', { reason: 'request_already_processed' })],
    ['rules', error('invalid_parameter', { reason: 'plan_is_current' })],
    ['rules', error('invalid_state', { reason: 'service_cancelled' })],
    ['rules', error('template_not_found')],
    ['rules', fail.rateLimited(20, 86_400, 1, 'warning_limit')],
    ['work', error('email_send_error', { reason: 'rejected' })],
    ['work', fail.internal()],
  ];
  for (const [gate, failure, admitted = true] of cases) {
    t.equal(GATES[gateOf(failure, admitted)], gate, `${failure.code} ${failure.details?.reason}`);
  }
  t.strictSame(new Set(cases.map(([gate]) => gate)), new Set(GATES));
});
