import { isDeepStrictEqual } from 'node:util';
import { planRecord } from '../records.ts';
import { lastChangeAt } from '../rules/last-change.ts';
import { foldPlanName, MAX_ACTIVE_PLANS } from '../rules/plan-names.ts';
import { isoTimestamp } from '../rules/timestamps.ts';
import { BILLING_TYPES, isEnded } from '../rules/words.ts';
import type { AllPlansFilter, PlanOrder, PlanUse } from '../store/all-plans.ts';
import type { BrokerRow } from '../store/brokers.ts';
import type { PlanRow } from '../store/plans.ts';
import { OPERATOR } from '../store/slow-queries.ts';
import type { Reads, Store, Tx } from '../store/store.ts';
import { type ChangeDeps, note, noteImport, type OperatorDeps, type ReadDeps, requireBroker } from './dependencies.ts';
import { invalid, nothingToChange, refused, unknown } from './errors.ts';
import {
  amount,
  currency,
  type Field,
  flag,
  type Given,
  integer,
  line,
  oneOf,
  planSlug,
  read,
  type Texts,
  text,
} from './fields.ts';
import {
  batchWriter,
  columnsOf,
  type ImportInput,
  type ImportRecord,
  type ImportReport,
  inBatches,
  type OnProgress,
  optional,
  readImportFile,
  required,
} from './import-file.ts';
import { COUNTED_MOST, countedPage, type PageInput, windowOf } from './pages.ts';
import { refuseStale, type Seen } from './stale.ts';

const SIZE = integer(0, 1_000_000_000);

/** A plan in a file. Contract, section 9. */
const PLAN = {
  slug: required(planSlug),
  display_name: required(line(128)),
  upgrade_rank: required(integer(0, 2_147_483_647)),
  billing_type: required(oneOf(BILLING_TYPES)),
  active: optional(flag, true),
  requires_operator_review: optional(flag, false),
  description: optional(text(2000), null),
  'specifications.vcpu': optional(SIZE, null),
  'specifications.memory_mb': optional(SIZE, null),
  'specifications.disk_gb': optional(SIZE, null),
  'specifications.transfer_gb': optional(SIZE, null),
  'price.amount': optional(amount({ negative: false }), null),
  'price.currency': optional(currency, null),
};

export const PLAN_COLUMNS = columnsOf(PLAN);

/**
 * Sets the plans of a file, all or nothing: a slug that the broker has is updated as a whole, a new one is created.
 * A slug or display name that differs from another one in nothing but case is a fault, within the file as against
 * the plans that stay. Each plan that changes is one row of the audit trail. Throws an `ImportError` that names every
 * faulty record. Contract, section 9.
 */
export async function importPlans(parts: ChangeDeps, input: ImportInput): Promise<ImportReport> {
  const file = readImportFile(input.file, PLAN);
  return parts.store.tx(async (tx) => {
    const broker = await lockCatalog(tx, input.broker);
    const checked = await checkPlans(tx, parts, broker, file.records);
    file.refuseFaulty();
    await writePlans(tx, parts, checked, input.onProgress);
    const { rows, bySlug } = checked;
    const updated = rows.filter(({ slugFolded }) => bySlug.has(slugFolded)).length;
    return noteImport(parts, tx, 'plan.import', broker, input.file, { imported: rows.length, updated });
  });
}

/** The broker, whose plans no other transaction changes until this one ends. */
async function lockCatalog(tx: Tx, slug: string): Promise<BrokerRow> {
  const broker = await requireBroker(tx, slug);
  await tx.plans.lockCatalog(broker.id);
  return broker;
}

