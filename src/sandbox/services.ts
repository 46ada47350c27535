import type { ErrorCode, Reason } from '../errors.ts';
import type { RequestType } from '../kinds/index.ts';
import type { MailFailure, WorkFailure } from '../ports.ts';
import type { Access } from '../rules/access.ts';
import type { Action, PlanOffer } from '../rules/offers.ts';
import type { Configuration, Option } from '../rules/options.ts';
import type { BillingType, RequestStatus, ServiceStatus } from '../rules/words.ts';
import type { RequestRow } from '../store/queries/requests.ts';
import type { ServiceRow } from '../store/queries/services.ts';

/**
 * The records of a sandbox as it is made, and how they behave (contract, section 8). This is what a sandbox is filled with
 * (seed.ts), what its behaviour follows, and what `GET /v1/sandbox/scenarios` publishes.
 */

/** An answer that a call can get in a sandbox as it is made. */
export type ExpectedAnswer = readonly [operation: string, status: number, code?: ErrorCode, reason?: Reason];

export interface SandboxPlan {
  slug: string;
  name: string;
  rank: number;
  billing: BillingType;
  vcpu: number;
  memoryMb: number;
  diskGb: number;
  price: string;
  expectedAnswers: readonly ExpectedAnswer[];
}

export const planId = (slug: string) => `pln_test_${slug}`;

export const PLANS: readonly SandboxPlan[] = [
  {
    ...{ slug: 'starter', name: 'Starter', rank: 10, billing: 'monthly', price: '5.00' },
    ...{ vcpu: 1, memoryMb: 1024, diskGb: 20 },
    expectedAnswers: [
      ['createService', 201],
      ['upgradeService', 400, 'invalid_parameter', 'plan_is_current'],
    ],
  },
  {
    ...{ slug: 'business', name: 'Business', rank: 20, billing: 'monthly', price: '15.00' },
    ...{ vcpu: 2, memoryMb: 4096, diskGb: 40 },
    expectedAnswers: [
      ['upgradeService', 200],
      ['downgradeService', 400, 'invalid_parameter', 'plan_rank_not_lower'],
    ],
  },
  {
    ...{
      slug: 'enterprise',
      name: 'Enterprise',
      rank: 30,
      billing: 'monthly',
      vcpu: 8,
      memoryMb: 16384,
      diskGb: 40,
      price: '60.00',
    },
    expectedAnswers: [['upgradeService', 200]],
  },
  {
    ...{
      slug: 'flex-hourly',
      name: 'Flex Hourly',
      rank: 40,
      billing: 'hourly',
      vcpu: 4,
      memoryMb: 8192,
      diskGb: 80,
      price: '0.05',
    },
    expectedAnswers: [['upgradeService', 400, 'invalid_state', 'billing_type_mismatch']],
  },
];

const option = (fields: Pick<Option, 'name' | 'display_name' | 'type'> & Partial<Option>): Option => ({
  description: null,
  required: false,
  default: null,
  ...fields,
});

const IMAGES = { 'debian-13': 'Debian 13', 'ubuntu-26.04': 'Ubuntu 26.04', 'alpine-4': 'Alpine 4' };

const IMAGE = option({
  name: 'image',
  display_name: 'Operating system',
  type: 'choice',
  default: 'debian-13',
  choices: Object.entries(IMAGES).map(([value, display_name]) => ({ value, display_name })),
});

const action = (name: string, display_name: string, fields: Partial<Action> = {}): Action => ({
  ...{ name, display_name, description: null, options: [], requires_operator_review: false, destroys_data: false },
  ...fields,
});

/** What every plan of a sandbox offers. */
export const OFFER: PlanOffer = {
  options: [
    IMAGE,
    option({ name: 'hostname', display_name: 'Host name', type: 'text', format: 'hostname', max_length: 253 }),
    option({ name: 'ssh_key', display_name: 'SSH key', type: 'text', format: 'ssh_public_key', max_length: 4000 }),
  ],
  actions: [
    action('start', 'Start'),
    action('stop', 'Stop'),
    action('reboot', 'Restart'),
    action('reinstall', 'Install anew', { options: [IMAGE], destroys_data: true }),
    action('reset_password', 'Set a new password'),
    action('console', 'Open a console', { requires_operator_review: true }),
  ],
  hasCredentials: true,
  provisioning: null,
};

