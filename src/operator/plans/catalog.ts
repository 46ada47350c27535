import { NO_OFFER, type PlanOffer } from '../../rules/offers.ts';
import { omit } from '../../rules/omit.ts';
import { foldPlanName, MAX_ACTIVE_PLANS, type SharedName, sharedNames } from '../../rules/plan-names.ts';
import { lastChangeAt } from '../../rules/timestamps.ts';
import type { BrokerRow } from '../../store/queries/brokers.ts';
import type { PlanRow } from '../../store/queries/plans.ts';
import type { Reads, Tx } from '../../store/store.ts';
import { batchWriter, type ImportRecord, inBatches } from '../files/read-file.ts';
import { type ChangeDeps, type OperatorDeps, recordChange, requireBroker } from '../use-case/dependencies.ts';
import { invalid, refusedAt, unknown } from '../use-case/errors.ts';
import type { OnProgress } from '../use-case/import-task.ts';
import { offerLengthFault } from '../use-case/offer-fields.ts';
import { isAlready } from '../use-case/stale.ts';
import { type CatalogRow, catalogRecord, columnsFrom, type PLAN, type PlanValues, planValues } from './record.ts';

/* A broker's plans, whose names, prices and uses are checked against each other before any is written. */

const offerOf = ({ options, actions, hasCredentials, provisioning }: PlanOffer): PlanOffer => ({
  options,
  actions,
  hasCredentials,
  provisioning,
});

const planOf = (row: CatalogRow): PlanRow => omit(row, 'options', 'actions', 'hasCredentials', 'provisioning');

/** All plans of a broker with what they offer, in catalog order. */
export async function catalogOf({ plans }: Pick<Reads, 'plans'>, brokerId: string): Promise<CatalogRow[]> {
  const offers = await plans.listAllOffers(brokerId);
  return (await plans.list(brokerId)).map((plan) => ({ ...plan, ...(offers.get(plan.id) ?? NO_OFFER) }));
}

/** The broker, whose plans no other transaction changes until this one ends. */
export async function lockCatalog(tx: Tx, slug: string): Promise<BrokerRow> {
  const broker = await requireBroker(tx, slug);
  await tx.plans.lockCatalog(broker.id);
  return broker;
}

/** Writes the plans of a file that differ from what is stored, and an audit row for each. */
export async function writePlans(
  tx: Tx,
  parts: Omit<ChangeDeps, 'store'>,
  { brokerId, rows, bySlug }: CheckedPlans,
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
  for (const batch of inBatches(renamed)) await tx.plans.upsert(batch.map(planOf));
  const differing = new Set(changed);
  await batchWriter(rows.length, onProgress)(rows, async (batch) => {
    const written = batch.filter((row) => differing.has(row));
    if (written.length > 0) await tx.plans.upsert(written.map(planOf));
    const offers = written.filter((row) => !isAlready(bySlug.get(row.slugFolded) ?? NO_OFFER, offerOf(row)));
    await tx.plans.putOffers(brokerId, new Map(offers.map((row) => [row.id, offerOf(row)])));
  });
  for (const plan of changed) {
    const before = bySlug.get(plan.slugFolded);
    await recordChange(parts, tx, {
      action: before ? 'plan.set' : 'plan.create',
      brokerId: plan.brokerId,
      subject: subjectOf(before ?? plan),
      before: before && catalogRecord(before),
      after: catalogRecord(plan),
    });
  }
}

/** Writes one plan. */
export async function writePlan(tx: Tx, row: CatalogRow, before?: CatalogRow): Promise<void> {
  const plan = planOf(row);
  if (before) await tx.plans.update(row.brokerId, row.id, omit(plan, 'id', 'brokerId'));
  else await tx.plans.insert(plan);
  if (isAlready(before ?? NO_OFFER, offerOf(row))) return;
  await tx.plans.putOffers(row.brokerId, new Map([[row.id, offerOf(row)]]));
}

/** What the audit trail calls a plan. */
export const aboutPlan = (plan: PlanRow) => ({ brokerId: plan.brokerId, subject: subjectOf(plan) });

export const subjectOf = ({ slug }: PlanRow): string => `plan/${slug}`;

export const isSame = (row: CatalogRow, before: CatalogRow | undefined): boolean =>
  isAlready(before, omit(row, 'updatedAt'));

export type ImportParts = Pick<OperatorDeps, 'store' | 'clock' | 'newId'>;

