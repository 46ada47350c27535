/** One call of the walk: what it asks, what its answer has to be, and what later calls take from it. */
export interface Step {
  name: string;
  method: 'GET' | 'POST';
  /** Below the base address; `{{name}}` stands for what an earlier call kept. */
  path: string;
  body?: object;
  idempotent?: true;
  /** Ends the walk where the key is a live one: it would change real services. */
  sandboxOnly?: true;
  status: number;
  /** Fields of the answer by their path, and their values. */
  expect?: Readonly<Record<string, string | number>>;
  /** Variables, and the fields of the answer that they keep. */
  keep?: Readonly<Record<string, string>>;
}

export const WALK = 'A service from order to cancellation';

export const WALK_DOCS =
  "Runs from top to bottom with a sandbox key: each call checks its answer and hands on what the next one needs. The sandbox's clock is moved in place of waiting.";

const SERVICE = '/v1/services/{{walk_service}}';
const REQUEST = '/v1/requests/{{walk_request}}';
const KEEP = { walk_request: 'data.request_id' };

const change = (name: string, path: string, body: object, more: Partial<Step> = {}): Step => ({
  ...{ name, method: 'POST', path, body, idempotent: true, status: 200 },
  expect: { 'data.request_status': 'accepted' },
  keep: KEEP,
  ...more,
});
const clock = (what: string): Step => ({
  ...{ name: `Move the clock until ${what}`, method: 'POST', path: '/v1/sandbox/clock', status: 200 },
  body: { advance_seconds: 10 },
});
const look = (name: string, path: string, expect: Step['expect']): Step => ({
  ...{ name, method: 'GET', path, status: 200 },
  expect: expect ?? {},
});

export const STEPS: readonly Step[] = [
  { ...look('The key is one of a sandbox', '/v1/auth-check', { 'data.mode': 'test' }), sandboxOnly: true },
  change(
    'Order a service',
    '/v1/services',
    { plan: 'starter', client: { name: 'Ada Example', email: 'ada@example.com' } },
    { status: 201, keep: { ...KEEP, walk_service: 'data.service_number' } },
  ),
  clock('it is created'),
  look('The order is completed', REQUEST, { 'data.request_status': 'completed' }),
  look('The service is active', SERVICE, { 'data.service_status': 'active', 'data.plan.slug': 'starter' }),
  change('Ask for an upgrade', `${SERVICE}/upgrade`, { new_plan: 'business' }),
  {
    ...{ name: 'Withdraw it before its work begins', method: 'POST', path: `${REQUEST}/withdraw`, idempotent: true },
    status: 200,
    expect: { 'data.request_status': 'failed', 'data.failure.reason': 'withdrawn' },
  },
  change('Ask for the upgrade again', `${SERVICE}/upgrade`, { new_plan: 'business' }),
  clock('it is done'),
  look('The service has the plan', SERVICE, { 'data.plan.slug': 'business' }),
  change('Suspend the service', `${SERVICE}/suspend`, { reason: 'An invoice is overdue.' }),
  clock('it is suspended'),
  look('The service is suspended', SERVICE, { 'data.service_status': 'suspended' }),
  change('Lift the suspension', `${SERVICE}/unsuspend`, {}),
  clock('it is active'),
  change('Cancel the service at once', `${SERVICE}/cancel`, { cancellation_type: 'immediate' }),
  clock('it has ended'),
  look('The service is cancelled', SERVICE, { 'data.service_status': 'cancelled' }),
  look('All six requests are there', '/v1/requests?service_number={{walk_service}}', { 'pagination.total': 6 }),
];