const panelOf = (number: number) => `https://panel.example.com/services/${number}`;

/** How the client reaches a service of the sandbox: documentation addresses (RFC 5737, RFC 3849), by its number. */
export const accessOfNumber = (number: number, { hostname }: Configuration = {}): Access => ({
  hostname: typeof hostname === 'string' ? hostname : `vps-${number}.example.com`,
  ip_addresses: [`192.0.2.${1 + (number % 254)}`, `2001:db8::${(number % 0x10000).toString(16)}`],
  username: 'root',
  login_url: panelOf(number),
  notes: null,
});

/** The same while a console is open. */
export const consoleOfNumber = (number: number, configuration: Configuration): Access => ({
  ...accessOfNumber(number, configuration),
  login_url: `${panelOf(number)}/console`,
});

/** What happens beyond what the records say. */
export interface Behaviour {
  /** Every plan change is reviewed. */
  reviewed?: true;
  /** The operator denies what is reviewed; without it all is accepted, some time after the review has begun. */
  operator?: 'denies';
  /** Accepted work fails in the end. */
  fails?: true;
  /** The outcome of its creation is lost. */
  losesCreation?: true;
  /** There are no credentials for it. */
  noCredentials?: true;
  /** What goes wrong when the client is warned. */
  warning?: 'no_address' | 'no_template' | 'no_history' | MailFailure['reason'];
  /** Every operation that names the service is refused. */
  refuses?: 'rate_limit_exceeded' | 'server_error';
  /** What its client requests as soon as a service with this behaviour is active. */
  client?: 'plan-upgrade' | 'cancellation';
}

export interface SandboxService {
  number: number;
  description: string;
  service?: Partial<Pick<ServiceRow, 'status' | 'planId' | 'clientEmail' | 'suspendedBy'>> & { status?: ServiceStatus };
  behaviour?: Behaviour;
  /** The behaviour that created services can borrow: the row's own, or one that stands for what its record says. */
  inheritable?: true | Behaviour;
  expectedAnswers: readonly ExpectedAnswer[];
}

const ended = (reason: 'service_cancelled' | 'service_terminated'): ExpectedAnswer[] => [
  ['cancelService', 400, 'invalid_state', reason],
  ['warnCancellation', 400, 'invalid_state', reason],
  ['updateService', 400, 'invalid_state', reason],
  ['upgradeService', 400, 'invalid_state', 'service_not_active'],
];

const refusing = (status: number, code: ErrorCode): ExpectedAnswer[] =>
  ['getService', 'listUpgradeOptions', 'upgradeService', 'cancelService', 'warnCancellation'].map((operation) => [
    operation,
    status,
    code,
  ]);

