/**
 * Reads a service number from a path, a query or a file (contract, section 4): ASCII digits with an optional
 * minus sign and leading zeros, within int64. Returns undefined for everything else.
 */
export function parseServiceNumber(text: string): bigint | undefined {
  if (!/^-?\d+$/.test(text)) return undefined;
  const value = BigInt(text);
  return BigInt.asIntN(64, value) === value ? value : undefined;
}

/**
 * The number as the store holds it, or undefined where no service can have it: services are numbered
 * 1 to 2^53 - 1. Asking here first keeps a larger number from being rounded to that of a stranger's service.
 */
export function asStoredNumber(value: bigint): number | undefined {
  return value >= 1n && value <= BigInt(Number.MAX_SAFE_INTEGER) ? Number(value) : undefined;
}
