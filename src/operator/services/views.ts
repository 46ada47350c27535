import { type Static, Type } from '@sinclair/typebox';
import { Nullable, Shown } from '../../../schemas/atoms.ts';
import { Service } from '../../../schemas/services.ts';
import { operatorOwner } from '../../limits/operator-slot.ts';
import { actionOf, consumptionRecord, historyText, pagination, planSummary, serviceRecord } from '../../records.ts';
import { accessOf } from '../../rules/access.ts';
import { omit } from '../../rules/omit.ts';
import { foldPlanName } from '../../rules/plan-names.ts';
import { fold, searchTerm } from '../../rules/search-text.ts';
import { serviceUid } from '../../rules/service-uid.ts';
import { isoTimestamp } from '../../rules/timestamps.ts';
import { SERVICE_STATUSES } from '../../rules/words.ts';
import type { AllServicesFilter, AllServicesOrder, OwnedService } from '../../store/queries/all-services.ts';
import { ERASED } from '../../store/queries/erasure.ts';
import type { RequestRow } from '../../store/queries/requests.ts';
import type { ListedService, ServiceView } from '../../store/queries/services.ts';
import type { Reads } from '../../store/store.ts';
import { actorIn, findErasure, listAudit, MAX_EDITS } from '../audit/audit.ts';
import { invoiceRecord } from '../billing/invoices.ts';
import {
  BROKER,
  type ReadDeps,
  requireBroker,
  requireOwner,
  SERVICE_NAME,
  unknownService,
} from '../use-case/dependencies.ts';
import { invalid } from '../use-case/errors.ts';
import { readPages, recordsOf } from '../use-case/exports.ts';
import { flag, integer, line, oneOf, read, readAll, serviceNumber, text, timestamp } from '../use-case/fields.ts';
import {
  COUNTED_MOST,
  countedPage,
  limitedTo,
  listed,
  type PageInput,
  refuseFilters,
  SINCE_CHANGE,
  totalOf,
  WINDOW,
  windowOf,
} from '../use-case/pages.ts';
import { recordWith } from '../use-case/record.ts';
import { type GivenOf, useCase } from '../use-case/use-case.ts';

export { SERVICE_STATUSES };

export const SERVICE_ORDERS = ['number', 'newest', 'changed', 'renewal'] as const satisfies readonly AllServicesOrder[];

/** The text index knows no shorter ones. Contract, section 6. */
const MIN_SEARCH = 3;

/** Plans of one name that are searched for. */
const MAX_PLANS = 1_000;

/** The record that callers see, with what only the operator does. */
export const SERVICE_RECORD = recordWith('Service', Type.Omit(Service, ['mode', 'simulated']), {
  requires_operator_review: Type.Boolean({ description: 'Whether every change of its plan waits for an operator' }),
  broker: Shown(64, 'The slug of its broker', { examples: ['acme'] }),
  service_uid: Shown(128, 'What the provisioner knows its machine by; unique in time, other than its number', {
    examples: ['req_01KJ6Q4S8GB6RZ1A3Y5T7V9XCD'],
  }),
  reference: Nullable(Shown(255, 'The provisioner’s own id of it, which brokers do not see'), {
    examples: ['node-3/vm-17'],
  }),
});

const FILTER = Type.Object({
  broker: Type.Optional(BROKER.broker),
  service_status: Type.Optional(oneOf(SERVICE_STATUSES, { title: 'Status', option: 'status' })),
  plan: Type.Optional(line(200, { title: 'Plan', description: 'On the plan with this slug' })),
  requires_operator_review: Type.Optional(
    flag({
      title: 'Review',
      option: 'review',
      negative: 'no-review',
      description: 'Those whose plan changes are all reviewed',
    }),
  ),
  search: Type.Optional(
    text(200, {
      title: 'Search',
      description:
        'Part of a label, a client’s name, a reference, the beginning of the provisioner’s reference, a host name or an IP address; a number; an email address, or a part of it that nothing else has',
    }),
  ),
  reference: Type.Optional(
    line(255, { title: 'Machine', description: 'What the provisioner’s reference begins with, such as node-3/' }),
  ),
  order: Type.Optional(oneOf(SERVICE_ORDERS, { title: 'Order', description: 'What comes first', default: 'newest' })),
});

