import { invalid, OperatorError } from './errors.ts';

/** Records that one command or form decides; the next one takes the rest. */
export const MAX_DECIDED = 1_000;

/** A record that could not be decided, and why. */
export interface Undecided {
  id: string;
  message: string;
}

/**
 * Decides several records one after the other, each in a transaction of its own. One that is refused does not stop the others.
 * @param field what names a record, for the fault where there are too many
 * @returns the ids of the decided ones, and why the others were refused
 */
export async function decideEach(
  field: string,
  ids: readonly string[],
  decide: (id: string) => Promise<unknown>,
): Promise<{ decided: string[]; failed: Undecided[] }> {
  if (ids.length > MAX_DECIDED) throw invalid({ field, message: `must name at most ${MAX_DECIDED}` });
  const decided: string[] = [];
  const failed: Undecided[] = [];
  for (const id of new Set(ids)) {
    try {
      await decide(id);
      decided.push(id);
    } catch (error) {
      if (!(error instanceof OperatorError)) throw error;
      failed.push({ id, message: error.message });
    }
  }
  return { decided, failed };
}