/** A plan as it is to be, and how a fault of it is reported. */
export type Candidate = Omit<ImportRecord<typeof PLAN>, 'where' | 'isListed' | 'compareListed'>;

export interface CheckedPlans {
  brokerId: string;
  /** By the candidates' places; there is none for one that is faulty by itself. */
  rows: CatalogRow[];
  /** The plans as they are stored, by folded slug. */
  bySlug: ReadonlyMap<string, CatalogRow>;
}

export type CatalogReads = Pick<Reads, 'plans' | 'allPlans'>;

/** What plans are checked against. */
interface Catalog {
  /** The stored plans that a plan to be written replaces, or whose names it may have. */
  existing: readonly CatalogRow[];
  /** How many plans the broker sells. */
  active: number;
}

/** All that a file of plans is checked against. */
export async function wholeCatalog(reads: CatalogReads, broker: BrokerRow): Promise<Catalog> {
  const existing = await catalogOf(reads, broker.id);
  return { existing, active: existing.filter(({ active }) => active).length };
}

/** The same for one plan: only the plans whose names it may have. */
async function catalogFor(
  { plans }: CatalogReads,
  broker: BrokerRow,
  { slug, display_name }: Pick<PlanValues, 'slug' | 'display_name'>,
  before: CatalogRow | undefined,
): Promise<Catalog> {
  const named = await plans.listColliding(broker.id, [foldPlanName(slug), foldPlanName(display_name)]);
  const others = named.filter(({ id }) => id !== before?.id).map((plan) => ({ ...plan, ...NO_OFFER }));
  return { existing: before ? [before, ...others] : others, active: await plans.countActive(broker.id) };
}

/** One plan as it will be, all of its values given. Throws an `OperatorError` for the first fault. */
export async function checkPlan(
  reads: CatalogReads,
  parts: Pick<ImportParts, 'clock' | 'newId'>,
  broker: BrokerRow,
  values: PlanValues,
  before?: CatalogRow,
): Promise<CatalogRow> {
  const candidate: Candidate = {
    values,
    completed: () => values,
    fault(field, message) {
      // Half a price cannot be, nor too long an offer; everything else is refused by the catalog as it is.
      throw (['price.amount', 'options', 'actions'].includes(field) ? invalid : refusedAt)({ field, message });
    },
  };
  const catalog = await catalogFor(reads, broker, values, before);
  const { rows } = await checkPlans(reads, parts, broker, [candidate], catalog);
  return rows[0] as CatalogRow;
}

/** Plans as rows; conflicts with the catalog, and among each other, are reported as faults. */
export async function checkPlans(
  reads: CatalogReads,
  { clock, newId }: Pick<ImportParts, 'clock' | 'newId'>,
  broker: BrokerRow,
  candidates: readonly Candidate[],
  { existing, active: sold }: Catalog,
): Promise<CheckedPlans> {
  const now = clock.now();
  const bySlug = new Map(existing.map((plan) => [plan.slugFolded, plan]));
  const seen = new Set<string>();
  const rows: CatalogRow[] = [];
  for (const [index, candidate] of candidates.entries()) {
    const fault: Candidate['fault'] = (...of) => candidate.fault(...of);
    const { slug } = candidate.values;
    if (slug === undefined) continue;
    const slugFolded = foldPlanName(slug);
    const before = bySlug.get(slugFolded);
    if (seen.has(slugFolded)) fault('slug', `"${slug}" is in the file twice (case does not count)`);
    else if (before && before.slug !== slug) fault('slug', `differs from "${before.slug}" in case alone`);
    seen.add(slugFolded);
    const values = candidate.completed(before && planValues(before));
    if (!values) continue;
    // A price is taken away as a whole.
    if (values['price.amount'] === null && candidate.values['price.currency'] === undefined) {
      values['price.currency'] = null;
    }
    if ((values['price.amount'] === null) !== (values['price.currency'] === null)) {
      fault('price.amount', 'a price needs an amount and a currency');
    }
    if (before && before.billingType !== values.billing_type) {
      const users = await usersOf(reads, broker.id, before.id);
      if (users) fault('billing_type', `cannot change: ${users} refer to the plan`);
    }
    const row = {
      id: before?.id ?? newId('pln', now),
      brokerId: broker.id,
      ...columnsFrom(values),
      slugFolded,
      displayNameFolded: foldPlanName(values.display_name),
      createdAt: before?.createdAt ?? now,
      updatedAt: before ? lastChangeAt(before.updatedAt, now) : now,
    };
    const tooLong = offerLengthFault(row);
    if (tooLong) fault(isAlready(before, { options: row.options }) ? 'actions' : 'options', tooLong);
    rows[index] = row;
  }

  const staying = existing.filter(({ slugFolded }) => !seen.has(slugFolded));
  // Names may be swapped between plans, so only the catalog as it will be counts.
  const names = new Map(staying.map((plan) => [plan.displayNameFolded, plan.slug]));
  rows.forEach(({ displayNameFolded, slug }, index) => {
    const owner = names.get(displayNameFolded);
    if (owner !== undefined) candidates[index]?.fault('display_name', `is that of "${owner}" (case does not count)`);
    else names.set(displayNameFolded, slug);
  });
  refuseSharedNames(existing, [...staying, ...rows.filter(Boolean)], (plan) => candidates[rows.indexOf(plan)]);

  const isNew = ({ slugFolded, active }: PlanRow) => active && !bySlug.get(slugFolded)?.active;
  const replaced = existing.filter(({ slugFolded, active }) => active && seen.has(slugFolded)).length;
  let active = sold - replaced + rows.filter((row) => row.active && !isNew(row)).length;
  rows.forEach((row, index) => {
    if (!isNew(row)) return;
    active += 1;
    if (active > MAX_ACTIVE_PLANS) candidates[index]?.fault('active', TOO_MANY_ACTIVE);
  });
  return { brokerId: broker.id, rows, bySlug };
}

