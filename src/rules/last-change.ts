/**
 * A service's `updated_date` after a change: the present, or a millisecond later than before where a clock is behind
 * (contract, section 6, "Services"). Both in epoch milliseconds, as is the result. Changes of services whose row was not
 * read first have the same rule in SQL (src/store/services.ts).
 */
export const lastChangeAt = (before: number, now: number): number => Math.max(before + 1, now);
