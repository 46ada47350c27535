/** Every scope that a key can hold (contract, section 5), in display order. */
export const SCOPES = [
  'admin:full',
  'plans:read',
  'reports:send',
  'requests:read',
  'requests:write',
  'services:read',
  'services:write',
] as const;

export type Scope = (typeof SCOPES)[number];

/** The scopes that another scope includes. */
const IMPLIED: Partial<Record<Scope, readonly Scope[]>> = {
  'admin:full': SCOPES,
  'requests:write': ['requests:read'],
  'services:write': ['services:read'],
};

/** Whether a key with the scopes `granted` has one of `anyOf`; an empty `anyOf` requires none. */
export function grants(granted: readonly Scope[], anyOf: readonly Scope[]): boolean {
  return anyOf.length === 0 || matchedScope(granted, anyOf) !== undefined;
}

/**
 * The scope that permits the call: the first of `anyOf` that the key holds by name, else the key's first scope that
 * implies one of them. Undefined where there is none, or where no scope is required.
 */
export function matchedScope(granted: readonly Scope[], anyOf: readonly Scope[]): Scope | undefined {
  return (
    anyOf.find((scope) => granted.includes(scope)) ??
    granted.find((scope) => IMPLIED[scope]?.some((implied) => anyOf.includes(implied)))
  );
}

/**
 * Parses an operator's comma-separated list into sorted, distinct scopes; a blank text gives an empty list.
 * @throws Error with a message for the operator where a name is unknown.
 */
export function parseScopes(list: string): Scope[] {
  if (list.trim() === '') return [];
  const names = new Set(list.split(',').map((name) => name.trim()));
  const unknown = [...names].filter((name) => !(SCOPES as readonly string[]).includes(name));
  if (unknown.length > 0) {
    const quoted = unknown.map((name) => JSON.stringify(name)).join(', ');
    throw new Error(`Unknown scope ${quoted}; known are ${SCOPES.join(', ')}`);
  }
  return SCOPES.filter((scope) => names.has(scope));
}
