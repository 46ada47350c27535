import { type ErrorCode, REASONS, type ReasonOf } from '../errors.ts';
import type { Api } from '../reference/api.ts';

/** The meaning of each error code and what a caller does about it; Markdown in one line. */
const CODE_ADVICE: Readonly<Record<ErrorCode, string>> = {
  invalid_request: 'The request could not be read. Fix the JSON, the content type or the address.',
  missing_parameter: 'A required field is missing. See `details.fields`.',
  invalid_parameter: 'A value is wrong, or a rule refuses it. See `details.fields` or `details.reason`.',
  invalid_state: 'The record is in a state that does not allow this. Read the record; see `details.reason`.',
  missing_customer_email:
    'The service has no valid client address. Set one with `POST /v1/services/{service_number}/update`.',
  template_not_found: 'The broker has no active warning template. Ask your operator.',
  authentication_failed: 'The key is not accepted. See `details.reason`.',
  insufficient_permissions: 'The key lacks the scope, or your address is not allowed. See `details.reason`.',
  not_found: 'Your broker has no such record. Check the number, and whether the key is a live or a sandbox key.',
  already_processed: 'The request was decided before, or the idempotency key was used for something else.',
  rate_limit_exceeded: 'Too many calls, or too many warnings of one service. Wait for `Retry-After` seconds.',
  email_send_error: 'The email was not sent, or it is not known whether it was. See `details.retryable`.',
  server_error:
    'An internal failure. Read what was done, then repeat where that is safe: reads, and calls with an idempotency key.',
};

type Advised = { [C in keyof typeof REASONS]: ReasonOf<C> }[keyof typeof REASONS];

/** What a caller does about each reason; Markdown in one line. */
const REASON_ADVICE: Readonly<Record<Advised, string>> = {
  https_required: 'Call the `https` address. Treat a key that was sent unencrypted as leaked.',
  malformed_json: 'Send valid JSON in UTF-8, not compressed.',
  not_an_object: 'Send a JSON object.',
  content_type: 'Send `Content-Type: application/json`, with no other charset than UTF-8.',
  body_too_large: 'Send at most 64 KiB.',
  malformed_request: 'Correct the request line, the headers or the encoding of the address.',
  plan_not_available: 'Name an active plan of `GET /v1/plans` by id, slug or display name.',
  plan_is_current: 'Nothing: the service is on this plan.',
  plan_rank_not_higher: 'Downgrade instead, or choose a plan of a higher `upgrade_rank`.',
  plan_rank_not_lower: 'Upgrade instead, or choose a plan of a lower `upgrade_rank`.',
  end_of_term_not_available: 'Cancel a service that is billed hourly with `immediate`.',
  recipient_not_verified: 'Ask your operator to verify the address.',
  report_too_large: 'Narrow the report, or read the list.',
  clock_out_of_range: "Move the sandbox's clock forward, at most ten years ahead of the real date.",
  action_not_available: 'Name an action of the service: `GET /v1/services/{service_number}` lists them.',
  service_cancelled: 'Nothing: the service has ended.',
  service_terminated: 'Nothing: the service has ended.',
  service_not_active: 'Wait until the service is active, or end its suspension. Nothing where it has ended.',
  cancellation_scheduled: 'Withdraw the cancellation first, if it is not wanted.',
  plan_change_in_progress: 'Follow the open request, or withdraw it.',
  suspension_in_progress: 'Follow the open request until it is final.',
  action_in_progress: 'Follow the open request until it is final, or withdraw it.',
  service_suspended: 'Nothing: the service is suspended.',
  service_not_suspended: 'Nothing: the service is not suspended.',
  suspended_by_operator: 'Ask your operator, who alone can lift this suspension.',
  billing_type_mismatch: 'Choose a plan of the same `billing_type`.',
  awaiting_operator: 'Wait: the operator decides.',
  awaiting_decision: "Approve or deny the client's request.",
  asked_by_operator: 'Ask your operator, who submitted the request and alone can withdraw it.',
  work_has_begun: 'Wait until the request is final, then reverse it with another change.',
  creation_closed: 'Nothing: a cancellation closed this creation.',
  credentials_not_available: 'Nothing: there are none for this service.',
  sandbox_full: 'Reset the sandbox.',
  missing: 'Send `Authorization: Bearer` and the key.',
  malformed: 'Send one whole key after `Authorization: Bearer`.',
  invalid: 'Check the key and the server: no key with this text exists.',
  inactive: 'Get a new key: this one was revoked, or its broker is suspended.',
  expired: 'Get a new key.',
  missing_scope: 'Use a key with one of `required_scopes`.',
  ip_not_whitelisted: 'Give your operator `client_ip`.',
  warning_limit: 'This service was warned often enough today. Write to the client yourself.',
  records_lost:
    'The number may be that of a service whose record is lost. Mark it for your staff, delete nothing; ask your operator.',
  request_already_processed: 'Read the request: `request_status` and `decision` say what was decided.',
  idempotency_key_reused: 'Use a new key for a new intention.',
  rejected: 'Correct the address. Repeat where `retryable` is true.',
  unreachable: 'Repeat later: nothing was sent.',
  outcome_unknown: 'Ask your operator before you send it again.',
};

/** What the document says of failures (`x-errors`): each code with its advice and its reasons. */
export const errorAdvice = (statusOf: (code: ErrorCode) => number, { reasons: further }: Pick<Api, 'reasons'>) =>
  (Object.entries(CODE_ADVICE) as [ErrorCode, string][]).map(([code, advice]) => ({
    code,
    status: statusOf(code),
    advice,
    reasons: [
      ...reasonsOf(code).map((reason) => ({ reason: reason as string, advice: REASON_ADVICE[reason] })),
      ...Object.entries(further[code] ?? {}).map(([reason, { advice }]) => ({ reason, advice })),
    ],
  }));

/** The reasons of a code in v1; an empty list where it has none. */
export const reasonsOf = (code: ErrorCode): readonly Advised[] =>
  code in REASONS ? REASONS[code as keyof typeof REASONS] : [];
