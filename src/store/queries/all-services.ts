import { and, asc, eq, gt, inArray, isNotNull, or, type SQL, sql } from 'drizzle-orm';
import { IS_LIVING } from '../../../drizzle/tables.ts';
import { serviceUid } from '../../rules/service-uid.ts';
import type { ServiceStatus } from '../../rules/words.ts';
import { counterTotal } from '../session/counters.ts';
import { containsText, type PageWindow, type Session } from '../session/session.ts';
import {
  behindAscending,
  behindDescending,
  countOf,
  given,
  listedIn,
  type Sorting,
  sortedBy,
  sumOf,
} from '../session/statements.ts';
import type { BrokerRow } from './brokers.ts';
import { openRequestsOf } from './service-reads.ts';
import type { ServiceRow, ServiceView } from './services.ts';

/** A service with its broker. */
export interface OwnedService extends ServiceView {
  broker: Pick<BrokerRow, 'id' | 'slug' | 'name' | 'contactEmail'>;
}

/** A service as far as it is compared with its machine, with the slugs of its plan and its broker. */
export interface ComparedService
  extends Pick<ServiceRow, 'number' | 'status' | 'configuration' | 'access' | 'reference' | 'brokerId'> {
  uid: string;
  plan: string;
  broker: string;
}

type ComparedRow = Omit<ComparedService, 'uid'> & Pick<ServiceRow, 'uid' | 'importId'> & { creationId: string | null };

/** The operator's filters. */
export interface AllServicesFilter {
  brokerId?: string | undefined;
  status?: ServiceStatus | undefined;
  planIds?: readonly string[] | undefined;
  review?: boolean | undefined;
  /** Folded text of at least three characters, contained in label, client's name or reference. */
  search?: string | undefined;
  /** The service's number, as an alternative to `search`. */
  number?: number | undefined;
  /** Whole and folded; an alternative too. */
  clientEmail?: string | undefined;
  /** A part of it, folded: it has no index. */
  emailPart?: string | undefined;
  /** What the provisioner's reference begins with; an alternative too. */
  referencePart?: string | undefined;
  /** The same as a filter. */
  reference?: string | undefined;
}

export type AllServicesOrder = 'number' | 'newest' | 'changed' | 'renewal';

