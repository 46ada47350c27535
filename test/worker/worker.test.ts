import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import t, { type Test } from 'tap';
import { cancelService } from '../../src/operations/cancel-service.ts';
import { changePlan } from '../../src/operations/change-plan.ts';
import { createService } from '../../src/operations/create-service.ts';
import type { WorkOutcome } from '../../src/ports.ts';
import { createCompletions } from '../../src/requests/completions.ts';
import type { LeasedRequest } from '../../src/store/requests.ts';
import { openSqlite } from '../../src/store/sqlite.ts';
import { type Store, storeForBroker, type Tx } from '../../src/store/store.ts';
import { composeWorker, recordsProvisioner } from '../../src/worker/compose.ts';
import { createThrottle } from '../../src/worker/throttle.ts';
import { createWorker } from '../../src/worker/worker.ts';
import { aCall, aKey, anAuditRow, aUsageRow } from '../store/records.ts';
import { ON_POSTGRES } from '../support/services.ts';
import { createTestProvisioner } from '../support/work.ts';
import { createWorld, type World, type WorldOptions } from '../support/world.ts';

const DAY_MS = 86_400_000;

async function setUp(t: Test, options: WorldOptions = {}) {
  const world = await createWorld(options);
  t.teardown(() => world.close());
  const broker = await world.addBroker();
  const plan = await world.addPlan(broker);
  return {
    ...world,
    broker,
    /** So many immediate cancellations, due at once. */
    async queue(count: number): Promise<number[]> {
      const numbers: number[] = [];
      for (let i = 0; i < count; i += 1) {
        const { number } = await world.addService(broker, plan);
        numbers.push(number);
        const input = { serviceNumber: number, cancellationType: 'immediate', reason: null } as const;
        await cancelService(world.context, { brokerId: broker.id }, input);
      }
      return numbers;
    },
    count: (status: string) => world.store.read.counters.total(broker.id, 'requests', { status }),
  };
}

/** Sleeps as long as the test wants; tells how long each sleep was meant to be. */
function createTestSleep() {
  const slept: number[] = [];
  let wake: (() => void) | undefined;
  let asleep: (() => void) | undefined;
  return {
    slept,
    sleep: (ms: number, signal: AbortSignal) =>
      new Promise<void>((resolve) => {
        slept.push(ms);
        wake = resolve;
        signal.addEventListener('abort', () => resolve(), { once: true });
        asleep?.();
        asleep = undefined;
      }),
    wake: () => {
      const fallsAsleep = new Promise<void>((resolve) => {
        asleep = resolve;
      });
      wake?.();
      return fallsAsleep;
    },
    fallsAsleep: () =>
      new Promise<void>((resolve) => {
        asleep = resolve;
      }),
  };
}

/** A gate that holds every caller until it is opened. */
function createGate() {
  let open: () => void = () => undefined;
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { opened, open: () => open() };
}

const workerOn = (
  { context }: Pick<World, 'context'>,
  provisioner: { fulfil: (work: never) => Promise<WorkOutcome> },
  more: Partial<Parameters<typeof createWorker>[0]> = {},
) => createWorker({ context, provisioner, keptDays: { emails: 90, calls: 14, audit: 730 }, ...more });

t.test('everything that is due is done, also where it is more than can be worked on at once', async (t) => {
  const world = await setUp(t);
  await world.queue(25);
  const worker = workerOn(world, recordsProvisioner);
  t.equal(await worker.runOnce(), 25);
  t.equal(await world.count('completed'), 25);
  t.equal(await worker.runOnce(), 0);
});

t.test(
  'no more than the allowed number of requests are in the works at once, and a slow one holds up no other',
  async (t) => {
    const world = await setUp(t);
    const [slow] = await world.queue(10);
    const gate = createGate();
    let inFlight = 0;
    let most = 0;
    let others = 0;
    const worker = workerOn(
      world,
      {
        async fulfil({ service_number }: { service_number: number }) {
          inFlight += 1;
          most = Math.max(most, inFlight);
          if (service_number === slow) await gate.opened;
          else if (++others === 9) gate.open();
          inFlight -= 1;
          return { outcome: 'done' };
        },
      } as never,
      { concurrency: 3 },
    );
    t.equal(await worker.runOnce(), 10);
    t.ok(most <= 3, `${most} at once`);
    t.equal(await world.count('completed'), 10);
  },
);

