/**
 * Everything that can go wrong, as one union to branch on: what the API answers by `code` and `reason` (contract,
 * section 3), and what this client adds where no such answer came. A newer server may know further reasons: keep a
 * default branch.
 */

/** The words of `reason` by code; codes without an entry have none. */
export const REASONS = {
  invalid_request: [
    'https_required',
    'malformed_json',
    'not_an_object',
    'content_type',
    'body_too_large',
    'malformed_request',
  ],
  invalid_parameter: [
    'plan_not_available',
    'plan_is_current',
    'plan_rank_not_higher',
    'plan_rank_not_lower',
    'end_of_term_not_available',
    'recipient_not_verified',
    'report_too_large',
    'clock_out_of_range',
  ],
  invalid_state: [
    'service_cancelled',
    'service_terminated',
    'service_not_active',
    'cancellation_scheduled',
    'plan_change_in_progress',
    'billing_type_mismatch',
    'awaiting_operator',
    'awaiting_decision',
    'work_has_begun',
    'creation_closed',
    'suspension_in_progress',
    'service_suspended',
    'service_not_suspended',
    'suspended_by_operator',
    'sandbox_full',
  ],
  authentication_failed: ['missing', 'malformed', 'invalid', 'inactive', 'expired'],
  insufficient_permissions: ['missing_scope', 'ip_not_whitelisted'],
  rate_limit_exceeded: ['warning_limit'],
  already_processed: ['request_already_processed', 'idempotency_key_reused'],
  email_send_error: ['rejected', 'unreachable', 'outcome_unknown'],
} as const;

/** The status that each code is answered with. */
export const STATUSES = {
  invalid_request: 400,
  missing_parameter: 400,
  invalid_parameter: 400,
  invalid_state: 400,
  missing_customer_email: 400,
  template_not_found: 400,
  authentication_failed: 401,
  insufficient_permissions: 403,
  not_found: 404,
  already_processed: 409,
  rate_limit_exceeded: 429,
  email_send_error: 500,
  server_error: 500,
} as const;

export type ErrorCode = keyof typeof STATUSES;
type Reasoned = keyof typeof REASONS;
type ReasonOf<C extends Reasoned> = (typeof REASONS)[C][number];

/** One faulty field: where it stands (`body.client.email`, `query.limit`), which rule it broke, and why in words. */
export interface FieldFault {
  path: string;
  rule: 'required' | 'type' | 'blank' | 'too_long' | 'range' | 'format' | 'enum' | 'unknown' | 'repeated' | 'conflict';
  message: string;
}

interface Fields {
  fields: FieldFault[];
  /** How many more there are than the answer lists. */
  omitted?: number;
}

/** What some reasons tell beside themselves. */
interface ReasonDetails {
  expired: { expired_date: string };
  missing_scope: { required_scopes: string[]; granted_scopes: string[] };
  ip_not_whitelisted: { client_ip: string | null };
  cancellation_scheduled: { request_id: string };
  plan_change_in_progress: { request_id: string };
  suspension_in_progress: { request_id: string };
  request_already_processed: {
    request_status: string;
    processed_date: string | null;
    decision: { action: string; decided_by: string; reason: string | null; decided_date: string } | null;
  };
  warning_limit: LimitDetails;
  rejected: MailDetails;
  unreachable: MailDetails;
  outcome_unknown: MailDetails;
}

interface LimitDetails {
  limit: number;
  window_seconds: number;
  retry_after_seconds: number;
}

interface MailDetails {
  provider_code: string | number | null;
  /** Whether the email was certainly not sent, so that trying again cannot send it twice. */
  retryable: boolean;
}

/** What some codes tell without a reason. */
interface CodeDetails {
  missing_parameter: Fields;
  invalid_parameter: Fields;
  rate_limit_exceeded: LimitDetails;
}

interface Refusal<C extends ErrorCode, R, D> {
  code: C;
  reason: R;
  status: (typeof STATUSES)[C];
  /** For people; it may change, so do not branch on it. */
  message: string;
  details: D;
  /** The `X-Request-Id` to quote when asking for help. */
  requestId: string | null;
  retryAfterSeconds: number | null;
}

type Correlated = { correlation_id: string };
type DetailsOfReason<R> = Correlated & { reason: R } & (R extends keyof ReasonDetails ? ReasonDetails[R] : unknown);
type WithReason<C extends ErrorCode> = C extends Reasoned
  ? { [R in ReasonOf<C>]: Refusal<C, R, DetailsOfReason<R>> }[ReasonOf<C>]
  : never;
type WithoutReason<C extends ErrorCode> = C extends keyof CodeDetails
  ? Refusal<C, null, Correlated & CodeDetails[C]>
  : C extends Reasoned
    ? never
    : Refusal<C, null, Partial<Correlated>>;

/** An answer of the API in its error envelope. */
export type ApiFailure = { [C in ErrorCode]: WithReason<C> | WithoutReason<C> }[ErrorCode];

interface Silence<C extends string> {
  code: C;
  reason: null;
  /** The status of the answer, where one came. */
  status: number | null;
  message: string;
  details: Record<string, never>;
  requestId: string | null;
  retryAfterSeconds: number | null;
}

/**
 * What is no answer of the API: it took too long, the network failed, something between answered in its place, or a
 * request was not final within the time that `waitUntilFinal` was given. After the first three it is unknown what was
 * done: look at the outcome before you submit something anew.
 */
export type ClientFailure = Silence<'timeout' | 'network_failure' | 'unexpected_answer' | 'not_final_yet'>;

export type Failure = ApiFailure | ClientFailure;

/** What every call of the client throws. Branch on `failure.code` and `failure.reason`. */
export class BrokerError extends Error {
  override readonly name = 'BrokerError';
  readonly failure: Failure;
  /** How often the call was sent. */
  readonly attempts: number;

  constructor(failure: Failure, attempts: number, options?: ErrorOptions) {
    const reason = failure.reason === null ? '' : ` (${failure.reason})`;
    super(`${failure.code}${reason}: ${failure.message}`, options);
    this.failure = failure;
    this.attempts = attempts;
  }
}

/** The failure behind whatever was caught; undefined where it is none of ours. */
export const failureOf = (error: unknown): Failure | undefined =>
  error instanceof BrokerError ? error.failure : undefined;

/** A failure that is no answer of the API. */
export const silence = (
  code: ClientFailure['code'],
  message: string,
  known: Partial<Pick<ClientFailure, 'status' | 'requestId' | 'retryAfterSeconds'>> = {},
): ClientFailure => ({
  code,
  reason: null,
  status: null,
  message,
  details: {},
  requestId: null,
  retryAfterSeconds: null,
  ...known,
});
