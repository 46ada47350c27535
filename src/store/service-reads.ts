import { and, desc, eq, gte, inArray, lt, type SQL, sql } from 'drizzle-orm';
import { alias } from 'drizzle-orm/sqlite-core';
import { IS_OPEN, precedenceOf } from '../../drizzle/tables.ts';
import type { BillingType, ServiceStatus } from '../rules/words.ts';
import { counterReads, sumOf } from './counters.ts';
import type { CsvQuery } from './csv.ts';
import { jsonRowsOf, rowParametersOf } from './json-rows.ts';
import { type PlanRow, plansByIdOf } from './plans.ts';
import { isDue, nextOf, renewalValues, renewsBefore, shownRenewal } from './renewals.ts';
import type { LeasedRequest, RequestView } from './requests.ts';
import { type OpenRequest, type ServiceRow, type ServiceView, serviceById } from './services.ts';
import { csvQueryOf, type Page, param, type Session, shortName } from './session.ts';

export interface ServiceFilter {
  status?: ServiceStatus | undefined;
  planId?: string | undefined;
  billingType?: BillingType | undefined;
  clientEmailFolded?: string | undefined;
  /** Folded text, taken literally. */
  search?: string | undefined;
  /** Whether the broker has so few services that a search had better look into each of them. */
  searchEach?: boolean | undefined;
  /** Whole and exact. */
  externalReference?: string | undefined;
  createdFrom?: number | undefined;
  createdTo?: number | undefined;
  /** The date that readers see `now` lies before this moment. */
  renewal?: { before: number; now: number } | undefined;
  /** With this a page has the order of changes, and a count stops at `MOST_CHANGES`. */
  updatedSince?: number | undefined;
  /** Behind this number in that millisecond. */
  afterNumber?: number | undefined;
}

/** Enough to tell a copy how far behind it is; to count further would cost more than the page. */
export const MOST_CHANGES = 10_000;

/** To skip so many entries of an index costs less than to ask how many there are. */
const NEAR_OFFSET = 1_000;

/** How far a search by the text index looks for a common word itself: a few milliseconds. */
const LATEST_SERVICES = 1_000;

/** Services outside of a span of time that are counted in place of those in it. */
const FEW_OUTSIDE = 5_000;

/** Before and behind every moment that there is. */
const EARLIEST = Number.MIN_SAFE_INTEGER;
const LATEST = Number.MAX_SAFE_INTEGER;

type ShownRequest = [OpenRequest['id'], OpenRequest['type'], OpenRequest['status']];

const viewOf = (service: ServiceRow, plans: Map<string | null, PlanRow>, open: ShownRequest | null): ServiceView => ({
  service,
  // A service's plan is one of its broker's, and no plan is ever deleted.
  plan: plans.get(service.planId) as PlanRow,
  openRequest: open && { id: open[0], type: open[1], status: open[2] },
});

const byCreation = ({ service: one }: ServiceView, { service: other }: ServiceView): number =>
  other.createdAt - one.createdAt || other.number - one.number;

const byChange = ({ service: one }: ServiceView, { service: other }: ServiceView): number =>
  one.updatedAt - other.updatedAt || one.number - other.number;

