import t, { type Test } from 'tap';
import { type SlotLimits, SlotQueue } from '../../src/limits/slot-queue.ts';

const LIMITS: SlotLimits = {
  atOnce: 2,
  atOnceOfOne: 1,
  waiting: 6,
  waitingOfOne: 3,
  patienceMs: 3_600_000,
  retryAfterSeconds: 7,
};

const CLOSED = { code: 'server_error', statusCode: 500, retryAfterSeconds: 7, gate: 'capacity' };
/** The cause makes the refusal leave a line in the log. */
const BUSY = { ...CLOSED, cause: Error };

/** Lets everything that is due run. */
const settle = () => new Promise((resolve) => setImmediate(resolve));

/** Turns, and works that end when the test says so; `begun` names them in the order in which they began. */
function setUp(t: Test, limits: Partial<SlotLimits> = {}) {
  const turns = new SlotQueue({ ...LIMITS, ...limits });
  t.teardown(() => turns.close());
  const begun: string[] = [];
  const ends = new Map<string, () => void>();
  const gone = new Set<string>();
  return {
    turns,
    begun,
    /** Asks for a turn; the work's name begins with its broker's. */
    ask(name: string) {
      const owner = { key: name.slice(0, 1), isDisconnected: () => gone.has(name) };
      const answer = turns.take(owner, async () => {
        begun.push(name);
        await new Promise<void>((resolve) => ends.set(name, resolve));
        return name;
      });
      answer.catch(() => undefined);
      return answer;
    },
    leave: (name: string) => gone.add(name),
    async end(name: string) {
      const end = ends.get(name);
      if (!end) throw new Error(`${name} has not begun`);
      end();
      await settle();
    },
  };
}

t.test('works begin at once while there is room, and answer as they end', async (t) => {
  const { ask, begun, end, turns } = setUp(t);
  const [first, second] = [ask('a1'), ask('b1')];
  await settle();
  t.strictSame(begun, ['a1', 'b1']);
  await end('b1');
  t.equal(await second, 'b1');
  await t.rejects(
    turns.take({ key: 'c' }, () => Promise.reject(new Error('no such thing'))),
    { message: 'no such thing' },
  );
  await t.rejects(
    turns.take({ key: 'c' }, () => {
      throw new Error('at once');
    }),
    { message: 'at once' },
  );
  await end('a1');
  t.equal(await first, 'a1');
});

t.test('one broker never has more than its share, even while no other asks', async (t) => {
  const { ask, begun, end } = setUp(t);
  for (const name of ['a1', 'a2', 'a3']) ask(name);
  await settle();
  t.strictSame(begun, ['a1']);
  ask('b1');
  await settle();
  t.strictSame(begun, ['a1', 'b1'], 'so another one finds room');
  await end('a1');
  t.strictSame(begun, ['a1', 'b1', 'a2']);
  const more = setUp(t, { atOnceOfOne: 2 });
  for (const name of ['a1', 'a2', 'a3']) more.ask(name);
  await settle();
  t.strictSame(more.begun, ['a1', 'a2']);
  await more.end('a2');
  t.strictSame(more.begun, ['a1', 'a2', 'a3']);
});

t.test('brokers take turns one work each, however many of them one has waiting', async (t) => {
  const { ask, begun, end } = setUp(t, { atOnce: 1 });
  for (const name of ['a1', 'a2', 'a3', 'a4', 'b1', 'c1', 'b2']) ask(name);
  await settle();
  for (const name of ['a1', 'a2', 'b1', 'c1', 'a3', 'b2', 'a4']) await end(name);
  t.strictSame(begun, ['a1', 'a2', 'b1', 'c1', 'a3', 'b2', 'a4']);
});

