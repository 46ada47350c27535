import { noteReplaced } from '../lifecycle/replaced.ts';
import { type Context, RecordsAreOld } from '../ports.ts';
import { MINUTE_MS } from '../rules/durations.ts';
import { type CompareDeps, compareMachines } from './compare.ts';
import { findLastComparison, storeComparison } from './last-comparison.ts';

/** One process compares at a time; one that has ended is followed by another one after so long. */
const CLAIM = 'machines compared by';
const CLAIM_MS = 15 * MINUTE_MS;

/**
 * Compares the machines with the records once after each loss (contract, section 15.7), where the provisioner may be asked. Any
 * number of processes may call it, as often as they like. A provisioner that does not answer is asked again the next time.
 */
export async function compareAfterLoss(deps: CompareDeps & Pick<Context, 'log'>): Promise<void> {
  const { store, clock, log } = deps;
  const loss = await store.read.history.findLatest();
  if (!loss || (await store.read.history.findHolding()) === 'copy') return;
  const last = await findLastComparison(store.read);
  if (last && last.history >= loss.history) return;
  const isMine = await store.tx(async (tx) => {
    await tx.settings.lock(CLAIM);
    const until = Number((await tx.settings.find(CLAIM)) ?? 0);
    const now = clock.now();
    if (until > now && until <= now + CLAIM_MS) return false;
    await tx.settings.put({ name: CLAIM, value: String(now + CLAIM_MS) });
    return true;
  });
  if (!isMine) return;
  try {
    const found = await compareMachines(deps);
    if (found.outcome === 'no_answer') return;
    await store.tx((tx) => storeComparison(tx, found, { at: clock.now(), isAccepted: false }));
  } catch (error) {
    if (!(error instanceof RecordsAreOld)) throw error;
    log.error({ history: loss.history }, error.message);
    await store.tx((tx) => noteReplaced(tx, { history: loss.history, at: clock.now() }));
  } finally {
    await store.tx((tx) => tx.settings.remove(CLAIM));
  }
}