export function serviceReads(session: Session) {
  const { db, dialect, tables, statement } = session;
  const { services, plans, requests, counters } = tables;
  const open = alias(requests, 'open_request');

  /** Something of the open request `r` that a record shows: a cancellation before a plan change before a creation. */
  const shownRequest = (selected: SQL) =>
    sql`(select ${selected} from ${requests} r where r.service_number = ${services.number} and r.${sql.raw(IS_OPEN)}
    order by ${sql.raw(precedenceOf('r.type'))} limit 1)`;

  const views = () =>
    db
      .select({
        service: services,
        plan: plans,
        openRequest: { id: open.id, type: open.type, status: open.status },
      })
      .from(services)
      .innerJoin(plans, eq(plans.id, services.planId))
      .leftJoin(open, eq(open.id, shownRequest(sql`r.id`)));

  const view = statement('services.view', () =>
    views().where(and(eq(services.brokerId, param('brokerId')), eq(services.number, param('number')))),
  );
  const shown =
    dialect === 'sqlite'
      ? sql`json(${shownRequest(sql`json_array(r.id, r.type, r.status)`)})`
      : shownRequest(sql`json_build_array(r.id, r.type, r.status)`);
  const packing = jsonRowsOf(dialect, services, [shown]);
  const plansById = plansByIdOf(session);
  const leasePacking = jsonRowsOf(dialect, services, [shown, sql`${requests.id}`]);
  const leases = rowParametersOf(dialect, { id: requests.id, leaseOwner: requests.leaseOwner });
  const underLease = statement('services.underLease', () =>
    db
      .select({ rows: leasePacking.rows })
      .from(leases.from)
      .innerJoin(requests, and(eq(requests.id, leases.fields.id), eq(requests.leaseOwner, leases.fields.leaseOwner)))
      .innerJoin(services, eq(services.number, requests.serviceNumber))
      .where(eq(requests.status, 'accepted')),
  );
  const one = serviceById(session);
  const toRenew = statement('services.toRenew', () =>
    db.select({ number: services.number }).from(services).where(isDue(services)).limit(1),
  );

  /** Conditions on top of the broker's id, as placeholders, and a short name of which of them are there. */
  function narrow(filter: ServiceFilter): { shape: string; where: SQL | undefined } {
    const parts: Array<[string, SQL]> = [];
    if (filter.status !== undefined) parts.push(['status', eq(services.status, param('status'))]);
    if (filter.planId !== undefined) parts.push(['plan', eq(services.planId, param('planId'))]);
    if (filter.billingType !== undefined) parts.push(['billing', inArray(services.planId, plansBilled())]);
    if (filter.clientEmailFolded !== undefined)
      parts.push(['email', eq(services.clientEmailFolded, param('clientEmailFolded'))]);
    const byIndex = filter.search !== undefined && !filter.searchEach;
    if (filter.search !== undefined) parts.push(byIndex ? ['search', contains()] : ['each', containsEach()]);
    if (filter.externalReference !== undefined)
      parts.push(['reference', eq(services.externalReference, param('externalReference'))]);
    if (filter.updatedSince !== undefined)
      parts.push(filter.afterNumber === undefined ? ['since', CHANGED_SINCE] : ['after', CHANGED_AFTER]);
    if (filter.createdFrom !== undefined) parts.push(['from', gte(services.createdAt, param('createdFrom'))]);
    if (filter.createdTo !== undefined) parts.push(['to', lt(services.createdAt, param('createdTo'))]);
    if (filter.renewal !== undefined) parts.push(['renewal', renewsBefore(services)]);
    // With a search the text index leads; the unary plus keeps SQLite from walking the broker's whole list instead.
    const broker =
      byIndex && dialect === 'sqlite'
        ? sql`+${services.brokerId} = ${param('brokerId')}`
        : eq(services.brokerId, param('brokerId'));
    return { shape: parts.map(([name]) => name).join(' '), where: and(broker, ...parts.map(([, sqlPart]) => sqlPart)) };
  }

  const CHANGED_SINCE = gte(services.updatedAt, param('updatedSince'));
  const CHANGED_AFTER = sql`(${services.updatedAt}, ${services.number}) > (${param('updatedSince')}, ${param('afterNumber')})`;

  const changesInOrder = (filter: ServiceFilter) =>
    sql`select ${services.number} from ${services} where ${narrow(filter).where} order by ${services.updatedAt}, ${services.number}`;

  /** What tells statements of one shape from those of another. */
  const shapeOf = (filter: ServiceFilter) => narrow(filter).shape;

  const plansBilled = () =>
    db
      .select({ id: plans.id })
      .from(plans)
      .where(and(eq(plans.brokerId, param('brokerId')), eq(plans.billingType, param('billingType'))));

  function contains(): SQL {
    return dialect === 'sqlite'
      ? sql`${services.number} in (select rowid from service_search where service_search match ${param('searchPhrase')})`
      : sql`${services.searchText} like ${param('searchPattern')}`;
  }

  const containsEach = () =>
    dialect === 'sqlite' ? sql`instr(${services.searchText}, ${param('search')}) > 0` : contains();

  function values(
    brokerId: string,
    { search, searchEach: _, renewal, ...filter }: ServiceFilter,
  ): Record<string, unknown> {
    return {
      brokerId,
      ...filter,
      ...(renewal && { renewalBefore: renewal.before, ...renewalValues(renewal.now) }),
      ...(search !== undefined && {
        search,
        searchPhrase: `"${search.replaceAll('"', '""')}"`,
        searchPattern: `%${search.replace(/[\\%_]/g, '\\$&')}%`,
      }),
    };
  }

  const newest = () => [desc(services.createdAt), desc(services.number)];

  /** The numbers of what matches among these services, newest first. */
  const newestOf = (among: typeof services | SQL, filter: ServiceFilter) =>
    sql`select ${services.number} from ${among} where ${narrow(filter).where} order by ${sql.join(newest(), sql`, `)}`;

  const GIVEN_WINDOW = sql`limit ${param('limit')} offset ${param('offset')}`;

  const pageOf = (name: string, filter: ServiceFilter, numbers: () => SQL, part = GIVEN_WINDOW) =>
    statement(shortName(name, shapeOf(filter)), () => {
      const window = sql`(${numbers()} ${part}) page`;
      return db.select({ rows: packing.rows }).from(services).innerJoin(window, sql`page.number = ${services.number}`);
    });

  /** Whether a search is led by the text index, which brings all matches before they can be put in order. */
  const isByText = ({ search, searchEach, updatedSince }: ServiceFilter): boolean =>
    dialect === 'sqlite' && search !== undefined && !searchEach && updatedSince === undefined;

  /** A common word is found among the latest services already; of a million matches that spares all but the page. */
  const amongLatest = (filter: ServiceFilter) =>
    pageOf('services.latest', filter, () => {
      const latest = sql`(select * from ${services} where ${narrow({}).where}
        order by ${sql.join(newest(), sql`, `)} limit ${sql.raw(String(LATEST_SERVICES))}) ${services}`;
      return newestOf(latest, { ...filter, searchEach: true });
    });

  const total = counterReads(session).total;

  /** Whether a page of a list whose length the counters know lies nearer to its end than to its beginning. */
  async function isBehindTheMiddle(brokerId: string, filter: ServiceFilter, offset: number): Promise<boolean> {
    if (offset <= NEAR_OFFSET || !['', 'status', 'plan'].includes(narrow(filter).shape)) return false;
    const { status, planId } = filter;
    return (
      2 * offset > (await total(brokerId, 'services', { kinds: planId === undefined ? planId : [planId], status }))
    );
  }

  /** The same page by a walk from the other end; the counter that says how far is read in the same statement. */
  const fromTheEnd = (filter: ServiceFilter) => {
    const [least, greatest] = dialect === 'sqlite' ? ['min', 'max'] : ['least', 'greatest'];
    const kind = filter.planId === undefined ? undefined : eq(counters.kind, param('planId'));
    const status = filter.status === undefined ? undefined : eq(counters.status, param('status'));
    const which = and(eq(counters.brokerId, param('brokerId')), eq(counters.subject, 'services'), kind, status);
    const behind = sql`(select cast(coalesce(sum(${counters.value}), 0) as bigint) from ${counters} where ${which})
      - cast(${param('offset')} as bigint)`;
    const limit = sql`cast(${param('limit')} as bigint)`;
    const left = (text: SQL) => sql`${sql.raw(greatest as string)}(0, ${text})`;
    return pageOf(
      'services.end',
      filter,
      () => sql`select ${services.number} from ${services} where ${narrow(filter).where}
        order by ${services.createdAt}, ${services.number}`,
      sql`limit ${sql.raw(least as string)}(${limit}, ${left(behind)}) offset ${left(sql`${behind} - ${limit}`)}`,
    );
  };

  const oneTotal = (total: SQL<number>) => db.select({ total: total.mapWith(Number) }).from(sql`(select 1) one`);

  /**
   * Those whose stored date lies before the moment, in an index alone, without the few whose date has passed and whose
   * next one lies behind it. To ask each for the date that it shows takes three times as long.
   */
  function renewingTotal(): SQL<number> {
    const before = lt(services.renewalAt, param('renewalBefore'));
    const broker = eq(services.brokerId, param('brokerId'));
    // What is due has an index of its own, over all brokers; the unary plus leads SQLite to it.
    const anyBroker = dialect === 'sqlite' ? sql`+${broker}` : broker;
    const moved = sql`${isDue(services)} and ${nextOf(services)} >= ${param('renewalBefore')}`;
    return sql<number>`(select count(*) from ${services} where ${and(broker, before)})
      - (select count(*) from ${services} where ${and(anyBroker, before, moved)})`;
  }

  const created = statement('services.created', () => {
    const broker = eq(services.brokerId, param('brokerId'));
    const [from, to] = [param<number>('createdFrom'), param<number>('createdTo')];
    const some = (where: SQL) =>
      sql`(select count(*) from (select 1 from ${services} where ${and(broker, where)} limit ${sql.raw(String(FEW_OUTSIDE))}) few)`;
    const outside = sql`${some(lt(services.createdAt, from))} + ${some(gte(services.createdAt, to))}`;
    const inside = and(broker, gte(services.createdAt, from), lt(services.createdAt, to));
    const all = sql`(select coalesce(sum(${counters.value}), 0) from ${counters}
      where ${and(eq(counters.brokerId, param('brokerId')), eq(counters.subject, 'services'))})`;
    return oneTotal(sql<number>`case when ${outside} < ${sql.raw(String(FEW_OUTSIDE))}
      then ${all} - (${outside}) else (select count(*) from ${services} where ${inside}) end`);
  });

  return {
    async find(brokerId: string, number: number): Promise<ServiceRow | null> {
      return (await one({ brokerId, number }))[0] ?? null;
    },
    async findView(brokerId: string, number: number): Promise<ServiceView | null> {
      return (await view({ brokerId, number }))[0] ?? null;
    },
    /**
     * What a worker has to know of the requests that it claimed, of any broker: by their ids, and without those that it
     * holds no longer. A leased request changes in nothing but that it is closed, so the claim's row is what stands.
     */
    async listUnderLease(claimed: readonly LeasedRequest[]): Promise<Map<string, ServiceView & RequestView>> {
      const found = leasePacking.unpack(await underLease(leases.pack(claimed)));
      const named = claimed.flatMap(({ currentPlanId, newPlanId }) => [currentPlanId, newPlanId]);
      const plans = await plansById(null, [...found.map(({ row }) => row.planId), ...named]);
      const byId = new Map(found.map(({ row, beside: [open, id] }) => [id, viewOf(row, plans, open as ShownRequest)]));
      return new Map(
        claimed.flatMap((request) => {
          const view = byId.get(request.id);
          const currentPlan = plans.get(request.currentPlanId) ?? null;
          const newPlan = plans.get(request.newPlanId) ?? null;
          return view ? [[request.id, { request, currentPlan, newPlan, ...view }]] : [];
        }),
      );
    },
    /**
     * One page, newest first, or in the order of changes. The page's numbers are found first; only its own rows are then
     * read whole.
     */
    async page(brokerId: string, filter: ServiceFilter, page: Page): Promise<ServiceView[]> {
      const given = Object.assign(values(brokerId, filter), page);
      const rows = (await isBehindTheMiddle(brokerId, filter, page.offset))
        ? fromTheEnd(filter)
        : pageOf('services.page', filter, () =>
            filter.updatedSince === undefined ? newestOf(services, filter) : changesInOrder(filter),
          );
      const early = isByText(filter) ? packing.unpack(await amongLatest(filter)(given)) : [];
      const found = early.length === page.limit ? early : packing.unpack(await rows(given));
      const plans = await plansById(
        brokerId,
        found.map(({ row }) => row.planId),
      );
      const views = found.map(({ row, beside: [open] }) => viewOf(row, plans, open as ShownRequest | null));
      return views.sort(filter.updatedSince === undefined ? byCreation : byChange);
    },
    /** How many services match. What the counters cannot tell is counted inside one index. */
    async countMatches(brokerId: string, filter: ServiceFilter): Promise<number> {
      const matches = statement(shortName('services.count', shapeOf(filter)), () => {
        const total = { total: sql<number>`count(*)`.mapWith(Number) };
        if (filter.updatedSince !== undefined) {
          const some = sql`(select 1 from ${services} where ${narrow(filter).where} limit ${sql.raw(String(MOST_CHANGES))}) counted`;
          return db.select(total).from(some);
        }
        if (narrow(filter).shape === 'renewal') return oneTotal(renewingTotal());
        return db.select(total).from(services).where(narrow(filter).where);
      });
      return sumOf(await matches(values(brokerId, filter)));
    },
    /**
     * How many services were created in a span of time. Where few of the broker's lie outside of it, these are taken from
     * what the counters have. Not for transactions, which write the counters at their end.
     */
    async countCreated(
      brokerId: string,
      span: Required<Pick<ServiceFilter, 'createdFrom' | 'createdTo'>>,
    ): Promise<number> {
      const filter = { createdFrom: span.createdFrom ?? EARLIEST, createdTo: span.createdTo ?? LATEST };
      return sumOf(await created(values(brokerId, filter)));
    },
    /** How many services match, of so many at most; looks at no more of them. */
    async countMatchesUpTo(most: number, brokerId: string, filter: ServiceFilter): Promise<number> {
      const matches = statement(shortName('services.few', shapeOf(filter)), () => {
        const some = sql`(select 1 from ${services} where ${narrow(filter).where} limit ${param('most')}) few`;
        return db.select({ total: sql<number>`count(*)`.mapWith(Number) }).from(some);
      });
      return sumOf(await matches({ most, ...values(brokerId, filter) }));
    },
    /**
     * All matches as lines of a file, newest first, with what readers see `now`; `limit` spares sorting more rows than
     * could stand in one.
     */
    async report(
      brokerId: string,
      filter: ServiceFilter,
      { limit, now }: { limit: number; now: number },
    ): Promise<CsvQuery> {
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
        renewal_date: shownRenewal(services),
        cancelled_date: services.cancelledAt,
        cancellation_type: services.cancellationType,
        cancellation_effective_date: services.cancellationEffectiveAt,
      };
      const query = db
        .select(columns)
        .from(services)
        .innerJoin(plans, eq(plans.id, services.planId))
        .where(narrow(filter).where)
        .orderBy(...newest())
        .limit(param('limit'));
      return csvQueryOf(columns, query.toSQL(), { ...values(brokerId, filter), ...renewalValues(now), limit });
    },
    /** Those of these services that the broker has; a few hundred numbers at most. */
    listMany(brokerId: string, numbers: number[]): Promise<ServiceRow[]> {
      return db
        .select()
        .from(services)
        .where(and(eq(services.brokerId, brokerId), inArray(services.number, numbers)));
    },
    /** Whether a worker has a renewal to move on, of any broker. */
    async findDueRenewal(now: number): Promise<boolean> {
      return (await toRenew(renewalValues(now))).length > 0;
    },
    /** Which of these numbers stand already, and whose they are: numbers are unique over all brokers. */
    async owners(numbers: number[]): Promise<Map<number, string>> {
      const rows = await db
        .select({ number: services.number, brokerId: services.brokerId })
        .from(services)
        .where(inArray(services.number, numbers));
      return new Map(rows.map((row) => [row.number, row.brokerId]));
    },
  };
}