t.test('a broker whose queue is full is refused, and no other is', async (t) => {
  const { ask, begun, end } = setUp(t);
  for (const name of ['a1', 'a2', 'a3', 'a4']) ask(name);
  await t.rejects(ask('a5'), BUSY);
  ask('b1');
  await settle();
  t.strictSame(begun, ['a1', 'b1']);
  for (const name of ['a1', 'a2', 'a3', 'a4']) await end(name);
  t.strictSame(begun, ['a1', 'b1', 'a2', 'a3', 'a4'], 'those that waited already are served');
});

t.test('where the whole queue is full, the broker with most waiting jobs is refused', async (t) => {
  const { ask, begun, end } = setUp(t, { atOnce: 1, waitingOfOne: 5 });
  for (const name of ['a1', 'a2', 'a3', 'a4', 'a5']) ask(name);
  const last = ask('a6');
  ask('b1');
  const newcomer = ask('c1');
  await t.rejects(last, BUSY);
  for (const name of ['a1', 'a2', 'b1', 'c1', 'a3', 'a4', 'a5']) await end(name);
  t.equal(await newcomer, 'c1');
  t.strictSame(begun, ['a1', 'a2', 'b1', 'c1', 'a3', 'a4', 'a5']);

  const equals = setUp(t, { atOnce: 1, waiting: 2 });
  for (const name of ['a1', 'b1', 'c1']) equals.ask(name);
  await t.rejects(equals.ask('d1'), BUSY, 'and with equals the one that comes last');
});

t.test('a work that waits for too long is refused without being begun', async (t) => {
  const { ask, begun, end } = setUp(t, { patienceMs: 1 });
  const first = ask('a1');
  await t.rejects(ask('a2'), BUSY);
  await end('a1');
  t.equal(await first, 'a1', 'what has begun is not cut off');
  t.strictSame(begun, ['a1']);
});

t.test('a work whose caller has left is not begun, and is no failure of ours', async (t) => {
  const { ask, begun, end, leave } = setUp(t);
  ask('a1');
  const left = [ask('a2'), ask('a3')];
  const stays = ask('a4');
  await settle();
  leave('a1');
  leave('a2');
  leave('a3');
  await end('a1');
  for (const answer of left) await t.rejects(answer, { code: 'invalid_request' });
  await end('a4');
  t.equal(await stays, 'a4');
  t.strictSame(begun, ['a1', 'a4']);

  ask('b1');
  const alone = ask('b2');
  await settle();
  leave('b2');
  await end('b1');
  await t.rejects(alone, { code: 'invalid_request' });
  ask('b3');
  await settle();
  t.equal(begun.at(-1), 'b3', 'and the broker goes on');
});

t.test('those who left make room in a full queue before any is refused', async (t) => {
  const { ask, leave, turns } = setUp(t);
  // Not everybody can leave: the operator's own overviews cannot.
  for (let each = 0; each < 2; each += 1) turns.take({ key: 'o' }, () => new Promise(() => {})).catch(() => {});
  const [, gone] = ['a1', 'a2', 'a3', 'a4'].map(ask);
  leave('a2');
  ask('a5');
  await t.rejects(gone as Promise<string>, { code: 'invalid_request' });
  await t.rejects(ask('a6'), BUSY);

  const whole = setUp(t, { atOnce: 1, waiting: 2 });
  const [, left] = ['a1', 'a2', 'b1'].map(whole.ask);
  whole.leave('a2');
  whole.ask('c1');
  await t.rejects(left as Promise<string>, { code: 'invalid_request' });
  whole.leave('d1');
  await t.rejects(whole.ask('d1'), { code: 'invalid_request' }, 'one that left on its way included');
});

t.test('at the end who waits is refused, who comes as well, and what runs ends', async (t) => {
  const { ask, begun, end, turns } = setUp(t);
  const running = ask('a1');
  const waiting = ask('a2');
  await settle();
  turns.close();
  await t.rejects(waiting, CLOSED);
  await t.rejects(ask('b1'), CLOSED);
  await end('a1');
  t.equal(await running, 'a1');
  t.strictSame(begun, ['a1']);
});
