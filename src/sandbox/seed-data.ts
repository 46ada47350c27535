import type { Actor } from '../audit/audit.ts';
import type { MailingCaller } from '../context/outcome.ts';
import type { WorkFailure } from '../ports.ts';
import { newRequest } from '../requests/submit.ts';
import { anchorOf } from '../rules/renewals.ts';
import { fold, searchText } from '../rules/search-text.ts';
import { NO_SUSPENSION } from '../rules/suspensions.ts';
import { isEnded, type RequestStatus } from '../rules/words.ts';
import type { BrokerRow } from '../store/brokers.ts';
import type { PlanRow } from '../store/plans.ts';
import type { RequestRow } from '../store/requests.ts';
import type { ServiceRow } from '../store/services.ts';
import type { Store } from '../store/store.ts';
import type { TemplateRow } from '../store/templates.ts';

/**
 * The simulated fleet of contract section 8 as data: it fills the store that sandbox keys work on, decides how
 * each service behaves, and is what `GET /v1/sandbox/scenarios` publishes.
 */

export const FLEET_BROKER_ID = 'brk_test';
/** Who decides in a story; what is written of it is undone with the rest. */
export const FLEET_OPERATOR: Actor = { kind: 'operator', name: 'operator', clientIp: null };

/** Everything in the fleet began on this day; moments are fixed, so that every answer is. */
const BEGINNING = Date.UTC(2026, 0, 1);
const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;

/** A date that stays ahead, for the one cancellation that has to stay scheduled. */
const FAR_AHEAD = Date.UTC(2099, 11, 31);

/** When the first terms of the fleet ended: what has ended since keeps this date. */
const FIRST_RENEWAL = Date.UTC(2026, 1, 1);

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

/** What goes wrong on purpose: the last two in every operation, the others when a client is warned. */
export type Fault = 'no_template' | 'mail_fails' | 'mail_unknown' | 'history_fails' | 'rate_limited' | 'server_error';

export const SIMULATED_FAILURE: WorkFailure = {
  reason: 'provisioning_failed',
  message: 'The plan could not be changed; the service works as before',
  serviceUsable: true,
  retryable: true,
};

export interface SeedService {
  number: number;
  description: string;
  service?: Partial<ServiceRow>;
  course?: Course;
  fault?: Fault;
  /** Its terms are so short that their end can be waited for; else a monthly service's are calendar months. */
  shortTerms?: true;
}

/** What creation answers: it stands in the list like the others, but is not there while one is created. */
export const CREATED_NUMBER = 900020;

const CREATED: SeedService = {
  number: CREATED_NUMBER,
  description: 'What creating a service answers',
  service: { status: 'pending' },
};

export const SERVICES: readonly SeedService[] = [
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
      renewalAt: FIRST_RENEWAL,
      cancelledAt: BEGINNING + 11 * DAY,
      cancellationType: 'immediate',
      cancellationEffectiveAt: BEGINNING + 10 * DAY,
      cancellationRequestId: 'req_test_sample_completed',
    },
  },
  {
    number: 900005,
    description: 'The service is terminated',
    service: { status: 'terminated', renewalAt: FIRST_RENEWAL },
  },
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
  {
    number: 900013,
    description: 'On the Enterprise plan, for downgrades; renews at every full 20 seconds',
    service: { planId: planId('enterprise') },
    shortTerms: true,
  },
  {
    number: 900014,
    description: 'The service is suspended by the broker',
    service: { status: 'suspended', suspendedBy: 'broker', suspendedAt: BEGINNING + 14 * MINUTE },
  },
  {
    number: 900015,
    description: 'A cancellation is scheduled',
    service: {
      cancellationType: 'end_of_term',
      cancellationEffectiveAt: FAR_AHEAD,
      cancellationRequestId: 'req_test_sample_accepted',
    },
  },
  { number: 900016, description: 'The service is pending', service: { status: 'pending' } },
  { number: 900017, description: 'Nobody knows whether the email was sent', fault: 'mail_unknown' },
  {
    number: 900018,
    description:
      'On the Business plan; every plan change, up or down, goes to review (202) and the operator accepts it after ' +
      '20 s; renews at every full 20 seconds',
    service: { planId: planId('business'), requiresOperatorReview: true },
    course: 'review_accepted',
    shortTerms: true,
  },
  CREATED,
  { number: 900429, description: 'Every operation answers 429 with Retry-After 1', fault: 'rate_limited' },
  { number: 900500, description: 'Every operation answers 500 server_error', fault: 'server_error' },
];

