/** From when to when records are lost, in epoch milliseconds. */
export interface LostSpan {
  readonly lostFrom: number;
  readonly lostUntil: number;
}

/**
 * What a figure of a span says that touches a loss of records (contract, section 15.8); nothing of any other.
 * @param from where the span begins, and where it ends, excluded; null: without a limit
 */
export const lostMark = (
  losses: readonly LostSpan[],
  from: number | null,
  until: number | null,
): { records_lost?: true } => {
  const isTouched = losses.some(
    ({ lostFrom, lostUntil }) => (from === null || lostUntil >= from) && (until === null || lostFrom < until),
  );
  return isTouched ? { records_lost: true } : {};
};
