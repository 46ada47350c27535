import type { Api, Failure } from './api.ts';
import type { Call } from './http.ts';
import type { OtherKeys } from './session.ts';

/** One guarantee of the contract, as a sentence, and the function that checks it. */
export interface Check {
  title: string;
  /** How many calls it makes that the key's rate limit counts; the run waits before a check, never within one. */
  calls: number;
  /** How many it makes that the limit does not count: without a valid key, of another key, or of an unknown path. */
  uncounted?: number;
  /** Runs with `--full` only. */
  full?: true;
  /** Runs with a live key too: it only reads, and depends on no record. */
  live?: true;
  /** Runs with a live key only. */
  liveOnly?: true;
  needsKey?: keyof OtherKeys;
  needsPlainUrl?: true;
  /** Uses up the window of the key. */
  burst?: true;
  /** Why no run can check it. */
  notCheckable?: string;
  run(api: Api): Promise<void>;
}

export interface Section {
  name: string;
  checks: readonly Check[];
}

export type FailureRow = [what: string, call: Call, failure: Failure];

/** A check for each row: this call fails in this way. */
export const failureChecks = (rows: readonly FailureRow[], more: Partial<Check> = {}): Check[] =>
  rows.map(([what, call, failure]) => ({
    title: `${what} is ${[failure.code, failure.reason].filter(Boolean).join(' ')}`,
    ...(failure.uncounted || failure.code === 'authentication_failed' ? { calls: 0, uncounted: 1 } : { calls: 1 }),
    run: async (api) => {
      await api.expectFailure(call, failure);
    },
    ...more,
  }));

/** What the contract promises and no key can provoke: it is listed with its reason. */
export const notCheckable = (title: string, why: string): Check => ({
  title,
  calls: 0,
  notCheckable: why,
  run: async () => undefined,
});

/** Failures with a code, by reason and details. */
const withCode =
  (code: string, message?: string) =>
  (reason?: string, details?: object): Failure => ({
    code,
    reason,
    ...(details && { details }),
    ...(message !== undefined && { message }),
  });

export const invalidRequest = withCode('invalid_request');
export const missingParameter = withCode('missing_parameter');
export const invalidParameter = withCode('invalid_parameter');
export const invalidState = withCode('invalid_state');
export const unauthenticated = withCode('authentication_failed', 'Invalid API key');
export const missingScope = withCode('insufficient_permissions', 'Missing required scope');
export const alreadyProcessed = withCode('already_processed');
export const emailFailed = withCode('email_send_error');

export const ROUTE_NOT_FOUND: Failure = { code: 'not_found', message: 'Not found', uncounted: true };
export const SERVICE_NOT_FOUND: Failure = { code: 'not_found', message: 'Service not found or access denied' };
export const REQUEST_NOT_FOUND: Failure = { code: 'not_found', message: 'Request not found or access denied' };

/** Faulty fields as `details` lists them: path and rule, in this order. */
export const fields = (...faults: Array<[path: string, rule: string]>) => ({
  fields: faults.map(([path, rule]) => ({ path, rule })),
});
