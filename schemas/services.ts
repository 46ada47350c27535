import { type Static, Type } from '@sinclair/typebox';
import { REASONS } from '../src/errors.ts';
import { EXCLUSIONS, type PlanChangeType, typesExcludedBy } from '../src/kinds/index.ts';
import { MAX_ACTIVE_PLANS } from '../src/rules/plan-names.ts';
import { SUSPENDERS } from '../src/rules/words.ts';
import {
  BillingType,
  Digits,
  Exactly,
  Id,
  ListOf,
  Named,
  Nullable,
  OneOf,
  ServiceNumber,
  ServiceStatus,
  Shown,
  SimulationMarks,
  Text,
  Timestamp,
  TimestampText,
} from './atoms.ts';
import { Envelope } from './envelope.ts';
import {
  Access,
  Actions,
  ChangedConfiguration,
  ConfigurationInput,
  HasCredentials,
  ShownConfiguration,
} from './offers.ts';
import { PAGING_CONFLICTS, PagingQuery } from './params.ts';
import { BUSINESS_PLAN, NestedPlan, Price, Specifications } from './plans.ts';
import { CancellationType, CreationRequest, Progress, RequestFields, RequestStatus, RequestType } from './requests.ts';

/** At most one request of each group is open, and a creation. */
const OPEN_REQUESTS = EXCLUSIONS.length + 1;

const ServiceClient = Type.Object(
  {
    name: Shown(200, "The client's name", { examples: ['Ada Example'] }),
    email: Nullable(
      Shown(254, "The client's address, as it was entered; null: not known", { examples: ['ada@example.com'] }),
    ),
  },
  { component: 'Client' },
);

const ScheduledCancellation = Type.Object(
  {
    cancellation_type: CancellationType,
    effective_date: Timestamp('When the cancellation takes effect.', '2026-04-01T00:00:00.000Z'),
    request_id: Id('req', 'The request that scheduled it'),
  },
  { component: 'ScheduledCancellation' },
);

const Suspension = Type.Object(
  {
    suspended_by: OneOf(SUSPENDERS, { description: 'Only the operator lifts a suspension of the operator' }),
    reason: Nullable(Shown(1000, 'Why the service is suspended', { examples: ['Two invoices are overdue.'] })),
    suspended_date: Timestamp('When the service was suspended.'),
  },
  { component: 'Suspension' },
);

const OpenRequest = Type.Object(
  {
    request_id: Id('req', 'Look the request up by it'),
    type: RequestType,
    request_status: RequestStatus,
    new_plan: Nullable(NestedPlan, { description: 'The plan that it leads to; null: none', examples: [null] }),
    effective_date: Nullable(Timestamp('When it takes effect; null while that is open, or at once.'), {
      examples: [null],
    }),
  },
  { component: 'OpenRequest' },
);

const Expected = Type.Object({ service_status: ServiceStatus, plan: NestedPlan }, { component: 'ExpectedService' });

const ServiceFields = {
  service_number: ServiceNumber,
  service_status: ServiceStatus,
  label: Nullable(Shown(255, 'A name for the service', { examples: ['Shop'] })),
  external_reference: Nullable(Shown(255, "The broker's own reference", { examples: ['CRM-4711'] })),
  client: ServiceClient,
  plan: NestedPlan,
  specifications: Specifications,
  configuration: ShownConfiguration,
  access: Access,
  price: Price,
  created_date: Timestamp('When the service was created.', '2026-01-31T09:31:00.000Z'),
  updated_date: Timestamp(
    'When anything of this record last changed, the record of its plan aside.',
    '2026-02-08T09:30:00.000Z',
  ),
  renewal_date: Nullable(
    Timestamp(
      'When the term ends and the next begins; moved on within minutes after it has passed. A service that ended keeps ' +
        'its last; null: the plan is billed hourly.',
      '2026-04-01T00:00:00.000Z',
    ),
  ),
  cancelled_date: Nullable(Timestamp('When the service was cancelled; null: it was not.'), { examples: [null] }),
  cancellation: Nullable(ScheduledCancellation, {
    description: 'The cancellation that is scheduled or done',
    examples: [null],
  }),
  suspension: Nullable(Suspension, { description: 'Null unless the service is suspended', examples: [null] }),
  expected: Nullable(Expected, {
    description: 'The service once every accepted request that waits for no date is done; null: there is none',
    examples: [null],
  }),
  open_request: Nullable(OpenRequest, {
    description:
      'A request about this service that is not final; where several are open, a cancellation is shown before a plan change',
    examples: [null],
  }),
  open_requests: ListOf(OpenRequest, {
    maxItems: OPEN_REQUESTS,
    description: 'All requests about this service that are not final, in the order in which `open_request` shows them',
    examples: [[]],
  }),
  ...SimulationMarks,
};

