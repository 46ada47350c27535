import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import t, { type Test } from 'tap';
import { createService } from '../../src/broker/create-service.ts';
import { cancelService, upgradeService } from '../../src/broker/submit-request.ts';
import type { Work, WorkOutcome } from '../../src/ports.ts';
import { openSqlite } from '../../src/store/drivers/sqlite.ts';
import type { BrokerRow } from '../../src/store/queries/brokers.ts';
import type { Store, Tx } from '../../src/store/store.ts';
import { composeWorker, recordsProvisioner } from '../../src/worker/compose.ts';
import { createDueSignal } from '../../src/worker/due-signal.ts';
import { createWorker } from '../../src/worker/worker.ts';
import { full } from '../support/full.ts';
import { aCall, aKey, anAuditRow, aRequest, aUsageRow } from '../support/rows.ts';
import { until } from '../support/until.ts';
import { createTestProvisioner } from '../support/work.ts';
import { createWorld, type World, type WorldOptions } from '../support/world.ts';

const DAY_MS = 86_400_000;
const MEMORY = { kind: 'postgres', url: 'postgres://127.0.0.1/none' } as const;

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

/** Sleeps as long as the test wants; shows how long each sleep was meant to be. */
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

/** Two brokers with a worker whose calls a test ends one by one. */
async function inTurns(t: Test, concurrency: number) {
  const world = await createWorld();
  t.teardown(() => world.close());
  world.context.hasProvisioner = true;
  const begun: string[] = [];
  const ends: Array<() => void> = [];
  let arrived = (): void => undefined;
  const provisioner = {
    fulfil({ broker_id: id }: Work) {
      begun.push(id);
      arrived();
      return new Promise<WorkOutcome>((resolve) => ends.push(() => resolve({ outcome: 'done' })));
    },
  };
  const time = createTestSleep();
  const worker = workerOn(world, provisioner as never, { concurrency, sleep: time.sleep });
  t.teardown(() => {
    for (const end of ends) end();
    return worker.stop();
  });
  const addDue = async (count: number, origin: 'broker' | 'operator' = 'broker', of?: BrokerRow) => {
    const broker = of ?? (await world.addBroker());
    const plan = await world.addPlan(broker);
    for (let i = 0; i < count; i += 1) {
      const service = await world.addService(broker, plan);
      const dueAt = world.clock.now() + i;
      await world.store.tx((tx) => tx.requests.insert(aRequest(service, { status: 'accepted', origin, dueAt })));
    }
    return broker;
  };
  return {
    world,
    begun,
    worker,
    addDue,
    /** Resolves when so many calls have begun. */
    hasBegun: (count: number) =>
      new Promise<void>((resolve) => {
        arrived = () => {
          if (begun.length === count) resolve();
        };
        arrived();
      }),
    end: () => ends.shift()?.(),
  };
}

t.test('beside a broker with any number of due works another one’s begins with the first answer', async (t) => {
  const { world, begun, worker, addDue, hasBegun, end } = await inTurns(t, 4);
  const busy = await addDue(30);
  world.clock.advance(1_000);
  worker.start();
  await hasBegun(4);
  t.strictSame(begun, Array(4).fill(busy.id), 'alone it has every place');
  const other = await addDue(1);
  world.clock.advance(1_000);
  end();
  await hasBegun(5);
  t.equal(begun[4], other.id);
});

t.test('while others wait no owner has more than half of the places; the operator is an owner too', async (t) => {
  const { world, begun, worker, addDue, hasBegun, end } = await inTurns(t, 4);
  const busy = await addDue(30);
  const other = await addDue(30);
  world.clock.advance(1_000);
  worker.start();
  await hasBegun(4);
  t.strictSame(begun.toSorted(), [busy, busy, other, other].map(({ id }) => id).toSorted());
  await addDue(2, 'operator', busy);
  world.clock.advance(1_000);
  for (let ended = 0; ended < 6; ended += 1) {
    end();
    await hasBegun(5 + ended);
  }
  const rows = await world.store.read.requests.page(busy.id, {}, { limit: 100, offset: 0 });
  const operators = rows.filter(({ request }) => request.origin === 'operator' && request.attempts > 0);
  t.equal(operators.length, 2, 'both of the operator began among six');
});

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
  t.equal(await worker.runOnce(), 1);
  t.match(world.logged, [{ level: 'error', message: /due again after its lease/ }]);
  away = false;
  world.clock.advance(60_000);
  t.equal(await worker.runOnce(), 1);
  t.equal(await world.count('completed'), 1);
  t.equal(provisioner.given[0]?.request_id, provisioner.given[1]?.request_id);
});

