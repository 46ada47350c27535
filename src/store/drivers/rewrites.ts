import { type FoldPosition, foldServices } from '../queries/service-folding.ts';
import type { Session } from '../session/session.ts';

export type RewritePosition = FoldPosition;

/**
 * One step of a migration that rewrites rows, in a transaction of its own: from the beginning or behind a position, to the
 * returned one, until that is null. A killed migration begins again: a row that is done must not change again.
 */
export type Rewrite = (session: Session, from?: RewritePosition) => Promise<RewritePosition | null>;

/** The rewrites by the name that the first line of a migration's file has. */
export const REWRITES: Readonly<Record<string, Rewrite>> = {
  folded_services: (session, from) => foldServices(session, from),
};
