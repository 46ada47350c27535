import { type Static, type TProperties, type TSchema, Type } from '@sinclair/typebox';
import { type ErrorCode, FIELD_RULES, MAX_FAULTS, REASONS, type Reason } from '../src/errors.ts';
import { SCOPES } from '../src/rules/scopes.ts';
import { REQUEST_STATUSES } from '../src/rules/words.ts';
import { IpAddress, Scope } from './access.ts';
import { Id, Nullable, OneOf, Shown, Timestamp, Whole } from './atoms.ts';
import { Decision } from './requests.ts';

/**
 * The details of each error code (contract, section 3), for the OpenAPI document. Answers are serialized with one schema
 * for all codes (envelope.ts); the tests check every error answer against these.
 */

const FieldFault = Type.Object(
  {
    path: Shown(1000, 'Where it is: `body.client.email`, `query.limit`, `header.x-idempotency-key`'),
    rule: OneOf(FIELD_RULES, { description: 'Which rule it broke' }),
    message: Shown(1000, 'For people'),
  },
  { component: 'FieldFault', description: 'A faulty field' },
);

const fields = (example: Static<typeof FieldFault>) => ({
  fields: Type.Array(FieldFault, {
    minItems: 1,
    maxItems: MAX_FAULTS,
    description: 'The faulty fields',
    examples: [[example]],
  }),
  omitted: Type.Optional(
    Whole(1, 1_000_000, 'How many faulty fields there are beyond those; absent where none is left out'),
  ),
});

const limit = (limited: string) => ({
  limit: Whole(1, 1_000_000, `${limited} that are allowed in a window`, { examples: [120] }),
  window_seconds: Whole(1, 86_400, 'How long the window is', { examples: [60] }),
  retry_after_seconds: Whole(1, 86_400, 'The same as the Retry-After header', { examples: [1] }),
});

const scopes = (description: string, example: readonly (typeof SCOPES)[number][]) =>
  Type.Array(Scope, { maxItems: SCOPES.length, description, examples: [example] });

const OfMail = {
  provider_code: Nullable(
    Shown(64, "The mail provider's own code, as it writes it; null where it gave none", { examples: ['406'] }),
  ),
  retryable: Type.Boolean({ description: 'Whether trying again can succeed, and cannot send the email twice' }),
};

/** The further fields of `details`, by reason; a reason that is not listed has none. */
const OF_REASONS: { [R in Reason]?: TProperties } = {
  expired: { expired_date: Timestamp('When the key ended.') },
  missing_scope: {
    required_scopes: scopes('One of these is needed', ['admin:full']),
    granted_scopes: scopes('What the key has', ['services:read']),
  },
  ip_not_whitelisted: {
    client_ip: Nullable(IpAddress('Where the call came from; null: what a proxy said is no address')),
  },
  cancellation_scheduled: {
    request_id: Type.Optional(Id('req', 'The cancellation that is open, where another one was requested')),
  },
  plan_change_in_progress: { request_id: Id('req', 'The plan change that is open') },
  suspension_in_progress: {
    request_id: Id('req', 'The suspension, or its end, that is open'),
    type: OneOf(['service-suspension', 'service-unsuspension'], { description: 'Which of the two it is' }),
  },
  action_in_progress: { request_id: Id('req', 'The action that is open') },
  sandbox_full: { limit: Whole(1, 10_000, 'How many of them a sandbox holds') },
  recipient_not_verified: fields({
    path: 'body.recipient_email',
    rule: 'enum',
    message: 'is not a verified address of the broker',
  }),
  records_lost: {
    lost_from: Timestamp('What was entered from then on may be lost.', '2026-03-01T09:29:50.000Z'),
    lost_until: Timestamp('Until then.', '2026-03-01T09:41:07.000Z'),
  },
  request_already_processed: {
    request_status: OneOf(REQUEST_STATUSES, { description: 'Status of the request' }),
    processed_date: Nullable(Timestamp('When the request became final; null: it has not.')),
    decision: Nullable(Decision, { description: 'Null where no decision was made' }),
  },
  warning_limit: limit('Warnings of one service'),
  rejected: OfMail,
  unreachable: OfMail,
  outcome_unknown: OfMail,
};

/** The fields of `details` for codes without a reason. */
const OF_CODES: { [C in ErrorCode]?: TProperties } = {
  missing_parameter: fields({ path: 'body.new_plan', rule: 'required', message: 'must not be missing' }),
  invalid_parameter: fields({ path: 'query.limit', rule: 'range', message: 'must be at most 100' }),
  rate_limit_exceeded: limit('Requests'),
};

const correlation_id = Shown(64, 'The same as the X-Request-Id header', {
  pattern: '^[\\w-]{1,50}-[0-9a-z]{1,12}$',
  examples: ['Yk3vQ0c1TzAB-1k'],
});

/** The message of the example of each code. */
const MESSAGES: Readonly<Record<ErrorCode, string>> = {
  invalid_request: 'Use HTTPS',
  missing_parameter: 'Missing or invalid: body.new_plan',
  invalid_parameter: 'Invalid: query.limit',
  invalid_state: 'The service is cancelled',
  missing_customer_email: 'The service has no valid client email address',
  template_not_found: 'There is no active cancellation-warning template',
  authentication_failed: 'Invalid API key',
  insufficient_permissions: 'Missing required scope',
  not_found: 'Service not found or access denied',
  already_processed: 'The idempotency key was used for a different request',
  rate_limit_exceeded: 'Rate limit exceeded',
  email_send_error: 'The email could not be sent',
  server_error: 'Internal server error',
};

/** The possible forms of a code's details: one for all reasons without further fields, one for each other reason. */
function formsOf(code: ErrorCode, more: Further): TSchema[] {
  const reasons: readonly string[] = [
    ...((REASONS as { [C in ErrorCode]?: readonly Reason[] })[code] ?? []),
    ...Object.keys(more),
  ];
  const fieldsOf = (reason: string): TProperties | undefined => more[reason]?.fields ?? OF_REASONS[reason as Reason];
  const alone = reasons.filter((reason) => fieldsOf(reason) === undefined);
  const further = reasons.filter((reason) => fieldsOf(reason) !== undefined);
  const form = (words: readonly string[], properties: TProperties = {}) =>
    Type.Object({
      ...(words.length > 0 && { reason: OneOf(words, { description: 'A stable word that splits the code further' }) }),
      ...properties,
      correlation_id,
    });
  return [
    ...(OF_CODES[code] ? [form([], OF_CODES[code])] : []),
    ...(alone.length > 0 ? [form(alone)] : []),
    ...further.map((reason) => form([reason], fieldsOf(reason))),
  ];
}

const pascal = (code: string) => code.replace(/(?:^|_)([a-z])/g, (_, letter: string) => letter.toUpperCase());

/** Reasons that an API has beside those of v1, with the further fields of their details. */
export type Further = Readonly<Record<string, { fields?: TProperties }>>;

const detailsOf = (only: TSchema, forms: TSchema[]): TSchema =>
  forms.length === 1 ? only : Type.Unsafe({ anyOf: forms });

/** The schema of `error` in an answer with this code. */
export function errorSchema(code: ErrorCode, more: Further = {}): TSchema {
  const forms = formsOf(code, more);
  const [only] = forms;
  return Type.Object(
    {
      code: Type.Literal(code),
      message: Shown(20_000, 'For people; do not branch on it', { examples: [MESSAGES[code]] }),
      ...(only && { details: code === 'not_found' ? Type.Optional(only) : detailsOf(only, forms) }),
    },
    { component: pascal(code) },
  );
}
