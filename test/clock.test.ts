import t from 'tap';
import { clockOf, createGuardedClock } from '../src/clock.ts';

const START = Date.UTC(2030, 0, 15, 12);
const MINUTE = 60_000;
const DAY = 86_400_000;

/** A guarded clock on a machine whose two clocks a test moves. */
function guarded() {
  let wall = START;
  let monotonic = 0;
  const told: string[] = [];
  const clock = createGuardedClock({ now: () => wall, monotonic: () => monotonic }, (line) => told.push(line));
  return {
    clock,
    told,
    /** Sets the machine's clock. */
    step: (ms: number) => {
      wall += ms;
    },
    /** Time goes on; the clock is read every second. */
    pass(ms: number) {
      for (let left = ms; left > 0; left -= 1000) {
        wall += Math.min(left, 1000);
        monotonic += Math.min(left, 1000);
        clock.state();
      }
    },
    wall: () => wall,
  };
}

t.test("a steady clock is the machine's", async (t) => {
  const { clock, told, pass, step, wall } = guarded();
  pass(5 * MINUTE);
  // Corrections of less than a minute are no jump.
  step(30_000);
  t.strictSame([clock.now(), clock.stamp(), clock.trusted(), clock.machine()], Array(4).fill(wall()));
  t.strictSame([clock.state(), told], ['steady', []]);
});

t.test('behind a used date time stands still, with one line, until the machine has caught up', async (t) => {
  const { clock, told, pass, step, wall } = guarded();
  const before = clock.stamp();
  step(-5 * MINUTE);
  t.strictSame([clock.stamp(), clock.now(), clock.trusted(), clock.state()], [before, before, before, 'behind']);
  pass(4 * MINUTE);
  t.equal(clock.stamp(), before);
  t.equal(clock.machine(), wall(), "keys expire by the machine's clock");
  t.match(told, [/^the clock is 300 s behind dates that were used already: time stands still/]);
  t.equal(told.length, 1);
  pass(7 * MINUTE);
  t.equal(clock.state(), 'steady');
  t.equal(clock.stamp(), wall());
});

t.test('more than ten minutes behind, changes are refused and reads go on, until it has caught up', async (t) => {
  const { clock, told, pass, step } = guarded();
  const before = clock.stamp();
  step(-20 * MINUTE);
  t.equal(clock.now(), before);
  t.equal(clock.state(), 'stopped');
  t.throws(() => clock.stamp(), { code: 'server_error', retryAfterSeconds: Number });
  t.match(told[0], /^changes are refused: by 1200 s the clock is too far behind.*"broker clock accept"/);
  pass(10 * MINUTE);
  t.equal(clock.stamp(), before, 'from ten minutes on time stands still');
  pass(11 * MINUTE);
  t.equal(clock.state(), 'steady');
});

t.test('or until the operator says that it is right', async (t) => {
  const { clock, step, wall } = guarded();
  clock.stamp();
  step(-20 * MINUTE);
  clock.accept();
  t.strictSame([clock.state(), clock.stamp(), clock.trusted()], ['steady', wall(), wall()]);
});

t.test('what is bound to a date waits after a jump ahead, and changes go on', async (t) => {
  const { clock, told, pass, step, wall } = guarded();
  const before = clock.trusted();
  step(40 * DAY);
  t.strictSame([clock.state(), clock.trusted(), clock.now()], ['jumped', before, wall()]);
  pass(6_000);
  t.equal(clock.trusted(), before + 6_000, 'it goes on by the monotonic clock');
  step(-40 * DAY);
  t.strictSame([clock.state(), clock.trusted(), clock.stamp()], ['steady', wall(), wall()], 'as if nothing had been');
  t.match(told, [/^the clock jumped ahead by 3456000 s: renewals and ends of term wait/, 'the clock is steady']);
});

t.test('a machine that slept is refused nothing; its date counts when it was steady for ten minutes', async (t) => {
  const { clock, pass, step, wall } = guarded();
  const before = clock.trusted();
  step(8 * 60 * MINUTE);
  t.strictSame([clock.stamp(), clock.trusted()], [wall(), before]);
  pass(9 * MINUTE);
  t.equal(clock.trusted(), before + 9 * MINUTE);
  // Another jump: it has to be steady anew.
  step(2 * MINUTE);
  pass(9 * MINUTE);
  t.equal(clock.state(), 'jumped');
  pass(2 * MINUTE);
  t.strictSame([clock.state(), clock.trusted()], ['steady', wall()]);
  step(DAY);
  t.equal(clock.state(), 'jumped');
  clock.accept();
  t.strictSame([clock.state(), clock.trusted()], ['steady', wall()], 'or at once, when the operator says so');
});

t.test('a change under a clock that was ahead counts: the right clock is then behind it', async (t) => {
  const { clock, step, wall } = guarded();
  clock.trusted();
  step(40 * DAY);
  clock.stamp();
  step(-40 * DAY);
  t.strictSame([clock.state(), clock.trusted()], ['stopped', wall()], 'ends of term go by the right date still');
  t.throws(() => clock.stamp());
});

t.test('dates that other processes have used count as its own', async (t) => {
  const { clock } = guarded();
  t.strictSame([clock.used(), clock.hasStamped()], [undefined, false]);
  clock.learn(START + MINUTE);
  t.strictSame(
    [clock.state(), clock.stamp(), clock.used(), clock.hasStamped()],
    ['behind', START + MINUTE, START + MINUTE, true],
  );
});

t.test('it says when it differs from the clock of the database', async (t) => {
  const { clock, told } = guarded();
  clock.compare(5_000);
  t.equal(clock.state(), 'steady');
  clock.compare(6_000);
  t.equal(clock.state(), 'differs');
  clock.compare(0);
  clock.compare(-6_000);
  t.strictSame(told, [
    "the clock is 6 s ahead of the database's",
    'the clock is steady',
    "the clock is 6 s behind the database's",
  ]);
});

t.test('a jump back while no later date was used only waits', async (t) => {
  const { clock, step, told } = guarded();
  step(-2 * MINUTE);
  t.equal(clock.state(), 'jumped');
  t.match(told[0], /^the clock jumped back by 120 s/);
});

t.test('a clock of one moment is right by definition', async (t) => {
  const clock = clockOf({ now: () => 7, monotonic: () => 1 });
  t.strictSame([clock.stamp(), clock.trusted(), clock.machine(), clock.state()], [7, 7, 7, 'steady']);
});