/**
 * Reports each display name of an active plan that is the slug of another one, for calls would get that one. What stands
 * today is no fault of a change of something else: the plans' pages and "broker status" name it.
 */
function refuseSharedNames(
  before: readonly CatalogRow[],
  after: readonly CatalogRow[],
  candidateOf: (plan: CatalogRow) => Candidate | undefined,
): void {
  const keyOf = ({ named, slugged }: SharedName<CatalogRow>) => `${named.id} ${slugged.id}`;
  const standing = new Set(sharedNames(before).map(keyOf));
  const known = new Set(before.map(({ id }) => id));
  for (const shared of sharedNames(after)) {
    if (standing.has(keyOf(shared))) continue;
    const { named, slugged } = shared;
    // Two with one slug, or with one display name, are a fault already.
    if (named.slugFolded === slugged.slugFolded || named.displayNameFolded === slugged.displayNameFolded) continue;
    const [ofNamed, ofSlugged] = [candidateOf(named), candidateOf(slugged)];
    if (ofNamed) ofNamed.fault('display_name', `is the slug of "${slugged.slug}" (case does not count)`);
    // The slug of a plan never changes: one that exists collides by being sold again.
    else if (known.has(slugged.id)) {
      ofSlugged?.fault('active', `cannot be: the slug is the display name of "${named.slug}" (case does not count)`);
    } else ofSlugged?.fault('slug', `is the display name of "${named.slug}" (case does not count)`);
  }
}

/** The services of a plan, ended ones too, and the open requests to it, in words; null where there are none. */
async function usersOf({ allPlans }: CatalogReads, brokerId: string, planId: string): Promise<string | null> {
  const services = (await allPlans.countServices([planId])).reduce((sum, { services }) => sum + services, 0);
  const requests = await allPlans.countOpenRequests(brokerId, planId);
  if (services + requests === 0) return null;
  const ofServices = services === 1 ? '1 service' : `${services} services`;
  const ofRequests = requests === 1 ? '1 open request' : `${requests} open requests`;
  return `${ofServices} (ended ones count) and ${ofRequests}`;
}

const TOO_MANY_ACTIVE = `is one too many: a broker may have ${MAX_ACTIVE_PLANS} active plans`;

export async function requirePlan(reads: Pick<Reads, 'plans'>, broker: BrokerRow, slug: string): Promise<CatalogRow> {
  const [plan] = await reads.plans.listBySlug(broker.id, [foldPlanName(slug.trim())]);
  if (!plan) throw unknown(`"${broker.slug}" has no plan "${slug}"`);
  return withOffer(reads, plan);
}

export const withOffer = async ({ plans }: Pick<Reads, 'plans'>, plan: PlanRow): Promise<CatalogRow> => ({
  ...plan,
  ...(await plans.findOffer(plan.brokerId, plan.id)),
});
