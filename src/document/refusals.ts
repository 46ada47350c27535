import { errorSchema } from '../../schemas/failures.ts';
import type { ErrorCode } from '../errors.ts';
import type { Api } from '../reference/api.ts';
import { exampleOf } from './examples.ts';
import type { DescribedRoute } from './route.ts';
import { type Components, componentName, type DocumentSchema, type Json } from './schemas.ts';

/** An operation, for the examples of its refusals. */
export interface RefusingOperation {
  route: DescribedRoute;
  /** The reasons of each code, those of the operation itself behind those of the gates. */
  reasons: Readonly<Record<string, readonly string[]>>;
}

/** The examples that no operation changes; the others say what the operation itself refuses. */
const OF_ALL: ReadonlySet<ErrorCode> = new Set([
  'missing_customer_email',
  'template_not_found',
  'authentication_failed',
  'email_send_error',
  'rate_limit_exceeded',
  'server_error',
]);

/**
 * The examples of a status's codes. A mock answers a wrong call with the first one, so what callers do wrong most often
 * stands first.
 */
export function refusalsOf(
  codes: readonly ErrorCode[],
  operation: RefusingOperation,
  components: Components,
  api: Api,
): Json {
  const inOrder = codes.toSorted((a, b) => Number(a === 'invalid_request') - Number(b === 'invalid_request'));
  return Object.fromEntries(
    inOrder.map((code) => [
      code,
      OF_ALL.has(code)
        ? { $ref: `#/components/examples/${code}` }
        : { value: refusalOf(code, particularsOf(code, operation, api), components, api) },
    ]),
  );
}

/** What an example says in place of the code's own words. */
interface Particulars {
  reason?: string | undefined;
  message?: string | undefined;
  details?: Json;
}

/** The example of a code, in the envelope. */
export function refusalOf(code: ErrorCode, particulars: Particulars, components: Components, { reasons }: Api): Json {
  const { reason, message, details = {} } = particulars;
  const schema = components.of(errorSchema(code, reasons[code]));
  const { properties = {} } = components.schemas[componentName(schema.$ref)] ?? {};
  const whole = exampleOf(schema, components.schemas) as { message: string; details?: Json };
  const form = properties.details?.anyOf?.find(({ properties: { reason: words } = {} }) =>
    words?.enum?.includes(reason),
  );
  const inForm = form ? (exampleOf(form, components.schemas) as Json) : whole.details;
  const shown = { ...inForm, ...(reason !== undefined && { reason }), ...details };
  const usual = reason === undefined ? undefined : MESSAGES[reason];
  return {
    success: false,
    error: { ...whole, message: message ?? usual ?? whole.message, ...(whole.details && { details: shown }) },
  };
}

function particularsOf(code: ErrorCode, { route, reasons }: RefusingOperation, { permission }: Api): Particulars {
  const { needs, schema } = route;
  const known = reasons[code] ?? [];
  // The operation's own reason, where it has one of this code.
  const own = schema.reasons?.find((reason) => known.includes(reason));
  switch (code) {
    case 'invalid_request':
      return { reason: schema.body ? 'malformed_json' : 'malformed_request' };
    case 'missing_parameter': {
      const [name] = schema.body?.required ?? [];
      const fault = name === undefined ? NOTHING_TO_CHANGE : required(`body.${name}`);
      return { message: `Missing or invalid: ${fault.path}`, details: { fields: [fault] } };
    }
    case 'invalid_parameter': {
      const fault = faultOf(schema);
      return { message: `Invalid: ${fault.path}`, details: { fields: [fault] } };
    }
    case 'insufficient_permissions':
      if (needs.length === 0 || needs[0] === LEAST_ROLE) return { reason: 'ip_not_whitelisted' };
      return permission.reason === 'missing_scope'
        ? { reason: permission.reason, details: { required_scopes: needs, granted_scopes: [] } }
        : { reason: permission.reason, details: { required_role: needs[0] } };
    case 'invalid_state':
      return { reason: own ?? (schema.body?.properties?.confirm ? 'confirmation_needed' : known.at(-1)) };
    case 'already_processed': {
      if (own === 'request_already_processed') return { reason: own, details: { request_status: 'denied' } };
      if (!known.includes('changed_meanwhile')) return { reason: own ?? known[0] };
      return { reason: 'changed_meanwhile', details: { fields: [changed(comparedOf(schema))] } };
    }
    case 'not_found':
      return { message: notFound(route) };
    default:
      return { reason: own ?? known[0] };
  }
}