export const SERVICES: readonly SandboxService[] = [
  {
    number: 900001,
    description: 'Everything succeeds. Upgrade it, advance the clock by 7 seconds: the work can no longer be withdrawn',
    expectedAnswers: [
      ['upgradeService', 200],
      ['cancelService', 200],
      ['suspendService', 200],
      ['unsuspendService', 400, 'invalid_state', 'service_not_suspended'],
      ['warnCancellation', 200],
      ['upgradeService', 400, 'invalid_parameter', 'plan_not_available'],
      ['upgradeService', 409, 'already_processed', 'idempotency_key_reused'],
      ['withdrawRequest', 400, 'invalid_state', 'work_has_begun'],
      ['sendInvoicesReport', 400, 'invalid_parameter', 'recipient_not_verified'],
    ],
  },
  {
    number: 900002,
    description: 'A plan change goes to review (202); the operator accepts it after 20 s',
    behaviour: { reviewed: true },
    inheritable: true,
    expectedAnswers: [['upgradeService', 202]],
  },
  {
    number: 900003,
    description: 'A plan change goes to review (202); the operator denies it after 20 s',
    behaviour: { reviewed: true, operator: 'denies' },
    inheritable: true,
    expectedAnswers: [['upgradeService', 202]],
  },
  {
    number: 900004,
    description: 'The service is cancelled',
    service: { status: 'cancelled' },
    expectedAnswers: ended('service_cancelled'),
  },
  {
    number: 900005,
    description: 'The service is terminated',
    service: { status: 'terminated' },
    expectedAnswers: ended('service_terminated'),
  },
  {
    number: 900006,
    description: 'The client has no email address',
    service: { clientEmail: null },
    inheritable: { warning: 'no_address' },
    expectedAnswers: [['warnCancellation', 400, 'missing_customer_email']],
  },
  {
    number: 900007,
    description: 'The broker has no active cancellation-warning template',
    behaviour: { warning: 'no_template' },
    inheritable: true,
    expectedAnswers: [['warnCancellation', 400, 'template_not_found']],
  },
  {
    number: 900008,
    description: 'The mail provider refuses the email',
    behaviour: { warning: 'rejected' },
    inheritable: true,
    expectedAnswers: [['warnCancellation', 500, 'email_send_error', 'rejected']],
  },
  {
    number: 900009,
    description: 'The warning is sent and its history entry cannot be saved: request_id is null',
    behaviour: { warning: 'no_history' },
    inheritable: true,
    expectedAnswers: [['warnCancellation', 200]],
  },
  {
    number: 900010,
    description: 'The service is billed hourly',
    service: { planId: planId('flex-hourly') },
    expectedAnswers: [
      ['cancelService', 400, 'invalid_parameter', 'end_of_term_not_available'],
      ['downgradeService', 400, 'invalid_state', 'billing_type_mismatch'],
    ],
  },
  {
    number: 900011,
    description: 'All accepted work fails in the end',
    behaviour: { fails: true },
    inheritable: true,
    expectedAnswers: [['upgradeService', 200]],
  },
  {
    number: 900012,
    description: 'An upgrade is under review by the operator, who never decides; withdraw it to go on',
    expectedAnswers: [['upgradeService', 400, 'invalid_state', 'plan_change_in_progress']],
  },
  {
    number: 900013,
    description: 'On the Enterprise plan, for downgrades; one that shrinks the disk, to Starter, is reviewed (202)',
    service: { planId: planId('enterprise') },
    expectedAnswers: [
      ['downgradeService', 200],
      ['upgradeService', 400, 'invalid_parameter', 'plan_rank_not_higher'],
    ],
  },
  {
    number: 900014,
    description: 'The service is suspended by the broker',
    service: {
      status: 'suspended',
      suspendedBy: 'broker',
    },
    expectedAnswers: [
      ['unsuspendService', 200],
      ['suspendService', 400, 'invalid_state', 'service_suspended'],
      ['upgradeService', 400, 'invalid_state', 'service_not_active'],
    ],
  },
  {
    number: 900015,
    description: 'A cancellation is scheduled for a day that no clock reaches',
    expectedAnswers: [
      ['cancelService', 400, 'invalid_state', 'cancellation_scheduled'],
      ['upgradeService', 400, 'invalid_state', 'cancellation_scheduled'],
    ],
  },
  {
    number: 900016,
    description: 'Pending for good. Cancel it: that closes its creation, and can then not be withdrawn',
    service: { status: 'pending' },
    expectedAnswers: [
      ['upgradeService', 400, 'invalid_state', 'service_not_active'],
      ['withdrawRequest', 400, 'invalid_state', 'creation_closed'],
    ],
  },
  {
    number: 900017,
    description: 'It stays unknown whether the email was sent',
    behaviour: { warning: 'outcome_unknown' },
    inheritable: true,
    expectedAnswers: [['warnCancellation', 500, 'email_send_error', 'outcome_unknown']],
  },
  {
    number: 900018,
    description:
      'On the Business plan; every plan change, up or down, goes to review (202) and the operator accepts it after 20 s',
    service: { planId: planId('business') },
    behaviour: { reviewed: true },
    inheritable: true,
    expectedAnswers: [
      ['upgradeService', 202],
      ['downgradeService', 202],
    ],
  },
  {
    number: 900019,
    description: 'The service is suspended by the operator',
    service: {
      status: 'suspended',
      suspendedBy: 'operator',
    },
    expectedAnswers: [
      ['unsuspendService', 400, 'invalid_state', 'suspended_by_operator'],
      ['upgradeService', 400, 'invalid_state', 'service_not_active'],
    ],
  },
  {
    number: 900021,
    description: 'The mail provider cannot be reached',
    behaviour: { warning: 'unreachable' },
    inheritable: true,
    expectedAnswers: [['warnCancellation', 500, 'email_send_error', 'unreachable']],
  },
  {
    number: 900022,
    description: 'Its client asks for an upgrade, which waits for your decision',
    behaviour: { client: 'plan-upgrade' },
    inheritable: true,
    expectedAnswers: [['upgradeService', 400, 'invalid_state', 'plan_change_in_progress']],
  },
  {
    number: 900023,
    description: 'Its client asks for a cancellation, which waits for your decision',
    behaviour: { client: 'cancellation' },
    inheritable: true,
    expectedAnswers: [['cancelService', 400, 'invalid_state', 'cancellation_scheduled']],
  },
  {
    number: 900024,
    description: 'There are no credentials for the service',
    behaviour: { noCredentials: true },
    inheritable: true,
    expectedAnswers: [['readCredentials', 400, 'invalid_state', 'credentials_not_available']],
  },
  {
    number: 900025,
    description:
      'Created like this one: the outcome of the creation is lost. It fails with outcome_unknown, the operator starts a ' +
      'cancellation that cleans up, and the service is terminated',
    behaviour: { losesCreation: true },
    inheritable: true,
    expectedAnswers: [['getService', 200]],
  },
  {
    number: 900429,
    description: 'Every operation that names it answers 429 with Retry-After 1',
    behaviour: { refuses: 'rate_limit_exceeded' },
    inheritable: true,
    expectedAnswers: refusing(429, 'rate_limit_exceeded'),
  },
  {
    number: 900500,
    description: 'Every operation that names it answers 500',
    behaviour: { refuses: 'server_error' },
    inheritable: true,
    expectedAnswers: refusing(500, 'server_error'),
  },
];