/** Services of all brokers, for operators only. */
export function allServiceReads(session: Session) {
  const { db, dialect, tables } = session;
  const { brokers, plans, requests, services } = tables;
  const openRequests = openRequestsOf(session);
  const orders: Record<AllServicesOrder, Sorting> = {
    number: [['desc', services.number]],
    newest: [
      ['desc', services.createdAt],
      ['desc', services.number],
    ],
    changed: [
      ['desc', services.updatedAt],
      ['desc', services.number],
    ],
    renewal: [
      ['asc', services.renewalAt],
      ['asc', services.number],
    ],
  };

  const { number, status, configuration, access, reference, brokerId, uid, importId } = services;
  const { creationId } = openRequests;
  const compared = {
    number,
    status,
    configuration,
    access,
    reference,
    brokerId,
    uid,
    importId,
    creationId,
    plan: plans.slug,
    broker: brokers.slug,
  };
  const comparedOf = (row: ComparedRow): ComparedService => ({ ...row, uid: serviceUid(row, row.creationId) });
  const isOfService = and(eq(plans.brokerId, services.brokerId), eq(plans.id, services.planId));
  const isOwner = eq(brokers.id, services.brokerId);

  /** The services behind one in each order. */
  const behind: Record<AllServicesOrder, (last: ServiceRow) => SQL> = {
    number: ({ number }) => behindDescending([services.number], [number]),
    newest: ({ createdAt, number }) => behindDescending([services.createdAt, services.number], [createdAt, number]),
    changed: ({ updatedAt, number }) => behindDescending([services.updatedAt, services.number], [updatedAt, number]),
    renewal: ({ renewalAt, number }) => behindAscending([services.renewalAt, services.number], [renewalAt, number]),
  };

  const containing = (search: string): SQL =>
    dialect === 'sqlite'
      ? sql`${services.number} in (select rowid from service_search where service_search match ${`"${search.replaceAll('"', '""')}"`})`
      : sql`${services.searchText} like ${`%${search.replace(/[\\%_]/g, '\\$&')}%`}`;

  /** References are printable ASCII, so that their index has all that begin alike in a row. */
  const begins = (column: typeof services.reference, text: string): SQL =>
    sql`${column} >= ${text} and ${column} < ${`${text}\x7f`}`;

  function matching(filter: AllServicesFilter, order: AllServicesOrder): SQL | undefined {
    const { brokerId, status, planIds, review, search, number, clientEmail, emailPart, reference, referencePart } =
      filter;
    const found = search === undefined ? undefined : containing(search);
    // With a search, the unary plus makes SQLite use the text index, not the broker's list.
    const owner = found && dialect === 'sqlite' ? sql`+${services.brokerId}` : sql`${services.brokerId}`;
    return and(
      given(eq, owner, brokerId),
      given(eq, services.status, status),
      planIds && inArray(services.planId, [...planIds]),
      given(eq, services.requiresOperatorReview, review),
      given(begins, services.reference, reference),
      or(
        given(eq, services.number, number),
        given(eq, services.clientEmailFolded, clientEmail),
        found,
        given(containsText, services.clientEmailFolded, emailPart),
        given(begins, services.reference, referencePart),
      ),
      order === 'renewal' ? sql.raw(`renewal_at is not null and ${IS_LIVING}`) : undefined,
    );
  }

  /** A query within the other one, so that only the page's rows are read whole. */
  const numbersOf = (
    filter: AllServicesFilter,
    order: AllServicesOrder,
    { limit, offset, reverse }: PageWindow,
    last: ServiceRow | undefined,
  ) =>
    db
      .select({ number: services.number })
      .from(services)
      .where(and(matching(filter, order), last && behind[order](last)))
      .orderBy(...sortedBy(orders[order], reverse))
      .limit(limit)
      .offset(offset);

  return {
    /** One page, of those behind `last` where it is given. */
    async page(
      filter: AllServicesFilter,
      order: AllServicesOrder,
      page: PageWindow,
      last?: ServiceRow,
    ): Promise<OwnedService[]> {
      const found = await db
        .select({
          service: services,
          plan: plans,
          ...openRequests.columns,
          broker: { id: brokers.id, slug: brokers.slug, name: brokers.name, contactEmail: brokers.contactEmail },
        })
        .from(services)
        .innerJoin(plans, isOfService)
        .innerJoin(brokers, isOwner)
        .where(inArray(services.number, numbersOf(filter, order, page, last)))
        .orderBy(...sortedBy(orders[order], page.reverse));
      return found.map((row) => ({ ...openRequests.viewOf(row), broker: row.broker }));
    },
    /** How many match, counted no further than `limit`. */
    countUpTo: async (filter: AllServicesFilter, order: AllServicesOrder, limit: number): Promise<number> =>
      sumOf(await countOf(session, services, matching(filter, order), limit)),
    /** How many match, from the counters. */
    total: async (filter: Pick<AllServicesFilter, 'brokerId' | 'status' | 'planIds'>): Promise<number> => {
      const { brokerId, status, planIds: kinds } = filter;
      return sumOf(await counterTotal(session, brokerId, 'services', { kinds, status }));
    },
    /** The broker of a service: numbers are unique over all brokers. */
    async findOwner(number: number): Promise<string | null> {
      const rows = await db.select({ brokerId: services.brokerId }).from(services).where(eq(services.number, number));
      return rows[0]?.brokerId ?? null;
    },
    /** What is compared with machines: the services with these numbers, a thousand at most. */
    async findCompared(numbers: number[]): Promise<ComparedService[]> {
      const rows = await db
        .select(compared)
        .from(services)
        .innerJoin(plans, isOfService)
        .innerJoin(brokers, isOwner)
        .where(sql`${services.number} in ${listedIn(session, numbers)}`);
      return rows.map(comparedOf);
    },
    /** Those that shall have a machine, of one broker or of all, by number: at most `limit` behind the number `after`. */
    async pageCompared(brokerId: string | undefined, after: number, limit: number): Promise<ComparedService[]> {
      const rows = await db
        .select(compared)
        .from(services)
        .innerJoin(plans, isOfService)
        .innerJoin(brokers, isOwner)
        .where(
          and(
            gt(services.number, after),
            inArray(services.status, ['active', 'suspended']),
            given(eq, services.brokerId, brokerId),
          ),
        )
        .orderBy(asc(services.number))
        .limit(limit);
      return rows.map(comparedOf);
    },
    /** The `service_uid` of some hundred services. */
    async findUids(numbers: number[]): Promise<Map<number, string>> {
      const rows = await db
        .select({ number, brokerId, uid, importId, creationId })
        .from(services)
        .where(inArray(services.number, numbers));
      return new Map(rows.map((row) => [row.number, serviceUid(row, row.creationId)]));
    },
    /** Which of some hundred uids are in use, with the numbers of their services: they are unique over all brokers. */
    async findByUids(uids: string[]): Promise<Map<string, number>> {
      const requestIds = uids.map((uid) => uid.replace(/^before_/, ''));
      const found = await Promise.all([
        db
          .select({ number: services.number })
          .from(services)
          .where(and(isNotNull(services.importId), inArray(services.uid, uids))),
        db
          .select({ number: requests.serviceNumber })
          .from(requests)
          .where(and(inArray(requests.id, requestIds), eq(requests.type, 'service-creation'))),
      ]);
      const numbers = uids.map((uid) => Number(/^imported_.*_(\d{1,16})$/.exec(uid)?.[1] ?? 0));
      const named = new Set([...found.flat().map(({ number }) => number), ...numbers]);
      const owners = [...(await this.findUids([...named]))].map(([number, uid]) => [uid, number] as const);
      return new Map(owners.filter(([uid]) => uids.includes(uid)));
    },
    /** The ids of the plans with this slug, of one broker or of all. */
    async findPlans(slugFolded: string, brokerId: string | undefined, limit: number): Promise<string[]> {
      const rows = await db
        .select({ id: plans.id })
        .from(plans)
        .where(and(eq(plans.slugFolded, slugFolded), given(eq, plans.brokerId, brokerId)))
        .limit(limit);
      return rows.map(({ id }) => id);
    },
  };
}
