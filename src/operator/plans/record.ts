import { type Static, Type } from '@sinclair/typebox';
import { Id, ListOf, Shown, Timestamp, Whole } from '../../../schemas/atoms.ts';
import type { Specifications } from '../../../schemas/plans.ts';
import { keysOf } from '../../rules/keys.ts';
import { NO_OFFER, type PlanOffer } from '../../rules/offers.ts';
import { MAX_ACTIVE_PLANS } from '../../rules/plan-names.ts';
import { isoTimestamp } from '../../rules/timestamps.ts';
import { BILLING_TYPES } from '../../rules/words.ts';
import type { PlanRow } from '../../store/queries/plans.ts';
import { columnsOf, optional, required } from '../files/read-file.ts';
import {
  amount,
  currency,
  type Field,
  flag,
  integer,
  json,
  line,
  nullable,
  oneOf,
  planSlug,
  text,
} from '../use-case/fields.ts';
import { answerField, type Nested, nested, nestedSchema, recordWith } from '../use-case/record.ts';

/* What a plan consists of: its fields, declared once, and the records that are made of them. */

const size = (title: string) => nullable(integer(0, 1_000_000_000, { title }));

const OPTIONS_EXAMPLE = JSON.stringify([{ name: 'backups', display_name: 'Backups', type: 'boolean' }]);
const ACTIONS_EXAMPLE = JSON.stringify([{ name: 'reboot', display_name: 'Restart' }]);

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
    field: nullable(
      json('options', {
        title: 'Options',
        description: `What callers choose of a service, as JSON: ${OPTIONS_EXAMPLE}`,
        inJson: `What callers choose of a service: \`${OPTIONS_EXAMPLE}\``,
      }),
    ),
  },
  actions: {
    column: 'actions',
    field: nullable(
      json('actions', {
        title: 'Actions',
        description: `What can be submitted for its services, as JSON: ${ACTIONS_EXAMPLE}`,
        inJson: `What can be submitted for its services: \`${ACTIONS_EXAMPLE}\``,
      }),
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
} as const satisfies Record<string, { column: keyof CatalogRow; field: Field<unknown> }>;

/** A plan with what it offers. */
export type CatalogRow = PlanRow & PlanOffer;

/** What the columns of a row hold; an emptied list is one without items. */
const EMPTY: Partial<Record<keyof CatalogRow, unknown>> = { options: [], actions: [] };

export type PlanPath = keyof typeof FIELDS;
export type PlanValues = { [P in PlanPath]: (typeof FIELDS)[P] extends { field: Field<infer T> } ? T : never };

/** What a plan consists of that has a size. */
export type Specification = { [P in PlanPath]: P extends `specifications.${infer Name}` ? Name : never }[PlanPath];

export const PATHS = keysOf(FIELDS);

const fieldAt = (path: PlanPath): Field<unknown> => FIELDS[path].field;

export const schemaOf = (paths: readonly PlanPath[]) =>
  Object.fromEntries(paths.map((path) => [path, FIELDS[path].field])) as { [P in PlanPath]: Field<PlanValues[P]> };

/** Options, actions and provisioning of a plan: a list of many does not read them. */
const OFFERED: readonly PlanPath[] = ['options', 'actions', 'has_credentials', 'provisioning'];

/** v1 shows each specification too: where this is not satisfied, schemas/plans.ts lacks one. */
type InV1<S extends Readonly<Record<Specification, number | null>>> = S;

type Dated<P extends PlanPath> = Omit<Nested<Pick<PlanValues, P>>, 'price' | 'specifications'> & {
  id: string;
  specifications: InV1<NonNullable<Static<typeof Specifications>>> | null;
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
export const schemaOfRecord = (name: string, paths: readonly PlanPath[]) =>
  Type.Object(
    {
      id: Id('pln', 'The plan’s id'),
      ...nestedSchema(Object.fromEntries(paths.map((path) => [path, answerField(fieldAt(path))]))),
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

export const EXPORTED = PATHS.filter((path) => path !== 'provisioning');
const SUMMARISED = PATHS.filter((path) => !OFFERED.includes(path));

export const PLAN_RECORD = schemaOfRecord('Plan', PATHS);

export const catalogRecord = (row: CatalogRow): CatalogRecord => recordOfPaths(row, PATHS);

/** The same without what is for the provisioner alone. */
export const exportedRecord = (row: CatalogRow): Omit<CatalogRecord, 'provisioning'> => recordOfPaths(row, EXPORTED);

/** A plan in a list of many. */
export const summaryRecord = (row: PlanRow): Omit<CatalogRecord, keyof OfferRecord> =>
  recordOfPaths({ ...row, ...NO_OFFER }, SUMMARISED);

const COUNT = (description: string) => Whole(0, Number.MAX_SAFE_INTEGER, description);

/** A plan with what uses it. */
export const PLAN_DETAIL = recordWith('PlanDetail', PLAN_RECORD, {
  provisioning: Type.Optional(
    Type.Unsafe<CatalogRecord['provisioning']>({
      ...answerField(fieldAt('provisioning')),
      description: 'For the provisioner; only a key of the role admin sees it',
      'x-required-role': 'admin',
    }),
  ),
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
export const PLAN = Object.fromEntries(
  PATHS.map((path) => {
    const field = fieldAt(path);
    if (field.default !== undefined) return [path, optional(field, field.default)];
    return [path, field.nullable ? optional(field, null) : required(field)];
  }),
) as { [P in PlanPath]: ReturnType<typeof required<PlanValues[P]>> };

export const PLAN_COLUMNS = columnsOf(PLAN);

export const planValues = (row: CatalogRow) =>
  Object.fromEntries(PATHS.map((path) => [path, row[FIELDS[path].column]])) as PlanValues;

export const columnsFrom = (values: PlanValues) =>
  Object.fromEntries(
    PATHS.map((path) => {
      const { column } = FIELDS[path];
      return [column, values[path] ?? EMPTY[column] ?? null];
    }),
  ) as Pick<CatalogRow, (typeof FIELDS)[PlanPath]['column']>;
