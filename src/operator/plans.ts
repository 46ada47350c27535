import { planRecord } from '../records.ts';
import { lastChangeAt } from '../rules/last-change.ts';
import { isoMoment } from '../rules/moments.ts';
import { foldPlanName, MAX_ACTIVE_PLANS } from '../rules/plan-changes.ts';
import { renewalOf } from '../rules/renewals.ts';
import { BILLING_TYPES } from '../rules/words.ts';
import type { BrokerRow } from '../store/brokers.ts';
import type { PlanRow } from '../store/plans.ts';
import type { ServiceRow } from '../store/services.ts';
import type { Reads, Tx } from '../store/store.ts';
import { type ChangeDeps, note, noteImport, type OperatorDeps, type ReadDeps, requireBroker } from './dependencies.ts';
import { invalid, nothingToChange, unknown } from './errors.ts';
import { amount, currency, flag, integer, line, oneOf, planSlug, text } from './fields.ts';
import {
  batchWriter,
  columnsOf,
  type ImportFile,
  type ImportInput,
  type ImportReport,
  inBatches,
  optional,
  readImportFile,
  required,
} from './import-file.ts';

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
 * the plans that stay. Throws an `ImportError` that names every faulty record. Contract, section 9.
 */
export async function importPlans(parts: ChangeDeps, input: ImportInput): Promise<ImportReport> {
  const file = readImportFile(input.file, PLAN);
  return parts.store.tx(async (tx) => {
    const { broker, rows, bySlug } = await checkPlans(tx, parts, input.broker, file);
    file.refuseFaulty();

    // A plan may take the name that another plan had: first all changed names are released.
    const renamed = rows.flatMap((row) => {
      const before = bySlug.get(row.slugFolded);
      return before && before.displayNameFolded !== row.displayNameFolded
        ? [{ ...before, displayNameFolded: row.id }]
        : [];
    });
    for (const batch of inBatches(renamed)) await tx.plans.upsert(batch);
    await batchWriter(rows.length, input.onProgress)(rows, (batch) => tx.plans.upsert(batch));
    const now = parts.clock.stamp();
    for (const plan of rows) {
      const before = bySlug.get(plan.slugFolded);
      if (before && before.billingType !== plan.billingType) await rebill(tx, plan, now);
    }
    const updated = rows.filter(({ slugFolded }) => bySlug.has(slugFolded)).length;
    return noteImport(parts, tx, 'plan.import', broker, input.file, { imported: rows.length, updated });
  });
}

/** The services of a plan that is billed in another way from now on: hourly ones have no terms, monthly ones begin theirs. */
async function rebill(tx: Tx, { id, brokerId, billingType }: PlanRow, now: number): Promise<void> {
  let last: ServiceRow | undefined;
  do {
    const rows = await tx.services.lockOnPlan(brokerId, id, last ?? null, REBILLED_AT_ONCE);
    const before = new Map(rows.map((row) => [row.number, row]));
    const rebilled = rows.map((row) => ({
      ...row,
      ...renewalOf({ ...row, billingType }, { before: row, now }),
      updatedAt: lastChangeAt(row.updatedAt, now),
    }));
    if (rebilled.length > 0) await tx.services.replace(rebilled, before);
    last = rows.length < REBILLED_AT_ONCE ? undefined : rows.at(-1);
  } while (last);
}

/** What fits into one statement. */
const REBILLED_AT_ONCE = 500;

/** What that import would do; nothing is written. */
export async function previewPlans(parts: ImportParts, input: ImportInput) {
  const file = readImportFile(input.file, PLAN);
  const { broker, bySlug } = await checkPlans(parts.store.read, parts, input.broker, file);
  return file.preview(broker.slug, 'slug', ({ slug }) => bySlug.has(foldPlanName(slug)));
}

type ImportParts = Pick<OperatorDeps, 'store' | 'clock' | 'newId'>;

