import type { Reads, Tx } from '../store/store.ts';

/** What the provisioner answers to an installation whose records are older than what it has seen. */
export const RECORDS_ARE_OLD = 'records_are_old';

/** What those see who ask such a server. */
export const REPLACED =
  'The records are older than those that the provisioner has seen: this installation was replaced';

const SETTING = 'records are old';

/** That the provisioner refuses this installation's calls. */
export interface Replaced {
  /** The number of history that it refused. */
  history: number;
  /** Since when, in epoch milliseconds. */
  at: number;
}

/** Notes that the provisioner refused a call with this number of history: every process of these records stops its work. */
export async function noteReplaced(tx: Pick<Tx, 'settings' | 'history'>, { history, at }: Replaced): Promise<void> {
  if (await findReplaced(tx)) return;
  await tx.settings.put({ name: SETTING, value: JSON.stringify({ history, at }) });
}

/**
 * Whether the provisioner works for another installation, which goes on from later records (contract, section 15.3). Null
 * where it does not, and once these records have a higher number of history than it refused.
 */
export async function findReplaced({
  settings,
  history,
}: Pick<Reads, 'settings' | 'history'>): Promise<Replaced | null> {
  const value = await settings.find(SETTING);
  if (value === null) return null;
  const noted = JSON.parse(value) as Replaced;
  return noted.history >= ((await history.findLatest())?.history ?? 0) ? noted : null;
}
