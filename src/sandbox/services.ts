import type { ErrorCode } from '../errors.ts';
import type { MailFailure } from '../ports.ts';
import type { ServiceStatus } from '../rules/words.ts';
import type { ServiceRow } from '../store/queries/services.ts';
import { type ExpectedAnswer, planId } from './plans.ts';

/**
 * The services of a sandbox as it is made, and how they behave (contract, section 8). This is what a sandbox is filled with
 * (seed.ts), what its behaviour follows, and what `GET /v1/sandbox/scenarios` publishes.
 */

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