/** What three of the services consumed, in decimal strings of gigabytes; null: not measured. */
export const CONSUMPTION = [
  { number: 900001, diskGb: '12.5', transferGb: '340.125' },
  { number: 900002, diskGb: '3.75', transferGb: null },
  { number: 900003, diskGb: '20', transferGb: '2048' },
];

/** The number of the first service that a caller creates. */
export const FIRST_CREATED = 950001;

/** How a service behaves: by its number, or, where a caller created it, by the row that its reference names. */
export function behaviourOf({
  number,
  externalReference,
}: Pick<ServiceRow, 'number' | 'externalReference'>): Behaviour {
  if (number < FIRST_CREATED) return ROWS.get(number)?.behaviour ?? {};
  const row = ROWS.get(Number(/^like-(\d{6})$/.exec(externalReference ?? '')?.[1]));
  return (row?.inheritable === true ? row.behaviour : row?.inheritable) ?? {};
}

const ROWS = new Map(SERVICES.map((service) => [service.number, service]));

export const SIMULATED_FAILURE: WorkFailure = {
  reason: 'provisioning_failed',
  message: 'The work could not be done; the service is as it was before',
  serviceUsable: true,
  retryable: true,
};

/** A day that no clock reaches. */
const NEVER = Date.UTC(9999, 11, 31);

const DAY = 86_400_000;
const MINUTE = 60_000;

export interface SampleRequest {
  /** The id's end. */
  name: string;
  number: number;
  description: string;
  type: RequestType;
  status: RequestStatus;
  /** Before the sandbox was made, in milliseconds. */
  age: number;
  /** From its submission to its end. */
  lasted?: number;
  fields: Pick<RequestRow, 'origin'> & Partial<RequestRow>;
  expectedAnswers: readonly ExpectedAnswer[];
}

