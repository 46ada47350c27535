import { and, type SQL, type SQLWrapper, sql } from 'drizzle-orm';
import { IS_OPEN } from '../../drizzle/tables.ts';
import type { Session } from './session.ts';

/** Which services are asked for. */
export interface Asked {
  /** A condition on `services`. */
  where: SQL | undefined;
  /** The broker that it names, if any. */
  brokerId?: unknown;
  /** A condition on the moment, and on the number among those of one moment. */
  within?: (moment: SQLWrapper, number: SQLWrapper) => SQL;
}

/**
 * When services change (docs/adr/0023-a-service-changes-with-its-request.md). A service shows one open request, and so
 * changes in the moment in which that is handed in. Its own row is not written for it: readers take the later of both.
 */
export function serviceChangesOf({ dialect, tables: { requests, services } }: Pick<Session, 'dialect' | 'tables'>) {
  const isOpen = sql.raw(`r.${IS_OPEN}`);

  /** Something of the request `r` that a record shows: a cancellation before a plan change before a creation. */
  const shownRequest = (selected: SQL, number: SQLWrapper = services.number) =>
    sql`(select ${selected} from ${requests} r where r.service_number = ${number} and ${isOpen}
    order by case r.type when 'cancellation' then 0 when 'service-creation' then 2 else 1 end limit 1)`;

  const shownSince = sql`coalesce(${shownRequest(sql`r.submitted_at`)}, ${services.updatedAt})`;
  const later = sql.raw(dialect === 'sqlite' ? 'max' : 'greatest');

  return {
    shownRequest,
    /** The moment that readers see, in epoch milliseconds. */
    changedAt: sql<number>`${later}(${services.updatedAt}, ${shownSince})`.mapWith(Number),

    /** `number` and `changed_at` of services by what stands in their own rows, which their requests may have outdated. */
    own: ({ where, within }: Asked): SQL =>
      sql`select ${services.number}, ${services.updatedAt} changed_at from ${services}
        where ${and(within?.(services.updatedAt, services.number), where) ?? sql`true`}`,

    /** A condition for those of them that are up to date. */
    isOwn: sql`${shownSince} <= ${services.updatedAt}`,

    /** The same of services that have the moment from the request that they show, in an index of the few that are open. */
    fromRequest({ where, brokerId, within }: Asked): SQL {
      const [moment, number] = [sql`shown.submitted_at`, sql`shown.service_number`];
      const ownMoment = sql`(select ${services.updatedAt} from ${services} where ${and(sql`${services.number} = ${number}`, where)})`;
      const conditions = and(
        sql.raw(`shown.${IS_OPEN}`),
        // Says nothing, and is how the index is asked for.
        sql`shown.attempts >= 0`,
        brokerId === undefined ? undefined : sql`shown.broker_id = ${brokerId}`,
        within?.(moment, number),
        sql`${moment} > ${ownMoment}`,
        sql`shown.id = ${shownRequest(sql`r.id`, number)}`,
      );
      return sql`select ${number} number, ${moment} changed_at from ${requests} shown where ${conditions}`;
    },
  };
}
