import type { Reads } from './store.ts';

/** The row of `settings` that names the oldest release which may use the database. */
export const OLDEST_RELEASE_SETTING = 'oldest_release';

/** From this release on what waits for the end of the update can be read. */
export const UPDATED_RELEASE = '1.1.0';

/** Compares versions of three whole numbers. */
export function isOlder(version: string, than: string): boolean {
  const [one, other] = [version, than].map((text) => text.split('.').map(Number)) as [number[], number[]];
  const index = one.findIndex((part, at) => part !== other[at]);
  return index >= 0 && (one[index] as number) < (other[index] as number);
}

/**
 * Whether no process of a release before 1.1 can use the database: then what those cannot read may be written (contract,
 * section 12.9). It never becomes false again.
 */
export async function isUpdated(read: Pick<Reads, 'settings'>): Promise<boolean> {
  const oldest = await read.settings.find(OLDEST_RELEASE_SETTING);
  return oldest !== null && !isOlder(oldest, UPDATED_RELEASE);
}
