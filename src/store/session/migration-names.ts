import { readFileSync } from 'node:fs';
import { packageFile } from '../../runtime/paths.ts';
import type { Dialect } from './session.ts';

/** The names of this program's migrations in order, with the dates that the database records them by (epoch milliseconds). */
export function migrationNames(dialect: Dialect): { name: string; madeAt: number }[] {
  const journal = packageFile(`drizzle/migrations/${dialect}/meta/_journal.json`);
  const { entries } = JSON.parse(readFileSync(journal, 'utf8')) as { entries: { tag: string; when: number }[] };
  return entries.map(({ tag, when }) => ({ name: tag, madeAt: when }));
}