/** Writes the plans that differ from what is stored, and an audit row for each. */
async function writePlans(
  tx: Tx,
  parts: Omit<ChangeDeps, 'store'>,
  { rows, bySlug }: CheckedPlans,
  onProgress?: OnProgress,
): Promise<void> {
  const changed = rows.filter((row) => !isSame(row, bySlug.get(row.slugFolded)));
  // A plan may take the name that another plan had: first all changed names are released.
  const renamed = changed.flatMap((row) => {
    const before = bySlug.get(row.slugFolded);
    return before && before.displayNameFolded !== row.displayNameFolded
      ? [{ ...before, displayNameFolded: row.id }]
      : [];
  });
  for (const batch of inBatches(renamed)) await tx.plans.upsert(batch);
  const differing = new Set(changed);
  await batchWriter(rows.length, onProgress)(rows, async (batch) => {
    const written = batch.filter((row) => differing.has(row));
    if (written.length > 0) await tx.plans.upsert(written);
  });
  for (const plan of changed) {
    const before = bySlug.get(plan.slugFolded);
    await note(parts, tx, {
      action: before ? 'plan.set' : 'plan.create',
      brokerId: plan.brokerId,
      subject: subjectOf(before ?? plan),
      before: before && catalogRecord(before),
      after: catalogRecord(plan),
    });
  }
}

const subjectOf = ({ slug }: PlanRow): string => `plan/${slug}`;

const isSame = (row: PlanRow, before: PlanRow | undefined): boolean =>
  before !== undefined && isDeepStrictEqual({ ...row, updatedAt: 0 }, { ...before, updatedAt: 0 });

/** What that import would do; nothing is written. */
export async function previewPlans(parts: ImportParts, input: ImportInput) {
  const file = readImportFile(input.file, PLAN);
  const broker = await requireBroker(parts.store.read, input.broker);
  const { rows, bySlug } = await checkPlans(parts.store.read, parts, broker, file.records);
  return file.preview(broker.slug, {
    key: 'slug',
    summary: ['display_name'],
    replaced(index) {
      const row = rows[index] as PlanRow;
      const existing = bySlug.get(row.slugFolded);
      return existing ? { before: catalogRecord(existing), after: catalogRecord(row) } : null;
    },
  });
}

type ImportParts = Pick<OperatorDeps, 'store' | 'clock' | 'newId'>;

type PlanPath = keyof typeof PLAN;

/** A plan as it is to be, and how a fault of it is told. */
type Candidate = Omit<ImportRecord<typeof PLAN>, 'where'>;

interface CheckedPlans {
  rows: PlanRow[];
  /** All plans of the broker as they are stored, by folded slug. */
  bySlug: ReadonlyMap<string, PlanRow>;
}

type CatalogReads = Pick<Reads, 'plans' | 'allPlans'>;

/** Plans as rows; conflicts with the catalog, and among each other, are told as faults. */
async function checkPlans(
  reads: CatalogReads,
  { clock, newId }: Pick<ImportParts, 'clock' | 'newId'>,
  broker: BrokerRow,
  candidates: readonly Candidate[],
): Promise<CheckedPlans> {
  const now = clock.now();
  const existing = await reads.plans.list(broker.id);
  const bySlug = new Map(existing.map((plan) => [plan.slugFolded, plan]));
  const seen = new Set<string>();
  const rows: PlanRow[] = [];
  for (const candidate of candidates) {
    const { values } = candidate;
    const fault: Candidate['fault'] = (field, message) => candidate.fault(field, message);
    const slugFolded = foldPlanName(values.slug);
    const before = bySlug.get(slugFolded);
    if (seen.has(slugFolded)) fault('slug', `"${values.slug}" is in the file twice (case does not count)`);
    else if (before && before.slug !== values.slug) fault('slug', `differs from "${before.slug}" in case alone`);
    if ((values['price.amount'] === null) !== (values['price.currency'] === null)) {
      fault('price.amount', 'a price needs an amount and a currency');
    }
    if (before && before.billingType !== values.billing_type) {
      const users = await usersOf(reads, broker.id, before.id);
      if (users) fault('billing_type', `cannot change: ${users} refer to the plan`);
    }
    seen.add(slugFolded);
    rows.push({
      id: before?.id ?? newId('pln', now),
      brokerId: broker.id,
      slug: values.slug,
      slugFolded,
      displayName: values.display_name,
      displayNameFolded: foldPlanName(values.display_name),
      upgradeRank: values.upgrade_rank,
      billingType: values.billing_type,
      active: values.active,
      requiresOperatorReview: values.requires_operator_review,
      description: values.description,
      vcpu: values['specifications.vcpu'],
      memoryMb: values['specifications.memory_mb'],
      diskGb: values['specifications.disk_gb'],
      transferGb: values['specifications.transfer_gb'],
      priceAmount: values['price.amount'],
      priceCurrency: values['price.currency'],
      createdAt: before?.createdAt ?? now,
      updatedAt: before ? lastChangeAt(before.updatedAt, now) : now,
    });
  }

  // Names may be swapped between plans, so only the catalog as it will be counts.
  const names = new Map(
    existing.filter(({ slugFolded }) => !seen.has(slugFolded)).map((plan) => [plan.displayNameFolded, plan.slug]),
  );
  rows.forEach(({ displayNameFolded, slug }, index) => {
    const owner = names.get(displayNameFolded);
    if (owner !== undefined) candidates[index]?.fault('display_name', `is that of "${owner}" (case does not count)`);
    else names.set(displayNameFolded, slug);
  });

  const staying = existing.filter(({ slugFolded, active }) => active && !seen.has(slugFolded)).length;
  const isNew = ({ slugFolded, active }: PlanRow) => active && !bySlug.get(slugFolded)?.active;
  let active = staying + rows.filter((row) => row.active && !isNew(row)).length;
  rows.forEach((row, index) => {
    if (!isNew(row)) return;
    active += 1;
    if (active > MAX_ACTIVE_PLANS) candidates[index]?.fault('active', TOO_MANY_ACTIVE);
  });
  return { rows, bySlug };
}

