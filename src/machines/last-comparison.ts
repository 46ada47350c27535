import type { Reads, Tx } from '../store/store.ts';
import type { ComparisonOutcome, MachineComparison } from './compare.ts';

/** The last comparison of all machines with the records, as it is stored. */
export interface LastComparison {
  /** The number of history that it belongs to. */
  history: number;
  /** When it ended, in epoch milliseconds. */
  at: number;
  outcome: ComparisonOutcome;
  /** How many differences it found. */
  total: number;
  /** Whether an operator has accepted these. */
  isAccepted: boolean;
}

const SETTING = 'machines compared';

/** Null: none has been made. */
export async function findLastComparison({ settings }: Pick<Reads, 'settings'>): Promise<LastComparison | null> {
  const value = await settings.find(SETTING);
  return value === null ? null : (JSON.parse(value) as LastComparison);
}

export const countDifferences = ({ counts }: Pick<MachineComparison, 'counts'>): number =>
  Object.values(counts).reduce((sum, count) => sum + count, 0);

/** Stores what a comparison found, in place of the one before. */
export async function storeComparison(
  tx: Pick<Tx, 'settings' | 'history'>,
  found: Pick<MachineComparison, 'outcome' | 'counts'>,
  { at, isAccepted }: Pick<LastComparison, 'at' | 'isAccepted'>,
): Promise<void> {
  const history = (await tx.history.findLatest())?.history ?? 0;
  const last: LastComparison = { history, at, outcome: found.outcome, total: countDifferences(found), isAccepted };
  await tx.settings.put({ name: SETTING, value: JSON.stringify(last) });
}