/**
 * Services of all brokers or of one, page by page; none where no broker has that slug. `search` is a part of label,
 * client's name or reference (three characters at least), a whole number, or an email address: a part of one where nothing
 * else has it. `order`: the newest first (the default), the highest number, the last change, or what renews next, which
 * leaves out what does not renew.
 */
export async function pageServices({ store }: ReadDeps, input: PageInput & GivenOf<typeof FILTER> = {}) {
  const window = windowOf(input);
  const { order = 'newest', ...given } = readAll(FILTER, input);
  const found = await filterOf(store.read, given);
  if (found === null) return { items: [], ...countedPage(window, 0) };
  const { filter, plan } = found;
  const isCounted =
    order !== 'renewal' && filter.review === undefined && filter.reference === undefined && !isSearch(found.text);
  const find = async (read: Reads) => {
    const { allServices } = read;
    const narrowed = await narrowedBy(read, found);
    if (narrowed === null) return { rows: [], total: 0 };
    return {
      rows: await allServices.page(narrowed, order, window),
      total: isCounted
        ? await allServices.total(narrowed)
        : await allServices.countUpTo(narrowed, order, COUNTED_MOST + 1),
    };
  };
  // The first of a broker's newest stand at the end of an index: the page of a broker does not wait for slow queries.
  const isQuick = filter.brokerId && isCounted && order === 'newest' && !filter.status && !plan && window.offset === 0;
  const { rows, total } = await (isQuick ? find(store.read) : store.slow(operatorOwner(), find));
  return {
    items: rows.map(listedRecord),
    ...(isCounted ? { pagination: { ...pagination(window, total), isMore: false } } : countedPage(window, total)),
  };
}

const listedRecord = (row: ServiceView & { broker: { slug: string; name: string; contactEmail: string } }) => ({
  ...managedRecord(row, uidOf(row)),
  broker: { slug: row.broker.slug, name: row.broker.name, contact_email: row.broker.contactEmail },
});

interface Narrowed {
  filter: AllServicesFilter;
  /** By its name: which plans these are is part of the query. */
  plan: string | undefined;
  /** What is searched for: where it is found is part of the query too. */
  text: string;
}

/** Null where no broker has that slug. */
async function filterOf(
  { brokers }: Pick<Reads, 'brokers'>,
  {
    broker,
    plan,
    search: text = '',
    service_status: status,
    requires_operator_review: review,
    reference,
  }: Static<typeof FILTER>,
): Promise<Narrowed | null> {
  const owner = broker === undefined ? undefined : await brokers.findBySlug(broker);
  return owner === null ? null : { plan, text, filter: { brokerId: owner?.id, status, review, reference } };
}

/** Null where there is no such plan. */
async function narrowedBy(
  { allServices }: Pick<Reads, 'allServices'>,
  { filter, plan, text }: Narrowed,
): Promise<AllServicesFilter | null> {
  const planIds =
    plan === undefined ? undefined : await allServices.findPlans(foldPlanName(plan), filter.brokerId, MAX_PLANS);
  if (planIds?.length === 0) return null;
  const among = { ...filter, planIds };
  return { ...among, ...(await searchedBy(allServices, text, among)) };
}

/** Whether a text is long enough to search for: what the counters do not count. */
export const isSearch = (text: string): boolean => Object.values(readSearch(text)).some((value) => value !== undefined);