/** The services of a plan, ended ones too, and the open requests to it, in words; null where there are none. */
async function usersOf({ allPlans }: CatalogReads, brokerId: string, planId: string): Promise<string | null> {
  const services = (await allPlans.countServices([planId])).reduce((sum, { services }) => sum + services, 0);
  const requests = await allPlans.countOpenRequests(brokerId, planId);
  return services + requests === 0 ? null : `${services} services and ${requests} open requests`;
}

const TOO_MANY_ACTIVE = `is one too many: a broker may have ${MAX_ACTIVE_PLANS} active plans`;

/** The broker's plans in catalog order, inactive ones included. */
export async function listPlans({ store }: ReadDeps, input: { broker: string }): Promise<CatalogRecord[]> {
  const broker = await requireBroker(store.read, input.broker);
  return (await store.read.plans.list(broker.id)).map(catalogRecord);
}

/** One plan by its slug, with what uses it. Throws an `OperatorError` where there is none. */
export async function showPlan({ store }: ReadDeps, input: PlanName) {
  const broker = await requireBroker(store.read, input.broker);
  return fileOf(store, broker, await requirePlan(store.read, broker, input.slug));
}

/** The same by its id, of whichever broker. */
export async function findPlan({ store }: ReadDeps, input: { planId: string }) {
  const found = await store.read.allPlans.find(input.planId);
  if (!found) throw unknown(`There is no plan "${input.planId}"`);
  return fileOf(store, found.broker, found.plan);
}

async function fileOf(store: Store, { id, slug, name }: Pick<BrokerRow, 'id' | 'slug' | 'name'>, plan: PlanRow) {
  const [services, requests] = await store.slow(OPERATOR, async ({ allPlans }) => [
    await allPlans.countServices([plan.id]),
    await allPlans.countOpenRequests(id, plan.id),
  ]);
  return { ...catalogRecord(plan), broker: { slug, name }, ...usesOf(plan.id, services), open_requests: requests };
}

const usesOf = (planId: string, counts: readonly PlanUse[]) => {
  const sum = (living: boolean) =>
    counts
      .filter((count) => count.planId === planId && isEnded(count.status) !== living)
      .reduce((total, { services }) => total + services, 0);
  return { services: sum(true), ended_services: sum(false) };
};

export type PlanFile = Awaited<ReturnType<typeof showPlan>>;

export const PLAN_ORDERS = ['broker', 'name', 'rank', 'changed'] as const satisfies readonly PlanOrder[];

/**
 * Plans of all brokers or of one, page by page; none where no broker has that slug.
 * @param input `search`: part of a slug or display name, or a whole id; `order`: by broker and rank (the default), name,
 * rank, or the last change
 */
