import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ImportError } from '../../src/operator/use-case/errors.ts';
import type { Clock } from '../../src/runtime/clock.ts';
import { createIds } from '../../src/runtime/ids.ts';
import type { Store } from '../../src/store/store.ts';
import { AN_OPERATOR, createTestClock, createTestMailer, openScratch } from './world.ts';

/** What the operator's use cases need, on a fresh database, with a clock and a mailbox that the test holds. */
export async function createOperatorContext(
  openStore: (file: string, clock: Clock) => Promise<Store> = (file, clock) => openScratch(file, clock),
) {
  const directory = mkdtempSync(join(tmpdir(), 'broker-operator-'));
  const clock = createTestClock();
  const store = await openStore(join(directory, 'broker.db'), clock);
  return {
    store,
    clock,
    mailer: createTestMailer(),
    newId: createIds(),
    defaultRateLimit: 120,
    actor: AN_OPERATOR,
    recordsPlace: { name: 'a machine', address: null },
    async close() {
      await store.close();
      rmSync(directory, { recursive: true, force: true });
    },
  };
}

/** A file as an operator hands it in: text as it is, anything else as JSON. */
export const file = (name: string, content: unknown) => ({
  name,
  content: Buffer.isBuffer(content)
    ? content
    : Buffer.from(typeof content === 'string' ? content : JSON.stringify(content)),
});

export const BROKER = {
  slug: 'acme',
  name: 'Acme Hosting',
  contact_email: 'office@acme.example.com',
  sender_email: 'support@acme.example.com',
};

export const PLANS = [
  { slug: 'start', display_name: 'Start', upgrade_rank: 10, billing_type: 'monthly' },
  { slug: 'more', display_name: 'More', upgrade_rank: 20, billing_type: 'monthly' },
];

/** The lines that a refused import leaves behind, the summary last. */
export async function faultsOf(refused: Promise<unknown>): Promise<string[]> {
  try {
    await refused;
  } catch (error) {
    if (error instanceof ImportError) return [...error.lines, error.message];
    throw error;
  }
  throw new Error('nothing was refused');
}
