import t from 'tap';
import { withdraw } from '../../src/lifecycle/decide.ts';
import { lockRequest } from '../../src/lifecycle/load-for-change.ts';
import { transact } from '../../src/store/change.ts';
import { addRequest } from '../support/v1.ts';
import { storedRequest } from '../support/work.ts';
import { createWorld } from '../support/world.ts';

t.test('a withdrawal loses against a claim that came after it had looked, and changes nothing', async (t) => {
  const world = await createWorld();
  t.teardown(() => world.close());
  const { store, clock, context } = world;
  const broker = await world.addBroker();
  const service = await world.addService(broker, await world.addPlan(broker));
  const now = clock.now();
  const { id } = await addRequest(world, service, { type: 'cancellation', status: 'accepted', dueAt: now });
  const held = await transact(context, (change) => lockRequest(change, { brokerId: broker.id }, id));
  await store.tx((tx) => tx.requests.claimDue({ now, leaseUntil: now + 60_000, leaseOwner: 'a worker', limit: 1 }));
  await t.rejects(
    transact(context, (change) => withdraw(change, held, { by: 'broker', reason: null })),
    { code: 'invalid_state', details: { reason: 'work_has_begun' } },
  );
  t.match(await storedRequest(world, broker.id, id), { status: 'accepted', leaseOwner: 'a worker' });
});
