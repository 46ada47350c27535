import type { Transactor } from './group-commit.ts';
import { codeOf, type SqliteClient } from './sqlite-client.ts';

/** The statements of transactions on one connection, prepared. */
export function transactorOf(client: SqliteClient): Omit<Transactor, 'cutOff'> {
  const statement = (source: string) => {
    const prepared = client.prepare(source);
    return () => {
      prepared.run();
    };
  };
  const begin = statement('begin immediate');
  const rollback = statement('rollback');
  const changes = client.prepare<[], number>('select total_changes()').pluck();
  return {
    begin() {
      try {
        begin();
        return true;
      } catch (error) {
        if (codeOf(error).startsWith('SQLITE_BUSY')) return false;
        throw error;
      }
    },
    commit: statement('commit'),
    rollback() {
      // SQLite itself rolls back after some errors (a full disk, say), and a second time would be one more error.
      if (client.inTransaction) rollback();
    },
    changes: () => (client.inTransaction ? changes.get() : undefined),
    savepoint: statement('savepoint work'),
    release: statement('release work'),
    rollbackToSavepoint() {
      if (!client.inTransaction) return false;
      client.exec('rollback to work; release work');
      return true;
    },
  };
}
