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
  const release = statement('release job');
  return {
    begin() {
      try {
        // One that could not be rolled back: a disk that failed may be back.
        if (client.inTransaction) rollback();
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
    savepoint: statement('savepoint job'),
    release() {
      if (!client.inTransaction) return false;
      release();
      return true;
    },
    rollbackToSavepoint() {
      if (!client.inTransaction) return false;
      client.exec('rollback to job; release job');
      return true;
    },
  };
}
