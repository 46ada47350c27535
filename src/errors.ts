/**
 * The catalogue of failures (contract, section 3) and the one way to fail: throw an `ApiError`.
 * One handler (plugins/errors.ts) turns it into the envelope.
 */

/**
 * What refuses calls, in the order and with the numbers of the contract's section 2. `work` is the operation itself, and
 * `capacity` whatever refuses a call of any kind because the process has too much to do or ends. The numbers are stored.
 */
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
  'capacity',
] as const;

export type GateName = (typeof GATES)[number];

/** The number that is stored for a gate. */
export const gateNumber = (gate: GateName): number => GATES.indexOf(gate);
/** The gate that a stored number stands for. */
export const gateOf = (number: number): GateName => GATES[number] as GateName;

const STATUS = {
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

export type ErrorCode = keyof typeof STATUS;
export const ERROR_CODES = Object.keys(STATUS) as ErrorCode[];
/** Codes that are no refusal: the work itself failed. */
export const FAILURE_CODES = ERROR_CODES.filter((code) => STATUS[code] >= 500);

/** The possible values of `details.reason`, by code (contract, section 3 and the operations of section 6). */
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
    'action_not_available',
  ],
  invalid_state: [
    'service_cancelled',
    'service_terminated',
    'service_not_active',
    'cancellation_scheduled',
    'plan_change_in_progress',
    'suspension_in_progress',
    'action_in_progress',
    'service_suspended',
    'service_not_suspended',
    'suspended_by_operator',
    'billing_type_mismatch',
    'awaiting_operator',
    'awaiting_decision',
    'asked_by_operator',
    'work_has_begun',
    'creation_closed',
    'credentials_not_available',
    'sandbox_full',
  ],
  authentication_failed: ['missing', 'malformed', 'invalid', 'inactive', 'expired'],
  insufficient_permissions: ['missing_scope', 'ip_not_whitelisted'],
  rate_limit_exceeded: ['warning_limit'],
  not_found: ['records_lost'],
  already_processed: ['request_already_processed', 'idempotency_key_reused'],
  email_send_error: ['rejected', 'unreachable', 'outcome_unknown'],
} as const satisfies Partial<Record<ErrorCode, readonly string[]>>;

type Published = { [C in keyof typeof REASONS]: (typeof REASONS)[C][number] };

/** Reasons that only operators get; they are not part of v1. */
type OfOperators =
  | 'not_under_review'
  | 'missing_role'
  | 'refused'
  | 'confirmation_needed'
  | 'changed_meanwhile'
  | 'too_many_at_once';

/** The reasons that a code can carry. */
export type ReasonOf<C extends keyof Published> = Published[C];
export type Reason = Published[keyof Published] | OfOperators;

/** Every reason that a call can be refused with, each once. */
export const ALL_REASONS: readonly string[] = [...new Set(Object.values(REASONS).flat())].sort();

/** The status that a code is answered with. */
export const statusOf = (code: ErrorCode): number => STATUS[code];

/** The codes that a status can carry, for the documentation of an operation. */
export const codesOf = (status: number): ErrorCode[] => ERROR_CODES.filter((code) => STATUS[code] === status);

/** The rules that a field can break. */
export const FIELD_RULES = [
  'required',
  'type',
  'blank',
  'too_long',
  'range',
  'format',
  'enum',
  'unknown',
  'repeated',
  'conflict',
] as const;
export type FieldRule = (typeof FIELD_RULES)[number];

/** One faulty field: its path (`body.client.email`, `query.limit`), the rule it broke, and a message. */
export interface FieldFault {
  path: string;
  rule: FieldRule;
  message: string;
}

/** A field whose value is not the one any more that the operator saw, and what it is now. */
export interface StaleField extends Omit<FieldFault, 'rule'> {
  rule: 'changed_meanwhile';
  current: unknown;
}

export interface ErrorDetails {
  reason?: Reason;
  fields?: Array<FieldFault | StaleField>;
  [key: string]: unknown;
}

/** An error of the catalogue: thrown wherever a call is refused. */
export class ApiError extends Error {
  override readonly name = 'ApiError';
  readonly code: ErrorCode;
  /** What refused the call: no part of the answer, but of what is recorded of the call. */
  readonly gate: GateName;
  /** Shown as `error.details`, together with the correlation id. */
  readonly details: ErrorDetails | undefined;
  /** Whole seconds, at least 1: sent as `Retry-After`. */
  readonly retryAfterSeconds: number | undefined;
  private readonly status: number | undefined;

  constructor(
    code: ErrorCode,
    message: string,
    extra: {
      gate: GateName;
      details?: ErrorDetails;
      retryAfterSeconds?: number;
      statusCode?: number;
      cause?: unknown;
    },
  ) {
    super(message, { cause: extra.cause });
    this.code = code;
    this.gate = extra.gate;
    this.details = extra.details;
    this.retryAfterSeconds = extra.retryAfterSeconds;
    this.status = extra.statusCode;
  }