export async function pagePlans(
  { store }: ReadDeps,
  input: PageInput & Texts<'search' | 'broker' | 'active' | 'billing' | 'order'> = {},
) {
  const window = windowOf(input);
  const broker = input.broker === undefined ? undefined : await store.read.brokers.findBySlug(input.broker);
  if (broker === null) return { items: [], ...countedPage(window, 0) };
  const filter: AllPlansFilter = {
    brokerId: broker?.id,
    active: input.active === undefined ? undefined : read('active', flag, input.active),
    billingType: input.billing === undefined ? undefined : read('billing_type', oneOf(BILLING_TYPES), input.billing),
    search: input.search === undefined ? undefined : foldPlanName(input.search.trim()),
  };
  const order = input.order === undefined ? 'broker' : read('order', oneOf(PLAN_ORDERS), input.order);
  const found = await store.slow(OPERATOR, async ({ allPlans }) => {
    const rows = await allPlans.page(filter, order, window);
    return {
      rows,
      total: await allPlans.countUpTo(filter, COUNTED_MOST + 1),
      counts: await allPlans.countServices(rows.map(({ plan }) => plan.id)),
    };
  });
  const items = found.rows.map(({ plan, broker: { slug, name } }) => ({
    ...catalogRecord(plan),
    broker: { slug, name },
    ...usesOf(plan.id, found.counts),
  }));
  return { items, ...countedPage(window, found.total) };
}

export type PlanPage = Awaited<ReturnType<typeof pagePlans>>;

interface PlanName {
  broker: string;
  slug: string;
}

/** The fields of a plan that an operator gives one by one. Null empties one. */
export interface PlanFields {
  name?: string | undefined;
  rank?: Given<number> | undefined;
  billing?: string | undefined;
  active?: boolean | undefined;
  review?: boolean | undefined;
  description?: string | null | undefined;
  vcpu?: Given<number> | null | undefined;
  memoryMb?: Given<number> | null | undefined;
  diskGb?: Given<number> | null | undefined;
  transferGb?: Given<number> | null | undefined;
  /** An amount; null takes the currency away too. */
  price?: string | null | undefined;
  currency?: string | null | undefined;
}

type PlanChange = PlanName & PlanFields & { seen?: Seen | undefined };

const PATHS: Readonly<Record<keyof PlanFields, PlanPath>> = {
  name: 'display_name',
  rank: 'upgrade_rank',
  billing: 'billing_type',
  active: 'active',
  review: 'requires_operator_review',
  description: 'description',
  vcpu: 'specifications.vcpu',
  memoryMb: 'specifications.memory_mb',
  diskGb: 'specifications.disk_gb',
  transferGb: 'specifications.transfer_gb',
  price: 'price.amount',
  currency: 'price.currency',
};

/** A plan's values with those that are given in place of its own, or of the defaults. */
function candidateOf(slug: string, given: PlanFields, before?: PlanRow): Candidate {
  const fields = { ...given, ...(given.price === null && { currency: null }) };
  const values: Record<string, unknown> = { slug, ...(before && valuesOf(before)) };
  for (const [name, path] of Object.entries(PATHS) as Array<[keyof PlanFields, PlanPath]>) {
    const value = fields[name];
    const { field, absent } = PLAN[path] as { field: Field<string>; absent: 'fault' | { value: unknown } };
    if (value === undefined && before) continue;
    if (value !== undefined && value !== null) values[path] = read(path, field, String(value));
    else if (absent === 'fault') throw invalid({ field: path, message: 'is required' });
    else values[path] = absent.value;
  }
  return {
    values: values as Candidate['values'],
    fault(field, message) {
      throw invalid({ field, message });
    },
  };
}

const valuesOf = (row: PlanRow): Candidate['values'] => ({
  slug: row.slug,
  display_name: row.displayName,
  upgrade_rank: row.upgradeRank,
  billing_type: row.billingType,
  active: row.active,
  requires_operator_review: row.requiresOperatorReview,
  description: row.description,
  'specifications.vcpu': row.vcpu,
  'specifications.memory_mb': row.memoryMb,
  'specifications.disk_gb': row.diskGb,
  'specifications.transfer_gb': row.transferGb,
  'price.amount': row.priceAmount,
  'price.currency': row.priceCurrency,
});

