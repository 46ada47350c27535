import type { components } from '../../client/src/generated/schema.ts';

/**
 * What records look like (contract, section 6), in a notation of this kit: a word for a value, `?` behind a word for
 * one that may be null, `?` behind a name for a field that may be absent, an array of one for lists. Fields beyond
 * these are no fault: a newer server may have more.
 */
export type Shape = Word | Words | readonly [Shape] | { readonly [field: string]: Shape } | Maybe;
type Word = 'text' | 'text?' | 'whole' | 'whole?' | 'number?' | 'flag' | 'moment' | 'moment?' | 'money';

class Words {
  readonly allowed: readonly unknown[];
  constructor(allowed: readonly unknown[]) {
    this.allowed = allowed;
  }
}

class Maybe {
  readonly shape: Shape;
  constructor(shape: Shape) {
    this.shape = shape;
  }
}

type Schemas = components['schemas'];
/** The fields of the client's type, no more and no fewer: the compiler holds the shapes to it. */
type Fields<T> = { readonly [Name in keyof T]-?: Shape };
/** What all members of a union have. */
type Common<T> = Pick<T, keyof T>;

const words = <T>(...allowed: T[]) => new Words(allowed);
const orNull = (shape: Shape) => new Maybe(shape);

const BILLING = words<Schemas['BillingType']>('monthly', 'hourly');
const SERVICE_STATUS = words<Schemas['ServiceStatus']>('pending', 'active', 'suspended', 'cancelled', 'terminated');
const REQUEST_STATUS = words<Schemas['RequestStatus']>(
  'pending',
  'operator_review',
  'accepted',
  'completed',
  'failed',
  'approved',
  'denied',
);
const REQUEST_TYPE = words<Schemas['RequestType']>(
  'cancellation-warning',
  'plan-upgrade',
  'plan-downgrade',
  'cancellation',
  'service-suspension',
  'service-unsuspension',
  'service-creation',
);

const nestedPlan = {
  id: 'text',
  slug: 'text',
  display_name: 'text',
  upgrade_rank: 'whole',
  billing_type: BILLING,
} as const satisfies Fields<Schemas['NestedPlan']>;
const specifications = orNull({
  vcpu: 'whole?',
  memory_mb: 'whole?',
  disk_gb: 'whole?',
  transfer_gb: 'whole?',
} satisfies Fields<Schemas['Specifications']>);
const price = orNull({ amount: 'money', currency: 'text' } satisfies Fields<Schemas['Price']>);
const marks = { mode: words('test'), simulated: words(true) };

const request = {
  request_id: 'text',
  type: REQUEST_TYPE,
  request_status: REQUEST_STATUS,
  operator_review: 'flag',
  service_number: 'whole',
  origin: words<Schemas['Request']['origin']>('client', 'broker', 'operator'),
  submitted_date: 'moment',
  updated_date: 'moment',
  processed_date: 'moment?',
  decision: orNull({
    action: words<Schemas['Decision']['action']>('approve', 'deny', 'accept'),
    decided_by: words<Schemas['Decision']['decided_by']>('broker', 'operator'),
    reason: 'text?',
    decided_date: 'moment',
  } satisfies Fields<Schemas['Decision']>),
  failure: orNull({
    reason: 'text',
    message: 'text',
    service_usable: 'flag',
    retryable: 'flag',
  } satisfies Fields<Schemas['WorkFailure']>),
  is_final: 'flag',
  next_check_seconds: 'whole?',
  ...marks,
} as const satisfies Fields<Common<Schemas['Request']>>;

const broker = {
  broker_id: 'text',
  name: 'text',
  broker_status: words('active'),
} as const satisfies Fields<Schemas['Broker']>;
const apiKey = {
  key_id: 'text',
  name: 'text',
  key_prefix: 'text',
  key_status: words('active'),
  created_date: 'moment',
  expires_date: 'moment?',
  last_used_date: 'moment?',
  last_used_ip: 'text?',
} as const satisfies Fields<Schemas['ApiKey']>;

