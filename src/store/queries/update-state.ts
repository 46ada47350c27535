import type { SettingReads } from './settings.ts';

/** The row of `settings` that names the oldest release which may use the database. */
export const OLDEST_RELEASE_SETTING = 'oldest_release';

/** The release whose update `broker migrate --finish` ends: what it writes, those before it need not be able to read. */
export const FINISHED_RELEASE = '1.2.0';

/** Compares versions of three whole numbers. */
export function isOlder(version: string, than: string): boolean {
  const [one, other] = [version, than].map((text) => text.split('.').map(Number)) as [number[], number[]];
  const index = one.findIndex((part, at) => part !== other[at]);
  return index >= 0 && (one[index] as number) < (other[index] as number);
}

interface SettingReader {
  readonly settings: Pick<SettingReads, 'find'>;
}

/**
 * Whether no process of a release before 1.2 can use the database: then what those cannot read may be written (contract,
 * section 14). It never becomes false again.
 */
export async function isFinished({ settings }: SettingReader): Promise<boolean> {
  const oldest = await settings.find(OLDEST_RELEASE_SETTING);
  return oldest !== null && !isOlder(oldest, FINISHED_RELEASE);
}
