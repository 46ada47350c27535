import { HOUR_MS } from '../../rules/durations.ts';
import { keyPrefix } from '../../rules/key-format.ts';
import type { ReadDeps } from '../use-case/dependencies.ts';

/** A step of the set-up and whether it is done. */
export interface Step {
  name: 'broker' | 'plan' | 'key' | 'template' | 'call';
  done: boolean;
}

/**
 * What an installation, or one broker of it, still needs before it is in use. Null where a broker has all of it, or any
 * broker of the installation makes calls, and the first call was more than an hour ago.
 * @param input `brokerId`: of this broker; of any where it is not given
 * @returns the steps in their order; the slug of the broker that the open ones are for: null where there is none; and the
 * first call, as long as it is news: any call with a key, auth-check included, answered or refused
 */
export async function showOnboarding({ store, clock }: ReadDeps, input: { brokerId?: string } = {}) {
  const [firsts, broker, first_call] = await Promise.all([
    store.read.brokers.findFirsts(input.brokerId, clock.machine()),
    input.brokerId === undefined ? store.read.brokers.findFirst() : store.read.brokers.find(input.brokerId),
    findFirstCall({ store, clock }, input.brokerId),
  ]);
  const steps: Step[] = [
    ...(input.brokerId === undefined ? [{ name: 'broker' as const, done: broker !== null }] : []),
    ...(['plan', 'key', 'template', 'call'] as const).map((name) => ({ name, done: firsts[name] })),
  ];
  // What one of its brokers lacks is shown on that broker’s page.
  const isDone = input.brokerId === undefined ? firsts.call : steps.every(({ done }) => done);
  if (isDone && first_call === null) return null;
  return { steps, broker: broker?.slug ?? null, first_call };
}

/** The first call of all, where it came within the last hour. */
async function findFirstCall({ store: { read }, clock }: ReadDeps, brokerId: string | undefined) {
  const since = clock.now() - HOUR_MS;
  const hour = await read.usage.findFirst('hour', brokerId);
  if (!hour || hour.fromAt <= since - HOUR_MS) return null;
  const first = await read.usage.findFirst('minute', brokerId);
  const key = first && (await read.keys.find(first.keyId));
  const broker = key && (await read.brokers.find(key.brokerId));
  if (!first || !key || !broker || first.fromAt < since) return null;
  return {
    outcome: first.outcome,
    key_id: key.id,
    key_prefix: keyPrefix(key.mode, key.publicId),
    broker: broker.slug,
  };
}

export type Onboarding = NonNullable<Awaited<ReturnType<typeof showOnboarding>>>;
