import { and, asc, desc, eq, getTableColumns, gte, inArray, lt, type SQL, sql } from 'drizzle-orm';
import { IS_OPEN } from '../../../drizzle/tables.ts';
import { KINDS } from '../../kinds/index.ts';
import type { BillingType, ServiceStatus } from '../../rules/words.ts';
import type { CsvQuery } from '../session/csv.ts';
import { jsonRowsOf } from '../session/json-rows.ts';
import { csvQueryOf, type PageWindow, param, type Session, shortName } from '../session/session.ts';
import { countOf, first, hasAny, MAX_COUNTED, rowsOf, sumOf } from '../session/statements.ts';
import { type PlanRow, plansByIdOf } from './plans.ts';
import {
  isDue,
  type ListedService,
  type OpenRequest,
  type ServiceRow,
  type ServiceView,
  serviceById,
  shownColumns,
} from './services.ts';

export interface ServiceFilter {
  status?: ServiceStatus | undefined;
  planId?: string | undefined;
  billingType?: BillingType | undefined;
  clientEmailFolded?: string | undefined;
  /** Folded text, taken literally. */
  search?: string | undefined;
  /** Exact. */
  externalReference?: string | undefined;
  createdFrom?: number | undefined;
  createdTo?: number | undefined;
  renewalBefore?: number | undefined;
  /** With this a page has the order of changes, and a count stops at `MAX_COUNTED`. */
  updatedSince?: number | undefined;
  /** Only services after this number in the millisecond of `updatedSince`. */
  afterNumber?: number | undefined;
}

/** Three letters may fold to fewer, for which an index of trigrams has nothing. */
const isIndexed = ({ search }: ServiceFilter): boolean => search !== undefined && Array.from(search).length >= 3;

const byCreation = ({ service: one }: ListedService, { service: other }: ListedService): number =>
  other.createdAt - one.createdAt || other.number - one.number;

const byChange = ({ service: one }: ListedService, { service: other }: ListedService): number =>
  one.updatedAt - other.updatedAt || one.number - other.number;

/** What is read of an open request, in the order of `openRequestOf`. */
const OPEN_COLUMNS = [
  'id',
  'type',
  'status',
  'origin',
  'submitted_at',
  'updated_at',
  'effective_at',
  'new_plan_id',
  'cleans_up',
  'retry_of',
];

function openRequestOf(packed: unknown): OpenRequest {
  const [id, type, status, origin, submittedAt, updatedAt, effectiveAt, newPlanId, cleansUp, retryOf] =
    packed as unknown[];
  const request = { id, type, status, origin, submittedAt, updatedAt, effectiveAt, newPlanId, retryOf };
  // SQLite has no booleans.
  return { ...request, cleansUp: cleansUp === null ? null : Boolean(cleansUp) } as OpenRequest;
}

/** The order in which a service shows its open requests (contract, section 6, "Services"). */
export const byPrecedence = (one: OpenRequest, other: OpenRequest): number =>
  KINDS[one.type].precedence - KINDS[other.type].precedence ||
  one.submittedAt - other.submittedAt ||
  Number(one.id > other.id) - Number(one.id < other.id);

interface ViewRow extends Pick<ServiceView, 'service' | 'plan' | 'creationId'> {
  open: string;
  newPlans: string;
}

/** The open requests of a service, and the plans that they lead to, each in one value of its row. */
export function openRequestsOf({ dialect, tables: { plans, services, requests } }: Session) {
  const columns = sql.raw(OPEN_COLUMNS.map((name) => `r.${name}`).join());
  const packed =
    dialect === 'sqlite'
      ? sql`json_group_array(json_array(${columns}))`
      : sql`coalesce(json_agg(json_build_array(${columns})), '[]')`;
  // On SQLite the plus keeps the index of open requests in use; that of the broker's requests has all.
  const ownersRequest = sql`${sql.raw(dialect === 'sqlite' ? '+' : '')}r.broker_id = ${services.brokerId}`;
  const ofService = sql`from ${requests} r
    where r.service_number = ${services.number} and ${ownersRequest} and r.${sql.raw(IS_OPEN)}`;
  const packedPlans = jsonRowsOf(dialect, getTableColumns(plans));
  const newPlans = sql<string>`(select ${packedPlans.rows} from ${plans}
    where ${plans.brokerId} = ${services.brokerId} and ${plans.id} in (select r.new_plan_id ${ofService}))`;
  const value = sql<string>`(select ${packed} ${ofService})`;
  // SQLite would quote the text of a list within a list. Of a hundred services few have an open request, and an aggregate
  // over nothing costs more than to see that there is none.
  const text = dialect === 'sqlite' ? sql`json(${value})` : value;
  const valueInRow = sql`case when exists (select 1 ${ofService}) then ${text} end`;
  /** @param value as it came, its text, or null where none is open */
  function unpack(value: unknown): OpenRequest[] {
    const packed = (typeof value === 'string' ? JSON.parse(value) : (value ?? [])) as unknown[];
    return packed.map(openRequestOf).sort(byPrecedence);
  }
  const creationId = sql<string | null>`case when ${services.uid} is null and ${services.importId} is null then
    (select r.id from ${requests} r where r.service_number = ${services.number} and r.broker_id = ${services.brokerId}
      and r.type = 'service-creation' limit 1) end`;
  return {
    valueInRow,
    unpack,
    /** To be selected with the service and its plan, for `viewOf`. */
    columns: { open: value, newPlans, creationId },
    creationId,
    viewOf({ service, plan, open, newPlans, creationId }: ViewRow): ServiceView {
      const named = [plan, ...packedPlans.unpack([{ rows: newPlans }]).map(({ row }) => row)];
      return {
        service,
        plan,
        creationId,
        openRequests: unpack(open),
        newPlans: new Map(named.map((one) => [one.id, one])),
      };
    },
  };
}

