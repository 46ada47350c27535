import type { SettingReads, SettingWrites } from './settings.ts';

/** The row of `settings` that names the oldest release which may use the database. */
export const OLDEST_RELEASE_SETTING = 'oldest_release';

/** The release whose update `broker migrate --finish` ends: what it writes, those before it need not be able to read. */
export const FINISHED_RELEASE = '1.2.0';

/** From this release on everything of section 12 can be read. */
export const UPDATED_RELEASE = '1.1.0';

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
 * Whether no process of a release before 1.1 can use the database: then what those cannot read may be written (contract,
 * section 12.9). It never becomes false again.
 */
export async function isUpdated({ settings }: SettingReader): Promise<boolean> {
  const oldest = await settings.find(OLDEST_RELEASE_SETTING);
  return oldest !== null && !isOlder(oldest, UPDATED_RELEASE);
}

/**
 * Whether no process of a release before 1.2 can use the database: then what those cannot read may be written (contract,
 * section 14). It never becomes false again.
 */
export async function isFinished({ settings }: SettingReader): Promise<boolean> {
  const oldest = await settings.find(OLDEST_RELEASE_SETTING);
  return oldest !== null && !isOlder(oldest, FINISHED_RELEASE);
}

/** The row of `settings` that says until when every change of a service has been folded anew; epoch milliseconds. */
const FOLDED_UNTIL = 'services_folded_until';

/** A change may become visible 45 s after its date (an import), and clocks may differ. */
const MARGIN_MS = 300_000;

/** From when on services may have been changed by a process of 1.0. */
export const foldedUntil = async ({ settings }: SettingReader): Promise<number> =>
  Number((await settings.find(FOLDED_UNTIL)) ?? 0);

/** Behind every change. */
const FOREVER = Number.MAX_SAFE_INTEGER;

/**
 * @param begunAt when the pass over all services began
 * @param isLast whether the update was finished well before: no process of 1.0 changes a service any more
 */
export const recordFolded = (
  { settings }: { settings: Pick<SettingWrites, 'put'> },
  begunAt: number,
  isLast: boolean,
): Promise<void> => settings.put({ name: FOLDED_UNTIL, value: String(isLast ? FOREVER : begunAt - MARGIN_MS) });
