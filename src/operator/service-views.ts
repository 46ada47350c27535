import { pagination, planRecord, serviceRecord, timestamp } from '../records.ts';
import { foldPlanName } from '../rules/plan-names.ts';
import { fold } from '../rules/search-text.ts';
import { isoTimestamp } from '../rules/timestamps.ts';
import { SERVICE_STATUSES } from '../rules/words.ts';
import type { AllServicesFilter, AllServicesOrder, OwnedService } from '../store/all-services.ts';
import type { BrokerRow } from '../store/brokers.ts';
import type { ServiceView } from '../store/services.ts';
import { OPERATOR } from '../store/slow-queries.ts';
import { listAudit } from './audit.ts';
import type { ReadDeps } from './dependencies.ts';
import { unknown } from './errors.ts';
import { flag, oneOf, read, serviceNumber, type Texts } from './fields.ts';
import { COUNTED_MOST, countedPage, type PageInput, windowOf } from './pages.ts';

export { SERVICE_STATUSES };

const STATUS = oneOf(SERVICE_STATUSES);
export const SERVICE_ORDERS = ['number', 'newest', 'changed', 'renewal'] as const satisfies readonly AllServicesOrder[];
const ORDER = oneOf(SERVICE_ORDERS);

/** The text index knows no shorter ones. */
const LEAST_SEARCH = 3;
const MOST_SEARCH = 100;

/** Plans of one name that are searched for. */
const MAX_PLANS = 1_000;

/**
 * Services of all brokers or of one, page by page; none where no broker has that slug. `search` is a part of label,
 * client's name or reference (three characters at least), a whole number, or a whole address; with nothing else to narrow
 * it by, the latest ten thousand that hold it are looked through. `order`: the highest number first (the default), the
 * newest, the last change, or what renews next, which leaves out what does not renew.
 */
export async function pageServices(
  { store }: ReadDeps,
  input: PageInput & Texts<'search' | 'broker' | 'status' | 'plan' | 'review' | 'order'> = {},
) {
  const window = windowOf(input);
  const order = input.order === undefined ? 'number' : read('order', ORDER, input.order);
  const named = input.broker === undefined ? undefined : await store.read.brokers.findBySlug(input.broker);
  const nothing = { items: [], ...countedPage(window, 0) };
  if (named === null) return nothing;
  const filter: AllServicesFilter = {
    brokerId: named?.id,
    status: input.status === undefined ? undefined : read('service_status', STATUS, input.status),
    review: input.review === undefined ? undefined : read('requires_operator_review', flag(), input.review),
    ...searchOf(input.search?.trim() ?? ''),
  };
  const { rows, total } = await store.slow(OPERATOR, async ({ allServices }) => {
    const planIds =
      input.plan === undefined
        ? undefined
        : await allServices.findPlans(foldPlanName(input.plan), named?.id, MAX_PLANS);
    if (planIds?.length === 0) return { rows: [], total: 0 };
    const narrowed = { ...filter, planIds };
    return {
      rows: await allServices.page(narrowed, order, window),
      total: isCounted(narrowed, order)
        ? await allServices.total(narrowed)
        : await allServices.countUpTo(narrowed, order, COUNTED_MOST + 1),
    };
  });
  const items = rows.map(serviceLine);
  if (isCounted({ ...filter }, order)) return { items, pagination: { ...pagination(window, total), isMore: false } };
  return { items, ...countedPage(window, total) };
}

/** Whether the counters know how many there are. */
const isCounted = ({ review, search, number, clientEmail }: AllServicesFilter, order: AllServicesOrder): boolean =>
  order !== 'renewal' && [review, search, number, clientEmail].every((narrower) => narrower === undefined);

/** What a text may name a service by; all undefined where it is too short. */
export function searchOf(text: string): Pick<AllServicesFilter, 'search' | 'number' | 'clientEmail'> {
  const folded = fold(text.slice(0, MOST_SEARCH));
  if (text.includes('@')) return { clientEmail: folded };
  const number = /^[1-9]\d{0,15}$/.test(text) && Number.isSafeInteger(Number(text)) ? Number(text) : undefined;
  return { number, search: [...folded].length >= LEAST_SEARCH ? folded : undefined };
}

const serviceLine = ({ service, plan, broker }: OwnedService) => ({
  service_number: service.number,
  service_status: service.status,
  label: service.label,
  client: { name: service.clientName },
  plan: { id: plan.id, slug: plan.slug, display_name: plan.displayName },
  broker: { slug: broker.slug, name: broker.name },
  requires_operator_review: service.requiresOperatorReview,
  created_date: isoTimestamp(service.createdAt),
  updated_date: isoTimestamp(service.updatedAt),
  renewal_date: timestamp(service.renewalAt),
});

/** The latest entries of each kind that the page of a service shows. */
const MAX_REQUESTS = 50;
const MAX_STEPS = 100;
const MAX_EMAILS = 50;
const MAX_EDITS = 50;

/** Mails about it are looked for among so many of its broker, the latest ones. */
const EMAILS_AMONG = 5_000;

/**
 * One service, found by its number alone: what it is, its plan, and what happened to it (requests with every step and
 * decision, emails, edits), newest first. Throws an `OperatorError` where there is none.
 */
export async function showServiceFile({ store, clock }: ReadDeps, input: { number: string }) {
  const number = read('service_number', serviceNumber(), input.number);
  const brokerId = await store.read.overview.findServiceOwner(number);
  if (brokerId === null) throw unknown(`There is no service ${number}`);
  const [broker, view] = await Promise.all([
    // Foreign keys say that both are there.
    store.read.brokers.find(brokerId) as Promise<BrokerRow>,
    store.read.services.findView(brokerId, number) as Promise<ServiceView>,
  ]);
  const past = await store.slow(OPERATOR, async ({ overview }) => {
    const requests = await overview.listOfService(brokerId, number, MAX_REQUESTS);
    return {
      requests,
      steps: await overview.listHistoryOf(
        brokerId,
        requests.map(({ id }) => id),
        MAX_STEPS,
      ),
      emails: await overview.listEmailsOfService(brokerId, number, { among: EMAILS_AMONG, limit: MAX_EMAILS }),
    };
  });
  const edits = await listAudit({ store, clock }, { subject: `service/${number}`, limit: String(MAX_EDITS) });
  const types = new Map(past.requests.map(({ id, type }) => [id, type]));
  const events = [
    ...past.steps.map(({ requestId, status, at, actor, note }) => ({
      kind: 'request' as const,
      date: isoTimestamp(at),
      request_id: requestId,
      // The steps are those of these requests.
      type: types.get(requestId) as (typeof past.requests)[number]['type'],
      request_status: status,
      actor,
      note,
    })),
    ...past.emails.map((email) => ({
      kind: 'email' as const,
      date: isoTimestamp(email.createdAt),
      email_id: email.id,
      email_kind: email.kind,
      email_status: email.status,
      note: email.settledNote ?? email.failureReason,
    })),
    ...edits.map(({ date, actor, action, before, after }) => ({
      kind: 'edit' as const,
      date,
      actor,
      action,
      before,
      after,
    })),
  ];
  return {
    ...serviceRecord(view),
    requires_operator_review: view.service.requiresOperatorReview,
    broker: { slug: broker.slug, name: broker.name },
    plan: planRecord(view.plan),
    events: events.sort((a, b) => (a.date < b.date ? 1 : -1)),
  };
}

export type ServicePage = Awaited<ReturnType<typeof pageServices>>;
export type ServiceFile = Awaited<ReturnType<typeof showServiceFile>>;
export type ServiceEvent = ServiceFile['events'][number];