const upgrade = (newPlan: string) => ({ currentPlanId: planId('starter'), newPlanId: planId(newPlan) });
const final: ExpectedAnswer[] = [
  ['approveRequest', 409, 'already_processed', 'request_already_processed'],
  ['withdrawRequest', 409, 'already_processed', 'request_already_processed'],
];
const pending: ExpectedAnswer[] = [
  ['approveRequest', 200],
  ['denyRequest', 200],
  ['withdrawRequest', 400, 'invalid_state', 'awaiting_decision'],
];

/** One request in each state at least, newest first; their ids never change, and nothing is planned for them. */
export const SAMPLES: readonly SampleRequest[] = [
  {
    ...{ name: 'pending', number: 900022, type: 'plan-upgrade', status: 'pending', age: DAY },
    description: 'A client asks for an upgrade; approve or deny it',
    fields: { origin: 'client', ...upgrade('business') },
    expectedAnswers: pending,
  },
  {
    ...{ name: 'pending_cancellation', number: 900023, type: 'cancellation', status: 'pending', age: 2 * DAY },
    description: 'A client asks for a cancellation; approve or deny it',
    fields: { origin: 'client', cancellationType: 'end_of_term' },
    expectedAnswers: pending,
  },
  {
    ...{ name: 'operator_review', number: 900012, type: 'plan-upgrade', status: 'operator_review', age: 3 * DAY },
    description: 'An upgrade that the operator reviews; it can be withdrawn',
    fields: { origin: 'broker', ...upgrade('enterprise') },
    expectedAnswers: [
      ['approveRequest', 400, 'invalid_state', 'awaiting_operator'],
      ['withdrawRequest', 200],
    ],
  },
  {
    ...{ name: 'creation', number: 900016, type: 'service-creation', status: 'accepted', age: 4 * DAY },
    description: 'A creation whose work never begins; it can be withdrawn',
    fields: { origin: 'broker', newPlanId: planId('starter') },
    expectedAnswers: [['withdrawRequest', 200]],
  },
  {
    ...{ name: 'accepted', number: 900015, type: 'cancellation', status: 'accepted', age: 5 * DAY },
    description: 'A cancellation at the end of the term; it can be withdrawn',
    fields: { origin: 'broker', cancellationType: 'end_of_term', effectiveAt: NEVER },
    expectedAnswers: [
      ['withdrawRequest', 200],
      ['approveRequest', 409, 'already_processed', 'request_already_processed'],
    ],
  },
  {
    ...{ name: 'completed', number: 900004, type: 'cancellation', status: 'completed', age: 20 * DAY, lasted: MINUTE },
    description: 'A cancellation that was carried out',
    fields: { origin: 'broker', cancellationType: 'immediate' },
    expectedAnswers: final,
  },
  {
    ...{ name: 'failed', number: 900011, type: 'plan-upgrade', status: 'failed', age: 21 * DAY, lasted: MINUTE },
    description: 'An upgrade that was accepted and failed',
    fields: {
      origin: 'broker',
      ...upgrade('business'),
      failureReason: SIMULATED_FAILURE.reason,
      failureMessage: SIMULATED_FAILURE.message,
      failureServiceUsable: SIMULATED_FAILURE.serviceUsable,
      failureRetryable: SIMULATED_FAILURE.retryable,
    },
    expectedAnswers: final,
  },
  {
    ...{ name: 'approved', number: 900001, type: 'cancellation-warning', status: 'approved', age: 22 * DAY },
    description: 'A cancellation warning that was sent',
    fields: { origin: 'broker', warningReason: 'An invoice is overdue.' },
    expectedAnswers: final,
  },
  {
    ...{ name: 'denied', number: 900001, type: 'cancellation', status: 'denied', age: 23 * DAY, lasted: MINUTE },
    description: "A client's cancellation that the broker denied",
    fields: {
      origin: 'client',
      cancellationType: 'immediate',
      decisionAction: 'deny',
      decidedBy: 'broker',
      decisionReason: 'The client changed their mind.',
    },
    expectedAnswers: final,
  },
];

export const sampleId = (name: string) => `req_test_sample_${name}`;
