import { type MigrationTarget, migrate as migrateTarget, patiently, type Run, type TellLine } from './migrate.ts';
import { codeOf, type SqliteClient } from './sqlite-client.ts';

/** Applies the missing migrations; takes no lock where there are none. */
export const migrate = (client: SqliteClient, tell: TellLine): Promise<boolean> =>
  migrateTarget(targetOf(client, tell));

function targetOf(client: SqliteClient, tell: TellLine): MigrationTarget {
  const run: Run = async (sql, params) => {
    if (!params) {
      client.exec(sql);
      return [];
    }
    const statement = client.prepare(sql);
    if (statement.reader) return statement.all(params) as Record<string, unknown>[];
    statement.run(params);
    return [];
  };
  return {
    dialect: 'sqlite',
    applied: async () => appliedTo(client),
    transaction: (work) =>
      patiently(
        async () => {
          client.exec('begin immediate');
          try {
            const result = await work(run);
            client.exec('commit');
            return result;
          } catch (error) {
            if (client.inTransaction) client.exec('rollback');
            throw error;
          }
        },
        (error) => codeOf(error).startsWith('SQLITE_BUSY'),
        tell,
      ),
    /* c8 ignore next 3 -- no migration of this engine has such a statement */
    buildIndex: async () => {
      throw new Error('SQLite builds no index outside of a transaction');
    },
  };
}

/** The creation dates of the applied migrations; none for a foreign or empty database. */
export function appliedTo(client: SqliteClient): number[] {
  const table = client.prepare("select 1 from sqlite_schema where name = 'schema_migrations'").get();
  return table ? (client.prepare('select made_at from schema_migrations').pluck().all() as number[]) : [];
}
