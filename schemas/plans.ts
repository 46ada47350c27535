import { type Static, Type } from '@sinclair/typebox';
import { BillingType, Exactly, Id, MAX_INT32, Named, Nullable, Shown, SimulationMarks, Whole } from './atoms.ts';
import { Actions, HasCredentials, Options } from './offers.ts';
import { PAGING_CONFLICTS, PagingQuery } from './params.ts';

const Slug = Shown(128, 'A short name of the plan; callers may name the plan by it', { examples: ['starter'] });

export const NestedPlan = Type.Object(
  {
    id: Id('pln', "The plan's id", 'pln_test_starter'),
    slug: Slug,
    display_name: Shown(128, 'What people call the plan', { examples: ['Starter'] }),
    upgrade_rank: Whole(0, MAX_INT32, 'Upgrades go to a higher rank, downgrades to a lower one', { examples: [10] }),
    billing_type: BillingType,
  },
  {
    component: 'NestedPlan',
    description: 'A plan wherever it is part of another record',
  },
);

/** The plans of the examples; the fields of `NestedPlan` are those of `starter`. */
const samplePlan = (slug: string, displayName: string, rank: number): Static<typeof NestedPlan> => ({
  id: `pln_test_${slug}`,
  slug,
  display_name: displayName,
  upgrade_rank: rank,
  billing_type: 'monthly',
});
export const STARTER_PLAN = samplePlan('starter', 'Starter', 10);
export const BUSINESS_PLAN = samplePlan('business', 'Business', 20);
export const ENTERPRISE_PLAN = samplePlan('enterprise', 'Enterprise', 30);

const Size = (description: string, example: number | null) =>
  Nullable(Whole(0, 1_000_000_000, description), { examples: [example] });

export const Specifications = Nullable(
  Type.Object(
    {
      vcpu: Size('Virtual processors', 1),
      memory_mb: Size('Memory in megabytes', 1024),
      disk_gb: Size('Disk in gigabytes', 20),
      transfer_gb: Size('Transfer in gigabytes a month', null),
    },
    { component: 'Specifications', description: 'The resources of the plan; null if unknown' },
  ),
);

export const Price = Nullable(
  Type.Object(
    {
      amount: Shown(22, 'A decimal number as text, exactly as imported', {
        pattern: '^\\d{1,15}(\\.\\d{1,6})?$',
        examples: ['5.00'],
      }),
      currency: Shown(3, 'ISO 4217', { pattern: '^[A-Z]{3}$', examples: ['EUR'] }),
    },
    { component: 'Price', description: 'The price of a month or an hour; null if unknown' },
  ),
);

export const Plan = Named('Plan', {
  ...NestedPlan.properties,
  description: Nullable(Shown(2000, 'For people'), { examples: [null] }),
  specifications: Specifications,
  price: Price,
  requires_operator_review: Type.Boolean({ description: 'Whether the operator reviews every move to this plan' }),
  options: Options,
  actions: Actions,
  has_credentials: HasCredentials,
  ...SimulationMarks,
});

export const PlanListQuery = Exactly(
  { ...PagingQuery, billing_type: Type.Optional(BillingType) },
  { conflicts: PAGING_CONFLICTS },
);
