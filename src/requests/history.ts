import type { Change } from '../context/context.ts';
import type { Actor } from '../rules/words.ts';
import type { RequestRow } from '../store/requests.ts';

/** Adds the line that says when and by whom a request came into the state in which it stands. */
export const addToHistory = (
  { tx, newId }: Pick<Change, 'tx' | 'newId'>,
  { id, brokerId, status, updatedAt }: RequestRow,
  actor: Actor,
  note: string | null,
): Promise<void> =>
  tx.requests.addHistory({ id: newId('evt', updatedAt), brokerId, requestId: id, status, at: updatedAt, actor, note });
