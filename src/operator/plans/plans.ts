import { Type } from '@sinclair/typebox';
import { operatorOwner } from '../../limits/operator-slot.ts';
import type { PlanOffer } from '../../rules/offers.ts';
import { omit } from '../../rules/omit.ts';
import { foldPlanName } from '../../rules/plan-names.ts';
import { BILLING_TYPES, isEnded } from '../../rules/words.ts';
import type { AllPlansFilter, OwnedPlan, PlanOrder, PlanUse } from '../../store/queries/all-plans.ts';
import type { BrokerRow } from '../../store/queries/brokers.ts';
import type { PlanRow } from '../../store/queries/plans.ts';
import type { Reads, Store } from '../../store/store.ts';
import { type ImportFile, type ImportInput, readImportFile } from '../files/read-file.ts';
import { BROKER, type ChangeDeps, type ReadDeps, recordImport, requireBroker } from '../use-case/dependencies.ts';
import { refused, refusedAt, unknown } from '../use-case/errors.ts';
import { flag, named, type OptionalTexts, oneOf, read } from '../use-case/fields.ts';
import type { ImportReport } from '../use-case/import-task.ts';
import { COUNTED_MOST, countedPage, type PageInput, SHORT_LIST, wholeList, windowOf } from '../use-case/pages.ts';
import { answerSchema } from '../use-case/record.ts';
import { isAlready, refuseStale, type Seen } from '../use-case/stale.ts';
import { useCase } from '../use-case/use-case.ts';
import {
  aboutPlan,
  type CatalogReads,
  type CheckedPlans,
  catalogOf,
  checkPlan,
  checkPlans,
  type ImportParts,
  isSame,
  lockCatalog,
  requirePlan,
  wholeCatalog,
  withOffer,
  writePlan,
  writePlans,
} from './catalog.ts';
import {
  type CatalogRecord,
  type CatalogRow,
  catalogRecord,
  columnsFrom,
  EXPORTED,
  exportedRecord,
  PATHS,
  PLAN,
  PLAN_DETAIL,
  PLAN_RECORD,
  type PlanPath,
  type PlanValues,
  planValues,
  schemaOf,
  schemaOfRecord,
  summaryRecord,
} from './record.ts';

/**
 * Sets the plans of a file, all or nothing: a slug that the broker has is updated, and what the file lacks of it stays; a
 * new one is created. A slug or display name that differs from another one in nothing but case is a fault, within the
 * file as against the plans that stay. Each plan that changes is one row of the audit trail. Throws an `ImportError` that names every
 * faulty record. Contract, sections 9 and 12.9.
 */
export async function importPlans(parts: ChangeDeps, input: ImportInput): Promise<ImportReport> {
  const file = readImportFile(input.file, PLAN, 'slug', LISTED);
  return parts.store.tx(async (tx) => {
    const broker = await lockCatalog(tx, input.broker);
    const checked = await checkPlans(tx, parts, broker, file.records, await wholeCatalog(tx, broker));
    compareListed(file, checked);
    file.refuseFaulty();
    await writePlans(tx, parts, checked, input.onProgress);
    const { rows, bySlug } = checked;
    const updated = rows.filter(({ slugFolded }) => bySlug.has(slugFolded)).length;
    const report = await recordImport(parts, tx, 'plan.import', broker, input.file, { imported: rows.length, updated });
    return { ...report, ...file.warnings() };
  });
}

/** What `plans list` prints and an import cannot set. */
const LISTED = { others: ['id', 'created_date', 'updated_date'] };

function compareListed({ records }: ImportFile<typeof PLAN>, { bySlug }: CheckedPlans): void {
  for (const record of records) {
    if (!record.isListed) continue;
    const stored = bySlug.get(foldPlanName(record.values.slug ?? ''));
    record.compareListed(stored ? exportedRecord(stored) : null);
  }
}

/** What that import would do; nothing is written. */
export async function previewPlans(parts: ImportParts, input: ImportInput) {
  const file = readImportFile(input.file, PLAN, 'slug', LISTED);
  const { read } = parts.store;
  const broker = await requireBroker(read, input.broker);
  const checked = await checkPlans(read, parts, broker, file.records, await wholeCatalog(read, broker));
  compareListed(file, checked);
  const { rows, bySlug } = checked;
  return file.preview(broker.slug, rows, {
    summary: ['display_name'],
    replaced(row) {
      const existing = bySlug.get(row.slugFolded);
      return existing ? { before: catalogRecord(existing), after: catalogRecord(row) } : null;
    },
  });
}

