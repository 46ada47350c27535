import { getTableColumns, type SQL, sql } from 'drizzle-orm';
import { getTableConfig, type SQLiteColumn, type SQLiteTable } from 'drizzle-orm/sqlite-core';
import { tables as layout } from '../../../drizzle/sqlite.ts';
import type { Tables } from '../../../drizzle/tables.ts';

export type TableName = keyof Tables;

/** A table in the type that all of them share. */
export const tableOf = (tables: Tables, name: TableName): SQLiteTable => tables[name];

/** The properties that make up a table's primary key. */
export function keyOf(name: TableName): string[] {
  const { columns, primaryKeys } = getTableConfig(layout[name]);
  const key = primaryKeys[0]?.columns ?? columns.filter((column) => column.primary);
  return key.map((column) => column.name);
}

/** The table's name in the database. */
export const tableName = (name: TableName): string => getTableConfig(layout[name]).name;

/** The columns of a table's primary key in a session's tables. */
export const keyColumnsOf = (tables: Tables, name: TableName): SQLiteColumn[] => {
  const columns = getTableColumns(tableOf(tables, name));
  return keyOf(name).map((column) => columns[column] as SQLiteColumn);
};

/** The rows behind the row `last` in the order of the key; all where it is not given. */
export const behind = (tables: Tables, name: TableName, last: Record<string, unknown> | undefined): SQL | undefined =>
  last &&
  sql`(${joinColumns(keyColumnsOf(tables, name))}) > (${joinColumns(keyOf(name).map((column) => sql`${last[column]}`))})`;

export const joinColumns = (parts: Array<SQL | SQLiteColumn>): SQL =>
  sql.join(
    parts.map((part) => sql`${part}`),
    sql`, `,
  );
