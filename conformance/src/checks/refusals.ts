import type { Check, Refused } from '../kit.ts';
import type { Ask } from '../wire.ts';

/** Refusals by code; the status follows from the code, and `details` names more of them. */
const refused =
  (status: number, code: string) =>
  (reason?: string, details?: object, message?: string): Refused => ({
    status,
    code,
    reason,
    ...(details && { details }),
    ...(message !== undefined && { message }),
  });

export const invalidRequest = refused(400, 'invalid_request');
export const missingParameter = refused(400, 'missing_parameter');
export const invalidParameter = refused(400, 'invalid_parameter');
export const invalidState = refused(400, 'invalid_state');
export const unauthenticated = (reason: string): Refused =>
  refused(401, 'authentication_failed')(reason, undefined, 'Invalid API key');
export const insufficient = refused(403, 'insufficient_permissions');
export const notFound = (message: string): Refused => refused(404, 'not_found')(undefined, undefined, message);
export const alreadyProcessed = refused(409, 'already_processed');
export const emailFailed = refused(500, 'email_send_error');
export const plain = (status: number, code: string): Refused => refused(status, code)();

export const ROUTE_NOT_FOUND = notFound('Not found');
export const SERVICE_NOT_FOUND = notFound('Service not found or access denied');
export const REQUEST_NOT_FOUND = notFound('Request not found or access denied');

/** Faulty fields as `details` lists them: path and rule, in this order. */
export const fields = (...faults: Array<[path: string, rule: string]>) => ({
  fields: faults.map(([path, rule]) => ({ path, rule })),
});

/** A check that a row of a table is: this request, that refusal. */
export const refusal = (title: string, ask: Ask, expected: Refused, more: Partial<Check> = {}): Check => ({
  title,
  run: async (probe) => {
    await probe.refuses(ask, expected);
  },
  ...more,
});
