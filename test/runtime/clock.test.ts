import t from 'tap';
import { clockOf, createProcessClock } from '../../src/runtime/clock.ts';

const START = Date.UTC(2030, 0, 15, 12);
const MINUTE = 60_000;

/** A process's clock on a machine whose two clocks a test moves. */
function aClock() {
  let wall = START;
  let monotonic = 0.25;
  const clock = createProcessClock({ now: () => wall, monotonic: () => monotonic });
  return {
    clock,
    /** Sets the machine's clock. */
    step: (ms: number) => {
      wall += ms;
    },
    pass: (ms: number) => {
      wall += ms;
      monotonic += ms;
    },
    wall: () => wall,
  };
}

t.test("a steady clock is the machine's, and small corrections of it are no jump", async (t) => {
  const { clock, pass, step, wall } = aClock();
  pass(5 * MINUTE);
  step(30_000);
  t.strictSame([clock.now(), clock.machine(), clock.state(), clock.hasJumped()], [wall(), wall(), 'steady', false]);
});

t.test('every date is a whole number of milliseconds, whatever the clocks read', async (t) => {
  const clock = createProcessClock({ now: () => START + 0.9, monotonic: () => 7.77 });
  t.strictSame([clock.now(), clock.machine()], [START, START]);
  clock.follow(START, 3.33);
  t.ok(Number.isInteger(clock.now()), String(clock.now()));
  t.equal(clockOf({ now: () => START + 0.5, monotonic: () => 0 }).now(), START);
});

t.test('set back by less than ten minutes, the last date is used again until it has come', async (t) => {
  const { clock, pass, step, wall } = aClock();
  const before = clock.now();
  step(-9 * MINUTE);
  t.strictSame([clock.now(), clock.state(), clock.machine()], [before, 'behind', wall()]);
  pass(5 * MINUTE);
  t.equal(clock.now(), before);
  pass(5 * MINUTE);
  t.strictSame([clock.now(), clock.state()], [wall(), 'steady']);
});

t.test('set further back it counts, and is behind until the last date has come', async (t) => {
  const { clock, pass, step, wall } = aClock();
  clock.now();
  step(-20 * MINUTE);
  t.strictSame([clock.now(), clock.state(), clock.used()], [wall(), 'behind', START]);
  pass(MINUTE);
  t.equal(clock.now(), wall());
  step(-MINUTE);
  t.equal(clock.now(), wall() + MINUTE, 'a small step back is caught here too');
  pass(21 * MINUTE);
  t.strictSame([clock.now(), clock.state()], [wall(), 'steady']);
});

t.test('a date that another process has used is not gone past', async (t) => {
  const { clock, pass, wall } = aClock();
  clock.learn(START + 3 * MINUTE);
  t.strictSame([clock.now(), clock.state()], [START + 3 * MINUTE, 'behind']);
  pass(4 * MINUTE);
  t.strictSame([clock.now(), clock.state()], [wall(), 'steady']);
  const wrong = wall() + 30 * MINUTE;
  clock.learn(wrong);
  t.strictSame([clock.now(), clock.state()], [wall(), 'behind']);
  pass(25 * MINUTE);
  clock.learn(wrong);
  t.equal(clock.now(), wall(), 'once the clock counts, that date is not gone back to');
});

t.test('a jump ahead of more than a minute makes what is bound to a date wait for ten minutes', async (t) => {
  const { clock, pass, step, wall } = aClock();
  step(61_000);
  t.strictSame([clock.now(), clock.hasJumped(), clock.state()], [wall(), true, 'jumped']);
  pass(9 * MINUTE);
  t.equal(clock.hasJumped(), true);
  pass(MINUTE);
  t.strictSame([clock.hasJumped(), clock.state()], [false, 'steady']);
});

t.test("from its first measurement on the database's clock counts, and the machine's moves nothing", async (t) => {
  const { clock, pass, step, wall } = aClock();
  clock.follow(START + 2 * MINUTE, clock.monotonic());
  t.strictSame([clock.now(), clock.state(), clock.hasJumped()], [START + 2 * MINUTE, 'differs', false]);
  step(-60 * MINUTE);
  pass(1_000);
  t.strictSame([clock.now(), clock.hasJumped()], [START + 2 * MINUTE + 1_000, false]);
  t.equal(clock.machine(), wall(), 'keys expire by the machine');
  clock.follow(START + 4 * MINUTE, clock.monotonic());
  t.strictSame([clock.now(), clock.hasJumped()], [START + 4 * MINUTE, true], 'a jump of the database counts');
});
