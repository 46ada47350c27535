import { type Column, getTableColumns, type SQL, sql } from 'drizzle-orm';
import type { SQLiteTable } from 'drizzle-orm/sqlite-core';
import { type Dialect, param } from './session.ts';

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

/**
 * Rows as one parameter (on PostgreSQL one per column), so that one prepared statement serves any number of rows. With
 * JSON on PostgreSQL the planner would expect a hundred rows and scan tables of some ten thousand.
 */
export function rowParametersOf<C extends Record<string, Column>>(dialect: Dialect, columns: C) {
  const parts = Object.entries(columns).map(([name, column], at) => {
    // PostgreSQL's texts have their collation behind the type.
    const [type] = column.getSQLType().split(' ') as [string];
    const field = sql.raw(dialect === 'sqlite' ? `cast(given.value ->> ${at} as ${type})` : `given."${name}"`);
    return { name, field, list: sql`cast(${param(`given_${name}`)} as ${sql.raw(type)}[])` };
  });
  const lists = sql.join(
    parts.map(({ list }) => list),
    sql`, `,
  );
  const names = sql.raw(parts.map(({ name }) => `"${name}"`).join());
  return {
    from: dialect === 'sqlite' ? sql`json_each(${param('given')}) given` : sql`unnest(${lists}) given(${names})`,
    /** Each value of a row, of its column's type. */
    fields: Object.fromEntries(parts.map(({ name, field }) => [name, field])) as Record<keyof C, SQL>,
    pack(rows: ReadonlyArray<Record<keyof C, unknown>>): Record<string, unknown> {
      if (dialect === 'sqlite') return { given: JSON.stringify(rows.map((row) => parts.map(({ name }) => row[name]))) };
      return Object.fromEntries(parts.map(({ name }) => [`given_${name}`, rows.map((row) => row[name])]));
    },
  };
}