/** The same for the command, where a broker that is not there is a fault, and so is a search of too few characters. */
export const listServices = useCase({
  name: 'services list',
  title: 'Services',
  summary: 'List services',
  description: 'List services, newest first: of one broker or of all',
  example: 'services list --broker acme --status active --search example.com',
  input: Type.Object({
    ...FILTER.properties,
    updated_since: Type.Optional(timestamp(SINCE_CHANGE)),
    after_number: Type.Optional(
      integer(0, Number.MAX_SAFE_INTEGER, {
        option: 'after-number',
        description: 'Beside it: begins behind this service within that millisecond',
      }),
    ),
    ...WINDOW,
  }),
  path: 'GET /services',
  answer: SERVICE_RECORD,
  columns: [
    'service_number',
    'broker',
    'service_status',
    'label',
    'client.name',
    'client.email',
    'plan.slug',
    'renewal_date',
  ],
  furtherColumns: [
    'external_reference',
    'requires_operator_review',
    'configuration',
    'access.hostname',
    'access.ip_addresses',
    'access.username',
    'access.login_url',
    'access.notes',
    'reference',
    'expected.service_status',
    'expected.plan.slug',
    'created_date',
    'updated_date',
    'cancelled_date',
    'service_uid',
  ],
  async pages(deps: ReadDeps, { offset, order = 'newest', ...input }) {
    await requireNarrowing(deps, input);
    const found = await filterOf(deps.store.read, input);
    // Once for all pages: what a search means may change while they are read.
    const narrowed = found && (await deps.store.slow(operatorOwner(), (read) => narrowedBy(read, found)));
    const rows = readPages<OwnedService>(deps, async (read, limit, last) => {
      if (narrowed === null) return [];
      return read.allServices.page(narrowed, order, { limit, offset: last ? 0 : offset }, last?.service);
    });
    return recordsOf(rows, (page) =>
      page.map((row) => ({ ...managedRecord(row, uidOf(row)), broker: row.broker.slug })),
    );
  },
  async run(deps: ReadDeps, { limit, offset, updated_since: updatedSince, after_number: afterNumber, ...input }) {
    if (updatedSince !== undefined || afterNumber !== undefined) {
      return listChanged(deps, { ...input, updatedSince, afterNumber }, { limit, offset });
    }
    await requireNarrowing(deps, input);
    const { items, pagination } = await pageServices(deps, { ...input, perPage: limit + 1, offset });
    const records = items.map((item) => ({ ...item, broker: item.broker.slug }));
    return listed(limit, records, pagination);
  },
});

type Changed = Static<typeof FILTER> & { updatedSince: number | undefined; afterNumber: number | undefined };

/** A broker's services that changed since a date, in the order of their changes, as in v1. */
async function listChanged(deps: ReadDeps, input: Changed, window: { limit: number; offset: number }) {
  const { store, clock } = deps;
  const { broker: slug, service_status: status, updatedSince, afterNumber, ...others } = omit(input, 'order');
  refuseFilters('after_number', { broker: slug, updatedSince, others });
  const broker = await requireBroker(store.read, String(slug));
  const filter = { status, updatedSince, afterNumber };
  // Before the page is read: a change that it does not show yet has a later date, or one of the last minute.
  const serverDate = clock.now();
  const history = historyText(await store.read.history.findLatest());
  const { views, uids, total } = await store.slow(operatorOwner(), async ({ services, allServices }) => {
    const views = await services.page(broker.id, filter, { ...window, limit: window.limit + 1 });
    const uids = await allServices.findUids(views.map(({ service }) => service.number));
    return { views, uids, total: await services.countMatches(broker.id, filter) };
  });
  const records = views.map((view) => ({
    ...managedRecord(view, uids.get(view.service.number) as string),
    broker: broker.slug,
  }));
  return { ...limitedTo(window.limit, records), total: totalOf(total), serverDate, history };
}

async function requireNarrowing({ store }: ReadDeps, { broker, search }: Static<typeof FILTER>): Promise<void> {
  if (broker !== undefined) await requireBroker(store.read, broker);
  if (search !== undefined && !isSearch(search)) {
    throw invalid({ field: 'search', message: `must have at least ${MIN_SEARCH} characters`, rule: 'range' });
  }
}

/** One service of a broker. */
export const showService = useCase({
  name: 'services show',
  title: 'Service',
  summary: 'Read a service',
  description: 'Show one service',
  example: 'services show 1000001',
  input: Type.Object(SERVICE_NAME),
  on: ['service_number'],
  argument: 'service_number',
  path: 'GET /services/:service_number',
  answer: SERVICE_RECORD,
  run: async ({ store }: ReadDeps, input) =>
    requireView(store.read, await requireOwner(store.read, input), input.service_number),
});