  get statusCode(): number {
    return this.status ?? STATUS[this.code];
  }
}

/** Faulty fields that one answer lists: a body of 64 KiB can have eight thousand, and the answer would be ten times as long. */
export const MAX_FAULTS = 50;

/** The failures that more than one place throws, named for what happened. */
export const fail = {
  malformedRequest: (message: string) => fail.invalidRequest('malformed_request', message),

  invalidRequest: (reason: ReasonOf<'invalid_request'>, message: string, gate: GateName = 'input') =>
    new ApiError('invalid_request', message, { gate, details: { reason } }),

  /** The faulty fields of one request, at most `MAX_FAULTS`; a missing field determines the code (section 3). */
  invalidFields: (faults: FieldFault[]) => {
    const isMissing = (fault: FieldFault) => fault.rule === 'required';
    const missing = faults.some(isMissing);
    const onlyServiceNumbers = faults.every((field) => field.path.endsWith('.service_number'));
    const omitted = Math.max(0, faults.length - MAX_FAULTS);
    // Missing fields first, because they determine the code and must not be omitted.
    const sorted = omitted > 0 ? faults.toSorted((a, b) => Number(isMissing(b)) - Number(isMissing(a))) : faults;
    const fields = sorted.slice(0, MAX_FAULTS);
    const named = fields.map((field) => field.path).join(', ');
    return new ApiError(
      missing ? 'missing_parameter' : 'invalid_parameter',
      missing ? `Missing or invalid: ${named}` : onlyServiceNumbers ? 'Invalid service number' : `Invalid: ${named}`,
      { gate: 'input', details: { fields, ...(omitted > 0 && { omitted }) } },
    );
  },

  /** A well-formed value that a business rule refuses. */
  invalidParameter: (reason: ReasonOf<'invalid_parameter'>, message: string, extra: ErrorDetails = {}) =>
    new ApiError('invalid_parameter', message, { gate: 'rules', details: { reason, ...extra } }),

  invalidState: (reason: ReasonOf<'invalid_state'> | OfOperators, message: string, extra: ErrorDetails = {}) =>
    new ApiError('invalid_state', message, { gate: 'rules', details: { reason, ...extra } }),

  unauthenticated: (reason: ReasonOf<'authentication_failed'>, extra: ErrorDetails = {}) =>
    new ApiError('authentication_failed', 'Invalid API key', {
      gate: 'authentication',
      details: { reason, ...extra },
    }),

  /** The key's own limit without a reason, or another limit by its reason. */
  rateLimited: (
    gate: GateName,
    limit: number,
    windowSeconds: number,
    retryAfterSeconds: number,
    reason?: ReasonOf<'rate_limit_exceeded'>,
  ) =>
    new ApiError('rate_limit_exceeded', 'Rate limit exceeded', {
      gate,
      details: {
        ...(reason && { reason }),
        limit,
        window_seconds: windowSeconds,
        retry_after_seconds: retryAfterSeconds,
      },
      retryAfterSeconds,
    }),

  /** An unknown path or method. `documentation`: the address of the documentation, named outside of v1. */
  routeNotFound: (documentation?: string) =>
    new ApiError('not_found', 'Not found', {
      gate: 'ownership',
      ...(documentation !== undefined && { details: { documentation } }),
    }),
  /** @param lost the loss for which its number was passed over; ISO dates */
  serviceNotFound: (lost?: { lost_from: string; lost_until: string }) =>
    new ApiError('not_found', 'Service not found or access denied', {
      gate: 'ownership',
      ...(lost && { details: { reason: 'records_lost', ...lost } }),
    }),
  requestNotFound: () => new ApiError('not_found', 'Request not found or access denied', { gate: 'ownership' }),

  /** Any unexpected error. The cause goes to the log, never into the answer. */
  internal: (cause?: unknown) => new ApiError('server_error', 'Internal server error', { gate: 'work', cause }),

  /** A call that failed for a while: no connection to the database, or a lock that was not released in time. */
  unavailable: (retryAfterSeconds: number, cause: unknown) => unavailable('work', retryAfterSeconds, cause),

  /** A call that was not begun: overload, shutdown, or a full queue. With a cause, which is logged, or without. */
  overloaded: (retryAfterSeconds: number, cause?: unknown) => unavailable('capacity', retryAfterSeconds, cause),
};

const unavailable = (gate: GateName, retryAfterSeconds: number, cause: unknown) =>
  new ApiError('server_error', 'Service temporarily unavailable', { gate, retryAfterSeconds, cause });

export type Refusal = ApiError | undefined;

/** Throws the refusal, where a rule gave one. */
export function refuseIf(refusal: Refusal): void {
  if (refusal) throw refusal;
}

/** The message of the innermost cause, in one line; outer messages contain queries and their values. */
export function innermost(error: unknown): string {
  let cause = error as Error & { code?: string };
  while (cause.cause instanceof Error) cause = cause.cause;
  return (cause.message || cause.code || cause.name).replace(/\s+/g, ' ').trim();
}