export const seedService = (number: number): SeedService | undefined =>
  SERVICES.find((service) => service.number === number);

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
  const line = (index: number, status: RequestStatus, lineAt: number, by: typeof actor | RequestRow['origin']) => ({
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

const seedServiceRow = (one: SeedService, now: number): ServiceRow => {
  const { number, service } = one;
  const createdAt = createdAtOf(one);
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
    renewalAnchor: null,
    cancelledAt: null,
    cancellationType: null,
    cancellationEffectiveAt: null,
    cancellationRequestId: null,
    ...NO_SUSPENSION,
    updatedAt: createdAt,
    ...service,
    ...termOf(one, now),
  };
  return {
    ...row,
    renewalAnchor: row.renewalAt === null ? null : anchorOf(row.renewalAt),
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

export const FLEET_CALLER: MailingCaller = { brokerId: FLEET_BROKER_ID, broker };

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

/** Writes the fleet into a store as it stands at `now`, all but the service that creation answers. */
export async function fillFleet(store: Store, now: number): Promise<void> {
  await store.tx(async (tx) => {
    await tx.brokers.insert(broker);
    for (const plan of plans) await tx.plans.insert(plan);
    await tx.templates.upsert(template);
    await tx.services.insert(standing.map((one) => seedServiceRow(one, now)));
    for (const one of SAMPLES) {
      await tx.requests.insert(one.request);
      for (const line of historyOf(one)) await tx.requests.addHistory(line);
    }
  });
}

/** Adds that one too. */
export const addCreatedService = (store: Store, now: number): Promise<void> =>
  store.tx((tx) => tx.services.insert([seedServiceRow(CREATED, now)]));

/** What stands in the list, but for the service that creation answers. */
const standing = SERVICES.filter(
  (service) => service !== CREATED && service.fault !== 'rate_limited' && service.fault !== 'server_error',
);

/** Renews the fleet's services, or the one that is named, to the terms that they are in at `now`. */
export const renewFleet = (store: Store, now: number, number?: number): Promise<void> =>
  store.tx(async (tx) => {
    for (const one of standing.filter((service) => number === undefined || service.number === number)) {
      const term = termOf(one, now);
      if (term) await tx.services.update(FLEET_BROKER_ID, one.number, term);
    }
  });

/** When the next of the fleet's services renews. */
export const nextRenewal = (now: number): number => (Math.floor(now / SHORT_TERM_MS) + 1) * SHORT_TERM_MS;

/** A divisor of every month, so that a month never ends within a short term. */
const SHORT_TERM_MS = 20_000;

const createdAtOf = ({ number }: SeedService) => BEGINNING + (number % 1000) * MINUTE;

/** The term that a service is in: when it ends, and when the service last changed; undefined where it has no more terms. */
function termOf(one: SeedService, now: number): Pick<ServiceRow, 'renewalAt' | 'updatedAt'> | undefined {
  const { status = 'active', planId: plan } = one.service ?? {};
  if (isEnded(status) || plan === planId('flex-hourly')) return undefined;
  const month = new Date(now);
  const monthAt = (later: number) => Date.UTC(month.getUTCFullYear(), month.getUTCMonth() + later);
  const [beganAt, renewalAt] = one.shortTerms
    ? [nextRenewal(now) - SHORT_TERM_MS, nextRenewal(now)]
    : [monthAt(0), monthAt(1)];
  return { renewalAt, updatedAt: Math.max(beganAt, createdAtOf(one)) };
}

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