t.test('two looks at the queue together still keep to the allowed number', async (t) => {
  const world = await setUp(t);
  await world.queue(4);
  const gate = createGate();
  const provisioner = createTestProvisioner();
  const worker = workerOn(world, provisioner, { concurrency: 1 });
  let other: Promise<number> | undefined;
  provisioner.answers.push(async () => {
    other = worker.runOnce();
    void setImmediate().then(gate.open);
    await gate.opened;
    t.equal(provisioner.given.length, 1);
    return { outcome: 'done' };
  });
  await worker.runOnce();
  await other;
  await worker.stop();
  t.equal(await world.count('completed'), 4);
});

t.test('two workers never do the same work', async (t) => {
  const world = await setUp(t);
  await world.queue(40);
  const provisioner = createTestProvisioner();
  const [one, two] = await Promise.all([
    workerOn(world, provisioner).runOnce(),
    workerOn(world, provisioner).runOnce(),
  ]);
  t.equal(one + two, 40);
  t.equal(new Set(provisioner.given.map((work) => work.request_id)).size, 40);
});

t.test('a started worker looks for work at least once a second, and stops at once when it has none', async (t) => {
  const world = await setUp(t);
  const time = createTestSleep();
  const worker = workerOn(world, recordsProvisioner, { sleep: time.sleep, concurrency: 1 });
  const idle = time.fallsAsleep();
  worker.start();
  worker.start();
  await idle;
  t.ok((time.slept[0] as number) <= 1000);
  await world.queue(3);
  await time.wake();
  await worker.stop();
  t.equal(await world.count('completed'), 3);
});

t.test('a worker waits by the real clock where the test gives none, and its wait can be cut short', async (t) => {
  const world = await setUp(t);
  const worker = workerOn(world, recordsProvisioner);
  worker.start();
  await setImmediate();
  await worker.stop();
  t.pass('it stopped');
});

t.test('stopping waits for the work in flight and takes up nothing more', async (t) => {
  const world = await setUp(t);
  await world.queue(2);
  const gate = createGate();
  const begun = createGate();
  const provisioner = createTestProvisioner();
  provisioner.answers.push(async () => {
    begun.open();
    await gate.opened;
    return { outcome: 'done' };
  });
  const worker = workerOn(world, provisioner, { concurrency: 1 });
  worker.start();
  await begun.opened;
  const stopped = worker.stop();
  gate.open();
  await stopped;
  t.equal(await world.count('completed'), 1);
  t.equal(await world.count('accepted'), 1);
});

t.test('a call that does not end is given up soon after the stop, costs no attempt, and is made again', async (t) => {
  const world = await setUp(t);
  await world.queue(1);
  const begun = createGate();
  const provisioner = createTestProvisioner();
  provisioner.answers.push(async (_work, signal) => {
    begun.open();
    await once(signal as AbortSignal, 'abort');
    return { outcome: 'retry', reason: 'outcome_unknown', message: 'Cut short', mayBeDone: true };
  });
  const time = createTestSleep();
  const worker = workerOn(world, provisioner, { sleep: time.sleep });
  const asleep = time.fallsAsleep();
  worker.start();
  await begun.opened;
  await asleep;
  const waiting = time.fallsAsleep();
  const stopped = worker.stop();
  await waiting;
  t.equal(time.slept.at(-1), 2_000);
  void time.wake();
  await stopped;
  t.equal(await world.count('accepted'), 1);
  await workerOn(world, provisioner).runOnce();
  t.match(
    provisioner.given.map(({ attempt }) => attempt),
    [1, 1],
    'at once, and as if it had not been tried',
  );
  t.equal(await world.count('completed'), 1);
});

