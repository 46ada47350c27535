import type { Caller } from '../operations/outcome.ts';
import type { WorkFailure } from '../operations/ports.ts';
import { newRequest } from '../operations/request-lifecycle.ts';
import { fold, searchText } from '../rules/search-text.ts';
import type { BrokerRow } from '../store/brokers.ts';
import type { PlanRow } from '../store/plans.ts';
import type { RequestRow } from '../store/requests.ts';
import type { ServiceRow } from '../store/services.ts';
import type { Store } from '../store/store.ts';
import type { TemplateRow } from '../store/templates.ts';

/**
 * The simulated fleet of contract section 8 as data: it sets the stage that sandbox keys work on, decides how
 * each service behaves, and is what `GET /v1/sandbox/scenarios` publishes.
 */

export const FLEET_BROKER_ID = 'brk_test';
export const FLEET_CALLER: Caller = { brokerId: FLEET_BROKER_ID };

/** Everything in the fleet began on this day; moments are fixed, so that every answer is. */
const BEGINNING = Date.UTC(2026, 0, 1);
const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;

/** A renewal that stays ahead, for the one service whose cancellation has to stay scheduled. */
const FAR_AHEAD = Date.UTC(2099, 11, 31);

export const planId = (slug: string) => `pln_test_${slug}`;

const PLANS = [
  {
    slug: 'starter',
    name: 'Starter',
    rank: 10,
    billing: 'monthly',
    vcpu: 1,
    memoryMb: 1024,
    diskGb: 20,
    price: '5.00',
  },
  {
    slug: 'business',
    name: 'Business',
    rank: 20,
    billing: 'monthly',
    vcpu: 2,
    memoryMb: 4096,
    diskGb: 20,
    price: '15.00',
  },
  {
    slug: 'enterprise',
    name: 'Enterprise',
    rank: 30,
    billing: 'monthly',
    vcpu: 8,
    memoryMb: 16384,
    diskGb: 20,
    price: '60.00',
  },
  {
    slug: 'flex-hourly',
    name: 'Flex Hourly',
    rank: 40,
    billing: 'hourly',
    vcpu: 4,
    memoryMb: 8192,
    diskGb: 20,
    price: '0.05',
  },
] as const;

/** What happens to an accepted (or reviewed) plan change as time goes by. */
export type Course = 'completes' | 'review_accepted' | 'review_denied' | 'fails';

/** What goes wrong on purpose: the first three when a client is warned, the others in every operation. */
export type Fault = 'no_template' | 'mail_fails' | 'history_fails' | 'rate_limited' | 'server_error';

export const SIMULATED_FAILURE: WorkFailure = {
  reason: 'provisioning_failed',
  message: 'The plan could not be changed; the service works as before',
  serviceUsable: true,
  retryable: true,
};

export interface FleetService {
  number: number;
  description: string;
  service?: Partial<ServiceRow>;
  course?: Course;
  fault?: Fault;
}

/** What creation answers: it stands in the list like the others, but is not there while one is created. */
export const CREATED_NUMBER = 900020;

const CREATED: FleetService = {
  number: CREATED_NUMBER,
  description: 'What creating a service answers',
  service: { status: 'pending' },
};

export const SERVICES: readonly FleetService[] = [
  { number: 900001, description: 'Everything succeeds' },
  {
    number: 900002,
    description: 'A plan change goes to review (202); the operator accepts it after 20 s',
    service: { requiresOperatorReview: true },
    course: 'review_accepted',
  },
  {
    number: 900003,
    description: 'A plan change goes to review (202); the operator denies it after 20 s',
    service: { requiresOperatorReview: true },
    course: 'review_denied',
  },
  {
    number: 900004,
    description: 'The service is cancelled',
    service: {
      status: 'cancelled',
      cancelledAt: BEGINNING + 11 * DAY,
      cancellationType: 'immediate',
      cancellationEffectiveAt: BEGINNING + 10 * DAY,
      cancellationRequestId: 'req_test_sample_completed',
    },
  },
  { number: 900005, description: 'The service is terminated', service: { status: 'terminated' } },
  { number: 900006, description: 'The client has no email address', service: { clientEmail: null } },
  { number: 900007, description: 'The broker has no active cancellation-warning template', fault: 'no_template' },
  { number: 900008, description: 'The email cannot be sent', fault: 'mail_fails' },
  {
    number: 900009,
    description: 'The warning is sent and its history entry cannot be saved: request_id is null',
    fault: 'history_fails',
  },
  { number: 900010, description: 'The service is billed hourly', service: { planId: planId('flex-hourly') } },
  { number: 900011, description: 'A plan change is accepted and then fails', course: 'fails' },
  { number: 900012, description: 'A plan change is open already' },
  { number: 900013, description: 'On the Enterprise plan, for downgrades', service: { planId: planId('enterprise') } },
  { number: 900014, description: 'The service is suspended', service: { status: 'suspended' } },
  {
    number: 900015,
    description: 'A cancellation is scheduled',
    service: {
      renewalAt: FAR_AHEAD,
      cancellationType: 'end_of_term',
      cancellationEffectiveAt: FAR_AHEAD,
      cancellationRequestId: 'req_test_sample_accepted',
    },
  },
  { number: 900016, description: 'The service is pending', service: { status: 'pending' } },
  CREATED,
  { number: 900429, description: 'Every operation answers 429 with Retry-After 1', fault: 'rate_limited' },
  { number: 900500, description: 'Every operation answers 500 server_error', fault: 'server_error' },
];

