import { join } from 'node:path';
import t, { type Test } from 'tap';
import { createService } from '../../src/broker/create-service.ts';
import { warnCancellation } from '../../src/broker/warn-cancellation.ts';
import { openSqlite } from '../../src/store/drivers/sqlite.ts';
import type { Store, Tx } from '../../src/store/store.ts';
import { createWorld, type World } from '../support/world.ts';

/** A world whose transactions run `prepare` first: what happens while a call waits for its lock. */
async function waiting(t: Test, prepare: (tx: Tx, world: World) => Promise<Tx>) {
  let begun = false;
  const world: World = await createWorld({
    openStore: async (clock): Promise<Store> => {
      // The broker's own view of the store (`for`) would not be in the test's hands.
      const { for: _, ...store }: Store = await openSqlite({
        file: join(t.testdir(), 'broker.db'),
        monotonic: clock.monotonic,
      });
      return { ...store, tx: (work) => store.tx(async (tx) => work(begun ? await prepare(tx, world) : tx)) };
    },
  });
  t.teardown(() => world.close());
  const broker = await world.addBroker();
  const service = await world.addService(broker, await world.addPlan(broker, { slug: 'small' }));
  await world.addTemplate(broker);
  begun = true;
  return { world, broker, service };
}

t.test('a service that ends while a warning waits for its lock is not warned', async (t) => {
  const { world, broker, service } = await waiting(t, async (tx) => {
    await tx.services.update(broker.id, service.number, { status: 'cancelled' });
    return tx;
  });
  const caller = { brokerId: broker.id, broker };
  const input = { serviceNumber: service.number, warningReason: 'Unpaid' };
  await t.rejects(warnCancellation(world.context, caller, input), { message: /is cancelled/ });
  t.equal(await world.store.read.emails.countMatches({ brokerId: broker.id, now: world.clock.now() }), 0);
});

t.test('a created service is dated behind the lock of its number', async (t) => {
  const { world, broker } = await waiting(t, async (tx, { clock }) => ({
    ...tx,
    sequences: {
      ...tx.sequences,
      async nextServiceNumber() {
        clock.advance(1_700);
        return tx.sequences.nextServiceNumber();
      },
    },
  }));
  const before = world.clock.now();
  const client = { name: 'Ada Example', email: 'ada@example.com' };
  const input = { plan: 'small', client, label: null, externalReference: null };
  const created = await createService(world.context, { brokerId: broker.id }, input);
  t.match(created, { data: { submitted_date: new Date(before + 1_700).toISOString() } });
});