/** Every key has it. */
const LEAST_ROLE = 'viewer';

/** Where a value stands that may have changed: what the caller saw, or what the call names. */
function comparedOf({ params, body }: DescribedRoute['schema']): string {
  const { seen, ...others } = body?.properties ?? {};
  const [field] = Object.keys(seen?.properties ?? others);
  return field === undefined ? `path.${Object.keys(params?.properties ?? {})[0]}` : `body.${field}`;
}

const changed = (path: string) => ({
  path,
  rule: 'changed_meanwhile',
  message: 'was "Shop", is "Store" now',
  current: 'Store',
});

const required = (path: string) => ({ path, rule: 'required', message: 'is required' });
const NOTHING_TO_CHANGE = { ...required('body'), message: 'needs at least one field' };

/**
 * A fault in the first field that has a range or words of its own, else in a text; in the path, or in a query that the
 * operation does not have.
 */
function faultOf({ params, querystring, body }: DescribedRoute['schema']) {
  const fields = [...fieldsIn('body', body), ...fieldsIn('query', querystring)];
  const most = fields.find(({ field }) => field.maximum !== undefined);
  if (most) return { path: most.path, rule: 'range', message: `must be at most ${most.field.maximum}` };
  const chosen = fields.find(({ field }) => field.enum !== undefined);
  if (chosen) return { path: chosen.path, rule: 'enum', message: `must be one of ${chosen.field.enum?.join(', ')}` };
  const text = fields.find(({ path, field }) => path.startsWith('body.') && field.type === 'string');
  if (text) return { path: text.path, rule: 'type', message: 'must be string' };
  return params?.properties?.service_number
    ? { path: 'path.service_number', rule: 'format', message: 'must be a 64-bit integer in base 10' }
    : { path: 'query.extra', rule: 'unknown', message: 'is not known here' };
}

const fieldsIn = (place: string, { properties = {} }: DocumentSchema = {}) =>
  Object.entries(properties).map(([name, field]) => ({
    path: `${place}.${name}`,
    field: (field.document as DocumentSchema | undefined) ?? field,
  }));

/** In the words of the record that the path names last. */
function notFound({ url, schema }: DescribedRoute): string {
  const [name = ''] = Object.keys(schema.params?.properties ?? {}).slice(-1);
  if (url.startsWith('/api/')) {
    const record = { service_number: 'Service', request_id: 'Request' }[name];
    return record === undefined ? 'Not found' : `${record} not found or access denied`;
  }
  const noun = { service_number: 'service', slug: 'plan', kind: 'template' }[name] ?? name.replace(/_(id|number)$/, '');
  return noun === '' ? 'Not found' : `There is no ${noun} "none"`;
}

/** What the answers say, by reason. */
const MESSAGES: Readonly<Record<string, string>> = {
  action_in_progress: 'An action of this service is open already',
  asked_by_operator: 'The operator submitted this request and alone can withdraw it',
  awaiting_decision: 'The request waits for your decision',
  awaiting_operator: 'The operator decides on this request',
  cancellation_scheduled: 'A cancellation of this service is open already',
  changed_meanwhile: 'The record has changed meanwhile',
  confirmation_needed: 'This cannot be taken back',
  credentials_not_available: 'There are no credentials for this service',
  idempotency_key_reused: 'The idempotency key was used for a different request',
  ip_not_whitelisted: 'IP address not whitelisted',
  malformed_json: 'The body is not valid JSON',
  malformed_request: 'The request cannot be read',
  missing_role: 'Missing required role',
  not_under_review: 'The request does not wait for the operator',
  plan_change_in_progress: 'A plan change of this service is open already',
  refused: 'The record is in use',
  request_already_processed: 'The request was decided before',
  sandbox_full: 'The sandbox is full; reset it to begin anew',
  service_cancelled: 'The service is cancelled; nothing can be changed',
  service_not_active: 'The service is pending',
  service_not_suspended: 'The service is active, not suspended',
  service_suspended: 'The service is suspended already',
  service_terminated: 'The service is terminated; nothing can be changed',
  suspended_by_operator: 'The operator suspended this service',
  suspension_in_progress: 'A suspension of this service is open already',
};
