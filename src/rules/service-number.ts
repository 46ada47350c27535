/** A number that no service has: services are numbered 1 to 2^53 - 1. */
export const NO_SERVICE = 0;

/**
 * Parses a service number of a path, a query or a file (contract, section 4): ASCII digits with an optional minus sign
 * and leading zeros, within int64. Returns `NO_SERVICE` for an integer that no service can have (a large one would
 * otherwise be rounded to the number of another service), and undefined for everything else.
 */
export function parseServiceNumber(text: string): number | undefined {
  if (!/^-?\d+$/.test(text)) return undefined;
  const value = BigInt(text);
  if (BigInt.asIntN(64, value) !== value) return undefined;
  return value >= 1n && value <= BigInt(Number.MAX_SAFE_INTEGER) ? Number(value) : NO_SERVICE;
}