export const Service = Named('Service', ServiceFields);

/** One service, with what its plan lets it do. */
export const SingleService = Named('SingleService', {
  ...ServiceFields,
  actions: Actions,
  has_credentials: HasCredentials,
});

/** The filters of a list of services; the services report takes the same. */
export const serviceFilters = {
  service_status: Type.Optional(ServiceStatus),
  billing_type: Type.Optional(BillingType),
  plan: Type.Optional(Text(128, "A plan's id or slug")),
  client_email: Type.Optional(Text(254, 'The whole address; case is ignored')),
  search: Type.Optional(
    Type.String({
      minLength: 3,
      maxLength: 100,
      // Three characters without the blanks around them.
      pattern: '^\\s*\\S[\\s\\S]+\\S\\s*$',
      description:
        'Text taken literally, anywhere in label, client name, external reference, host name or addresses; case and blanks ' +
        'around it are ignored, and an IPv6 address is found in any spelling',
    }),
  ),
  external_reference: Type.Optional(Text(255, "The broker's own reference, compared as a whole and exactly")),
  updated_since: Type.Optional(TimestampText('Services that changed at or after this date.')),
  renewal_before: Type.Optional(TimestampText('Services that renew before this date.')),
};

/** An unescaped plus sign of an address arrives as a blank, and the list would be empty without a word. */
const NO_BLANK_BEFORE_AT = '^(?![^@]* [^@]*@)[^\\u0000]*\\S[^\\u0000]*$';

export const ServiceListQuery = Exactly(
  {
    ...PagingQuery,
    ...serviceFilters,
    client_email: Type.Optional(
      Text(254, 'The whole address; case is ignored. A plus sign is written as %2B', { pattern: NO_BLANK_BEFORE_AT }),
    ),
    after_number: Type.Optional(
      Digits(
        { minimum: 0, maximum: Number.MAX_SAFE_INTEGER },
        'Beside updated_since: begins behind this service within that millisecond',
      ),
    ),
    created_from: Type.Optional(TimestampText('Services created at or after this date.')),
    created_to: Type.Optional(TimestampText('Services created before this date.')),
  },
  {
    conflicts: PAGING_CONFLICTS,
    companions: [['after_number', 'updated_since']],
    ordered: [['created_from', 'created_to']],
  },
);

const PlanName = (description: string) =>
  Text(128, `${description}: the id, slug or display name of an active plan. Case is ignored in the latter two.`);

const ONE_LINE = 'One line: line breaks and other control characters become a blank.';
const ClientName = Text(200, `The client's name. ${ONE_LINE}`, { oneLine: true });
const ClientEmail = Text(254, "The client's email address", { format: 'mailbox' });
const Label = Text(255, `A name for the service. ${ONE_LINE}`, { oneLine: true });
const ExternalReference = Text(255, `The broker's own reference; it need not be unique. ${ONE_LINE}`, {
  oneLine: true,
});

export const CreationBody = Exactly(
  {
    plan: PlanName('The plan'),
    client: Exactly({ name: ClientName, email: ClientEmail }, { component: 'NewClient' }),
    label: Type.Optional(Label),
    external_reference: Type.Optional(ExternalReference),
    configuration: Type.Optional(ConfigurationInput),
  },
  {
    component: 'ServiceCreationInput',
    examples: [
      {
        plan: 'starter',
        client: { name: 'Ada Example', email: 'ada@example.com' },
        label: 'Shop',
        external_reference: 'CRM-4711',
      },
    ],
  },
);

export const UpdateBody = Exactly(
  {
    label: Type.Optional(Nullable(Label)),
    external_reference: Type.Optional(Nullable(ExternalReference)),
    client: Type.Optional(
      Exactly(
        { name: Type.Optional(ClientName), email: Type.Optional(Nullable(ClientEmail)) },
        { component: 'ClientChanges', atLeastOne: true },
      ),
    ),
  },
  {
    component: 'ServiceUpdateInput',
    atLeastOne: true,
    description: 'At least one of these; null takes away',
    examples: [{ external_reference: 'CRM-4711', client: { email: 'ada@example.com' } }],
  },
);