/** What the table of plans shows; its CSV has the other fields behind these. */
const COLUMNS: readonly PlanPath[] = [
  'slug',
  'display_name',
  'upgrade_rank',
  'billing_type',
  'active',
  'requires_operator_review',
  'price.amount',
  'price.currency',
];

/** The broker's plans in catalog order, inactive ones included. */
export const listPlans = useCase({
  name: 'plans list',
  title: 'Plans',
  summary: 'List plans',
  description: 'List the plans, inactive ones included',
  example: 'plans list --broker acme',
  input: Type.Object({ ...BROKER, ...SHORT_LIST }),
  path: 'GET /brokers/:broker/plans',
  answer: schemaOfRecord('ListedPlan', EXPORTED),
  columns: COLUMNS,
  furtherColumns: EXPORTED.filter((path) => !COLUMNS.includes(path)),
  async run({ store }: ReadDeps, input) {
    const broker = await requireBroker(store.read, input.broker);
    const { records, ...counts } = wholeList(await catalogOf(store.read, broker.id), input);
    return { ...counts, records: records.map(exportedRecord) };
  },
});

/** One plan by its slug, with what uses it. Throws an `OperatorError` where there is none. */
export const showPlan = useCase({
  name: 'plans show',
  title: 'Plan',
  summary: 'Read a plan',
  description: 'Show one plan, and what uses it',
  example: 'plans show starter --broker acme',
  input: Type.Object({ ...BROKER, slug: named('slug', 'The plan’s slug') }),
  on: ['broker', 'slug'],
  argument: 'slug',
  path: 'GET /brokers/:broker/plans/:slug',
  answer: PLAN_DETAIL,
  async run({ store }: ReadDeps, { broker: owner, slug }) {
    const broker = await requireBroker(store.read, owner);
    return fileOf(store, broker, await requirePlan(store.read, broker, slug));
  },
});

/** The same by its id, of whichever broker. */
export async function findPlan({ store }: ReadDeps, input: { planId: string }) {
  const { plan, broker } = await requireOwnedPlan(store, input);
  return fileOf(store, broker, await withOffer(store.read, plan));
}

/** The same without what uses it. */
export async function findPlanRecord({ store }: ReadDeps, input: { planId: string }) {
  const { plan, broker } = await requireOwnedPlan(store, input);
  return { ...catalogRecord(await withOffer(store.read, plan)), broker: { slug: broker.slug, name: broker.name } };
}

/** What names a plan in the input of a use case. */
export async function findPlanName({ store }: ReadDeps, input: { planId: string }) {
  const { plan, broker } = await requireOwnedPlan(store, input);
  return { broker: broker.slug, slug: plan.slug };
}

async function requireOwnedPlan({ read }: Store, { planId }: { planId: string }): Promise<OwnedPlan> {
  const found = await read.allPlans.find(planId);
  if (!found) throw unknown(`There is no plan "${planId}"`);
  return found;
}

async function fileOf(store: Store, { id, slug, name }: Pick<BrokerRow, 'id' | 'slug' | 'name'>, plan: CatalogRow) {
  const [services, requests] = await store.slow(operatorOwner(), async ({ allPlans }) => [
    await allPlans.countServices([plan.id]),
    await allPlans.countOpenRequests(id, plan.id),
  ]);
  return {
    ...catalogRecord(plan),
    broker: { slug, name },
    ...usesOf(plan.id, services),
    open_requests: requests,
    /** The slugs of other active plans that the slug or display name of this one leads to, or whose names lead here. */
    shares_name_with: await sharersOf(store.read, plan),
  };
}

async function sharersOf({ plans }: Pick<Reads, 'plans'>, { id, brokerId, active, ...plan }: PlanRow) {
  if (!active) return [];
  const found = [
    ...(await plans.listActiveNamed(brokerId, id, plan.slugFolded)),
    ...(await plans.listActiveNamed(brokerId, id, plan.displayNameFolded)),
  ];
  return [...new Set(found.filter((other) => other.id !== id).map(({ slug }) => slug))];
}

const usesOf = (planId: string, counts: readonly PlanUse[]) => {
  const sum = (living: boolean) =>
    counts
      .filter((count) => count.planId === planId && isEnded(count.status) !== living)
      .reduce((total, { services }) => total + services, 0);
  return { services: sum(true), ended_services: sum(false) };
};

export type PlanFile = Awaited<ReturnType<typeof findPlan>>;
export type OwnedPlanRecord = Awaited<ReturnType<typeof findPlanRecord>>;

export const PLAN_ORDERS = ['broker', 'name', 'rank', 'changed'] as const satisfies readonly PlanOrder[];