t.test('with its hands full too, calls that do not end are given up soon after the stop', async (t) => {
  const world = await setUp(t);
  await world.queue(2);
  const provisioner = createTestProvisioner();
  const cutShort = async (_work: unknown, signal?: AbortSignal): Promise<WorkOutcome> => {
    await once(signal as AbortSignal, 'abort');
    return { outcome: 'retry', reason: 'outcome_unknown', message: 'Cut short', mayBeDone: true };
  };
  const begun = createGate();
  provisioner.answers.push(cutShort, (work, signal) => {
    begun.open();
    return cutShort(work, signal);
  });
  const time = createTestSleep();
  const worker = workerOn(world, provisioner, { sleep: time.sleep, concurrency: 2 });
  worker.start();
  await begun.opened;
  const waiting = time.fallsAsleep();
  const stopped = worker.stop();
  await waiting;
  t.strictSame(time.slept, [2_000]);
  void time.wake();
  await stopped;
  t.equal(await world.count('accepted'), 2);
});

t.test('a worker that is stopped while it gives way takes up nothing more', async (t) => {
  const world = await setUp(t);
  await world.queue(1);
  const provisioner = createTestProvisioner();
  const pausing = createGate();
  const worker = workerOn(world, provisioner, {
    async yieldToCallers(signal) {
      pausing.open();
      await once(signal, 'abort');
    },
  });
  worker.start();
  await pausing.opened;
  await worker.stop();
  t.strictSame(provisioner.given, []);
  t.equal(await world.count('accepted'), 1);
});

t.test(
  'while the database is away the worker says so once, waits ever longer up to five seconds, and then goes on',
  async (t) => {
    const world = await setUp(t);
    await world.queue(1);
    let away = true;
    const { store } = world;
    const shaky: Store = { ...store, tx: (work) => (away ? Promise.reject(new Error('away')) : store.tx(work)) };
    const time = createTestSleep();
    const worker = workerOn({ context: { ...world.context, store: shaky } }, recordsProvisioner, { sleep: time.sleep });
    const asleep = time.fallsAsleep();
    worker.start();
    await asleep;
    for (let i = 0; i < 5; i += 1) await time.wake();
    t.same(time.slept, [1000, 2000, 4000, 5000, 5000, 5000]);
    t.match(world.logged, [{ level: 'error', message: /cannot reach its store/ }]);
    t.equal(world.logged.length, 1);
    away = false;
    await time.wake();
    t.equal(time.slept.at(-1), 500);
    await worker.stop();
    t.equal(await world.count('completed'), 1);
  },
);

t.test('work whose outcome could not be written is done again after its lease, under the same id', async (t) => {
  const world = await setUp(t);
  await world.queue(1);
  const provisioner = createTestProvisioner();
  let away = false;
  provisioner.answers.push(async () => {
    away = true;
    return { outcome: 'done' };
  });
  const { store } = world;
  const shaky: Store = { ...store, tx: (work) => (away ? Promise.reject(new Error('away')) : store.tx(work)) };
  const worker = workerOn({ context: { ...world.context, store: shaky } }, provisioner);
  await t.rejects(worker.runOnce());
  t.match(world.logged, [{ level: 'error', message: /due again after its lease/ }]);
  away = false;
  world.clock.advance(60_000);
  t.equal(await worker.runOnce(), 1);
  t.equal(await world.count('completed'), 1);
  t.equal(provisioner.given[0]?.request_id, provisioner.given[1]?.request_id);
});

/** The world's store, told of each transaction, which it may change. */
const watching = (world: World, watch: (tx: Tx) => Tx): World => ({
  ...world,
  context: {
    ...world.context,
    store: { ...world.store, tx: (work) => world.store.tx((tx) => work(watch(tx))) },
  },
});

