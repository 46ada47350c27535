import { type Column, type SQL, sql } from 'drizzle-orm';
import { getTableConfig, SQLiteSyncDialect } from 'drizzle-orm/sqlite-core';
import { SANDBOX_SCHEMA } from '../../../drizzle/columns.ts';
import { SANDBOX_TABLES } from '../../../drizzle/sandbox.ts';
import type { Dialect } from '../session/session.ts';
import type { PooledClient } from './postgres-client.ts';
import type { SqliteClient } from './sqlite-client.ts';

/*
 * The schema of the sandbox (contract, section 8), made from the definitions of the live tables. It has no migrations:
 * whatever a release adds to the definitions is added here when the release first opens the sandbox. There are no foreign
 * keys, and every key has the broker in it, because numbers and ids are unique in one sandbox alone.
 */

/** The names of what is there: `table`, `table.column`, and indexes by their names. */
type Present = ReadonlySet<string>;

const BROKER = 'broker_id';

const writer = new SQLiteSyncDialect({ casing: 'snake_case' });
const textOf = (chunk: SQL): string => writer.sqlToQuery(sql`${chunk}`.inlineParams()).sql;
const nameOf = (name: string): string => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
const columnNamesOf = (columns: ReadonlyArray<{ name: string } | SQL>): string[] =>
  columns.map((column) => (isSql(column) ? textOf(column) : nameOf(column.name)));
const isSql = (column: object): column is SQL => 'queryChunks' in column;

/**
 * With the broker: in front, so that each poll reads one sandbox; behind a service's number, which live queries look up
 * alone (src/store/queries/service-reads.ts).
 */
const withBroker = (names: string[]): string[] =>
  names.includes(BROKER) ? names : names[0] === 'service_number' ? [...names, BROKER] : [BROKER, ...names];

const TYPES = {
  sqlite: { string: 'text', number: 'integer', boolean: 'integer' },
  postgres: { string: 'text collate "C"', number: 'bigint', boolean: 'boolean' },
} as const;

/** The statements that are missing, in order. */
function missing(dialect: Dialect, present: Present): string[] {
  const prefix = dialect === 'sqlite' ? '' : `${SANDBOX_SCHEMA}.`;
  const typeOf = ({ dataType }: Column) => TYPES[dialect][dataType as keyof (typeof TYPES)['sqlite']];
  const defaultOf = ({ default: value }: Column) => (typeof value === 'number' ? ` default ${value}` : '');
  const columnOf = (column: Column) =>
    `${nameOf(column.name)} ${typeOf(column)}${column.notNull ? ' not null' : ''}${defaultOf(column)}`;
  const statements = SANDBOX_TABLES.flatMap((table) => {
    const { name, columns, primaryKeys, indexes } = getTableConfig(table);
    const key = withBroker(columnNamesOf(primaryKeys[0]?.columns ?? columns.filter(({ primary }) => primary)));
    const lacking = columns.filter((column) => !present.has(`${name}.${nameOf(column.name)}`));
    return [
      ...(present.has(name)
        ? lacking.map((column) => `alter table ${prefix}${name} add column ${columnOf(column)}`)
        : [`create table ${prefix}${name} (${columns.map(columnOf).join()}, primary key (${key.join()}))`]),
      ...indexes
        .map(({ config }) => config)
        .filter((index) => !present.has(index.name))
        .map(({ name: index, unique, columns: indexed, where }) => {
          const names = name === 'sandboxes' ? columnNamesOf(indexed) : withBroker(columnNamesOf(indexed));
          const condition = where ? ` where ${textOf(where)}` : '';
          return `create ${unique ? 'unique ' : ''}index ${index} on ${prefix}${name} (${names.join()})${condition}`;
        }),
    ];
  });
  const textIndex = dialect === 'sqlite' && !present.has('service_search') ? TEXT_INDEX : [];
  return [...statements, ...textIndex];
}

/** As in the live database, but by the hidden row id: numbers repeat from sandbox to sandbox. */
const TEXT_INDEX = [
  "create virtual table service_search using fts5(search_text, content = 'services', tokenize = 'trigram case_sensitive 1')",
  `create trigger services_search_insert after insert on services begin
    insert into service_search (rowid, search_text) values (new.rowid, new.search_text);
  end`,
  `create trigger services_search_update after update of search_text on services
    when old.search_text <> new.search_text begin
    insert into service_search (service_search, rowid, search_text) values ('delete', old.rowid, old.search_text);
    insert into service_search (rowid, search_text) values (new.rowid, new.search_text);
  end`,
  `create trigger services_search_delete after delete on services begin
    insert into service_search (service_search, rowid, search_text) values ('delete', old.rowid, old.search_text);
  end`,
];

/** Adds to a file what is missing; takes no lock where nothing is. */
export function prepareSqliteSandbox(client: SqliteClient): void {
  const lacking = () => missing('sqlite', new Set(client.prepare(PRESENT_IN_FILE).pluck().all() as string[]));
  if (lacking().length > 0) {
    const add = client.transaction(() => {
      for (const statement of lacking()) client.exec(statement);
    });
    add.immediate();
  }
}

const PRESENT_IN_FILE = `select name from sqlite_schema
  union all select t.name || '.' || c.name from sqlite_schema t, pragma_table_info(t.name) c where t.type = 'table'`;

/** One process at a time; the number is arbitrary. */
const SCHEMA_LOCK = 7_216_408_115;

/** The same for the schema `sandbox` of a PostgreSQL database, in a transaction. */
export async function preparePostgresSandbox(client: PooledClient): Promise<void> {
  const lacking = async () => {
    const { rows } = await client.query<{ name: string }>(PRESENT_IN_SCHEMA, [SANDBOX_SCHEMA]);
    return missing('postgres', new Set(rows.map(({ name }) => name)));
  };
  if ((await lacking()).length === 0) return;
  await client.query('select pg_advisory_xact_lock($1)', [SCHEMA_LOCK]);
  await client.query(`create schema if not exists ${SANDBOX_SCHEMA}`);
  for (const statement of await lacking()) await client.query(statement);
}

const PRESENT_IN_SCHEMA = `select table_name::text as name from information_schema.tables where table_schema = $1
  union all select table_name || '.' || column_name from information_schema.columns where table_schema = $1
  union all select indexname::text from pg_indexes where schemaname = $1`;