t.test('work that becomes due ends the pause of the worker', async (t) => {
  const world = await setUp(t);
  const due = createDueSignal();
  const time = createTestSleep();
  const worker = workerOn(world, recordsProvisioner, { sleep: time.sleep, due });
  const asleep = time.fallsAsleep();
  worker.start();
  await asleep;
  await world.queue(1);
  due.report(world.clock.now());
  await until('it is done', async () => (await world.count('completed')) === 1);
  await worker.stop();
});

t.test('work that becomes due within the pause ends it at that date', async (t) => {
  const world = await setUp(t);
  const due = createDueSignal();
  const time = createTestSleep();
  const worker = workerOn(world, recordsProvisioner, { sleep: time.sleep, due });
  const asleep = time.fallsAsleep();
  worker.start();
  await asleep;
  await world.queue(1);
  due.report(world.clock.now() + 20);
  await until('it is done', async () => (await world.count('completed')) === 1);
  await worker.stop();
});

/** The world's store, told of each transaction, which it may change. */
const watching = (world: World, watch: (tx: Tx) => Tx): World => ({
  ...world,
  context: {
    ...world.context,
    store: { ...world.store, tx: (work) => world.store.tx((tx) => work(watch(tx))) },
  },
});

t.test('each request that is done is written in its own way', async (t) => {
  const world = await setUp(t);
  const { broker, store, context, clock } = world;
  const caller = { brokerId: broker.id };
  const starter = await world.addPlan(broker, { slug: 'starter', upgradeRank: 1, diskGb: 20 });
  const business = await world.addPlan(broker, { slug: 'business', upgradeRank: 2, diskGb: 20 });
  const [cancelled] = (await world.queue(1)) as [number];
  const { number: upgraded } = await world.addService(broker, starter, { label: 'kept' });
  await upgradeService(context, caller, { serviceNumber: upgraded, newPlan: 'business' });
  const client = { name: 'Ada', email: 'ada@example.com' };
  await createService(context, caller, { plan: 'starter', client, label: null, externalReference: null });
  const [created] = await store.read.services.page(broker.id, { status: 'pending' }, { limit: 1, offset: 0 });
  t.equal(await workerOn(world, recordsProvisioner).runOnce(), 3);
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

t.test('what cannot be written for one request harms no other', async (t) => {
  const world = await setUp(t);
  const [bad] = await world.queue(5);
  const watched = watching(world, (tx) => ({
    ...tx,
    requests: {
      ...tx.requests,
      async move(...args) {
        const row = await tx.requests.move(...args);
        if (row?.serviceNumber === bad) throw new Error('alone');
        return row;
      },
    },
  }));
  t.equal(await workerOn(watched, recordsProvisioner).runOnce(), 5);
  t.equal(await world.count('completed'), 4);
  t.match(world.logged, [{ level: 'error', message: /due again after its lease/ }]);
  t.equal(world.logged.length, 1);
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

t.test('beside callers the worker pauses after each step for as long as it took, half a second at most', async (t) => {
  const world = await setUp(t);
  await world.queue(2);
  const { clock, context } = world;
  let tookMs = 40;
  const slow: Store = {
    ...context.store,
    tx: (work) =>
      context.store.tx((tx) => {
        clock.advance(tookMs);
        return work(tx);
      }),
  };
  const time = createTestSleep();
  const worker = workerOn({ context: { ...context, store: slow } }, recordsProvisioner, {
    sleep: time.sleep,
    concurrency: 1,
    besideCallers: true,
  });
  const asleep = time.fallsAsleep();
  worker.start();
  await asleep;
  const [first] = time.slept as [number];
  t.ok(first >= tookMs && first <= 500, `${first} ms`);
  tookMs = 600;
  await time.wake();
  t.equal(time.slept.at(-1), 500);
  void time.wake();
  await worker.stop();
});

t.test('a worker in the process of a server does the same work', async (t) => {
  const world = await setUp(t);
  await world.queue(3);
  const config = { database: MEMORY, provisioner: undefined, emailLogDays: 90, callLogDays: 14, auditDays: 730 };
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

t.test('usage, calls and the trail are removed when their time has passed', async (t) => {
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
  t.strictSame(await after(2 * DAY_MS + 60_000), [0, 1, 1, 1, 1]);
  t.strictSame(await after(12 * DAY_MS), [0, 1, 1, 0, 1]);
  t.strictSame(await after(77 * DAY_MS), [0, 0, 1, 0, 1]);
  t.strictSame(await after(642 * DAY_MS), [0, 0, 0, 0, 0]);
  await worker.stop();
});

t.test('the call log keeps 200,000 calls of a broker, the newest', { skip: !full }, async (t) => {
  const world = await setUp(t);
  const { store, clock, context, broker } = world;
  const key = aKey(broker);
  const newest = clock.now() - 1_000;
  for (let at = 0; at < 200_300; at += 10_000) {
    const some = Array.from({ length: Math.min(10_000, 200_300 - at) }, (_, n) =>
      aCall(broker, key, { at: newest - at - n }),
    );
    await store.tx((tx) => tx.calls.insert(some));
  }
  const time = createTestSleep();
  const worker = workerOn({ context }, recordsProvisioner, { sleep: time.sleep });
  const asleep = time.fallsAsleep();
  worker.start();
  await asleep;
  await worker.stop();
  t.strictSame(await store.read.calls.countByBroker(), [{ brokerId: broker.id, total: 200_000 }]);
  const [last] = await store.read.calls.list({ brokerId: broker.id, until: newest - 199_998 }, 10);
  t.equal(last?.at, newest - 199_999);
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
    const kept = { database: MEMORY, emailLogDays: 90, callLogDays: 14, auditDays: 730 };
    await composeWorker({ provisioner, ...kept }, world.context).runOnce();
    t.equal(await world.count('completed'), 0);
    world.clock.advance(DAY_MS);
    await composeWorker({ provisioner: undefined, ...kept }, world.context).runOnce();
    t.equal(await world.count('completed'), 1);
  },
);

t.test('a worker has 32 requests in hand with an endpoint, beside callers or an SMTP server, else 64', async (t) => {
  const world = await setUp(t);
  await world.queue(1);
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
  const config = { database: MEMORY, provisioner: undefined, emailLogDays: 90, callLogDays: 14, auditDays: 730 };
  await composeWorker({ ...config, provisioner }, context).runOnce();
  await composeWorker(config, context, { beside: true }).runOnce();
  await composeWorker(config, overSmtp).runOnce();
  await composeWorker(config, context).runOnce();
  t.strictSame(limits, [32, 32, 32, 64]);
});

t.test('after a jump of the clock what was to wait for a date waits, and what is due at once is done', async (t) => {
  const { queue, count, context, clock, broker, addPlan, addService, store } = await setUp(t);
  await queue(1);
  const plan = await addPlan(broker);
  const renewing = await addService(broker, plan, { renewalAt: clock.now() + DAY_MS });
  const ending = await addService(broker, plan, { renewalAt: clock.now() + DAY_MS });
  const input = { serviceNumber: ending.number, cancellationType: 'end_of_term', reason: null } as const;
  await cancelService(context, { brokerId: broker.id }, input);
  clock.advance(2 * DAY_MS);
  const jumped = { ...context, clock: { ...clock, hasJumped: () => true } };
  const parts = { provisioner: recordsProvisioner, keptDays: { emails: 90, calls: 14, audit: 730 } };
  t.equal(await createWorker({ ...parts, context: jumped }).runOnce(), 1);
  t.equal(await count('accepted'), 1);
  t.equal((await store.read.services.find(broker.id, renewing.number))?.renewalAt, renewing.renewalAt);
  t.equal(await createWorker({ ...parts, context }).runOnce(), 1);
  t.equal(await count('accepted'), 0);
  t.ok(Number((await store.read.services.find(broker.id, renewing.number))?.renewalAt) > clock.now());
});