/** Adds a plan to the broker's catalog. Throws an `OperatorError`. Contract, section 9. */
export async function createPlan(parts: ChangeDeps, input: PlanName & PlanFields): Promise<CatalogRecord> {
  const slug = read('slug', planSlug, input.slug);
  return parts.store.tx(async (tx) => {
    const broker = await lockCatalog(tx, input.broker);
    const [taken] = await tx.plans.listBySlug(broker.id, [foldPlanName(slug)]);
    if (taken) throw invalid({ field: 'slug', message: `is that of the plan "${taken.displayName}"` });
    const checked = await checkPlans(tx, parts, broker, [candidateOf(slug, input)]);
    await writePlans(tx, parts, checked);
    return recordOf(checked);
  });
}

/**
 * Changes the fields of a plan that are given; null empties one. Services keep their plan and show its new values at
 * once. Throws an `OperatorError`. Contract, section 9.
 */
export async function setPlan(parts: ChangeDeps, input: PlanChange): Promise<CatalogRecord> {
  requireChange(input);
  return parts.store.tx(async (tx) => {
    const broker = await lockCatalog(tx, input.broker);
    const checked = await checkChange(tx, parts, broker, input);
    await writePlans(tx, parts, checked);
    return recordOf(checked);
  });
}

/** What `setPlan` would do: the plan before and after it, and what uses the plan. Nothing is written. */
export async function previewPlan(parts: Pick<ChangeDeps, 'store' | 'clock' | 'newId'>, input: PlanChange) {
  requireChange(input);
  const { store } = parts;
  const broker = await requireBroker(store.read, input.broker);
  const after = recordOf(await checkChange(store.read, parts, broker, input));
  const before = await showPlan(parts, input);
  return { before, after };
}

export type PlanPreview = Awaited<ReturnType<typeof previewPlan>>;

function requireChange(input: PlanFields): void {
  const names = Object.keys(PATHS) as Array<keyof PlanFields>;
  if (names.every((name) => input[name] === undefined)) throw nothingToChange(...Object.values(PATHS));
}

async function checkChange(
  reads: CatalogReads,
  parts: Pick<ImportParts, 'clock' | 'newId'>,
  broker: BrokerRow,
  { slug, seen, ...fields }: PlanChange,
): Promise<CheckedPlans> {
  const plan = await requirePlan(reads, broker, slug);
  refuseStale(seen, catalogRecord(plan));
  return checkPlans(reads, parts, broker, [candidateOf(plan.slug, fields, plan)]);
}

async function requirePlan(reads: Pick<Reads, 'plans'>, broker: BrokerRow, slug: string): Promise<PlanRow> {
  const [plan] = await reads.plans.listBySlug(broker.id, [foldPlanName(slug.trim())]);
  if (!plan) throw unknown(`"${broker.slug}" has no plan "${slug}"`);
  return plan;
}

/** The one plan that was checked; as it is stored where nothing of it changes. */
function recordOf({ rows: [row], bySlug }: CheckedPlans): CatalogRecord {
  // One candidate has one row.
  const plan = row as PlanRow;
  const before = bySlug.get(plan.slugFolded);
  return catalogRecord(before && isSame(plan, before) ? before : plan);
}

/**
 * Removes a plan that no service is or was on and no request names. Throws an `OperatorError`. No index leads from a
 * plan to requests: it reads the broker's requests once.
 */
export async function removePlan(parts: ChangeDeps, input: PlanName): Promise<CatalogRecord> {
  return parts.store.tx(async (tx) => {
    const broker = await lockCatalog(tx, input.broker);
    const plan = await requirePlan(tx, broker, input.slug);
    if (!(await tx.plans.removeUnused(broker.id, plan.id))) {
      throw refused(`The plan "${plan.slug}" was used by a service or request; switch it off instead`);
    }
    const before = catalogRecord(plan);
    await note(parts, tx, { action: 'plan.remove', brokerId: broker.id, subject: subjectOf(plan), before });
    return before;
  });
}

/** The record that callers see, with what only the operator does. */
export type CatalogRecord = ReturnType<typeof catalogRecord>;

const catalogRecord = (row: PlanRow) => ({
  ...planRecord(row),
  active: row.active,
  created_date: isoTimestamp(row.createdAt),
  updated_date: isoTimestamp(row.updatedAt),
});
