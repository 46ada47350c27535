/** Who looks at the demo; nobody can be mailed at this address. */
export const DEMO_OPERATOR = { email: 'operator@example.com', name: 'Demo operator', role: 'admin' } as const;