t.test('what is done at the same time is written in one transaction, each request in its own way', async (t) => {
  const world = await setUp(t);
  const { broker, store, context, clock } = world;
  const caller = { brokerId: broker.id };
  const starter = await world.addPlan(broker, { slug: 'starter', upgradeRank: 1, diskGb: 20 });
  const business = await world.addPlan(broker, { slug: 'business', upgradeRank: 2, diskGb: 20 });
  const [cancelled] = (await world.queue(1)) as [number];
  const { number: upgraded } = await world.addService(broker, starter, { label: 'kept' });
  await changePlan(context, caller, { serviceNumber: upgraded, direction: 'upgrade', newPlan: 'business' });
  const client = { name: 'Ada', email: 'ada@example.com' };
  await createService(context, caller, { plan: 'starter', client, label: null, externalReference: null });
  const [created] = await store.read.services.page(broker.id, { status: 'pending' }, { limit: 1, offset: 0 });
  let completions = 0;
  const watched = watching(world, (tx) => {
    const completeLeased: typeof tx.requests.completeLeased = (...args) => {
      completions += 1;
      return tx.requests.completeLeased(...args);
    };
    return { ...tx, requests: { ...tx.requests, completeLeased } };
  });
  t.equal(await workerOn(watched, recordsProvisioner).runOnce(), 3);
  t.equal(completions, 1);
  const service = (number: number) => store.read.services.find(broker.id, number);
  t.match(await service(cancelled), { status: 'cancelled', cancelledAt: clock.now() });
  t.match(await service(upgraded), { status: 'active', planId: business.id, label: 'kept', cancelledAt: null });
  t.match(await service(created?.service.number as number), {
    status: 'active',
    planId: starter.id,
    cancelledAt: null,
  });
  t.equal(await world.count('completed'), 3);
  t.equal(await world.count('accepted'), 0);
  t.equal(await store.read.counters.total(broker.id, 'services', { kinds: [business.id], status: 'active' }), 1);
  for (const { request } of await store.read.requests.page(broker.id, {}, { limit: 9, offset: 0 })) {
    t.match(request, { status: 'completed', processedAt: clock.now() + 1, dueAt: null, leaseOwner: null });
    const history = await store.read.requests.listHistory(broker.id, request.id);
    t.match(history.at(-1), { status: 'completed', actor: 'system', note: null, at: clock.now() + 1 });
  }
});

t.test(
  'where requests cannot be written together each is written on its own, once, and a bad one harms no other',
  async (t) => {
    const world = await setUp(t);
    const [bad] = await world.queue(5);
    const moved: string[] = [];
    const watched = watching(world, (tx) => ({
      ...tx,
      requests: {
        ...tx.requests,
        completeLeased: () => Promise.reject(new Error('together')),
        async move(...args) {
          const row = await tx.requests.move(...args);
          if (row?.serviceNumber === bad) throw new Error('alone');
          if (row) moved.push(row.id);
          return row;
        },
      },
    }));
    const provisioner = createTestProvisioner();
    t.equal(await workerOn(watched, provisioner).runOnce(), 5);
    t.equal(await world.count('completed'), 4);
    t.equal(new Set(moved).size, 4);
    t.equal(provisioner.given.length, 5);
    t.match(world.logged, [
      { level: 'warn', message: /could not be completed together/ },
      { level: 'error', message: /due again after its lease/ },
    ]);
    t.equal(world.logged.length, 2);
  },
);

t.test('a service that is locked keeps no other from being written, and is written when it is free', async (t) => {
  const world = await setUp(t);
  const [held] = await world.queue(4);
  const { store, broker } = world;
  const gate = createGate();
  let holding: Promise<unknown> | undefined;
  if (ON_POSTGRES) {
    const locked = createGate();
    holding = storeForBroker(store, broker.id).tx(async (tx) => {
      await tx.services.lock(broker.id, held as number);
      locked.open();
      await gate.opened;
    });
    await locked.opened;
  }
  // SQLite has one writer and no such locks, so that there the test says who is held.
  const watched = watching(world, (tx) => {
    const lockFree = async (numbers: number[]) =>
      (await tx.services.lockFree(numbers)).filter(({ number }) => ON_POSTGRES || number !== held);
    const lock = async (brokerId: string, number: number) => {
      t.equal(number, held);
      t.equal(await world.count('completed'), 3);
      gate.open();
      return tx.services.lock(brokerId, number);
    };
    return { ...tx, services: { ...tx.services, lockFree, lock } };
  });
  t.equal(await workerOn(watched, recordsProvisioner).runOnce(), 4);
  await holding;
  t.equal(await world.count('completed'), 4);
});