/** The file's plans as rows, with conflicts with the catalog noted as faults in the file. */
async function checkPlans(
  reads: Pick<Reads, 'brokers' | 'plans'>,
  { clock, newId }: ImportParts,
  brokerSlug: string,
  file: ImportFile<typeof PLAN>,
): Promise<{ broker: BrokerRow; rows: PlanRow[]; bySlug: ReadonlyMap<string, PlanRow> }> {
  const now = clock.now();
  const broker = await requireBroker(reads, brokerSlug);
  const existing = await reads.plans.list(broker.id);
  const bySlug = new Map(existing.map((plan) => [plan.slugFolded, plan]));
  const seen = new Set<string>();
  const rows: PlanRow[] = [];
  for (const { values, fault } of file.records) {
    const slugFolded = foldPlanName(values.slug);
    const before = bySlug.get(slugFolded);
    if (seen.has(slugFolded)) fault('slug', `"${values.slug}" is in the file twice (case does not count)`);
    else if (before && before.slug !== values.slug) fault('slug', `differs from "${before.slug}" in case alone`);
    if ((values['price.amount'] === null) !== (values['price.currency'] === null)) {
      fault('price.amount', 'a price needs an amount and a currency');
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
      updatedAt: now,
    });
  }

  // Names may be swapped between plans, so only the catalog as it will be counts.
  const names = new Map(
    existing.filter(({ slugFolded }) => !seen.has(slugFolded)).map((plan) => [plan.displayNameFolded, plan.slug]),
  );
  rows.forEach(({ displayNameFolded, slug }, index) => {
    const owner = names.get(displayNameFolded);
    if (owner !== undefined) file.records[index]?.fault('display_name', `is that of "${owner}" (case does not count)`);
    else names.set(displayNameFolded, slug);
  });

  const staying = existing.filter(({ slugFolded, active }) => active && !seen.has(slugFolded)).length;
  const isNew = ({ slugFolded, active }: PlanRow) => active && !bySlug.get(slugFolded)?.active;
  let active = staying + rows.filter((row) => row.active && !isNew(row)).length;
  rows.forEach((row, index) => {
    if (!isNew(row)) return;
    active += 1;
    if (active > MAX_ACTIVE_PLANS) file.records[index]?.fault('active', TOO_MANY_ACTIVE);
  });
  return { broker, rows, bySlug };
}

const TOO_MANY_ACTIVE = `is one too many: a broker may have ${MAX_ACTIVE_PLANS} active plans`;

/** The broker's plans in catalog order, inactive ones included. */
export async function listPlans({ store }: ReadDeps, input: { broker: string }): Promise<CatalogRecord[]> {
  const broker = await requireBroker(store.read, input.broker);
  return (await store.read.plans.list(broker.id)).map(catalogRecord);
}

/** Switches a plan, named by its slug, on or off, or marks it for review. */
export async function setPlan(
  parts: ChangeDeps,
  input: { broker: string; slug: string; active?: boolean | undefined; review?: boolean | undefined },
): Promise<CatalogRecord> {
  const { active, review } = input;
  if (active === undefined && review === undefined) {
    throw nothingToChange('active', 'requires_operator_review');
  }
  const { store, clock } = parts;
  return store.tx(async (tx) => {
    const broker = await requireBroker(tx, input.broker);
    const [plan] = await tx.plans.listBySlug(broker.id, [foldPlanName(input.slug.trim())]);
    if (!plan) throw unknown(`"${broker.slug}" has no plan "${input.slug}"`);
    if (active && !plan.active && (await tx.plans.listActive(broker.id)).length >= MAX_ACTIVE_PLANS) {
      throw invalid({ field: 'active', message: TOO_MANY_ACTIVE });
    }
    const changes = {
      active: active ?? plan.active,
      requiresOperatorReview: review ?? plan.requiresOperatorReview,
      updatedAt: clock.now(),
    };
    await tx.plans.update(broker.id, plan.id, changes);
    const after = catalogRecord({ ...plan, ...changes });
    const subject = `plan/${plan.slug}`;
    await note(parts, tx, { action: 'plan.set', brokerId: broker.id, subject, before: catalogRecord(plan), after });
    return after;
  });
}

/** The record that callers see, with what only the operator does. */
export type CatalogRecord = ReturnType<typeof catalogRecord>;

const catalogRecord = (row: PlanRow) => ({
  ...planRecord(row),
  active: row.active,
  created_date: isoMoment(row.createdAt),
  updated_date: isoMoment(row.updatedAt),
});
