import { and, type SQL, type SQLWrapper, sql } from 'drizzle-orm';
import { IS_OPEN, IS_OPEN_IN_ORDER, precedenceOf } from '../../drizzle/tables.ts';
import type { Session } from './session.ts';

/** Which services are asked for, and which of their moments. */
export interface AskedChanges {
  /** A condition on `services`, the broker's id included where one is asked for. */
  where: SQL | undefined;
  /** That id once more, for the requests' index, which does not replace it in `where`. */
  brokerId?: string | undefined;
  /** A condition on the moment, and on the number among those of one moment. */
  within?: (moment: SQLWrapper, number: SQLWrapper) => SQL;
}

/**
 * When services change (docs/adr/0023-a-service-changes-with-its-request.md). A service shows one open request, and so
 * changes in the moment in which that is handed in. Its own row is not written for it: readers take the later of both.
 * Whatever lists changes selects `number` and `changed_at`, to be put in order by both, one way or the other.
 */
export function serviceChangesOf({ dialect, tables: { requests, services } }: Pick<Session, 'dialect' | 'tables'>) {
  /** Something of the request `r` that a record shows: a cancellation before a plan change before a creation. */
  const shownRequest = (selected: SQL, number: SQLWrapper = services.number) =>
    sql`(select ${selected} from ${requests} r where r.service_number = ${number} and r.${sql.raw(IS_OPEN)}
    order by ${sql.raw(precedenceOf('r.type'))} limit 1)`;

  const shownSince = sql`coalesce(${shownRequest(sql`r.submitted_at`)}, ${services.updatedAt})`;
  const later = sql.raw(dialect === 'sqlite' ? 'max' : 'greatest');
  const changedAt = sql<number>`${later}(${services.updatedAt}, ${shownSince})`.mapWith(Number);

  /** By what stands in the services' own rows, which their requests may have outdated. In an index. */
  const byRow = ({ where, within }: AskedChanges): SQL =>
    sql`select ${services.number}, ${services.updatedAt} changed_at from ${services}
      where ${and(within?.(services.updatedAt, services.number), where) ?? sql`true`}`;

  /** Of services whose request has outdated their row. In an index of what is open. */
  function byRequest({ where, brokerId, within }: AskedChanges): SQL {
    const [moment, number] = [sql`shown.submitted_at`, sql`shown.service_number`];
    // Under the table's own name, so that `where` means this row. Found by its number and by nothing else, whatever is
    // asked: no condition goes past a limit.
    const service = sql`(select * from ${services} where ${services.number} = ${number} limit 1) ${services}`;
    const conditions = and(
      sql.raw(IS_OPEN_IN_ORDER),
      brokerId === undefined ? undefined : sql`shown.broker_id = ${brokerId}`,
      within?.(moment, number),
      sql`exists (select 1 from ${service} where ${and(sql`${services.updatedAt} < ${moment}`, where)})`,
      sql`shown.id = ${shownRequest(sql`r.id`, number)}`,
    );
    return sql`select ${number} number, ${moment} changed_at from ${requests} shown where ${conditions}`;
  }

  return {
    shownRequest,
    /** The moment that readers see, in epoch milliseconds. */
    changedAt,
    byRow,
    /** A condition for those of `byRow` that no request has outdated. */
    isByRow: sql`${shownSince} <= ${services.updatedAt}`,
    byRequest,
    /** Each of a few services looked at by itself. In no index. */
    oneByOne({ where, within }: Required<Pick<AskedChanges, 'where' | 'within'>>): SQL {
      const each = sql`select ${services.number}, ${changedAt} changed_at from ${services} where ${where}`;
      return sql`select * from (${each}) each_one where ${within(sql`changed_at`, sql`number`)}`;
    },
  };
}
