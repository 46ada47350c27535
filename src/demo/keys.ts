import type { OperatorDeps } from '../operator/use-case/dependencies.ts';
import { composeKey } from '../rules/key-format.ts';
import type { Mode } from '../rules/words.ts';

/**
 * Public keys, printed in the README: a server that can be reached from outside does not start while one of them is
 * active (`exposedBy` in src/config.ts). Contract, section 10.
 */
const parts = {
  live: { mode: 'live', publicId: 'DemoLive' },
  /** Of the second broker, which has no templates. */
  otherLive: { mode: 'live', publicId: 'DemoOthr' },
  test: { mode: 'test', publicId: 'DemoTest' },
  /** Without any scope. */
  testNoScopes: { mode: 'test', publicId: 'DemoNone' },
  /** Refused as `expired`: it ended a day before the demo was made. */
  testExpired: { mode: 'test', publicId: 'DemoPast' },
  /** Refused as `inactive`. */
  testRevoked: { mode: 'test', publicId: 'DemoGone' },
} as const satisfies Record<string, { mode: Mode; publicId: string }>;

export type DemoKeyName = keyof typeof parts;

/** Not a secret; it only has the required length. */
const SECRET = 'TheDemoKeySecretIsKnownToAll0000';

export const DEMO_KEYS = Object.fromEntries(
  Object.entries(parts).map(([name, key]) => [name, composeKey({ ...key, secret: SECRET })]),
) as Record<DemoKeyName, string>;

export const DEMO_PUBLIC_IDS = Object.values(parts).map(({ publicId }) => publicId);

/** The parts of a demo key that are stored with its hash. */
export const demoKeyParts = (name: DemoKeyName) => parts[name];

/** The demo's operator; the address cannot receive mail. */
export const DEMO_OPERATOR = { email: 'operator@example.com', name: 'Demo operator', role: 'admin' } as const;

/** Whether the demo data is there. */
export const hasDemo = async ({ store }: Pick<OperatorDeps, 'store'>): Promise<boolean> =>
  (await store.read.keys.findAccess(parts.live.publicId)) !== null;

/** Whether a key that is printed in the README is active. */
export async function hasActiveDemoKey({ store, clock }: Pick<OperatorDeps, 'store' | 'clock'>): Promise<boolean> {
  const keys = await store.read.keys.listActive(DEMO_PUBLIC_IDS);
  return keys.some(({ expiresAt }) => expiresAt === null || expiresAt > clock.machine());
}
