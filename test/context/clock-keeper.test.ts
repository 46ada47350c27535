import t, { type Test } from 'tap';
import { createGuardedClock } from '../../src/clock.ts';
import { acceptClock, createClockKeeper } from '../../src/context/clock-keeper.ts';
import { createIds } from '../../src/ids.ts';
import type { Store } from '../../src/store/store.ts';
import { openScratchPostgres, services } from '../support/services.ts';
import { addRequest } from '../support/v1.ts';
import { AN_OPERATOR, createWorld } from '../support/world.ts';

const START = Date.UTC(2030, 0, 15, 12);
const MINUTE = 60_000;
const DAY = 86_400_000;

/** A process of its own on the store, with a machine's clock that is so far off. */
function processOn(store: Store, offMs = 0, wall = { now: START }) {
  const clock = createGuardedClock({ now: () => wall.now + offMs, monotonic: () => wall.now });
  return { clock, keeper: createClockKeeper(store, clock) };
}

/** Lets a process store what it has used. */
async function mark({ keeper }: ReturnType<typeof processOn>) {
  await keeper.stop();
}

async function share(t: Test, openStore?: typeof openScratchPostgres) {
  const world = await createWorld(openStore ? { openStore } : { onFile: true });
  t.teardown(() => world.close());
  const { store } = world;
  // The dates of this test are far from those of the server.
  const right = openStore ? 'differs' : 'steady';

  const first = processOn(store);
  await first.keeper.look();
  await mark(first);
  t.equal(await store.read.clock.find(), null, 'a process that only reads writes nothing');
  first.clock.stamp();
  await mark(first);

  const behind = processOn(store, -5 * MINUTE);
  await behind.keeper.look();
  t.strictSame([behind.clock.state(), behind.clock.stamp()], ['behind', START]);
  const stopped = processOn(store, -20 * MINUTE);
  await stopped.keeper.look();
  t.equal(stopped.clock.state(), 'stopped');
  t.throws(() => stopped.clock.stamp(), { code: 'server_error' });

  const running = processOn(store);
  await running.keeper.look();
  const accepted = await acceptClock({ ...stopped, store, newId: createIds(), actor: AN_OPERATOR });
  t.match(accepted, {
    accepted_date: '2030-01-15T11:40:00.000Z',
    used_date: '2030-01-15T12:00:00.000Z',
    requests_released: 0,
  });
  t.equal(stopped.clock.stamp(), START - 20 * MINUTE);
  await behind.keeper.look();
  t.strictSame([behind.clock.state(), behind.clock.stamp()], [right, START - 5 * MINUTE], 'the others hear of it');
  await running.keeper.look();
  t.equal(running.clock.state(), right);
  const later = processOn(store, -20 * MINUTE);
  await later.keeper.look();
  t.equal(later.clock.state(), right, 'and who starts afterwards');

  running.clock.stamp();
  await Promise.all([mark(running), mark(running)]);
  await later.keeper.look();
  t.equal(later.clock.state(), 'stopped', 'until a later date is used');
  return world;
}

t.test('processes on one database share the dates that they have used, on SQLite', async (t) => {
  const world = await share(t);
  const { store } = world;
  const broker = await world.addBroker();
  const plan = await world.addPlan(broker);
  const accepted = async (dueAt: number, effectiveAt: number | null) =>
    addRequest(world, await world.addService(broker, plan), {
      type: 'service-creation',
      status: 'accepted',
      dueAt,
      effectiveAt,
    });
  const ahead = await accepted(START + 40 * DAY, null);
  const bound = await accepted(START + 40 * DAY, START + 40 * DAY);
  const paused = await accepted(START + 50 * MINUTE, null);
  const { clock } = processOn(store);
  const report = await acceptClock({ store, clock, newId: createIds(), actor: AN_OPERATOR });
  t.equal(report.requests_released, 1, 'what was to be done at once is not left for forty days');
  const due = async ({ id }: { id: string }) => (await store.read.requests.findView(broker.id, id))?.request.dueAt;
  t.strictSame([await due(ahead), await due(bound), await due(paused)], [START, START + 40 * DAY, START + 50 * MINUTE]);
  const lost = {
    ...store,
    tx: (work: (tx: never) => unknown) =>
      work({ clock: { find: async () => null, replace: async () => false } } as never),
  };
  await t.rejects(
    acceptClock({ store: lost as never, clock, newId: createIds(), actor: AN_OPERATOR }),
    /another process/,
  );
});

t.test('and on PostgreSQL, whose own clock they compare themselves with', async (t) => {
  if (!(await services(t, 'PostgreSQL'))) return;
  const { store } = await share(t, openScratchPostgres);
  const wall = { now: Date.now() };
  const right = createGuardedClock({ now: () => Date.now(), monotonic: () => performance.now() });
  await createClockKeeper({ ...store, tx: store.tx }, right).look();
  right.accept();
  t.equal(right.state(), 'steady');
  const fast = createGuardedClock({ now: () => wall.now + 30_000, monotonic: () => performance.now() });
  await createClockKeeper(store, fast).look();
  fast.accept();
  t.equal(fast.state(), 'differs');
});

t.test('a process that stays looks by itself, and an outage of the store does not end it', async (t) => {
  const clock = createGuardedClock();
  let asked = 0;
  const read = {
    clock: {
      find: async () => {
        asked += 1;
        throw new Error('away');
      },
    },
  };
  const keeper = createClockKeeper({ read, tx: async () => undefined } as never, clock);
  await t.rejects(keeper.look(), { message: 'away' });
  const { setInterval: real } = globalThis;
  let tick = () => undefined as unknown;
  globalThis.setInterval = ((run: () => unknown) => {
    tick = run;
    return real(() => undefined, 1e6);
  }) as never;
  keeper.start();
  keeper.start();
  globalThis.setInterval = real;
  tick();
  clock.stamp();
  await keeper.stop();
  t.equal(asked, 3);
});