t.test('a lease that ran out while others were written leaves its request to the new holder', async (t) => {
  const world = await setUp(t);
  await world.queue(1);
  const provisioner = createTestProvisioner();
  provisioner.answers.push(async () => {
    world.clock.advance(60_000);
    const now = world.clock.now();
    const claim = { now, leaseUntil: now + 60_000, leaseOwner: 'the-other', limit: 1 };
    t.equal((await world.store.tx((tx) => tx.requests.claimDue(claim))).length, 1);
    return { outcome: 'done' };
  });
  await workerOn(world, provisioner).runOnce();
  t.equal(await world.count('accepted'), 1);
  t.match(world.logged, [{ level: 'warn', message: /while its work was done/ }]);
});

t.test('a template is asked for once for all requests that were completed together', async (t) => {
  const world = await setUp(t);
  await world.addTemplate(world.broker, 'cancellation-completed');
  await world.queue(6);
  const { read } = world.store;
  let asked = 0;
  const findActive: typeof read.templates.findActive = (...args) => {
    asked += 1;
    return read.templates.findActive(...args);
  };
  const store = { ...world.store, read: { ...read, templates: { ...read.templates, findActive } } };
  await workerOn({ context: { ...world.context, store } }, recordsProvisioner).runOnce();
  t.equal(world.mailer.sent.length, 6);
  t.equal(asked, 1);
});

t.test('more than one transaction takes is completed in several, and none is left behind', async (t) => {
  const world = await setUp(t);
  await world.queue(140);
  const sizes: number[] = [];
  const watched = watching(world, (tx) => ({
    ...tx,
    requests: {
      ...tx.requests,
      completeLeased(claimed, now) {
        sizes.push(claimed.length);
        return tx.requests.completeLeased(claimed, now);
      },
    },
  }));
  t.equal(await workerOn(watched, recordsProvisioner, { concurrency: 140 }).runOnce(), 140);
  t.equal(await world.count('completed'), 140);
  t.ok(sizes.length >= 3 && Math.max(...sizes) <= 64, sizes.join());
});

t.test('two transactions complete side by side where the second is full, and no third begins', async (t) => {
  const world = await setUp(t);
  await world.queue(200);
  const now = world.clock.now();
  const claim = { now, leaseUntil: now + 60_000, leaseOwner: 'this-one', limit: 200 };
  const leases = await world.store.tx((tx) => tx.requests.claimDue(claim));
  const gate = createGate();
  let underWay = 0;
  const store: Store = {
    ...world.store,
    async tx(work) {
      underWay += 1;
      await gate.opened;
      return world.store.tx(work);
    },
  };
  const completions = createCompletions({ ...world.context, store });
  async function begun(count: number) {
    await setImmediate();
    t.equal(underWay, count);
  }
  const first = completions.add(leases[0] as LeasedRequest);
  await begun(1);
  const fewer = leases.slice(1, 64).map(completions.add);
  await begun(1);
  const more = leases.slice(64, 200).map(completions.add);
  await begun(2);
  gate.open();
  const settled = await Promise.all([first, ...fewer, ...more]);
  t.notOk(settled.includes(undefined));
  t.equal(await world.count('completed'), 200);
});

t.test('of two works for one service at the same time one is left to see what the other has made of it', async (t) => {
  const world = await setUp(t);
  await world.queue(1);
  const now = world.clock.now();
  const claim = { now, leaseUntil: now + 60_000, leaseOwner: 'this-one', limit: 1 };
  const [lease] = (await world.store.tx((tx) => tx.requests.claimDue(claim))) as [LeasedRequest];
  const together: number[] = [];
  const { context } = watching(world, (tx) => ({
    ...tx,
    requests: {
      ...tx.requests,
      completeLeased(claimed, at) {
        together.push(claimed.length);
        return tx.requests.completeLeased(claimed, at);
      },
    },
  }));
  const completions = createCompletions(context);
  const other = { ...lease, id: 'req_of_the_same_service' };
  const [first, second] = await Promise.all([completions.add(lease), completions.add(other)]);
  t.ok(first);
  t.equal(second, undefined);
  t.strictSame(together, [1]);
});

