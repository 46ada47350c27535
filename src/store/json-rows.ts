import { getTableColumns, type SQL, sql } from 'drizzle-orm';
import type { SQLiteTable } from 'drizzle-orm/sqlite-core';
import type { Dialect } from './session.ts';

export interface Unpacked<Row> {
  row: Row;
  extras: unknown[];
}

/**
 * Selects the rows of a page as one JSON text, an array of arrays. Reading a hundred rows of twenty columns value by value
 * takes several times as long.
 * @param extras further values of each row, which JSON can represent
 */
export function jsonRowsOf<T extends SQLiteTable>(dialect: Dialect, table: T, extras: SQL[] = []) {
  const columns = Object.entries(getTableColumns(table));
  const names = columns.map(([name]) => name);
  // SQLite has no booleans.
  const flags = columns.flatMap(([, { dataType }], at) => (dataType === 'boolean' ? [at] : []));
  const values = sql.join([...columns.map(([, column]) => sql`${column}`), ...extras], sql`, `);

  function unpackRow(packed: unknown[]): Unpacked<T['$inferSelect']> {
    for (const at of flags) if (packed[at] !== null) packed[at] = Boolean(packed[at]);
    const row: Record<string, unknown> = {};
    for (const [at, name] of names.entries()) row[name] = packed[at];
    return { row: row as T['$inferSelect'], extras: packed.slice(names.length) };
  }

  return {
    /** To be selected alone; unordered, because sorting in the aggregate doubles the cost. */
    rows:
      dialect === 'sqlite'
        ? sql<string>`json_group_array(json_array(${values}))`
        : sql<string>`coalesce(json_agg(json_build_array(${values})), '[]')::text`,
    unpack: ([packed]: Array<{ rows: string }>): Array<Unpacked<T['$inferSelect']>> =>
      (JSON.parse(String(packed?.rows)) as unknown[][]).map(unpackRow),
  };
}
