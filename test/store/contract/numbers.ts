import type { Test } from 'tap';
import type { Store } from '../../../src/store/store.ts';
import { stock } from '../../support/rows.ts';

/** What the engine's own test brings along. */
export interface Numbered {
  store: Store;
  /** Gives the broker so many services on the plan, with numbers from `from` on, faster than the store would. */
  fill(brokerId: string, planId: string, from: number, count: number): Promise<void>;
  /** How many statements the database is asked during the work. */
  countStatements(work: () => Promise<unknown>): Promise<number>;
}

/** A block of used numbers in the counter's way, as an import leaves it. */
export async function numberContract(t: Test, { store, fill, countStatements }: Numbered): Promise<void> {
  const BLOCK = 200_000;
  const { broker, plan } = await stock(store);
  const issue = () => store.tx((tx) => tx.sequences.nextServiceNumber());
  const issueMany = (count: number) => store.tx((tx) => tx.sequences.nextServiceNumbers(count));
  const first = await issue();
  const freely = await countStatements(issue);
  const used = first + 2;
  await fill(broker.id, plan.id, used, BLOCK);
  // Where that took long, the pool has let its connections go; what a new one says first is not to be counted.
  await store.tx(async () => undefined);

  await t.test('beside a used block of 200,000 numbers issuing takes two statements more than without', async (t) => {
    let number = 0;
    const asked = await countStatements(async () => {
      number = await issue();
    });
    t.equal(number, used + BLOCK);
    t.equal(asked - freely, 2);
    t.equal(await issue(), number + 1);
  });

  await t.test('many numbers are issued from between two blocks, and the gap behind the last one', async (t) => {
    const next = (await issue()) + 1;
    await fill(broker.id, plan.id, next, 1000);
    await fill(broker.id, plan.id, next + 1002, 1000);
    let numbers: number[] = [];
    const asked = await countStatements(async () => {
      numbers = await issueMany(4);
    });
    t.strictSame(numbers, [next + 1000, next + 1001, next + 2002, next + 2003]);
    t.ok(asked <= freely + 3, `${asked} statements`);
  });

  await t.test('an import’s own numbers are issued to no other broker', async (t) => {
    const next = (await issue()) + 1;
    const numbers = await store.tx((tx) => tx.sequences.nextServiceNumbers(3, new Set([next, next + 2, next + 9])));
    t.strictSame(numbers, [next + 1, next + 3, next + 4]);
  });

  await t.test('the counter passes over the numbers that it could come to, and over none far ahead', async (t) => {
    const next = (await issue()) + 1;
    await store.tx((tx) => tx.sequences.passOver([1, next + 1, next + 50_000, next + 149_000, next + 900_000]));
    t.equal(await issue(), next + 149_001);
    await store.tx((tx) => tx.sequences.passOver([next + 900_000]));
    t.equal(await issue(), next + 149_002);
  });
}
