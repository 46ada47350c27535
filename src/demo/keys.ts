import { composeKey, type KeyMode } from '../rules/key-format.ts';

/**
 * Keys that everybody knows, for they stand in the README: a server that could be reached from outside does not
 * start while one of them is active. Contract, section 10.
 */
const parts = {
  live: { mode: 'live', publicId: 'DemoLive' },
  /** Of the second broker, which has no templates. */
  otherLive: { mode: 'live', publicId: 'DemoOthr' },
  test: { mode: 'test', publicId: 'DemoTest' },
  /** Without any scope. */
  testNoScopes: { mode: 'test', publicId: 'DemoNone' },
} as const satisfies Record<string, { mode: KeyMode; publicId: string }>;

export type DemoKeyName = keyof typeof parts;

/** No secret: it only has the length of one. */
const SECRET = 'TheDemoKeySecretIsKnownToAll0000';

export const DEMO_KEYS = Object.fromEntries(
  Object.entries(parts).map(([name, key]) => [name, composeKey({ ...key, secret: SECRET })]),
) as Record<DemoKeyName, string>;

export const DEMO_PUBLIC_IDS = Object.values(parts).map(({ publicId }) => publicId);

/** The parts of a demo key that are stored beside its hash. */
export const demoKeyParts = (name: DemoKeyName) => parts[name];