export const SHAPES = {
  access: {
    authenticated: words(true),
    mode: words('test'),
    broker,
    api_key: apiKey,
    permissions: { scopes: ['text'], can_create_services: 'flag' },
    network: { client_ip: 'text', ip_restriction_enabled: 'flag', matched_rule: 'text?' },
    rate_limit: { limit: 'whole', remaining: 'whole', window_seconds: 'whole', reset_seconds: 'whole' },
    server_date: 'moment',
    api_version: words('v1'),
  } satisfies Fields<Schemas['AccessReport']>,
  authorization: {
    authenticated: words(true),
    authorized: words(true),
    required_scopes: ['text'],
    matched_scope: 'text',
    mode: words('test'),
    broker,
    api_key: apiKey,
  } satisfies Fields<Schemas['AuthorizationReport']>,
  service: {
    service_number: 'whole',
    service_status: SERVICE_STATUS,
    label: 'text?',
    external_reference: 'text?',
    client: { name: 'text', email: 'text?' },
    plan: nestedPlan,
    specifications,
    price,
    created_date: 'moment',
    updated_date: 'moment',
    renewal_date: 'moment?',
    cancelled_date: 'moment?',
    cancellation: orNull({
      cancellation_type: words<Schemas['CancellationType']>('end_of_term', 'immediate'),
      effective_date: 'moment',
      request_id: 'text',
    } satisfies Fields<Schemas['ScheduledCancellation']>),
    suspension: orNull({
      suspended_by: words<Schemas['Suspension']['suspended_by']>('broker', 'operator'),
      reason: 'text?',
      suspended_date: 'moment',
    } satisfies Fields<Schemas['Suspension']>),
    open_request: orNull({ request_id: 'text', type: REQUEST_TYPE, request_status: REQUEST_STATUS }),
    ...marks,
  } satisfies Fields<Schemas['Service']>,
  plan: {
    ...nestedPlan,
    description: 'text?',
    specifications,
    price,
    requires_operator_review: 'flag',
    ...marks,
  } satisfies Fields<Schemas['Plan']>,
  planChange: {
    request_id: 'text',
    type: words('plan-upgrade', 'plan-downgrade'),
    request_status: words('accepted', 'operator_review'),
    operator_review: 'flag',
    service_number: 'whole',
    service_status: SERVICE_STATUS,
    current_plan: nestedPlan,
    new_plan: nestedPlan,
    effective_date: 'moment?',
    submitted_date: 'moment',
    processed_date: 'moment?',
    is_final: 'flag',
    next_check_seconds: 'whole?',
    ...marks,
  } satisfies Fields<Schemas['PlanChange']>,
  upgradeOptions: {
    current_plan: nestedPlan,
    available: [{ ...nestedPlan, operator_review: 'flag' }],
    unavailable: [{ plan: nestedPlan, reason: 'text' }],
    ...marks,
  } satisfies Fields<Schemas['UpgradeOptions']>,
  warning: {
    request_id: 'text?',
    type: words('cancellation-warning'),
    request_status: words('approved'),
    service_number: 'whole?',
    warning_reason: 'text',
    submitted_date: 'moment',
    processed_date: 'moment',
    ...marks,
  } satisfies Fields<Schemas['CancellationWarning']>,
  request,
  creation: { ...request, service_status: SERVICE_STATUS, new_plan: nestedPlan },
  requestWithHistory: {
    ...request,
    history: [{ request_status: REQUEST_STATUS, date: 'moment', actor: 'text', note: 'text?' }],
  },
  report: {
    report_id: 'text',
    type: words('services-report', 'invoices-report'),
    report_status: words('sent'),
    recipient_email: 'text',
    row_count: 'whole',
    period_from: 'moment?',
    period_to: 'moment?',
    submitted_date: 'moment',
    processed_date: 'moment',
    ...marks,
  } satisfies Fields<Schemas['Report']>,
  usage: {
    from_date: 'moment',
    operation: 'text',
    outcome: 'text',
    calls: 'whole',
    p50_ms: 'number?',
    p99_ms: 'number?',
  } satisfies Fields<Schemas['UsageItem']>,
  scenario: {
    scenario: 'text',
    kind: words('service', 'request', 'plan'),
    service_number: 'whole?',
    request_id: 'text?',
    plan_id: 'text?',
    description: 'text',
    provokes: [{ operation: 'text', status: 'whole', code: 'text?', reason: 'text?' }],
  } satisfies Fields<Schemas['Scenario']>,
  health: { status: words('ok', 'degraded'), checks: {} },
} as const satisfies Record<string, Shape>;