export const fleetService = (number: bigint | number): FleetService | undefined =>
  SERVICES.find((service) => service.number === Number(number));

interface SampleRequest {
  description: string;
  request: RequestRow;
}

const sample = (
  name: RequestRow['status'],
  number: number,
  submittedAt: number,
  description: string,
  fields: Pick<RequestRow, 'type' | 'origin'> & Partial<RequestRow>,
): SampleRequest => ({
  description,
  request: newRequest(`req_test_sample_${name}`, { brokerId: FLEET_BROKER_ID, number }, submittedAt, {
    status: name,
    ...fields,
  }),
});

const at = (day: number) => BEGINNING + day * DAY;

const planChange = (newPlan: string) => ({
  type: 'plan-upgrade' as const,
  currentPlanId: planId('starter'),
  newPlanId: planId(newPlan),
});

/** One request in every state; their ids never change. */
export const SAMPLES: readonly SampleRequest[] = [
  sample('pending', 900012, at(30), 'A client asked for an upgrade; approve or deny it', {
    ...planChange('business'),
    origin: 'client',
  }),
  sample('operator_review', 900014, at(29), 'An upgrade that the operator reviews', {
    ...planChange('enterprise'),
    origin: 'broker',
  }),
  sample('accepted', 900015, at(28), 'A cancellation at the end of the term', {
    type: 'cancellation',
    origin: 'broker',
    cancellationType: 'end_of_term',
    effectiveAt: FAR_AHEAD,
    dueAt: FAR_AHEAD,
  }),
  sample('completed', 900004, at(10), 'A cancellation that was carried out', {
    type: 'cancellation',
    origin: 'broker',
    cancellationType: 'immediate',
    effectiveAt: at(10),
    updatedAt: at(11),
    processedAt: at(11),
  }),
  sample('failed', 900011, at(9), 'An upgrade that was accepted and failed', {
    ...planChange('business'),
    origin: 'broker',
    effectiveAt: at(9),
    updatedAt: at(9) + MINUTE,
    processedAt: at(9) + MINUTE,
    failureReason: SIMULATED_FAILURE.reason,
    failureMessage: SIMULATED_FAILURE.message,
    failureServiceUsable: SIMULATED_FAILURE.serviceUsable,
    failureRetryable: SIMULATED_FAILURE.retryable,
  }),
  sample('approved', 900001, at(8), 'A cancellation warning that was sent', {
    type: 'cancellation-warning',
    origin: 'broker',
    warningReason: 'An invoice is overdue.',
  }),
  sample('denied', 900001, at(7), "A client's cancellation that the broker denied", {
    type: 'cancellation',
    origin: 'client',
    cancellationType: 'immediate',
    updatedAt: at(7) + MINUTE,
    processedAt: at(7) + MINUTE,
    decisionAction: 'deny',
    decidedBy: 'broker',
    decisionReason: 'The client changed their mind.',
    decidedAt: at(7) + MINUTE,
  }),
];

/** The states a sample went through, oldest first: where it began, and where it is. */
function historyOf({ request }: SampleRequest) {
  const began =
    request.origin === 'client' ? 'pending' : request.processedAt === request.submittedAt ? null : 'accepted';
  const actor = request.decidedBy ?? (request.type === 'cancellation-warning' ? 'broker' : 'system');
  const line = (index: number, status: string, lineAt: number, by: typeof actor | RequestRow['origin']) => ({
    id: `evt_${request.id}_${index}`,
    brokerId: FLEET_BROKER_ID,
    requestId: request.id,
    status,
    at: lineAt,
    actor: by,
    note: index === 1 ? (request.decisionReason ?? request.failureReason) : null,
  });
  if (request.processedAt === null || began === null)
    return [line(0, request.status, request.submittedAt, request.origin)];
  return [line(0, began, request.submittedAt, request.origin), line(1, request.status, request.processedAt, actor)];
}