t.test(
  'beside callers who never let up the worker gives way before each claim, and gets everything done',
  async (t) => {
    const world = await setUp(t);
    await world.queue(6);
    const { clock, context } = world;
    let looks = 0;
    const throttle = createThrottle({
      clock,
      sleep: async (ms) => clock.advance(ms),
      utilization: () => {
        looks += 1;
        return { utilization: 1, idle: 0, active: 1 };
      },
    });
    const store = throttle.timed(context.store);
    // Each transaction takes ten milliseconds.
    const slow: Store = {
      ...store,
      tx: (work) =>
        store.tx((tx) => {
          clock.advance(10);
          return work(tx);
        }),
    };
    const time = createTestSleep();
    const worker = workerOn({ context: { ...context, store: slow } }, recordsProvisioner, {
      sleep: time.sleep,
      concurrency: 2,
      yieldToCallers: throttle.yieldToCallers,
    });
    const asleep = time.fallsAsleep();
    worker.start();
    await asleep;
    t.equal(await world.count('completed'), 6);
    t.ok(looks >= 3 * 120, `${looks} milliseconds were left to the callers`);
    await worker.stop();
  },
);

t.test('a worker in the process of a server does the same work', async (t) => {
  const world = await setUp(t);
  await world.queue(3);
  const config = { provisioner: undefined, emailLogDays: 90, callLogDays: 14, auditDays: 730 };
  t.equal(await composeWorker(config, world.context, { beside: true }).runOnce(), 3);
  t.equal(await world.count('completed'), 3);
});

t.test('what has passed its time is swept away in small steps: first the backlog, then once a minute', async (t) => {
  const world = await setUp(t);
  const { store, clock, context, broker } = world;
  const remember = (key: string) => {
    const at = clock.now();
    const row = { brokerId: broker.id, mode: 'live', namespace: 'action', key, fingerprint: '' } as const;
    const claimed = { ...row, createdAt: at, expiresAt: at + DAY_MS };
    return store.tx(async (tx) => {
      await tx.idempotency.claim(claimed);
      await tx.idempotency.complete(claimed, { statusCode: 200, body: '{}' });
    });
  };
  const log = (id: string, createdAt = clock.now()) =>
    store.tx((tx) =>
      tx.emails.insert({
        id,
        brokerId: broker.id,
        kind: 'cancellation-warning',
        serviceNumber: null,
        requestId: null,
        status: 'sent',
        recipient: 'ada@example.com',
        subject: 'About',
        html: null,
        text: 'Text',
        failureReason: null,
        providerCode: null,
        providerMessageId: null,
        createdAt,
        completedAt: createdAt,
        settledAt: null,
        settledNote: null,
        erasedAt: null,
      }),
    );
  const unerased = async () =>
    (await store.read.emails.list({ now: clock.now(), limit: 1000 })).filter((row) => row.recipient !== null).length;
  for (let i = 0; i < 201; i += 1) await log(`eml_${i}`);
  await remember('old');
  clock.advance(90 * DAY_MS + 1);
  await log('eml_new');

  const time = createTestSleep();
  const worker = workerOn({ context }, recordsProvisioner, { sleep: time.sleep });
  const asleep = time.fallsAsleep();
  worker.start();
  await asleep;
  t.equal(await unerased(), 2, 'one step');
  await time.wake();
  t.equal(await unerased(), 1, 'the rest');
  await log('eml_late', 0);
  clock.advance(59_999);
  await time.wake();
  t.equal(await unerased(), 2, 'a minute has not passed');
  clock.advance(1);
  await time.wake();
  t.equal(await unerased(), 1);
  t.equal(await store.tx((tx) => tx.idempotency.removeExpired(clock.now(), 10)), 0, 'the old key is gone');
  await worker.stop();
});

