/** A number that no service has: services are numbered 1 to 2^53 - 1. */
export const NOBODYS = 0;

/**
 * Reads a service number from a path, a query or a file (contract, section 4): ASCII digits with an optional
 * minus sign and leading zeros, within int64. Returns undefined for everything else, and `NOBODYS` for a number that no
 * service can have, which keeps a larger one from being rounded to that of a stranger's service.
 */
export function parseServiceNumber(text: string): number | undefined {
  if (!/^-?\d+$/.test(text)) return undefined;
  const value = BigInt(text);
  if (BigInt.asIntN(64, value) !== value) return undefined;
  return value >= 1n && value <= BigInt(Number.MAX_SAFE_INTEGER) ? Number(value) : NOBODYS;
}
