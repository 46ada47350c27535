import t from 'tap';
import type { PlanRow } from '../../src/store/queries/plans.ts';
import { addRequest } from '../support/v1.ts';
import { createWorld } from '../support/world.ts';

const OPEN = ['pending', 'operator_review', 'accepted'];

/** Small and repeatable: a fault that one run finds is found by the next. */
function generator(seed: number) {
  let state = seed;
  return (below: number) => {
    state = (state * 1103515245 + 12345) % 2147483648;
    return Math.floor((state / 2147483648) * below);
  };
}

t.test('Whatever callers do to a few services at once, the rules of open requests hold', async (t) => {
  const world = await createWorld();
  t.teardown(() => world.close());
  const broker = await world.addBroker();
  const { key } = await world.addKey(broker);
  const low = await world.addPlan(broker, { slug: 'low', upgradeRank: 1 });
  const mid = await world.addPlan(broker, { slug: 'mid', upgradeRank: 2 });
  await world.addPlan(broker, { slug: 'top', upgradeRank: 3, requiresOperatorReview: true });
  const pick = generator(7);
  const all = async (path: string) => (await world.call(key, 'GET', path)).json;

  for (let round = 0; round < 6; round++) {
    const services = await Promise.all([low, mid, mid].map((plan: PlanRow) => world.addService(broker, plan)));
    const wishes: string[] = [];
    for (const service of services) {
      wishes.push((await addRequest(world, service, { type: 'cancellation' })).id);
      const plans = { currentPlanId: low.id, newPlanId: mid.id };
      if (service.planId === low.id)
        wishes.push((await addRequest(world, service, { type: 'plan-upgrade', ...plans })).id);
    }
    // What follows comes later than the wishes: within one millisecond ids decide, and these are of two makers.
    world.clock.advance(1);
    const act = () => {
      const number = services[pick(3)]?.number;
      const wish = wishes[pick(wishes.length)];
      switch (pick(6)) {
        case 0:
          return [`/services/${number}/cancel`, { cancellation_type: 'immediate' }] as const;
        case 1:
          return [`/services/${number}/upgrade`, { new_plan: pick(2) ? 'top' : 'mid' }] as const;
        case 2:
          return [`/services/${number}/downgrade`, { new_plan: 'low' }] as const;
        case 3:
          return [`/requests/${wish}/deny`, { reason: 'no' }] as const;
        default:
          return [`/requests/${wish}/approve`, {}] as const;
      }
    };
    const answers = await Promise.all(
      Array.from({ length: 30 }, () => {
        const [path, body] = act();
        return world.call(key, 'POST', path, { body });
      }),
    );
    t.strictSame(
      answers.filter((answer) => answer.status >= 500).map((answer) => answer.raw),
      [],
      'nothing breaks',
    );

    for (const { number } of services) {
      const { data } = await all(`/requests?service_number=${number}`);
      const open = data.filter((row: { request_status: string }) => OPEN.includes(row.request_status));
      const of = (type: RegExp) => open.filter((row: { type: string }) => type.test(row.type));
      const [cancellation] = of(/^cancellation$/);
      t.ok(of(/^cancellation$/).length <= 1 && of(/^plan-/).length <= 1, 'at most one of each is open');
      const service = (await all(`/services/${number}`)).data;
      if (cancellation?.request_status === 'accepted') {
        t.equal(of(/^plan-/).length, 0, 'a scheduled cancellation leaves no plan change open');
        t.equal(service.cancellation.request_id, cancellation.request_id);
      } else {
        t.equal(service.cancellation, null);
      }
      t.equal(service.open_request?.request_id, (cancellation ?? open[0])?.request_id);
      for (const row of data) {
        const { history } = (await all(`/requests/${row.request_id}`)).data;
        t.equal(history.at(-1).request_status, row.request_status, 'the history ends where the request stands');
        t.equal(row.is_final, row.processed_date !== null);
      }
    }
  }
  for (const status of [...OPEN, 'completed', 'failed', 'approved', 'denied']) {
    const { data, pagination } = await all(`/requests?limit=100&request_status=${status}`);
    t.equal(pagination.total, data.length, `the counter of ${status} is exact`);
  }
});
