import { Type } from '@sinclair/typebox';
import { BillingType, Exactly, Named, Nullable, SimulationMarks } from './atoms.ts';
import { PAGING_CONFLICTS, PagingQuery } from './params.ts';

export const NestedPlan = Type.Object(
  {
    id: Type.String(),
    slug: Type.String(),
    display_name: Type.String(),
    upgrade_rank: Type.Integer({ description: 'Upgrades go to a higher rank, downgrades to a lower one' }),
    billing_type: BillingType,
  },
  {
    examples: [
      {
        id: 'pln_01JZ5Q0V3M8E4Y9T2B7C6D1F0G',
        slug: 'business',
        display_name: 'Business',
        upgrade_rank: 20,
        billing_type: 'monthly',
      },
    ],
  },
);

export const Specifications = Nullable(
  Type.Object({
    vcpu: Nullable(Type.Integer()),
    memory_mb: Nullable(Type.Integer()),
    disk_gb: Nullable(Type.Integer()),
    transfer_gb: Nullable(Type.Integer()),
  }),
);

export const Price = Nullable(
  Type.Object({
    amount: Type.String({ description: 'A decimal number as text, exactly as imported', examples: ['24.90'] }),
    currency: Type.String({ examples: ['EUR'] }),
  }),
);

export const Plan = Named('Plan', {
  ...NestedPlan.properties,
  description: Nullable(Type.String()),
  specifications: Specifications,
  price: Price,
  requires_operator_review: Type.Boolean({ description: 'Whether the operator reviews every move to this plan' }),
  ...SimulationMarks,
});

export const PlanListQuery = Exactly(
  { ...PagingQuery, billing_type: Type.Optional(BillingType) },
  { conflicts: PAGING_CONFLICTS },
);
