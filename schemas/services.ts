import { Type } from '@sinclair/typebox';
import {
  BillingType,
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
import { RequestFields, RequestStatus, RequestType } from './requests.ts';

export const CancellationType = OneOf(['end_of_term', 'immediate'], {
  description: 'end_of_term: at the renewal date. immediate: as soon as the work is done',
});

export const Service = Named('Service', {
  service_number: ServiceNumber,
  service_status: ServiceStatus,
  label: Nullable(Type.String()),
  external_reference: Nullable(Type.String({ description: "The broker's own reference" })),
  client: Type.Object({ name: Type.String(), email: Nullable(Type.String()) }),
  plan: NestedPlan,
  specifications: Specifications,
  price: Price,
  created_date: Moment('When the service was created.'),
  renewal_date: Nullable(Moment('When the term ends and the next begins.')),
  cancelled_date: Nullable(Moment('When the service was cancelled.')),
  cancellation: Nullable(
    Type.Object({
      cancellation_type: CancellationType,
      effective_date: Moment('When the cancellation takes effect.'),
      request_id: Type.String(),
    }),
    { description: 'The cancellation that is scheduled or done' },
  ),
  open_request: Nullable(Type.Object({ request_id: Type.String(), type: RequestType, request_status: RequestStatus }), {
    description: 'The request about this service that is not final yet',
  }),
  ...SimulationMarks,
});

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
  renewal_before: Type.Optional(MomentText('Services that renew before this moment.')),
};

export const ServiceListQuery = Exactly(
  {
    ...PagingQuery,
    ...serviceFilters,
    created_from: Type.Optional(MomentText('Services created at or after this moment.')),
    created_to: Type.Optional(MomentText('Services created before this moment.')),
  },
  { conflicts: PAGING_CONFLICTS, ordered: [['created_from', 'created_to']] },
);

const PlanName = (description: string) =>
  Text(128, `${description}: the id, slug or display name of an active plan. Case is ignored in the latter two.`);

export const CreationBody = Exactly(
  {
    plan: PlanName('The plan'),
    client: Exactly({
      name: Text(200, "The client's name"),
      email: Text(254, "The client's email address", { format: 'mailbox' }),
    }),
    label: Type.Optional(Text(255, 'A name for the service')),
    external_reference: Type.Optional(Text(255, "The broker's own reference; it need not be unique")),
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
  type: OneOf(['plan-upgrade', 'plan-downgrade']),
  request_status: RequestStatus,
  operator_review: Type.Boolean({ description: 'True: the operator decides; do not submit again' }),
  service_number: ServiceNumber,
  service_status: ServiceStatus,
  current_plan: NestedPlan,
  new_plan: NestedPlan,
  effective_date: Nullable(Moment('When the change takes effect; null while it is under review.')),
  submitted_date: Moment('When the change was asked for.'),
  processed_date: Nullable(Moment('When the request became final.')),
  ...SimulationMarks,
});

export const UpgradeOptions = Named('UpgradeOptions', {
  current_plan: NestedPlan,
  available: Type.Array(NestedPlan),
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