/** The record of a broker's service. Throws an `OperatorError`. */
export async function requireView(
  reads: Pick<Reads, 'services'>,
  { id, slug }: { id: string; slug: string },
  number: number,
) {
  const view = await reads.services.findView(id, number);
  if (!view) throw unknownService(slug, number);
  return { ...managedRecord(view, uidOf(view)), broker: slug };
}

/** The record that callers see, with what only the operator does. */
export type ManagedService = Awaited<ReturnType<typeof requireView>>;

const uidOf = ({ service, creationId }: ServiceView) => serviceUid(service, creationId);

const managedRecord = (view: ListedService, uid: string) => ({
  ...serviceRecord(view),
  // The last one of an ended service too, until the client is erased.
  access: accessOf(view.service.access),
  requires_operator_review: view.service.requiresOperatorReview,
  service_uid: uid,
  reference: view.service.reference,
});

/** What a text may name a service by; all undefined where it is too short. */
export function readSearch(
  text: string,
): Partial<Pick<AllServicesFilter, 'search' | 'number' | 'clientEmail' | 'referencePart'>> {
  const folded = searchTerm(text);
  const number = /^[1-9]\d{0,15}$/.test(text) && Number.isSafeInteger(Number(text)) ? Number(text) : undefined;
  return {
    number,
    clientEmail: text.includes('@') ? folded : undefined,
    search: [...folded].length >= MIN_SEARCH ? folded : undefined,
    referencePart: [...folded].length >= MIN_SEARCH ? text.trim() : undefined,
  };
}

/** From so many characters on a part of a client's email is searched for, where nothing else has it: it has no index. */
const MIN_EMAIL_PART = 4;

/** Where a text is found among these services: what it names, or else a part of emails. */
export async function searchedBy(
  allServices: Reads['allServices'],
  text: string,
  among: AllServicesFilter = {},
): Promise<ReturnType<typeof readSearch> & Pick<AllServicesFilter, 'emailPart'>> {
  const byText = readSearch(text);
  if (text.length < MIN_EMAIL_PART || (await allServices.countUpTo({ ...among, ...byText }, 'number', 1)) > 0)
    return byText;
  return { emailPart: fold(text) };
}

/** The latest entries of each kind that the page of a service shows. */
const MAX_REQUESTS = 50;
const MAX_STEPS = 100;
const MAX_EMAILS = 50;
/** Invoices that a page shows; the list has all. */
export const MAX_INVOICES = 12;

/** What names a service in the input of a use case. Throws an `OperatorError` where there is none. */
export async function findServiceName({ store }: Pick<ReadDeps, 'store'>, input: { number: string }) {
  const service_number = read('service_number', serviceNumber(), input.number);
  return { broker: (await requireOwner(store.read, { service_number })).slug, service_number };
}

/**
 * One service, found by its number alone: what it is, its plan, and what happened to it (requests with every step and
 * decision, emails, edits), newest first. Throws an `OperatorError` where there is none.
 */