t.test('usage is rolled up, and calls and the trail are removed, when their time has passed', async (t) => {
  const world = await setUp(t, { startMs: Date.UTC(2024, 0, 15, 12) });
  const { store, clock, context, broker } = world;
  const usage = aUsageRow(broker.id, clock.now());
  await store.tx(async (tx) => {
    await tx.usage.count([usage]);
    await tx.calls.insert([aCall(broker, aKey(broker), { at: clock.now() })]);
    await tx.audit.insert(anAuditRow({ at: clock.now(), brokerId: broker.id }));
  });
  const time = createTestSleep();
  const worker = workerOn({ context }, recordsProvisioner, { sleep: time.sleep });
  const left = async () => {
    const sums: number[] = [];
    for (const grain of ['minute', 'hour', 'day'] as const) {
      sums.push(
        (await store.read.usage.tally({ grain, since: 0, brokerId: broker.id }, ['brokerId'], 1))[0]?.calls ?? 0,
      );
    }
    const calls = (await store.read.calls.list({ brokerId: broker.id }, 10)).length;
    return [...sums, calls, (await store.read.audit.list({ brokerId: broker.id }, 10)).length];
  };
  const asleep = time.fallsAsleep();
  worker.start();
  await asleep;
  t.strictSame(await left(), [1, 1, 1, 1, 1]);
  const after = async (ms: number) => {
    clock.advance(ms);
    await time.wake();
    return left();
  };
  t.strictSame(await after(3 * 60_000), [1, 1, 1, 1, 1], 'rolled up, and told of as before');
  t.strictSame(await after(2 * DAY_MS), [0, 1, 1, 1, 1]);
  t.strictSame(await after(12 * DAY_MS), [0, 1, 1, 0, 1]);
  t.strictSame(await after(77 * DAY_MS), [0, 0, 1, 0, 1]);
  t.strictSame(await after(642 * DAY_MS), [0, 0, 0, 0, 0]);
  await worker.stop();
});

t.test('due dates outlive the process: another one over the same file finds them', async (t) => {
  const directory = mkdtempSync(join(tmpdir(), 'broker-worker-'));
  t.teardown(() => rmSync(directory, { recursive: true, force: true }));
  const file = join(directory, 'broker.db');
  const world = await setUp(t, { openStore: (clock) => openSqlite({ file, monotonic: clock.monotonic }) });
  await world.queue(2);
  const again = await openSqlite({ file, monotonic: world.clock.monotonic });
  t.teardown(() => again.close());
  t.equal(await workerOn({ context: { ...world.context, store: again } }, recordsProvisioner).runOnce(), 2);
  t.equal(await world.count('completed'), 2);
});

t.test(
  "the environment decides whether the operator's endpoint does the work or the records are all there is",
  async (t) => {
    const world = await setUp(t);
    const provisioner = { url: 'http://127.0.0.1:1/', secret: 'secret' };
    await world.queue(1);
    const kept = { emailLogDays: 90, callLogDays: 14, auditDays: 730 };
    await composeWorker({ provisioner, ...kept }, world.context).runOnce();
    t.equal(await world.count('completed'), 0);
    world.clock.advance(DAY_MS);
    await composeWorker({ provisioner: undefined, ...kept }, world.context).runOnce();
    t.equal(await world.count('completed'), 1);
  },
);

t.test('a worker has 8 requests in hand with an endpoint, 32 beside callers or an SMTP server, else 256', async (t) => {
  const world = await setUp(t);
  const limits: number[] = [];
  const { context } = watching(world, (tx) => ({
    ...tx,
    requests: {
      ...tx.requests,
      async claimDue({ limit }) {
        limits.push(limit);
        return [];
      },
    },
  }));
  const overSmtp = { ...context, mailer: { ...context.mailer, maxConcurrency: 32 } };
  const provisioner = { url: 'http://127.0.0.1:1/', secret: 'secret' };
  const config = { provisioner: undefined, emailLogDays: 90, callLogDays: 14, auditDays: 730 };
  await composeWorker({ ...config, provisioner }, context).runOnce();
  await composeWorker(config, context, { beside: true }).runOnce();
  await composeWorker(config, overSmtp).runOnce();
  await composeWorker(config, context).runOnce();
  t.strictSame(limits, [8, 32, 32, 256]);
});

t.test('while the clock stands still too far behind, a worker begins nothing and renews nothing', async (t) => {
  const { queue, count, context, clock } = await setUp(t);
  await queue(2);
  const stopped = { ...context, clock: { ...clock, state: () => 'stopped' as const } };
  const parts = { provisioner: recordsProvisioner, keptDays: { emails: 90, calls: 14, audit: 730 } };
  t.equal(await createWorker({ ...parts, context: stopped }).runOnce(), 0);
  t.equal(await count('accepted'), 2);
  t.equal(await createWorker({ ...parts, context }).runOnce(), 2);
  t.equal(await count('completed'), 2);
});