/**
 * Plans of all brokers or of one, page by page; none where no broker has that slug.
 * @param input `search`: part of a slug or display name, or a whole id; `order`: by broker and rank (the default), name,
 * rank, or the last change
 */
export async function pagePlans(
  { store }: ReadDeps,
  input: PageInput & OptionalTexts<'search' | 'broker' | 'active' | 'billing' | 'order'> = {},
) {
  const window = windowOf(input);
  const broker = input.broker === undefined ? undefined : await store.read.brokers.findBySlug(input.broker);
  if (broker === null) return { items: [], ...countedPage(window, 0) };
  const filter: AllPlansFilter = {
    brokerId: broker?.id,
    active: input.active === undefined ? undefined : read('active', flag(), input.active),
    billingType: input.billing === undefined ? undefined : read('billing_type', oneOf(BILLING_TYPES), input.billing),
    search: input.search === undefined ? undefined : foldPlanName(input.search.trim()),
  };
  const order = input.order === undefined ? 'broker' : read('order', oneOf(PLAN_ORDERS), input.order);
  const found = await store.slow(operatorOwner(), async ({ allPlans, plans }) => {
    const rows = await allPlans.page(filter, order, window);
    return {
      rows,
      total: await allPlans.countUpTo(filter, COUNTED_MOST + 1),
      counts: await allPlans.countServices(rows.map(({ plan }) => plan.id)),
      offers: await offersOf(
        plans,
        rows.map(({ plan }) => plan),
      ),
    };
  });
  const items = found.rows.map(({ plan, broker: { slug, name } }) => ({
    ...summaryRecord(plan),
    broker: { slug, name },
    ...usesOf(plan.id, found.counts),
    /** What clients see of what it offers. */
    options: found.offers.get(plan.id)?.options.map(({ display_name }) => display_name) ?? [],
    actions: found.offers.get(plan.id)?.actions.map(({ display_name }) => display_name) ?? [],
  }));
  return { items, ...countedPage(window, found.total) };
}

async function offersOf({ listOffers }: Reads['plans'], plans: PlanRow[]): Promise<Map<string, PlanOffer>> {
  const offers = new Map<string, PlanOffer>();
  for (const owner of new Set(plans.map(({ brokerId }) => brokerId))) {
    const ids = plans.filter(({ brokerId }) => brokerId === owner).map(({ id }) => id);
    for (const [planId, offer] of await listOffers(owner, ids)) offers.set(planId, offer);
  }
  return offers;
}

export type PlanPage = Awaited<ReturnType<typeof pagePlans>>;

const PLAN_NAME = { ...BROKER, slug: named('slug', 'The plan’s slug') };

const { slug: NEW_SLUG, ...CHANGEABLE } = schemaOf(PATHS);

type PlanChange = { broker: string; slug: string } & { [P in Exclude<PlanPath, 'slug'>]?: PlanValues[P] };

/** Adds a plan to the broker's catalog; one that is there with these values stays as it is. Contract, section 9. */
export const createPlan = useCase({
  name: 'plans create',
  role: 'admin',
  action: 'plan.create',
  title: 'Add a plan',
  summary: 'Create a plan',
  description: 'Add a plan',
  example: 'plans create starter --broker acme --name Starter --rank 10 --billing monthly --price 9.90 --currency EUR',
  input: Type.Object({
    broker: { ...BROKER.broker, title: 'Broker' } as typeof BROKER.broker,
    slug: NEW_SLUG,
    ...(Object.fromEntries(
      Object.entries(CHANGEABLE).map(([path, field]) => [path, field.nullable ? Type.Optional(field) : field]),
    ) as typeof CHANGEABLE),
  }),
  argument: 'slug',
  path: 'POST /brokers/:broker/plans',
  answer: PLAN_RECORD,
  done: ({ display_name }: CatalogRecord) => `${display_name} was added.`,
  async change(tx, deps: ChangeDeps, { broker: owner, ...given }) {
    const broker = await lockCatalog(tx, owner);
    const [taken] = await tx.plans.listBySlug(broker.id, [foldPlanName(given.slug)]);
    const values = Object.fromEntries(PATHS.map((path) => [path, given[path] ?? null])) as PlanValues;
    const found = taken && (await withOffer(tx, taken));
    if (found && isAlready(found, columnsFrom(values))) return { record: catalogRecord(found), isChanged: false };
    if (taken) throw refusedAt({ field: 'slug', message: `is that of the plan "${taken.displayName}"` });
    const plan = await checkPlan(tx, deps, broker, values);
    await writePlan(tx, plan);
    return { record: catalogRecord(plan), about: aboutPlan(plan), after: catalogRecord(plan) };
  },
});

