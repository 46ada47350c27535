import { type GetColumnData, type SQL, sql } from 'drizzle-orm';
import type { SQLiteColumn } from 'drizzle-orm/sqlite-core';
import type { Dialect } from './session.ts';

type Columns = Record<string, SQLiteColumn>;

export interface Unpacked<C extends Columns> {
  row: { [Name in keyof C]: GetColumnData<C[Name]> };
  extra: unknown;
}

/**
 * Selects these columns of a page's rows as one JSON text, an array of arrays. Drizzle takes twice as long to map a
 * hundred rows value by value.
 * @param extra a further value of each row, which JSON can represent
 */
export function jsonRowsOf<C extends Columns>(dialect: Dialect, columns: C, extra?: SQL) {
  const names: Array<keyof C> = Object.keys(columns);
  const all = Object.values(columns);
  // SQLite has no booleans.
  const flags = all.flatMap(({ dataType }, at) => (dataType === 'boolean' ? [at] : []));
  const values = sql.join([...all.map((column) => sql`${column}`), ...(extra ? [extra] : [])], sql`, `);

  function unpackRow(packed: unknown[]): Unpacked<C> {
    for (const at of flags) if (packed[at] !== null) packed[at] = Boolean(packed[at]);
    const row: Partial<Record<keyof C, unknown>> = {};
    for (let at = 0; at < names.length; at += 1) row[names[at] as keyof C] = packed[at];
    return { row: row as Unpacked<C>['row'], extra: packed[names.length] };
  }

  return {
    /** To be selected alone; unordered, because sorting in the aggregate doubles the cost. */
    rows:
      dialect === 'sqlite'
        ? sql<string>`json_group_array(json_array(${values}))`
        : sql<string>`coalesce(json_agg(json_build_array(${values})), '[]')::text`,
    unpack: ([packed]: Array<{ rows: string }>): Array<Unpacked<C>> =>
      (JSON.parse(String(packed?.rows)) as unknown[][]).map(unpackRow),
  };
}
