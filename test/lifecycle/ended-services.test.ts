import t, { type Test } from 'tap';
import { cancelService, suspendService, upgradeService } from '../../src/broker/submit-request.ts';
import { submitForClient } from '../../src/lifecycle/operator-requests.ts';
import { listAudit } from '../../src/operator/audit/audit.ts';
import { importServices } from '../../src/operator/services/import.ts';
import { setService } from '../../src/operator/services/services.ts';
import { createTestProvisioner, workerOf } from '../support/work.ts';
import { AN_OPERATOR, createWorld } from '../support/world.ts';

const DAY_MS = 86_400_000;

async function setUp(t: Test) {
  const world = await createWorld();
  t.teardown(() => world.close());
  const { context, store, clock } = world;
  const broker = await world.addBroker({ slug: 'acme' });
  const plan = await world.addPlan(broker, { slug: 'small', upgradeRank: 1 });
  await world.addPlan(broker, { slug: 'medium', upgradeRank: 2 });
  await world.addPlan(broker, { slug: 'large', upgradeRank: 3, requiresOperatorReview: true });
  const operator = { store, clock, newId: context.newId, actor: AN_OPERATOR };
  const caller = { brokerId: broker.id };
  return {
    ...world,
    broker,
    caller,
    addActive: () => world.addService(broker, plan, { renewalAt: clock.now() + DAY_MS }),
    set: (number: number, status: string) =>
      setService.run(operator, { broker: 'acme', service_number: number, service_status: status }),
    async importEnded(number: number, service_status: string) {
      const record = { service_number: number, client: { name: 'Ada' }, plan: 'small', service_status };
      const file = { name: 's.json', content: Buffer.from(JSON.stringify([record])) };
      await importServices(operator, { broker: 'acme', file });
    },
    openOn: async (serviceNumber: number) => {
      const views = await store.read.requests.page(broker.id, { serviceNumber }, { limit: 100, offset: 0 });
      return views.map(({ request }) => request);
    },
  };
}

type Setup = Awaited<ReturnType<typeof setUp>>;

/** What can be open on an active service. */
const OPEN: Record<string, (world: Setup, serviceNumber: number) => Promise<unknown>> = {
  'a plan change under review': ({ context, caller }, serviceNumber) =>
    upgradeService(context, caller, { serviceNumber, newPlan: 'large' }),
  'an accepted plan change': ({ context, caller }, serviceNumber) =>
    upgradeService(context, caller, { serviceNumber, newPlan: 'medium' }),
  'a scheduled cancellation': ({ context, caller }, serviceNumber) =>
    cancelService(context, caller, { serviceNumber, cancellationType: 'end_of_term', reason: null }),
  'a suspension': ({ context, caller }, serviceNumber) =>
    suspendService(context, caller, { serviceNumber, reason: null }),
  "a client's upgrade": ({ context, caller }, serviceNumber) =>
    submitForClient(context, { ...caller, serviceNumber, type: 'plan-upgrade', newPlan: 'medium', reason: null }),
};

for (const [name, submit] of Object.entries(OPEN)) {
  for (const status of ['cancelled', 'terminated'] as const) {
    t.test(`${name} is closed when an operator or an import makes its service ${status}`, async (t) => {
      const world = await setUp(t);
      for (const end of [world.set, world.importEnded]) {
        const { number } = await world.addActive();
        await submit(world, number);
        await end(number, status);
        const [request, ...others] = await world.openOn(number);
        t.strictSame(others, []);
        const reason = `service_${status}`;
        t.match(
          request,
          request?.status === 'denied'
            ? { decisionAction: 'deny', decidedBy: 'operator', decisionReason: reason }
            : {
                status: 'failed',
                failureReason: reason,
                failureServiceUsable: false,
                failureRetryable: false,
                dueAt: null,
              },
        );
        const history = await world.store.read.requests.listHistory(world.broker.id, String(request?.id));
        t.match(history.at(-1), { status: request?.status, actor: 'operator', note: reason });
        if (end === world.set) {
          // An import is one row.
          const [closed] = await listAudit(world, { subject: `request/${request?.id}`, action: 'request.close' });
          t.match(closed, { actor: AN_OPERATOR.name, after: { request_status: request?.status } }, 'as in its trail');
        }

        await world.set(number, 'active');
        world.clock.advance(40 * DAY_MS);
        await workerOf(world, createTestProvisioner()).runOnce();
        t.match(
          await world.store.read.services.find(world.broker.id, number),
          { status: 'active', cancellationType: null, cancellationRequestId: null },
          'nothing of it comes back',
        );
      }
    });
  }
}

t.test('the result of work that has begun is discarded when the operator ends the service', async (t) => {
  const world = await setUp(t);
  const { number } = await world.addActive();
  await OPEN['an accepted plan change']?.(world, number);
  const provisioner = createTestProvisioner();
  provisioner.answers.push(async () => {
    await world.set(number, 'terminated');
    return { outcome: 'done' };
  });
  await workerOf(world, provisioner).runOnce();
  const [request] = await world.openOn(number);
  t.match(request, { status: 'failed', failureReason: 'service_terminated' });
  t.match(await world.store.read.services.find(world.broker.id, number), { status: 'terminated' });
});
