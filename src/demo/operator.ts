/** The demo's operator; the address cannot receive mail. */
export const DEMO_OPERATOR = { email: 'operator@example.com', name: 'Demo operator', role: 'admin' } as const;
