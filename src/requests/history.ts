import type { Change } from '../context/context.ts';
import type { NewId } from '../ids.ts';
import type { Actor } from '../rules/words.ts';
import type { HistoryRow, RequestRow } from '../store/requests.ts';

/** The line that says when and by whom a request came into the state in which it stands. */
export const historyLine = (
  newId: NewId,
  { id, brokerId, status, updatedAt }: Pick<RequestRow, 'id' | 'brokerId' | 'status' | 'updatedAt'>,
  actor: Actor,
  note: string | null,
): HistoryRow => ({ id: newId('evt', updatedAt), brokerId, requestId: id, status, at: updatedAt, actor, note });

/** Adds that line. */
export const addToHistory = (
  { tx, newId }: Pick<Change, 'tx' | 'newId'>,
  request: RequestRow,
  actor: Actor,
  note: string | null,
): Promise<void> => tx.requests.addHistory(historyLine(newId, request, actor, note));