const fleetServiceRow = ({ number, service }: FleetService): ServiceRow => {
  const createdAt = BEGINNING + (number % 1000) * MINUTE;
  const row: ServiceRow = {
    number,
    brokerId: FLEET_BROKER_ID,
    status: 'active',
    planId: planId('starter'),
    label: `Sandbox service ${number}`,
    externalReference: null,
    clientName: 'Sam Sandbox',
    clientEmail: `client-${number}@example.com`,
    clientEmailFolded: null,
    searchText: '',
    requiresOperatorReview: false,
    createdAt,
    renewalAt: null,
    cancelledAt: null,
    cancellationType: null,
    cancellationEffectiveAt: null,
    cancellationRequestId: null,
    updatedAt: createdAt,
    ...service,
  };
  return {
    ...row,
    clientEmailFolded: row.clientEmail === null ? null : fold(row.clientEmail),
    searchText: searchText([row.label, row.clientName, row.externalReference]),
  };
};

const broker: BrokerRow = {
  id: FLEET_BROKER_ID,
  slug: 'sandbox',
  name: 'Sandbox Hosting',
  status: 'active',
  contactEmail: 'contact@broker.example',
  senderEmail: 'sender@broker.example',
  ipRestrictionEnabled: false,
  createdAt: BEGINNING,
  updatedAt: BEGINNING,
};

const plans: PlanRow[] = PLANS.map(({ slug, name, rank, billing, vcpu, memoryMb, diskGb, price }) => ({
  id: planId(slug),
  brokerId: FLEET_BROKER_ID,
  slug,
  slugFolded: slug,
  displayName: name,
  displayNameFolded: name.toLowerCase(),
  upgradeRank: rank,
  billingType: billing,
  active: true,
  requiresOperatorReview: false,
  description: null,
  vcpu,
  memoryMb,
  diskGb,
  transferGb: null,
  priceAmount: price,
  priceCurrency: 'EUR',
  createdAt: BEGINNING,
  updatedAt: BEGINNING,
}));

const template: TemplateRow = {
  brokerId: FLEET_BROKER_ID,
  kind: 'cancellation-warning',
  subject: 'Service {{ service_number }} may be cancelled',
  html: '<p>{{ warning_reason }}</p>',
  text: '{{ warning_reason }}',
  active: true,
  updatedAt: BEGINNING,
};

/** Writes the fleet into a store, all but the service that creation answers. */
export async function setFleet(store: Store): Promise<void> {
  await store.tx(async (tx) => {
    await tx.brokers.insert(broker);
    for (const plan of plans) await tx.plans.insert(plan);
    await tx.templates.upsert(template);
    const standing = SERVICES.filter(
      (service) => service !== CREATED && service.fault !== 'rate_limited' && service.fault !== 'server_error',
    );
    await tx.services.insert(standing.map(fleetServiceRow));
    for (const one of SAMPLES) {
      await tx.requests.insert(one.request);
      for (const line of historyOf(one)) await tx.requests.addHistory(line);
    }
  });
}

/** Adds that one too. */
export const setCreatedService = (store: Store): Promise<void> =>
  store.tx((tx) => tx.services.insert([fleetServiceRow(CREATED)]));

export interface ScenarioItem {
  scenario: string;
  kind: 'service' | 'request' | 'plan';
  service_number: number | null;
  request_id: string | null;
  plan_id: string | null;
  description: string;
}

/** What `GET /v1/sandbox/scenarios` publishes: one item for each service, sample request and plan. */
export const SCENARIOS: readonly ScenarioItem[] = [
  ...SERVICES.map(({ number, description }) => ({
    scenario: `service_${number}`,
    kind: 'service' as const,
    service_number: number,
    request_id: null,
    plan_id: null,
    description,
  })),
  ...SAMPLES.map(({ request, description }) => ({
    scenario: `request_${request.status}`,
    kind: 'request' as const,
    service_number: request.serviceNumber,
    request_id: request.id,
    plan_id: null,
    description,
  })),
  ...PLANS.map(({ slug, name, rank, billing }) => ({
    scenario: `plan_${slug.replace('-', '_')}`,
    kind: 'plan' as const,
    service_number: null,
    request_id: null,
    plan_id: planId(slug),
    description: `${name}: rank ${rank}, billed ${billing}`,
  })),
];
