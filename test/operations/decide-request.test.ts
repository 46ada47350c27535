import t from 'tap';
import { openSqlite } from '../../src/store/sqlite.ts';
import { addRequest, refused, requestsOf } from '../support/v1.ts';
import { createWorld } from '../support/world.ts';

t.test('A decision that another one overtook in spite of the lock is undone as a whole', async (t) => {
  const file = `${t.testdir()}/broker.db`;
  const world = await createWorld({
    openStore: async ({ monotonic }) => {
      const store = await openSqlite({ file, monotonic });
      const move = async () => null;
      return {
        ...store,
        read: store.read,
        tx: (work) => store.tx((tx) => work({ ...tx, requests: { ...tx.requests, move } })),
      };
    },
  });
  t.teardown(() => world.close());
  const broker = await world.addBroker();
  const { key } = await world.addKey(broker);
  const service = await world.addService(broker, await world.addPlan(broker));
  const { id } = await addRequest(world, service, { type: 'cancellation' });
  const headers = { 'x-idempotency-key': 'decide-1' };
  for (const [action, body] of [
    ['approve', {}],
    ['deny', { reason: 'x' }],
  ] as const) {
    const answer = await world.call(key, 'POST', `/requests/${id}/${action}`, { body, headers });
    refused(t, answer, { status: 500, code: 'server_error', message: 'Internal server error' }, action);
  }
  t.match(await requestsOf(world, broker), [{ request: { status: 'pending', decisionAction: null } }]);
  const found = (await world.call(key, 'GET', `/services/${service.number}`)).json.data;
  t.equal(found.cancellation, null, 'and nothing was scheduled');
});
