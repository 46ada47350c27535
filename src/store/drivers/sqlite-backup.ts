import { rmSync } from 'node:fs';
import { connectReader } from './sqlite-client.ts';
import { makePrivateFile } from './sqlite-file.ts';

/** Copies a SQLite file of any schema, in use or not, to a new file for its owner alone; changes nothing in it. */
export async function backupSqlite(file: string, target: string): Promise<void> {
  makePrivateFile(target);
  // With a snapshot: otherwise the copy would start over at each commit.
  const source = connectReader(file);
  try {
    source.exec('begin; select 1 from sqlite_schema');
    await source.backup(target);
  } catch (error) {
    rmSync(target, { force: true });
    throw error;
  } finally {
    source.close();
  }
}
