import t, { type Test } from 'tap';
import { resumeService, suspendService } from '../../src/operator/services/services.ts';
import type { Work, WorkOutcome } from '../../src/ports.ts';
import { NONE_MOVED } from '../../src/store/queries/moved-dates.ts';
import { createDateMover } from '../../src/worker/move-dates.ts';
import { pause } from '../../src/worker/worker.ts';
import { aLoss } from '../support/rows.ts';
import { createTestProvisioner, workerOf } from '../support/work.ts';
import { AN_OPERATOR, createWorld } from '../support/world.ts';

/** A suspended machine ends switched off, whatever was under way when its suspension came (contract, section 12.4). */

const REBOOT = { name: 'reboot', display_name: 'Reboot', description: null, options: [] };
const OFFER = {
  options: [],
  hasCredentials: false,
  provisioning: null,
  actions: [{ ...REBOOT, requires_operator_review: false, destroys_data: false }],
};
const LOST: WorkOutcome = { outcome: 'retry', reason: 'outcome_unknown', message: 'Cut off', mayBeDone: true };
const AWAY: WorkOutcome = { outcome: 'retry', reason: 'provisioner_unreachable', message: 'Away', mayBeDone: false };
const AT_WORK: WorkOutcome = { outcome: 'in_progress', token: null, checkAfterSeconds: 30 };
const FAILED: WorkOutcome = {
  outcome: 'failed',
  reason: 'task_failed',
  message: 'No',
  serviceUsable: true,
  retryable: false,
};

async function setup(t: Test) {
  const world = await createWorld();
  t.teardown(() => world.close());
  world.context.hasProvisioner = true;
  const broker = await world.addBroker();
  const { key } = await world.addKey(broker);
  const plans = [
    await world.addPlan(broker, { slug: 'small', upgradeRank: 1 }),
    await world.addPlan(broker, { slug: 'large', upgradeRank: 2 }),
  ];
  await world.store.tx((tx) => tx.plans.putOffers(broker.id, new Map(plans.map(({ id }) => [id, OFFER]))));
  const { number } = await world.addService(broker, plans[0] as never);
  const provisioner = createTestProvisioner();
  const worker = workerOf(world, provisioner);
  const deps = { ...world.context, actor: AN_OPERATOR };
  const named = { service_number: number };
  /** A machine that is started by whatever work restarts it, in the order of the calls. */
  let isRunning = true;
  const does =
    (outcome: WorkOutcome = { outcome: 'done' }) =>
    async ({ type }: Work) => {
      isRunning = type !== 'service-suspension';
      return outcome;
    };
  return {
    world,
    provisioner,
    does,
    isRunning: () => isRunning,
    suspend: () => suspendService.run(deps, { ...named, reason: 'Abuse' }),
    resume: () => resumeService.run(deps, named),
    async post(path: string, body: object = {}) {
      const { json } = await world.call(key, 'POST', `/services/${number}${path}`, { body });
      return json.data.request_id as string;
    },
    get: async (path: string) => (await world.call(key, 'GET', path)).json.data,
    shown: async () => (await world.call(key, 'GET', `/services/${number}`)).json.data,
    /** What the provisioner was sent in the next minutes; each call is answered in turn, and then as done. */
    async work(...answers: Array<(work: Work) => Promise<WorkOutcome>>): Promise<string[]> {
      const before = provisioner.given.length;
      provisioner.answers.push(...answers, ...Array.from({ length: 20 }, () => does()));
      for (let rounds = 0; rounds < 10; rounds += 1) {
        await worker.runOnce();
        world.clock.advance(60_000);
      }
      provisioner.answers.length = 0;
      return provisioner.given.slice(before).map(({ type }) => type);
    },
    runOnce: () => worker.runOnce(),
  };
}

const BEGUN = { action: 'reboot' };

t.test(
  'an action whose answer was lost is not repeated on a suspended service, which is suspended again',
  async (t) => {
    const { provisioner, does, isRunning, suspend, post, get, shown, work, runOnce, world } = await setup(t);
    const id = await post('/actions', BEGUN);
    provisioner.answers.push(does(LOST));
    await runOnce();
    world.clock.advance(1);
    await suspend();
    t.strictSame(await work(does()), ['service-suspension', 'service-suspension']);
    t.notOk(isRunning());
    t.match(await get(`/requests/${id}`), { failure: { reason: 'service_not_active', message: /may have done/ } });
    t.match(await shown(), { service_status: 'suspended', suspension: { reason: 'Abuse' }, open_requests: [] });
    t.strictSame(world.mailer.sent, []);
  },
);