/**
 * Changes the fields of a plan that are given; null empties one. Services keep their plan and show its new values at
 * once. Contract, section 9.
 */
export const setPlan = useCase({
  name: 'plans set',
  role: 'admin',
  action: 'plan.set',
  title: 'Edit',
  summary: 'Change a plan',
  description: 'Change a plan',
  example: 'plans set starter --broker acme --price 12.50 --currency EUR',
  input: Type.Object({ ...PLAN_NAME, ...Type.Partial(Type.Object(CHANGEABLE)).properties }),
  on: ['broker', 'slug'],
  argument: 'slug',
  edit: true,
  path: 'POST /brokers/:broker/plans/:slug/update',
  answer: PLAN_RECORD,
  done: 'Saved.',
  async change(tx, deps: ChangeDeps, input, seen) {
    const broker = await lockCatalog(tx, input.broker);
    const { before, after } = await checkChange(tx, deps, broker, input, seen);
    if (isSame(after, before)) return { record: catalogRecord(before), isChanged: false };
    await writePlan(tx, after, before);
    const record = catalogRecord(after);
    return { record, about: aboutPlan(before), before: catalogRecord(before), after: record };
  },
});

/** What `setPlan` would do: the plan before and after it, and what uses the plan. Nothing is written. */
export const previewPlan = useCase({
  name: 'plans preview',
  audits: [],
  title: 'See what changes',
  summary: 'Preview a change of a plan',
  description: 'Show what a change of a plan would change, and for whom',
  example: 'plans preview starter --broker acme --price 12.50 --currency EUR',
  input: setPlan.input,
  role: 'admin',
  on: ['broker', 'slug'],
  argument: 'slug',
  edit: true,
  path: 'POST /brokers/:broker/plans/:slug/preview',
  answer: answerSchema('PlanPreview', { before: PLAN_DETAIL, after: PLAN_RECORD }),
  async run(deps: Pick<ChangeDeps, 'store' | 'clock' | 'newId'>, input, seen): Promise<PlanPreview> {
    const { read } = deps.store;
    const broker = await requireBroker(read, input.broker);
    const { before, after } = await checkChange(read, deps, broker, input, seen);
    const record = catalogRecord(isSame(after, before) ? before : after);
    return { before: await showPlan.run(deps, input), after: record };
  },
});

export interface PlanPreview {
  before: PlanFile;
  after: CatalogRecord;
}

/** The plan as it is, and as it will be. */
async function checkChange(
  reads: CatalogReads,
  parts: Pick<ImportParts, 'clock' | 'newId'>,
  broker: BrokerRow,
  { slug, ...change }: PlanChange,
  seen: Seen | undefined,
): Promise<{ before: CatalogRow; after: CatalogRow }> {
  const before = await requirePlan(reads, broker, slug);
  refuseStale(seen, catalogRecord(before));
  const given = omit(change, 'broker');
  // A price is taken away as a whole.
  const price = given['price.amount'] === null ? { 'price.currency': null } : {};
  const after = await checkPlan(reads, parts, broker, { ...planValues(before), ...given, ...price }, before);
  return { before, after };
}

/**
 * Removes a plan that no service is or was on and no request names. No index leads from a plan to requests: it reads the
 * broker's requests once.
 */
export const removePlan = useCase({
  name: 'plans remove',
  role: 'admin',
  action: 'plan.remove',
  title: 'Remove',
  summary: 'Remove a plan',
  description: 'Remove a plan that no service or request has used',
  example: 'plans remove starter --broker acme',
  input: Type.Object(PLAN_NAME),
  on: ['broker', 'slug'],
  argument: 'slug',
  path: 'POST /brokers/:broker/plans/:slug/remove',
  answer: PLAN_RECORD,
  show: showPlan.run,
  confirm: ({ display_name, slug, broker }) =>
    `The plan “${display_name}” (${slug}) of ${broker.name} is removed for good. That is refused if a service or request has ever used it.`,
  done: ({ display_name }: CatalogRecord) => `${display_name} was removed.`,
  async change(tx, _deps: ChangeDeps, input) {
    const broker = await lockCatalog(tx, input.broker);
    const plan = await requirePlan(tx, broker, input.slug);
    if (!(await tx.plans.removeUnused(broker.id, plan.id))) {
      throw refused(`The plan "${plan.slug}" was used by a service or request; stop selling it instead`);
    }
    const before = catalogRecord(plan);
    return { record: before, about: aboutPlan(plan), before };
  },
});