export function serviceReads(session: Session) {
  const { db, dialect, tables, statement } = session;
  const { services, plans } = tables;
  const newest = [desc(services.createdAt), desc(services.number)];
  const inOrderOfChange = [asc(services.updatedAt), asc(services.number)];
  const openRequests = openRequestsOf(session);

  const isOfService = and(eq(plans.brokerId, services.brokerId), eq(plans.id, services.planId));
  const view = statement('services.view', () =>
    db
      .select({ service: services, plan: plans, ...openRequests.columns })
      .from(services)
      .innerJoin(plans, isOfService)
      .where(and(eq(services.brokerId, param('brokerId')), eq(services.number, param('number')))),
  );
  const packing = jsonRowsOf(dialect, shownColumns(services), openRequests.valueInRow);
  const plansById = plansByIdOf(session);
  const one = serviceById(session);
  const toRenew = statement('services.toRenew', () =>
    db.select({ number: services.number }).from(services).where(isDue(services)).limit(1),
  );

  /** Conditions on top of the broker's id, as placeholders, and a short name of which of them are there. */
  function narrow(filter: ServiceFilter): { shape: string; where: SQL | undefined } {
    const conditions: Record<keyof ServiceFilter, () => SQL | undefined> = {
      status: () => eq(services.status, param('status')),
      planId: () => eq(services.planId, param('planId')),
      billingType: () => inArray(services.planId, plansBilled()),
      clientEmailFolded: () => eq(services.clientEmailFolded, param('clientEmailFolded')),
      search: () => contains(isIndexed(filter)),
      externalReference: () => eq(services.externalReference, param('externalReference')),
      createdFrom: () => gte(services.createdAt, param('createdFrom')),
      createdTo: () => lt(services.createdAt, param('createdTo')),
      renewalBefore: () => lt(services.renewalAt, param('renewalBefore')),
      // Never both: PostgreSQL would use only the first for the index, and read a whole import of one millisecond.
      updatedSince: () =>
        filter.afterNumber === undefined ? gte(services.updatedAt, param('updatedSince')) : undefined,
      afterNumber: () =>
        sql`(${services.updatedAt}, ${services.number}) > (${param('updatedSince')}, ${param('afterNumber')})`,
    };
    const names = Object.keys(conditions) as Array<keyof ServiceFilter>;
    const given = names.filter((name) => filter[name] !== undefined);
    // With a search, the unary plus makes SQLite use the text index, not the broker's list.
    const byText = isIndexed(filter) && dialect === 'sqlite';
    const broker = sql`${sql.raw(byText ? '+' : '')}${services.brokerId} = ${param('brokerId')}`;
    return {
      shape: [...given, ...(byText ? ['indexed'] : [])].join(' '),
      where: and(broker, ...given.map((name) => conditions[name]())),
    };
  }

  const plansBilled = () =>
    db
      .select({ id: plans.id })
      .from(plans)
      .where(and(eq(plans.brokerId, param('brokerId')), eq(plans.billingType, param('billingType'))));

  /** On SQLite the index is one for all brokers: a word that a million services have takes 0.9 s of CPU for page and count. */
  const contains = (indexed: boolean): SQL => {
    if (dialect === 'postgres') return sql`${services.searchText} like ${param('searchPattern')}`;
    if (!indexed) return sql`instr(${services.searchText}, ${param('searchTerm')}) > 0`;
    return sql`${services}.rowid in (select rowid from service_search where service_search match ${param('searchPhrase')})`;
  };

  const values = (brokerId: string, { search, ...filter }: ServiceFilter): Record<string, unknown> => ({
    brokerId,
    ...filter,
    ...(search !== undefined && {
      searchTerm: search,
      searchPhrase: `"${search.replaceAll('"', '""')}"`,
      searchPattern: `%${search.replace(/[\\%_]/g, '\\$&')}%`,
    }),
  });

  return {
    find: (brokerId: string, number: number): Promise<ServiceRow | null> => first(one({ brokerId, number })),
    async findView(brokerId: string, number: number): Promise<ServiceView | null> {
      const found = await first(view({ brokerId, number }));
      return found && openRequests.viewOf(found);
    },
    /** One page, newest first or in the order of changes. Finds the numbers first, so that only the page's rows are read. */
    async page(brokerId: string, filter: ServiceFilter, page: PageWindow): Promise<ListedService[]> {
      const { shape, where } = narrow(filter);
      const inOrder = filter.updatedSince === undefined ? newest : inOrderOfChange;
      const rows = statement(shortName('services.page', shape), () => {
        const numbers = db
          .select({ number: services.number })
          .from(services)
          .where(where)
          .orderBy(...inOrder)
          .limit(param('limit'))
          .offset(param('offset'))
          .as('page');
        const isListed = and(eq(services.brokerId, param('brokerId')), eq(numbers.number, services.number));
        return db.select({ rows: packing.rows }).from(services).innerJoin(numbers, isListed);
      });
      const found = packing.unpack(await rows({ ...values(brokerId, filter), ...page }));
      const listed = found.map(({ row: service, extra }) => ({ service, openRequests: openRequests.unpack(extra) }));
      const named = listed.flatMap((one) => one.openRequests.flatMap(({ newPlanId }) => newPlanId ?? []));
      const plans = await plansById(brokerId, [...found.map(({ row }) => row.planId), ...named]);
      const views = listed.map((one) => ({
        ...one,
        // A foreign key guarantees it.
        plan: plans.get(one.service.planId) as PlanRow,
        newPlans: plans,
      }));
      return views.sort(filter.updatedSince === undefined ? byCreation : byChange);
    },
    /** How many services match, counted no further than `most`: for filters that the counters do not know. */
    async countMatches(
      brokerId: string,
      filter: ServiceFilter,
      most = filter.updatedSince === undefined && filter.search === undefined ? undefined : MAX_COUNTED,
    ): Promise<number> {
      const { shape, where } = narrow(filter);
      const matches = statement(shortName('services.count', `${shape} ${most}`), () =>
        countOf(session, services, where, most),
      );
      return sumOf(await matches(values(brokerId, filter)));
    },
    /** All matches as CSV rows, newest first; `limit` is more rows than fit into a file, so that no more are sorted. */
    async report(brokerId: string, filter: ServiceFilter, { limit }: { limit: number }): Promise<CsvQuery> {
      const columns = {
        service_number: services.number,
        service_status: services.status,
        label: services.label,
        external_reference: services.externalReference,
        client_name: services.clientName,
        client_email: services.clientEmail,
        plan_slug: plans.slug,
        plan_display_name: plans.displayName,
        billing_type: plans.billingType,
        price_amount: plans.priceAmount,
        price_currency: plans.priceCurrency,
        created_date: services.createdAt,
        renewal_date: services.renewalAt,
        cancelled_date: services.cancelledAt,
        cancellation_type: services.cancellationType,
        cancellation_effective_date: services.cancellationEffectiveAt,
      };
      const query = db
        .select(columns)
        .from(services)
        .innerJoin(plans, isOfService)
        .where(narrow(filter).where)
        .orderBy(...newest)
        .limit(param('limit'));
      return csvQueryOf(columns, query.toSQL(), { ...values(brokerId, filter), limit });
    },
    /** The broker's services with these numbers; a few hundred at most. */
    listMany: (brokerId: string, numbers: number[]): Promise<ServiceRow[]> =>
      rowsOf(session, services)(and(eq(services.brokerId, brokerId), inArray(services.number, numbers))),
    /** Whether a service of any broker has to be renewed. */
    findDueRenewal: (now: number): Promise<boolean> => hasAny(toRenew({ now })),
    /** Which of these numbers are in use, with their brokers: numbers are unique over all brokers. */
    async owners(numbers: number[]): Promise<Map<number, string>> {
      const rows = await db
        .select({ number: services.number, brokerId: services.brokerId })
        .from(services)
        .where(inArray(services.number, numbers));
      return new Map(rows.map((row) => [row.number, row.brokerId]));
    },
  };
}
