/** Every scope a key can hold (contract, section 5), sorted as they are shown. */
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

/** What a scope grants beyond itself. */
const IMPLIED: Partial<Record<Scope, readonly Scope[]>> = {
  'admin:full': SCOPES,
  'requests:write': ['requests:read'],
  'services:write': ['services:read'],
};

/** Whether a key with the scopes `granted` may do what needs one of `anyOf`; an empty list needs none. */
export function grants(granted: readonly Scope[], anyOf: readonly Scope[]): boolean {
  return anyOf.length === 0 || matchedScope(granted, anyOf) !== undefined;
}

/**
 * The scope that opens the door: the first of `anyOf` that the key holds by name, else the one of its own
 * that implies one of them. Undefined when nothing does, or when no scope is needed.
 */
export function matchedScope(granted: readonly Scope[], anyOf: readonly Scope[]): Scope | undefined {
  return (
    anyOf.find((scope) => granted.includes(scope)) ??
    granted.find((scope) => IMPLIED[scope]?.some((implied) => anyOf.includes(implied)))
  );
}

/**
 * Reads an operator's comma-separated list, sorted and each scope once; a blank text is no scope at all.
 * @throws Error with one line for the operator when a name is unknown.
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
