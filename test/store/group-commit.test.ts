import t from 'tap';
import { GroupCommit } from '../../src/store/group-commit.ts';

/** A group commit on a lock and a clock that the test holds. */
function setUp() {
  const world = { now: 0, locked: false, begun: 0, begunWorks: 0, changed: 0, commits: [] as number[], did: '' };
  const nothing = () => undefined;
  const commits = new GroupCommit(
    {
      begin() {
        world.begun += 1;
        return !world.locked;
      },
      commit() {
        world.commits.push(world.begunWorks);
        world.begunWorks = 0;
      },
      rollback: nothing,
      changes: () => world.changed,
      savepoint() {
        world.did += '(';
      },
      release() {
        world.did += ')';
      },
      rollbackToSavepoint() {
        world.did += 'x)';
        return true;
      },
      cutOff: nothing,
    },
    () => world.now,
  );
  const outcomes: string[] = [];
  const add = (name: string, patienceMs?: number) =>
    commits
      .run(async () => {
        world.begunWorks += 1;
        world.did += '.';
        return name;
      }, patienceMs)
      .then(
        (done) => outcomes.push(done),
        (error: { code?: string }) => outcomes.push(`${name} ${error.code}`),
      );
  /** Lets the lock be tried once more. */
  const tried = async () => {
    for (const before = world.begun; world.begun === before; ) await new Promise((resolve) => setImmediate(resolve));
  };
  return { world, commits, outcomes, add, tried };
}

t.test('each work waits for the lock from when it came, and none longer because others came before it', async (t) => {
  const { world, outcomes, add, tried } = setUp();
  world.locked = true;
  // More than one commit takes: the second hundred does not begin to wait when the first gives up.
  const first = Array.from({ length: 300 }, (_, index) => add(`first ${index}`));
  await tried();
  world.now = 10_000;
  const second = add('second');
  await tried();
  t.strictSame(outcomes, []);
  world.now = 15_000;
  await Promise.all(first);
  t.equal(outcomes.length, 300);
  t.equal(outcomes.at(-1), 'first 299 SQLITE_BUSY');
  world.now = 24_999;
  await tried();
  t.equal(outcomes.length, 300);
  world.locked = false;
  await second;
  t.equal(outcomes.at(-1), 'second');
});

t.test('who will not wait at all is told at the first try, whoever waits before it', async (t) => {
  const { world, outcomes, add } = setUp();
  world.locked = true;
  const patient = add('patient');
  await add('impatient', 0);
  t.strictSame(outcomes, ['impatient SQLITE_BUSY']);
  world.locked = false;
  await patient;
  t.strictSame(outcomes, ['impatient SQLITE_BUSY', 'patient']);
});

t.test('no more than 2,000 works wait, and the next one is refused at once', async (t) => {
  const { world, commits, outcomes, add } = setUp();
  world.locked = true;
  const waiting = Array.from({ length: 2_000 }, (_, index) => add(`${index}`));
  await add('too many');
  t.strictSame(outcomes, ['too many SQLITE_BUSY']);
  world.locked = false;
  await Promise.all(waiting);
  await commits.idle();
  t.equal(outcomes.length, 2_001);
  await add('later');
  t.equal(outcomes.at(-1), 'later');
});

t.test('others have their turn after every eight works of a commit, and what they bring shares it', async (t) => {
  const { world, commits, add } = setUp();
  const turns: number[] = [];
  const first = Array.from({ length: 20 }, (_, index) => add(`${index}`));
  // One that is queued behind the commit's own turn sees how far it came each time.
  const watch = () => {
    if (world.commits.length > 0) return;
    turns.push(world.begunWorks);
    setImmediate(watch);
  };
  setImmediate(watch);
  await Promise.all(first);
  await commits.idle();
  t.strictSame(turns, [8, 16]);
  t.strictSame(world.commits, [20]);

  world.commits = [];
  const second = Array.from({ length: 9 }, (_, index) => add(`${index}`));
  setImmediate(() => second.push(add('beside')));
  await commits.idle();
  await Promise.all(second);
  t.strictSame(world.commits, [10], 'a work that came while the others ran waits for no commit of its own');
});

t.test('no commit waits for more than 128 works, however many come meanwhile', async (t) => {
  const { world, commits, add } = setUp();
  const all = Array.from({ length: 300 }, (_, index) => add(`${index}`));
  await Promise.all(all);
  await commits.idle();
  t.strictSame(world.commits, [128, 128, 44]);
});

t.test('works of a turn share a savepoint, and have one each where one of them has to be undone', async (t) => {
  const { world, commits, add } = setUp();
  await Promise.all(Array.from({ length: 9 }, (_, index) => add(`${index}`)));
  await commits.idle();
  t.equal(world.did, '(........)(.)');
  world.did = '';
  const failed = commits.run(async () => {
    world.changed += 1;
    world.did += '!';
    throw new Error('too late');
  });
  await Promise.all([t.rejects(failed, { message: 'too late' }), add('a'), add('b')]);
  await commits.idle();
  t.equal(world.did, '(!x)(!x)(.)(.)');
});

t.test('a work that is refused before it changed anything has nobody run twice', async (t) => {
  const { world, commits, add } = setUp();
  const refused = t.rejects(
    commits.run(() => Promise.reject(new Error('not found'))),
    { message: 'not found' },
  );
  await Promise.all([...Array.from({ length: 7 }, (_, index) => add(`${index}`)), refused]);
  await commits.idle();
  t.strictSame(world.commits, [7]);
});

t.test(
  'of works that fail behind a change one turn in 33 is run twice, and the others of it still happen',
  async (t) => {
    const { world, commits, outcomes, add } = setUp();
    const failing = () =>
      commits.run(async () => {
        world.changed += 1;
        throw new Error('too late');
      });
    const turns = 50;
    const failed = Array.from({ length: turns }, async (_, turn) => {
      const others = Array.from({ length: 7 }, (_, index) => add(`${turn} ${index}`));
      await t.rejects(failing(), { message: 'too late' });
      await Promise.all(others);
    });
    await Promise.all(failed);
    await commits.idle();
    t.equal(outcomes.length, turns * 7);
    const run = world.commits.reduce((sum, each) => sum + each, 0);
    t.equal(run, (turns + 2) * 7, 'of fifty turns the first and the thirty-fourth');
  },
);
