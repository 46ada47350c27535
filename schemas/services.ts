import { Type } from '@sinclair/typebox';
import { CANCELLATION_TYPES, PLAN_CHANGE_TYPES } from '../src/rules/words.ts';
import {
  BillingType,
  Digits,
  Exactly,
  Moment,
  MomentText,
  Named,
  Nullable,
  OneOf,
  ServiceNumber,
  ServiceStatus,
  SimulationMarks,
  Text,
} from './atoms.ts';
import { PAGING_CONFLICTS, PagingQuery } from './params.ts';
import { NestedPlan, Price, Specifications } from './plans.ts';
import { Progress, RequestFields, RequestStatus, RequestType } from './requests.ts';

export const CancellationType = OneOf(CANCELLATION_TYPES, {
  description: 'end_of_term: at the renewal date. immediate: as soon as the work is done',
});

export const Service = Named(
  'Service',
  {
    service_number: ServiceNumber,
    service_status: ServiceStatus,
    label: Nullable(Type.String()),
    external_reference: Nullable(Type.String({ description: "The broker's own reference" })),
    client: Type.Object({ name: Type.String(), email: Nullable(Type.String()) }),
    plan: NestedPlan,
    specifications: Specifications,
    price: Price,
    created_date: Moment('When the service was created.'),
    updated_date: Moment('When anything of this record last changed, the record of its plan aside.'),
    renewal_date: Nullable(Moment('When the term ends and the next begins: always ahead, until the service ends.'), {
      description: 'Null where the plan is billed hourly',
    }),
    cancelled_date: Nullable(Moment('When the service was cancelled.')),
    cancellation: Nullable(
      Type.Object({
        cancellation_type: CancellationType,
        effective_date: Moment('When the cancellation takes effect.'),
        request_id: Type.String(),
      }),
      { description: 'The cancellation that is scheduled or done' },
    ),
    open_request: Nullable(
      Type.Object({ request_id: Type.String(), type: RequestType, request_status: RequestStatus }),
      {
        description: 'The request about this service that is not final yet',
      },
    ),
    ...SimulationMarks,
  },
  {
    examples: [
      {
        service_number: 1000001,
        service_status: 'active',
        label: 'Shop',
        external_reference: 'CRM-4711',
        client: { name: 'Ada Example', email: 'ada@example.com' },
        plan: {
          id: 'pln_01KJQ7A4ZC5R0W8N3D6V1X9T2M',
          slug: 'starter',
          display_name: 'Starter',
          upgrade_rank: 10,
          billing_type: 'monthly',
        },
        specifications: { vcpu: 1, memory_mb: 2048, disk_gb: 40, transfer_gb: 1000 },
        price: { amount: '6.00', currency: 'EUR' },
        created_date: '2026-01-31T09:30:00.000Z',
        updated_date: '2026-03-02T14:05:11.120Z',
        renewal_date: '2026-03-31T09:30:00.000Z',
        cancelled_date: null,
        cancellation: null,
        open_request: {
          request_id: 'req_01KJQB2Y7M4H6T0P9S3E8C5A1W',
          type: 'plan-downgrade',
          request_status: 'accepted',
        },
      },
    ],
  },
);

/** What narrows a list of services; the services report takes the same. */
export const serviceFilters = {
  service_status: Type.Optional(ServiceStatus),
  billing_type: Type.Optional(BillingType),
  plan: Type.Optional(Text(128, "A plan's id or slug")),
  client_email: Type.Optional(Text(254, 'The whole address; case is ignored')),
  search: Type.Optional(
    Type.String({
      minLength: 3,
      maxLength: 100,
      description: 'Text taken literally, anywhere in label, client name or external reference; case is ignored',
    }),
  ),
  external_reference: Type.Optional(Text(255, "The broker's own reference, whole and exactly as it stands")),
  updated_since: Type.Optional(MomentText('Services that changed at or after this moment.')),
  renewal_before: Type.Optional(MomentText('Services that renew before this moment.')),
};

export const ServiceListQuery = Exactly(
  {
    ...PagingQuery,
    ...serviceFilters,
    after_number: Type.Optional(
      Digits(
        { minimum: 0, maximum: Number.MAX_SAFE_INTEGER },
        'Beside updated_since: begins behind this service within that millisecond',
      ),
    ),
    created_from: Type.Optional(MomentText('Services created at or after this moment.')),
    created_to: Type.Optional(MomentText('Services created before this moment.')),
  },
  {
    conflicts: PAGING_CONFLICTS,
    companions: [['after_number', 'updated_since']],
    ordered: [['created_from', 'created_to']],
  },
);

const PlanName = (description: string) =>
  Text(128, `${description}: the id, slug or display name of an active plan. Case is ignored in the latter two.`);

const ClientName = Text(200, "The client's name");
const ClientEmail = Text(254, "The client's email address", { format: 'mailbox' });
const Label = Text(255, 'A name for the service');
const ExternalReference = Text(255, "The broker's own reference; it need not be unique");

export const CreationBody = Exactly(
  {
    plan: PlanName('The plan'),
    client: Exactly({
      name: ClientName,
      email: ClientEmail,
    }),
    label: Type.Optional(Label),
    external_reference: Type.Optional(ExternalReference),
  },
  {
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
      Exactly({ name: Type.Optional(ClientName), email: Type.Optional(Nullable(ClientEmail)) }, { atLeastOne: true }),
    ),
  },
  {
    atLeastOne: true,
    description: 'At least one of these; null takes away',
    examples: [{ external_reference: 'CRM-4711', client: { email: 'ada@example.com' } }],
  },
);

export const CreationResult = Named('ServiceCreation', {
  ...RequestFields,
  service_status: ServiceStatus,
  ...SimulationMarks,
});

export const PlanChangeBody = Exactly(
  { new_plan: PlanName('The plan to move to') },
  { examples: [{ new_plan: 'business' }] },
);

export const PlanChangeResult = Named('PlanChange', {
  request_id: Type.String({ description: 'Look the request up by it' }),
  type: OneOf(PLAN_CHANGE_TYPES),
  request_status: RequestStatus,
  operator_review: Type.Boolean({ description: 'True: the operator decides; do not submit again' }),
  service_number: ServiceNumber,
  service_status: ServiceStatus,
  current_plan: NestedPlan,
  new_plan: NestedPlan,
  effective_date: Nullable(Moment('When the change takes effect; null while it is under review.')),
  submitted_date: Moment('When the change was asked for.'),
  processed_date: Nullable(Moment('When the request became final.')),
  ...Progress,
  ...SimulationMarks,
});

export const UpgradeOptions = Named('UpgradeOptions', {
  current_plan: NestedPlan,
  available: Type.Array(
    Type.Object({
      ...NestedPlan.properties,
      operator_review: Type.Boolean({ description: 'True: this upgrade would be reviewed (202)' }),
    }),
  ),
  unavailable: Type.Array(
    Type.Object({
      plan: NestedPlan,
      reason: Type.String({ description: 'The reason the upgrade would be refused with' }),
    }),
  ),
  ...SimulationMarks,
});

export const CancellationBody = Exactly(
  {
    cancellation_type: Type.Optional({ ...CancellationType, default: 'end_of_term' }),
    reason: Type.Optional(Text(1000, 'Why the service is cancelled')),
  },
  { examples: [{ cancellation_type: 'end_of_term', reason: 'The client moves in house.' }] },
);