t.test('work whose date a loss has moved still counts as accepted before the suspension', async (t) => {
  const { provisioner, does, isRunning, suspend, post, work, runOnce, world } = await setup(t);
  await post('/actions', BEGUN);
  provisioner.answers.push(does(AT_WORK));
  await runOnce();
  world.clock.advance(1);
  await suspend();
  world.clock.advance(1000);
  await world.store.tx((tx) => tx.history.insert(aLoss({ moving: NONE_MOVED })));
  const { step } = createDateMover({ ...world.context, sleep: pause, signal: new AbortController().signal });
  while (await step());
  t.strictSame(await work(does(), does()), ['service-suspension', 'service-action', 'service-suspension']);
  t.notOk(isRunning());
});

t.test('an action that is half done goes on, and the suspension comes again behind its end', async (t) => {
  for (const end of [{ outcome: 'done' } as const, FAILED]) {
    const { provisioner, does, isRunning, suspend, post, get, shown, work, runOnce, world } = await setup(t);
    const id = await post('/actions', BEGUN);
    provisioner.answers.push(does(AT_WORK));
    await runOnce();
    world.clock.advance(1);
    await suspend();
    const sent = await work(does(), does(end));
    t.strictSame(sent, ['service-suspension', 'service-action', 'service-suspension']);
    t.notOk(isRunning());
    t.equal((await get(`/requests/${id}`)).is_final, true);
    t.match(await shown(), { suspension: { suspended_by: 'operator', reason: 'Abuse' }, open_requests: [] });
  }
});

t.test('work that ends while the suspension of a broker is under way is followed by another suspension', async (t) => {
  for (const [path, body] of [
    ['/actions', BEGUN],
    ['/upgrade', { new_plan: 'large' }],
  ] as const) {
    const { provisioner, does, isRunning, post, shown, work, runOnce, world } = await setup(t);
    await post(path, body);
    provisioner.answers.push(does(AT_WORK));
    await runOnce();
    world.clock.advance(1);
    await post('/suspend', { reason: 'Unpaid' });
    provisioner.answers.push(does(AT_WORK));
    await runOnce();
    world.clock.advance(30_000);
    const [one, two, ...more] = await work(does(), does());
    t.strictSame(
      [one, two].sort(),
      [path === '/actions' ? 'service-action' : 'plan-upgrade', 'service-suspension'].sort(),
    );
    t.strictSame(more, ['service-suspension']);
    t.notOk(isRunning());
    t.match(await shown(), { suspension: { suspended_by: 'broker', reason: 'Unpaid' }, open_requests: [] });
    await post('/unsuspend');
    await work();
    t.match(await shown(), { service_status: 'active' }, 'the broker can lift it');
  }
});

t.test('a suspension that overlapped with no other work is sent once', async (t) => {
  const { does, suspend, resume, post, work, world, provisioner, runOnce } = await setup(t);
  t.strictSame(await work(), []);
  await post('/actions', BEGUN);
  t.strictSame(await work(), ['service-action']);
  await suspend();
  t.strictSame(await work(), ['service-suspension']);
  await resume();
  t.strictSame(await work(), ['service-unsuspension']);

  await post('/actions', BEGUN);
  await suspend();
  t.strictSame(await work(), ['service-suspension'], 'the action never began');

  await resume();
  await work();
  await post('/actions', BEGUN);
  provisioner.answers.push(async () => AWAY);
  await runOnce();
  world.clock.advance(1);
  await suspend();
  t.strictSame(await work(does()), ['service-suspension'], 'nor did one that never reached the provisioner');
});

t.test('a service that is to run again is not suspended again', async (t) => {
  const { provisioner, does, isRunning, suspend, resume, post, shown, work, runOnce, world } = await setup(t);
  await post('/actions', BEGUN);
  provisioner.answers.push(does(AT_WORK));
  await runOnce();
  world.clock.advance(1);
  await suspend();
  provisioner.answers.push(does());
  await runOnce();
  await resume();
  t.strictSame((await work()).sort(), ['service-action', 'service-unsuspension']);
  t.ok(isRunning());
  t.match(await shown(), { service_status: 'active', open_requests: [] });
});
