import { rmSync } from 'node:fs';
import type { SettingRow } from '../queries/settings.ts';
import { connect, connectReader } from './sqlite-client.ts';
import { makePrivateFile } from './sqlite-file.ts';

/** How long the mark waits for a lock on the copy, which no other process has. */
const PATIENCE_MS = 500;

/**
 * Copies a SQLite file of any schema, in use or not, to a new file for its owner alone; changes nothing in it.
 * @param marks settings of the copy alone
 */
export async function backupSqlite(file: string, target: string, marks: readonly SettingRow[] = []): Promise<void> {
  makePrivateFile(target);
  // With a snapshot: otherwise the copy would start over at each commit.
  const source = connectReader(file);
  try {
    source.exec('begin; select 1 from sqlite_schema');
    await source.backup(target);
    if (marks.length > 0) mark(target, marks);
  } catch (error) {
    rmSync(target, { force: true });
    throw error;
  } finally {
    source.close();
  }
}

function mark(target: string, marks: readonly SettingRow[]): void {
  const copy = connect(target, PATIENCE_MS);
  try {
    const put = copy.prepare('insert or replace into settings (name, value) values (?, ?)');
    copy.transaction(() => {
      for (const { name, value } of marks) put.run(name, value);
    })();
  } finally {
    copy.close();
  }
}