export type ShapeName = keyof typeof SHAPES;

export const MOMENT = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

const VALUES: Record<string, (value: unknown) => boolean> = {
  text: (value) => typeof value === 'string',
  whole: (value) => Number.isSafeInteger(value),
  number: (value) => typeof value === 'number',
  flag: (value) => typeof value === 'boolean',
  moment: (value) => typeof value === 'string' && MOMENT.test(value) && !Number.isNaN(Date.parse(value)),
  // Text, because a number would be rounded on its way.
  money: (value) => typeof value === 'string' && /^\d+(\.\d+)?$/.test(value),
};

/** Where a value departs from a shape, a sentence each; empty where it does not. */
export function departures(value: unknown, shape: Shape, path = 'data'): string[] {
  if (shape instanceof Maybe) return value === null ? [] : departures(value, shape.shape, path);
  if (shape instanceof Words) {
    return shape.allowed.includes(value)
      ? []
      : [`${path} is ${shown(value)}, not ${shape.allowed.map(shown).join(' or ')}`];
  }
  if (typeof shape === 'string') {
    const word = shape.replace('?', '');
    const fits = (value === null && word !== shape) || VALUES[word]?.(value);
    return fits ? [] : [`${path} is ${shown(value)}, where a ${word}${word === shape ? '' : ' or null'} belongs`];
  }
  if (Array.isArray(shape)) {
    if (!Array.isArray(value)) return [`${path} is no list`];
    return value.flatMap((item, index) => departures(item, shape[0], `${path}.${index}`));
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return [`${path} is no object`];
  const record = value as Record<string, unknown>;
  return Object.entries(shape as Record<string, Shape>).flatMap(([name, inner]) => {
    const field = name.replace(/\?$/, '');
    if (field in record) return departures(record[field], inner, `${path}.${field}`);
    return field === name ? [`${path}.${field} is missing`] : [];
  });
}

/** Where a value departs from a part of it that is expected; an array has to be as long as the expected one. */
export function differences(value: unknown, expected: unknown, path = 'answer'): string[] {
  if (typeof expected !== 'object' || expected === null) {
    return Object.is(value, expected) ? [] : [`${path} is ${shown(value)}, not ${shown(expected)}`];
  }
  if (typeof value !== 'object' || value === null) return [`${path} is ${shown(value)}, not ${shown(expected)}`];
  if (Array.isArray(expected) && (!Array.isArray(value) || value.length !== expected.length)) {
    return [`${path} is ${shown(value)}, not ${shown(expected)}`];
  }
  return Object.entries(expected).flatMap(([name, inner]) =>
    differences((value as Record<string, unknown>)[name], inner, `${path}.${name}`),
  );
}

/** The value at a path such as `data.0.plan.slug`; undefined where there is none. */
export function at(value: unknown, path: string): unknown {
  let found = value;
  for (const name of path.split('.')) {
    if (typeof found !== 'object' || found === null) return undefined;
    found = (found as Record<string, unknown>)[name];
  }
  return found;
}

/** The list at a path; an empty one where there is none, which the rules have complained about. */
export const listAt = (value: unknown, path: string): unknown[] => {
  const found = at(value, path);
  return Array.isArray(found) ? found : [];
};

const shown = (value: unknown): string => {
  if (value === undefined) return 'absent';
  const text = JSON.stringify(value);
  return text.length > 120 ? `${text.slice(0, 120)}...` : text;
};
