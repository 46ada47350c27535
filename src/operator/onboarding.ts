import type { ReadDeps } from './dependencies.ts';

/** A step of the set-up and whether it is done. */
export interface Step {
  name: 'broker' | 'plan' | 'key' | 'template' | 'call';
  done: boolean;
}

/**
 * What an installation, or one broker of it, still needs before it is in use. Null where all of it is done.
 * @param input `brokerId`: of this broker; of any where it is not given
 * @returns the steps in their order, and the slug of the broker that the open ones are for: null where there is none
 */
export async function showOnboarding(
  { store, clock }: ReadDeps,
  input: { brokerId?: string } = {},
): Promise<{ steps: Step[]; broker: string | null } | null> {
  const [firsts, broker] = await Promise.all([
    store.read.overview.findFirsts(input.brokerId, clock.machine()),
    input.brokerId === undefined ? store.read.brokers.findFirst() : store.read.brokers.find(input.brokerId),
  ]);
  const steps: Step[] = [
    ...(input.brokerId === undefined ? [{ name: 'broker' as const, done: broker !== null }] : []),
    ...(['plan', 'key', 'template', 'call'] as const).map((name) => ({ name, done: firsts[name] })),
  ];
  return steps.every(({ done }) => done) ? null : { steps, broker: broker?.slug ?? null };
}

export type Onboarding = NonNullable<Awaited<ReturnType<typeof showOnboarding>>>;