export async function showServiceFile({ store, clock }: ReadDeps, input: { number: string }) {
  const number = read('service_number', serviceNumber(), input.number);
  const broker = await requireOwner(store.read, { service_number: number });
  const brokerId = broker.id;
  const view = (await store.read.services.findView(brokerId, number)) as ServiceView;
  const past = await store.slow(operatorOwner(), async ({ allRequests, emails }) => {
    const requests = await allRequests.listOfService(brokerId, number, MAX_REQUESTS);
    return {
      requests,
      steps: await allRequests.listHistoryOf(
        brokerId,
        requests.map(({ id }) => id),
        MAX_STEPS,
      ),
      emails: await emails.page(
        { brokerId, serviceNumber: number, now: clock.now() },
        { limit: MAX_EMAILS, offset: 0 },
      ),
    };
  });
  const [consumed, offer] = await Promise.all([
    store.read.consumption.find(brokerId, number),
    store.read.plans.findOffer(brokerId, view.plan.id),
  ]);
  const own = `service/${number}`;
  const trail = await listAudit({ store, clock }, { subject: own, limit: MAX_EDITS });
  // A change that submitted a request is the first step of that request.
  const edits = trail.filter(
    ({ subject, action, after }) =>
      action === 'client.erase' || (subject === own && (after === null || !('request_id' in after))),
  );
  const requests = new Map(past.requests.map((request) => [request.id, request]));
  const events = [
    ...past.steps.map((step, index) => {
      const { requestId, status, at, note } = step;
      // The steps are those of these requests.
      const request = requests.get(requestId) as RequestRow;
      const isFirst = !past.steps.slice(index + 1).some((other) => other.requestId === requestId);
      return {
        kind: 'request' as const,
        date: isoTimestamp(at),
        request_id: requestId,
        type: request.type,
        action: actionOf(request),
        request_status: status,
        actor: actorIn(trail, step),
        note: note ?? (isFirst ? request.cancellationReason : null),
      };
    }),
    ...past.emails.map((email) => ({
      kind: 'email' as const,
      date: isoTimestamp(email.createdAt),
      email_id: email.id,
      email_kind: email.kind,
      email_status: email.status,
      provider_message_id: email.providerMessageId,
      note: email.settledNote ?? email.failureReason,
    })),
    ...[...edits, ...(await findOrigin(store.read, view))].map(({ date, actor, action, before, after }) => ({
      kind: 'edit' as const,
      date,
      actor,
      action,
      before,
      after,
    })),
  ];
  return {
    ...managedRecord(view, uidOf(view)),
    broker: { slug: broker.slug, name: broker.name },
    plan: planSummary(view.plan),
    consumption: consumed && consumptionRecord(consumed),
    invoices: (await store.read.invoices.listOfServices(brokerId, [number], MAX_INVOICES)).map(invoiceRecord),
    /** What its plan lets a caller choose. */
    options: offer.options,
    has_credentials: offer.hasCredentials,
    events: events.sort((a, b) => (a.date < b.date ? 1 : -1)),
  };
}

/** Services that the page of a client shows. */
const MAX_OF_CLIENT = 200;

/**
 * The client of a service: their services of all brokers, the highest number first; of one without an address, or who
 * was erased, that service alone. Throws an `OperatorError` where there is no such service.
 */
export async function showClient({ store, clock }: ReadDeps, input: { number: string }) {
  const number = read('service_number', serviceNumber(), input.number);
  const broker = await requireOwner(store.read, { service_number: number });
  const view = (await store.read.services.findView(broker.id, number)) as ServiceView;
  const { clientName: name, clientEmail: email } = view.service;
  const isErased = (email ?? name) === ERASED;
  const rows =
    email === null || isErased
      ? [{ ...view, broker }]
      : await store.slow(operatorOwner(), ({ allServices }) =>
          allServices.page({ clientEmail: fold(email) }, 'number', { limit: MAX_OF_CLIENT, offset: 0 }),
        );
  return {
    service_number: number,
    client: { name, email },
    is_erased: isErased,
    /** When and by whom; undefined where the audit trail has it no more. */
    erasure: isErased ? await findErasure({ store, clock }, { brokerId: broker.id, number }) : undefined,
    broker: { slug: broker.slug, name: broker.name },
    services: rows.map(listedRecord),
    /** The latest of its broker's. */
    invoices: isErased ? [] : await invoicesOf(store.read, broker.id, rows),
  };
}

const invoicesOf = async ({ invoices }: Pick<Reads, 'invoices'>, brokerId: string, rows: readonly ServiceView[]) => {
  const numbers = rows.flatMap(({ service }) => (service.brokerId === brokerId ? [service.number] : []));
  return (await invoices.listOfServices(brokerId, numbers, MAX_INVOICES)).map(invoiceRecord);
};

export type ClientFile = Awaited<ReturnType<typeof showClient>>;

/** The import that created the service. */
async function findOrigin(read: Pick<Reads, 'audit'>, { service }: ServiceView) {
  const row = service.importId === null ? null : await read.audit.find(service.brokerId, service.importId);
  if (!row) return [];
  const { file } = JSON.parse(row.after ?? '{}') as { file?: string };
  return [
    {
      date: isoTimestamp(row.at),
      actor: row.actor,
      action: row.action,
      before: null,
      after: { file } as Record<string, unknown>,
    },
  ];
}

export type ServicePage = Awaited<ReturnType<typeof pageServices>>;
export type ServiceFile = Awaited<ReturnType<typeof showServiceFile>>;
export type ServiceEvent = ServiceFile['events'][number];
