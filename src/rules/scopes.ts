/** Every scope that a key can hold (contract, section 5), in display order. */
export const SCOPES = [
  'admin:full',
  'credentials:read',
  'plans:read',
  'reports:send',
  'requests:read',
  'requests:write',
  'services:operate',
  'services:read',
  'services:write',
] as const;

export type Scope = (typeof SCOPES)[number];

/** The scopes that another scope includes. */
const IMPLIED: Partial<Record<Scope, readonly Scope[]>> = {
  'admin:full': SCOPES,
  'requests:write': ['requests:read'],
  'services:operate': ['services:read', 'requests:read'],
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
