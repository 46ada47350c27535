import { Type } from '@sinclair/typebox';
import { Id, ListOf, Shown, Timestamp, Whole } from '../../schemas/atoms.ts';
import { OPERATOR } from '../limits/operator-slot.ts';
import { lastChangeAt } from '../rules/last-change.ts';
import { NO_OFFER, type PlanOffer } from '../rules/offers.ts';
import { foldPlanName, MAX_ACTIVE_PLANS, type SharedName, sharedNames } from '../rules/plan-names.ts';
import { isoTimestamp } from '../rules/timestamps.ts';
import { BILLING_TYPES, isEnded } from '../rules/words.ts';
import type { AllPlansFilter, PlanOrder, PlanUse } from '../store/all-plans.ts';
import type { BrokerRow } from '../store/brokers.ts';
import type { PlanRow } from '../store/plans.ts';
import type { Reads, Store, Tx } from '../store/store.ts';
import {
  BROKER,
  type ChangeDeps,
  note,
  noteImport,
  type OperatorDeps,
  type ReadDeps,
  requireBroker,
} from './dependencies.ts';
import { invalid, refused, refusedAt, unknown } from './errors.ts';
import {
  amount,
  currency,
  type Field,
  flag,
  integer,
  json,
  line,
  named,
  nullable,
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
import { offerLengthFault } from './offers.ts';
import { COUNTED_MOST, countedPage, listOf, type PageInput, SHORT_LIST, windowOf } from './pages.ts';
import { answerOf, type Nested, nested, nestedSchema, recordWith, shown } from './record.ts';
import { isAlready, refuseStale, type Seen } from './stale.ts';
import { asItStands, useCase } from './use-case.ts';

const size = (title: string) => nullable(integer(0, 1_000_000_000, { title }));

/**
 * The fields of a plan by their paths in its record, each with its column. A file, the commands, the forms, the record and
 * the audit trail have them from here. Contract, section 9.
 */
const FIELDS = {
  slug: {
    column: 'slug',
    field: planSlug({ title: 'Slug', description: 'What calls name it by; unique without case; it never changes' }),
  },
  display_name: {
    column: 'displayName',
    field: line(128, { title: 'Name', option: 'name', description: 'What clients see; unique without case' }),
  },
  upgrade_rank: {
    column: 'upgradeRank',
    field: integer(0, 2_147_483_647, { title: 'Rank', option: 'rank', description: 'Upgrades lead to a higher one' }),
  },
  billing_type: {
    column: 'billingType',
    field: oneOf(BILLING_TYPES, {
      title: 'Billed',
      option: 'billing',
      description: 'How it is billed; fixed while a service or an open request refers to the plan',
    }),
  },
  active: {
    column: 'active',
    field: flag({
      title: 'Status',
      description: `Sell it; at most ${MAX_ACTIVE_PLANS} plans may be active`,
      negative: 'inactive',
      choices: { true: 'on sale', false: 'no longer sold' },
      default: true,
    }),
  },
  requires_operator_review: {
    column: 'requiresOperatorReview',
    field: flag({
      title: 'Changes to it',
      option: 'review',
      negative: 'no-review',
      description: 'Changes to this plan wait for an operator',
      choices: { true: 'are reviewed', false: 'are accepted at once' },
      default: false,
    }),
  },
  description: { column: 'description', field: nullable(text(2000, { title: 'Description', multiline: true })) },
  'specifications.vcpu': { column: 'vcpu', field: size('vCPU') },
  'specifications.memory_mb': { column: 'memoryMb', field: size('Memory in MB') },
  'specifications.disk_gb': { column: 'diskGb', field: size('Disk in GB') },
  'specifications.transfer_gb': { column: 'transferGb', field: size('Transfer in GB') },
  'price.amount': {
    column: 'priceAmount',
    field: nullable(
      amount(
        { negative: false },
        { title: 'Price', option: 'price', description: 'With a currency; kept as it is written, such as 9.90' },
      ),
    ),
  },
  'price.currency': {
    column: 'priceCurrency',
    field: nullable(currency({ title: 'Currency', option: 'currency', description: 'Such as EUR; only with a price' })),
  },
  options: {
    column: 'options',
    field: nullable(json('options', { title: 'Options', description: 'What callers choose of a service, as JSON' })),
  },
  actions: {
    column: 'actions',
    field: nullable(
      json('actions', { title: 'Actions', description: 'What can be submitted for its services, as JSON' }),
    ),
  },
  has_credentials: {
    column: 'hasCredentials',
    field: flag({
      title: 'Credentials',
      option: 'credentials',
      negative: 'no-credentials',
      description: 'The provisioner knows the credentials of its services',
      choices: { true: 'can be read', false: 'cannot be read' },
      default: false,
    }),
  },
  provisioning: {
    column: 'provisioning',
    field: nullable(
      json('provisioning', {
        title: 'Provisioning',
        description: 'What the provisioner gets of it, a JSON object that no broker sees',
      }),
    ),
  },
} as const satisfies Record<string, { column: keyof CatalogRow; field: Field<never> | Field<unknown> }>;

/** A plan with what it offers. */
type CatalogRow = PlanRow & PlanOffer;

/** What the columns of a row hold; an emptied list is one without items. */
const EMPTY: Partial<Record<keyof CatalogRow, unknown>> = { options: [], actions: [] };

const offerOf = ({ options, actions, hasCredentials, provisioning }: PlanOffer): PlanOffer => ({
  options,
  actions,
  hasCredentials,
  provisioning,
});

function planOf({ options: _, actions: __, hasCredentials: ___, provisioning: ____, ...plan }: CatalogRow): PlanRow {
  return plan;
}

/** All plans of a broker with what they offer, in catalog order. */
async function catalogOf({ plans }: Pick<Reads, 'plans'>, brokerId: string): Promise<CatalogRow[]> {
  const offers = await plans.listAllOffers(brokerId);
  return (await plans.list(brokerId)).map((plan) => ({ ...plan, ...(offers.get(plan.id) ?? NO_OFFER) }));
}

type PlanPath = keyof typeof FIELDS;
type PlanValues = { [P in PlanPath]: (typeof FIELDS)[P] extends { field: Field<infer T> } ? T : never };

const PATHS = Object.keys(FIELDS) as PlanPath[];

const schemaOf = (paths: readonly PlanPath[]) =>
  Object.fromEntries(paths.map((path) => [path, FIELDS[path].field])) as { [P in PlanPath]: Field<PlanValues[P]> };

/** Options, actions and provisioning of a plan: a list of many does not read them. */
const OFFERED: readonly PlanPath[] = ['options', 'actions', 'has_credentials', 'provisioning'];

type Dated<P extends PlanPath> = Omit<Nested<Pick<PlanValues, P>>, 'price'> & {
  id: string;
  /** Whole, or not there. */
  price: { amount: string; currency: string } | null;
  created_date: string;
  updated_date: string;
};

/** A plan as operators see it: its fields, as they are declared. */
export type CatalogRecord = Omit<Dated<PlanPath>, keyof OfferRecord> & OfferRecord;
interface OfferRecord extends Pick<PlanOffer, 'options' | 'actions' | 'provisioning'> {
  has_credentials: boolean;
}

/** The schema and the values of the fields at these paths. */
const schemaOfRecord = (name: string, paths: readonly PlanPath[]) =>
  Type.Object(
    {
      id: Id('pln', 'The plan’s id'),
      ...nestedSchema(Object.fromEntries(paths.map((path) => [path, shown(FIELDS[path].field as Field<unknown>)]))),
      created_date: Timestamp('When it was made.'),
      updated_date: Timestamp('When it last changed.'),
    },
    { component: name },
  );

const recordOfPaths = (row: CatalogRow, paths: readonly PlanPath[]): CatalogRecord => ({
  id: row.id,
  ...(nested(Object.fromEntries(paths.map((path) => [path, row[FIELDS[path].column]]))) as unknown as Omit<
    CatalogRecord,
    'id' | 'created_date' | 'updated_date'
  >),
  created_date: isoTimestamp(row.createdAt),
  updated_date: isoTimestamp(row.updatedAt),
});

const EXPORTED = PATHS.filter((path) => path !== 'provisioning');
const SUMMARISED = PATHS.filter((path) => !OFFERED.includes(path));

const PLAN_RECORD = schemaOfRecord('Plan', PATHS);

const catalogRecord = (row: CatalogRow): CatalogRecord => recordOfPaths(row, PATHS);

/** The same without what is for the provisioner alone. */
const exportedRecord = (row: CatalogRow): Omit<CatalogRecord, 'provisioning'> => recordOfPaths(row, EXPORTED);

/** A plan in a list of many. */
const summaryRecord = (row: PlanRow): Omit<CatalogRecord, keyof OfferRecord> =>
  recordOfPaths({ ...row, ...NO_OFFER }, SUMMARISED);

const COUNT = (description: string) => Whole(0, Number.MAX_SAFE_INTEGER, description);

/** A plan with what uses it. */
const PLAN_DETAIL = recordWith('PlanDetail', PLAN_RECORD, {
  broker: Type.Object({ slug: Shown(64, 'The broker’s slug'), name: Shown(200, 'The broker’s name') }),
  services: COUNT('Services on it that have not ended'),
  ended_services: COUNT('Services on it that have ended'),
  open_requests: COUNT('Requests to it that are not final'),
  shares_name_with: ListOf(Shown(128), {
    description: 'Slugs of other active plans that its slug or display name leads to, or whose names lead here',
    examples: [[]],
  }),
});

/** A plan in a file. */
const PLAN = Object.fromEntries(
  PATHS.map((path) => {
    const field = FIELDS[path].field as Field<unknown>;
    if (field.default !== undefined) return [path, optional(field, field.default)];
    return [path, field.nullable ? optional(field, null) : required(field)];
  }),
) as { [P in PlanPath]: ReturnType<typeof required<PlanValues[P]>> };

export const PLAN_COLUMNS = columnsOf(PLAN);

/**
 * Sets the plans of a file, all or nothing: a slug that the broker has is updated, and what the file lacks of it stays; a
 * new one is created. A slug or display name that differs from another one in nothing but case is a fault, within the
 * file as against the plans that stay. Each plan that changes is one row of the audit trail. Throws an `ImportError` that names every
 * faulty record. Contract, sections 9 and 12.9.
 */
export async function importPlans(parts: ChangeDeps, input: ImportInput): Promise<ImportReport> {
  const file = readImportFile(input.file, PLAN, 'slug');
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

const isSame = ({ updatedAt: _, ...row }: CatalogRow, before: CatalogRow | undefined): boolean =>
  isAlready(before, row);

/** What that import would do; nothing is written. */
export async function previewPlans(parts: ImportParts, input: ImportInput) {
  const file = readImportFile(input.file, PLAN, 'slug');
  const broker = await requireBroker(parts.store.read, input.broker);
  const { rows, bySlug } = await checkPlans(parts.store.read, parts, broker, file.records);
  return file.preview(broker.slug, {
    summary: ['display_name'],
    replaced(index) {
      const row = rows[index] as CatalogRow;
      const existing = bySlug.get(row.slugFolded);
      return existing ? { before: catalogRecord(existing), after: catalogRecord(row) } : null;
    },
  });
}

type ImportParts = Pick<OperatorDeps, 'store' | 'clock' | 'newId'>;

/** A plan as it is to be, and how a fault of it is reported. */
type Candidate = Omit<ImportRecord<typeof PLAN>, 'where'>;

interface CheckedPlans {
  brokerId: string;
  /** By the candidates' places; there is none for one that is faulty by itself. */
  rows: CatalogRow[];
  /** All plans of the broker as they are stored, by folded slug. */
  bySlug: ReadonlyMap<string, CatalogRow>;
}

type CatalogReads = Pick<Reads, 'plans' | 'allPlans'>;

/** Plans as rows; conflicts with the catalog, and among each other, are reported as faults. */
async function checkPlans(
  reads: CatalogReads,
  { clock, newId }: Pick<ImportParts, 'clock' | 'newId'>,
  broker: BrokerRow,
  candidates: readonly Candidate[],
): Promise<CheckedPlans> {
  const now = clock.now();
  const existing = await catalogOf(reads, broker.id);
  const bySlug = new Map(existing.map((plan) => [plan.slugFolded, plan]));
  const seen = new Set<string>();
  const rows: CatalogRow[] = [];
  for (const [index, candidate] of candidates.entries()) {
    const fault: Candidate['fault'] = (field, message) => candidate.fault(field, message);
    const { slug } = candidate.values;
    if (slug === undefined) continue;
    const slugFolded = foldPlanName(slug);
    const before = bySlug.get(slugFolded);
    if (seen.has(slugFolded)) fault('slug', `"${slug}" is in the file twice (case does not count)`);
    else if (before && before.slug !== slug) fault('slug', `differs from "${before.slug}" in case alone`);
    seen.add(slugFolded);
    const values = candidate.completed(before && valuesOf(before));
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
  let active = staying.filter((plan) => plan.active).length + rows.filter((row) => row.active && !isNew(row)).length;
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
  return services + requests === 0 ? null : `${services} services and ${requests} open requests`;
}

const TOO_MANY_ACTIVE = `is one too many: a broker may have ${MAX_ACTIVE_PLANS} active plans`;

/** The broker's plans in catalog order, inactive ones included. */
export const listPlans = useCase({
  name: 'plans list',
  title: 'Plans',
  description: 'List the plans, inactive ones included',
  example: 'plans list --broker acme',
  input: Type.Object({ ...BROKER, ...SHORT_LIST }),
  path: 'GET /brokers/:broker/plans',
  answer: schemaOfRecord('ListedPlan', EXPORTED),
  columns: [
    'slug',
    'display_name',
    'upgrade_rank',
    'billing_type',
    'active',
    'requires_operator_review',
    'price.amount',
    'price.currency',
  ],
  furtherColumns: [
    'description',
    'specifications.vcpu',
    'specifications.memory_mb',
    'specifications.disk_gb',
    'specifications.transfer_gb',
    'has_credentials',
    'options',
    'actions',
  ],
  async run({ store }: ReadDeps, input) {
    const broker = await requireBroker(store.read, input.broker);
    const { records, ...counts } = listOf(await catalogOf(store.read, broker.id), input);
    return { ...counts, records: records.map(exportedRecord) };
  },
});

/** One plan by its slug, with what uses it. Throws an `OperatorError` where there is none. */
export const showPlan = useCase({
  name: 'plans show',
  title: 'Plan',
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
  const found = await store.read.allPlans.find(input.planId);
  if (!found) throw unknown(`There is no plan "${input.planId}"`);
  return fileOf(store, found.broker, await withOffer(store.read, found.plan));
}

async function fileOf(store: Store, { id, slug, name }: Pick<BrokerRow, 'id' | 'slug' | 'name'>, plan: CatalogRow) {
  const [services, requests] = await store.slow(OPERATOR, async ({ allPlans }) => [
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
    active: input.active === undefined ? undefined : read('active', flag(), input.active),
    billingType: input.billing === undefined ? undefined : read('billing_type', oneOf(BILLING_TYPES), input.billing),
    search: input.search === undefined ? undefined : foldPlanName(input.search.trim()),
  };
  const order = input.order === undefined ? 'broker' : read('order', oneOf(PLAN_ORDERS), input.order);
  const found = await store.slow(OPERATOR, async ({ allPlans, plans }) => {
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

/** A plan as it will be, all of its values given. */
function candidateOf(values: PlanValues): Candidate {
  return {
    values,
    completed: () => values,
    fault(field, message) {
      // Half a price cannot be, nor too long an offer; everything else is refused by the catalog as it is.
      throw (['price.amount', 'options', 'actions'].includes(field) ? invalid : refusedAt)({ field, message });
    },
  };
}

const valuesOf = (row: CatalogRow) =>
  Object.fromEntries(PATHS.map((path) => [path, row[FIELDS[path].column]])) as PlanValues;

const columnsFrom = (values: PlanValues) =>
  Object.fromEntries(
    PATHS.map((path) => {
      const { column } = FIELDS[path];
      return [column, values[path] ?? EMPTY[column] ?? null];
    }),
  ) as Pick<CatalogRow, (typeof FIELDS)[PlanPath]['column']>;

/** Adds a plan to the broker's catalog; one that is there with these values stays as it is. Contract, section 9. */
export const createPlan = useCase({
  name: 'plans create',
  role: 'admin',
  title: 'Add a plan',
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
  run: (deps: ChangeDeps, { broker: owner, ...given }) =>
    deps.store.tx(async (tx) => {
      const broker = await lockCatalog(tx, owner);
      const [taken] = await tx.plans.listBySlug(broker.id, [foldPlanName(given.slug)]);
      const values = Object.fromEntries(PATHS.map((path) => [path, given[path] ?? null])) as PlanValues;
      const found = taken && (await withOffer(tx, taken));
      if (found && isAlready(found, columnsFrom(values))) return asItStands(catalogRecord(found));
      if (taken) throw refusedAt({ field: 'slug', message: `is that of the plan "${taken.displayName}"` });
      const checked = await checkPlans(tx, deps, broker, [candidateOf(values)]);
      await writePlans(tx, deps, checked);
      return recordOf(checked);
    }),
});

/**
 * Changes the fields of a plan that are given; null empties one. Services keep their plan and show its new values at
 * once. Contract, section 9.
 */
export const setPlan = useCase({
  name: 'plans set',
  role: 'admin',
  title: 'Edit',
  description: 'Change a plan',
  example: 'plans set starter --broker acme --price 12.50 --currency EUR',
  input: Type.Object({ ...PLAN_NAME, ...Type.Partial(Type.Object(CHANGEABLE)).properties }),
  on: ['broker', 'slug'],
  argument: 'slug',
  edit: true,
  path: 'POST /brokers/:broker/plans/:slug/update',
  answer: PLAN_RECORD,
  done: 'Saved.',
  run: (deps: ChangeDeps, input, seen) =>
    deps.store.tx(async (tx) => {
      const broker = await lockCatalog(tx, input.broker);
      const checked = await checkChange(tx, deps, broker, input, seen);
      await writePlans(tx, deps, checked);
      return recordOf(checked);
    }),
});

/** What `setPlan` would do: the plan before and after it, and what uses the plan. Nothing is written. */
export const previewPlan = useCase({
  name: 'plans preview',
  title: 'See what changes',
  description: 'Show what "plans set" would change, and for whom',
  example: 'plans preview starter --broker acme --price 12.50 --currency EUR',
  input: setPlan.input,
  role: 'admin',
  on: ['broker', 'slug'],
  argument: 'slug',
  edit: true,
  path: 'POST /brokers/:broker/plans/:slug/preview',
  answer: answerOf('PlanPreview', { before: PLAN_DETAIL, after: PLAN_RECORD }),
  async run(deps: Pick<ChangeDeps, 'store' | 'clock' | 'newId'>, input, seen): Promise<PlanPreview> {
    const { read } = deps.store;
    const broker = await requireBroker(read, input.broker);
    const after = recordOf(await checkChange(read, deps, broker, input, seen));
    return { before: await showPlan.run(deps, input), after };
  },
});

export interface PlanPreview {
  before: PlanFile;
  after: CatalogRecord;
}

async function checkChange(
  reads: CatalogReads,
  parts: Pick<ImportParts, 'clock' | 'newId'>,
  broker: BrokerRow,
  { slug, broker: _, ...given }: PlanChange,
  seen: Seen | undefined,
): Promise<CheckedPlans> {
  const plan = await requirePlan(reads, broker, slug);
  refuseStale(seen, catalogRecord(plan));
  // A price is taken away as a whole.
  const price = given['price.amount'] === null ? { 'price.currency': null } : {};
  return checkPlans(reads, parts, broker, [candidateOf({ ...valuesOf(plan), ...given, ...price })]);
}

async function requirePlan(reads: Pick<Reads, 'plans'>, broker: BrokerRow, slug: string): Promise<CatalogRow> {
  const [plan] = await reads.plans.listBySlug(broker.id, [foldPlanName(slug.trim())]);
  if (!plan) throw unknown(`"${broker.slug}" has no plan "${slug}"`);
  return withOffer(reads, plan);
}

const withOffer = async ({ plans }: Pick<Reads, 'plans'>, plan: PlanRow): Promise<CatalogRow> => ({
  ...plan,
  ...(await plans.findOffer(plan.brokerId, plan.id)),
});

/** The one plan that was checked; as it is stored where nothing of it changes. */
function recordOf({ rows: [row], bySlug }: CheckedPlans): CatalogRecord {
  // One candidate has one row.
  const plan = row as CatalogRow;
  const before = bySlug.get(plan.slugFolded);
  return catalogRecord(before && isSame(plan, before) ? before : plan);
}

/**
 * Removes a plan that no service is or was on and no request names. No index leads from a plan to requests: it reads the
 * broker's requests once.
 */
export const removePlan = useCase({
  name: 'plans remove',
  role: 'admin',
  title: 'Remove',
  description: 'Remove a plan that no service or request has used',
  example: 'plans remove starter --broker acme',
  input: Type.Object(PLAN_NAME),
  on: ['broker', 'slug'],
  argument: 'slug',
  path: 'POST /brokers/:broker/plans/:slug/remove',
  answer: PLAN_RECORD,
  show: showPlan.run,
  confirm: ({ display_name, slug, broker }) =>
    `The plan “${display_name}” (${slug}) of ${broker.slug} is removed for good. That is refused if a service or request has ever used it.`,
  done: ({ display_name }: CatalogRecord) => `${display_name} was removed.`,
  run: (deps: ChangeDeps, input) =>
    deps.store.tx(async (tx) => {
      const broker = await lockCatalog(tx, input.broker);
      const plan = await requirePlan(tx, broker, input.slug);
      if (!(await tx.plans.removeUnused(broker.id, plan.id))) {
        throw refused(`The plan "${plan.slug}" was used by a service or request; switch it off instead`);
      }
      const before = catalogRecord(plan);
      await note(deps, tx, { action: 'plan.remove', brokerId: broker.id, subject: subjectOf(plan), before });
      return before;
    }),
});
