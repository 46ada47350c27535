import t from 'tap';
import { moveRequest } from '../../src/lifecycle/move-request.ts';
import { transact } from '../../src/store/change.ts';
import { addRequest } from '../support/v1.ts';
import { createWorld } from '../support/world.ts';

t.test('A request makes no move that the table of its states does not allow', async (t) => {
  const world = await createWorld();
  t.teardown(() => world.close());
  const broker = await world.addBroker();
  const service = await world.addService(broker, await world.addPlan(broker));
  for (const [from, to] of [
    ['denied', 'accepted'],
    ['accepted', 'denied'],
    ['operator_review', 'pending'],
    ['pending', 'completed'],
  ] as const) {
    const request = await addRequest(world, service, { type: 'cancellation', status: from });
    const move = transact(world.context, (change) => moveRequest(change, request, to, { actor: 'broker' }));
    await t.rejects(move, { message: `a request cannot move from ${from} to ${to}` });
    const view = await world.store.read.requests.findView(broker.id, request.id);
    t.equal(view?.request.status, from);
    // One open cancellation a service: make room for the next.
    await world.store.tx((tx) => tx.requests.move(broker.id, request.id, { status: from }, { status: 'failed' }));
  }
});