export const CreationResult = Named(
  'ServiceCreation',
  { ...RequestFields, service_status: ServiceStatus, ...SimulationMarks },
  { document: { allOf: [CreationRequest, Type.Object({ service_status: ServiceStatus })] } },
);

export const PlanChangeBody = Exactly(
  { new_plan: PlanName('The plan to move to'), configuration: Type.Optional(ChangedConfiguration) },
  { component: 'PlanChangeInput', examples: [{ new_plan: 'business' }] },
);

export const PlanChangeResult = Named('PlanChange', {
  request_id: Id('req', 'Look the request up by it'),
  type: OneOf(typesExcludedBy('plan_change') as PlanChangeType[], { description: 'Which way the plan changes' }),
  request_status: RequestStatus,
  operator_review: Type.Boolean({ description: 'True: the operator decides; do not submit again' }),
  service_number: ServiceNumber,
  service_status: ServiceStatus,
  current_plan: NestedPlan,
  new_plan: { ...NestedPlan, examples: [BUSINESS_PLAN] },
  effective_date: Nullable(Timestamp('When the change takes effect; null while it is under review.')),
  configuration: {
    ...ShownConfiguration,
    description: 'What was chosen with it, by the names of options',
    examples: [{}],
  },
  submitted_date: Timestamp('When the change was requested.'),
  processed_date: Nullable(Timestamp('When the request became final.'), { examples: [null] }),
  ...Progress,
  ...SimulationMarks,
});

/** The successes of a plan change. */
export const planChangeResponses = (type: PlanChangeType, example: Partial<Static<typeof PlanChangeResult>> = {}) => ({
  200: Envelope(PlanChangeResult, {
    description: 'Accepted and queued',
    narrow: { type, request_status: 'accepted', operator_review: false, is_final: false },
    example,
  }),
  202: Envelope(PlanChangeResult, {
    description: 'Under review by the operator; do not submit it again',
    narrow: { type, request_status: 'operator_review', operator_review: true, is_final: false },
    example: { ...example, effective_date: null, next_check_seconds: 20 },
  }),
});

export const UpgradeOptions = Named('UpgradeOptions', {
  current_plan: NestedPlan,
  available: Type.Array(
    Type.Object(
      {
        ...NestedPlan.properties,
        operator_review: Type.Boolean({ description: 'True: this upgrade would be reviewed (202)' }),
      },
      { component: 'AvailableUpgrade', examples: [{ ...BUSINESS_PLAN, operator_review: false }] },
    ),
    { maxItems: MAX_ACTIVE_PLANS },
  ),
  unavailable: Type.Array(
    Type.Object(
      {
        plan: NestedPlan,
        reason: Type.String({
          description: 'The reason the upgrade would be refused with',
          document: OneOf([...REASONS.invalid_state, ...REASONS.invalid_parameter], { examples: ['plan_is_current'] }),
        }),
      },
      { component: 'UnavailableUpgrade' },
    ),
    { maxItems: MAX_ACTIVE_PLANS },
  ),
  ...SimulationMarks,
});

export const SuspensionBody = Exactly(
  { reason: Type.Optional(Text(1000, 'Why the service is suspended')) },
  { component: 'SuspensionInput', examples: [{ reason: 'Two invoices are overdue.' }] },
);

export const ActionBody = Exactly(
  {
    action: Text(50, "The name of an action of the service's plan"),
    configuration: Type.Optional(ChangedConfiguration),
  },
  { component: 'ActionInput', examples: [{ action: 'reinstall', configuration: { image: 'debian-13' } }] },
);

export const UnsuspensionBody = Exactly({}, { component: 'UnsuspensionInput' });

export const CancellationBody = Exactly(
  {
    cancellation_type: Type.Optional({ ...CancellationType, default: 'end_of_term' }),
    reason: Type.Optional(Text(1000, 'Why the service is cancelled')),
  },
  {
    component: 'CancellationInput',
    examples: [{ cancellation_type: 'end_of_term', reason: 'The client moves elsewhere.' }],
  },
);
