import { suspensionOf } from './kinds/suspension.ts';
import { isoTimestamp } from './rules/timestamps.ts';
import type { PlanRow } from './store/plans.ts';
import type { ServiceRow, ServiceView } from './store/services.ts';
import type { Page } from './store/session.ts';

/** Converts rows to the records of the contract's section 6, with the field names and order of the API. */

export const timestamp = (ms: number | null): string | null => (ms === null ? null : isoTimestamp(ms));

/** The form of a plan wherever it is part of another record. */
export const nestedPlan = (plan: PlanRow) => ({
  id: plan.id,
  slug: plan.slug,
  display_name: plan.displayName,
  upgrade_rank: plan.upgradeRank,
  billing_type: plan.billingType,
});

const specifications = ({ vcpu, memoryMb, diskGb, transferGb }: PlanRow) =>
  vcpu === null && memoryMb === null && diskGb === null && transferGb === null
    ? null
    : { vcpu, memory_mb: memoryMb, disk_gb: diskGb, transfer_gb: transferGb };

const price = ({ priceAmount, priceCurrency }: PlanRow) =>
  priceAmount === null || priceCurrency === null ? null : { amount: priceAmount, currency: priceCurrency };

/** A plan of the catalog, in full. */
export const planRecord = (plan: PlanRow) =>
  Object.assign(nestedPlan(plan), {
    description: plan.description,
    specifications: specifications(plan),
    price: price(plan),
    requires_operator_review: plan.requiresOperatorReview,
  });

const cancellation = ({ cancellationType, cancellationEffectiveAt, cancellationRequestId }: ServiceRow) =>
  cancellationType === null || cancellationEffectiveAt === null || cancellationRequestId === null
    ? null
    : {
        cancellation_type: cancellationType,
        effective_date: isoTimestamp(cancellationEffectiveAt),
        request_id: cancellationRequestId,
      };

const suspension = (service: ServiceRow) => {
  const found = suspensionOf(service);
  return found && { suspended_by: found.by, reason: found.reason, suspended_date: isoTimestamp(found.at) };
};

/** A service with its plan and the open request that it shows. */
export const serviceRecord = ({ service, plan, openRequest }: ServiceView) => ({
  service_number: service.number,
  service_status: service.status,
  label: service.label,
  external_reference: service.externalReference,
  client: { name: service.clientName, email: service.clientEmail },
  plan: nestedPlan(plan),
  specifications: specifications(plan),
  price: price(plan),
  created_date: isoTimestamp(service.createdAt),
  updated_date: isoTimestamp(service.updatedAt),
  renewal_date: timestamp(service.renewalAt),
  cancelled_date: timestamp(service.cancelledAt),
  cancellation: cancellation(service),
  suspension: suspension(service),
  open_request: openRequest && {
    request_id: openRequest.id,
    type: openRequest.type,
    request_status: openRequest.status,
  },
});

/** The envelope's pagination object for a window of a list. */
export const pagination = ({ limit, offset }: Page, total: number) => ({
  page: Math.floor(offset / limit) + 1,
  perPage: limit,
  total,
  totalPages: Math.ceil(total / limit),
});

export type PlanRecord = ReturnType<typeof planRecord>;
export type ServiceRecord = ReturnType<typeof serviceRecord>;
export type NestedPlan = ReturnType<typeof nestedPlan>;
export type Pagination = ReturnType<typeof pagination>;
