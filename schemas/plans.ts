import { Type } from '@sinclair/typebox';
import { BillingType, Exactly, Id, MAX_INT32, Named, Nullable, Shown, SimulationMarks, Whole } from './atoms.ts';
import { PAGING_CONFLICTS, PagingQuery } from './params.ts';

const Slug = Shown(128, 'A short name of the plan; callers may name the plan by it');

export const NestedPlan = Type.Object(
  {
    id: Id('pln', "The plan's id"),
    slug: Slug,
    display_name: Shown(128, 'What people call the plan'),
    upgrade_rank: Whole(0, MAX_INT32, 'Upgrades go to a higher rank, downgrades to a lower one'),
    billing_type: BillingType,
  },
  {
    component: 'NestedPlan',
    description: 'A plan wherever it is part of another record',
    examples: [
      {
        id: 'pln_test_business',
        slug: 'business',
        display_name: 'Business',
        upgrade_rank: 20,
        billing_type: 'monthly',
      },
    ],
  },
);

const Size = (description: string) => Nullable(Whole(0, 1_000_000_000, description));

export const Specifications = Nullable(
  Type.Object(
    {
      vcpu: Size('Virtual processors'),
      memory_mb: Size('Memory in megabytes'),
      disk_gb: Size('Disk in gigabytes'),
      transfer_gb: Size('Transfer in gigabytes a month'),
    },
    { component: 'Specifications', description: 'What the plan has of everything; null: not told' },
  ),
);

export const Price = Nullable(
  Type.Object(
    {
      amount: Shown(22, 'A decimal number as text, exactly as imported', {
        pattern: '^\\d{1,15}(\\.\\d{1,6})?$',
        examples: ['24.90'],
      }),
      currency: Shown(3, 'ISO 4217', { pattern: '^[A-Z]{3}$', examples: ['EUR'] }),
    },
    { component: 'Price', description: 'What a month or an hour costs; null: not told' },
  ),
);

export const Plan = Named('Plan', {
  ...NestedPlan.properties,
  description: Nullable(Shown(2000, 'For people')),
  specifications: Specifications,
  price: Price,
  requires_operator_review: Type.Boolean({ description: 'Whether the operator reviews every move to this plan' }),
  ...SimulationMarks,
});

export const PlanListQuery = Exactly(
  { ...PagingQuery, billing_type: Type.Optional(BillingType) },
  { conflicts: PAGING_CONFLICTS },
);
