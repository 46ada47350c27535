import t, { type Test } from 'tap';
import { createClockKeeper } from '../src/clock-keeper.ts';
import { createProcessClock } from '../src/runtime/clock.ts';
import type { Store } from '../src/store/store.ts';
import { openScratchPostgres, services } from './support/services.ts';
import { createWorld } from './support/world.ts';

const MINUTE = 60_000;

/** The clock of a process on the store, whose machine is so far off. */
function processOn(store: Pick<Store, 'read'>, offMs = 0) {
  const lines: string[] = [];
  const clock = createProcessClock({ now: () => Date.now() + offMs, monotonic: () => performance.now() });
  return { clock, lines, keeper: createClockKeeper(store, clock, (line) => lines.push(line)) };
}

async function aWorld(t: Test, openStore?: typeof openScratchPostgres) {
  const world = await createWorld(openStore ? { openStore } : { onFile: true });
  t.teardown(() => world.close());
  const broker = await world.addBroker();
  return { ...world, broker, plan: await world.addPlan(broker) };
}

t.test("a process begins behind the latest live change of the database's brokers, and says so", async (t) => {
  const { store, broker, plan, addService } = await aWorld(t);
  const latest = Date.now() + 5 * MINUTE;
  await addService(broker, plan, { updatedAt: latest });
  const { clock, keeper, lines } = processOn(store);
  await keeper.poll();
  t.equal(clock.now(), latest);
  t.equal(clock.state(), 'behind');
  t.match(lines, [
    /^the clock is behind a date that was used, .*: it shows .*Z, this machine .*Z, the latest date used is .*Z$/,
  ]);
  await keeper.poll();
  t.equal(lines.length, 1, 'one line for each change of the state');
});

t.test('more than ten minutes behind the clock counts, and a line names both dates', async (t) => {
  const { store, broker, plan, addService } = await aWorld(t);
  const latest = Date.now() + 50 * MINUTE;
  await addService(broker, plan, { updatedAt: latest });
  const { clock, keeper, lines } = processOn(store);
  await keeper.poll();
  t.ok(clock.now() < latest - 49 * MINUTE);
  t.match(lines, [/^the clock is more than ten minutes behind .*copies .* read anew: it shows .*Z/]);
  t.match(lines[0], new Date(latest).toISOString());
});

t.test('a database without a broker has no latest change', async (t) => {
  const world = await createWorld({ onFile: true });
  t.teardown(() => world.close());
  const { clock, keeper, lines } = processOn(world.store);
  await keeper.poll();
  t.strictSame([clock.state(), lines], ['steady', []]);
});

t.test("on PostgreSQL the database's clock counts, whatever the machine's says", async (t) => {
  if (!(await services(t, 'PostgreSQL'))) return;
  const { store } = await aWorld(t, openScratchPostgres);
  const { clock, keeper, lines } = processOn(store, 3 * MINUTE);
  await keeper.poll();
  t.ok(Math.abs(clock.now() - Date.now()) < MINUTE);
  t.ok(Number.isInteger(clock.now()));
  t.equal(clock.state(), 'differs');
  t.match(lines, [/^this machine's clock is more than five seconds off the database's: /]);
});

t.test('while the database is away a process carries its clock on, and it can be stopped', async (t) => {
  const read = { clock: { find: () => Promise.reject(new Error('away')) } } as unknown as Store['read'];
  const { clock, keeper } = processOn({ read });
  await t.rejects(keeper.poll());
  t.ok(clock.now() > 0);
  keeper.start();
  keeper.start();
  await keeper.stop();
});
