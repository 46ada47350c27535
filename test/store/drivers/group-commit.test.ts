import t from 'tap';
import { GroupCommit } from '../../../src/store/drivers/group-commit.ts';

/** A group commit on a lock and a clock that the test holds. */
function setUp() {
  const world = { now: 0, locked: false, begun: 0, startedJobs: 0, broken: false, commits: [] as number[], did: '' };
  const failIfBroken = () => {
    if (world.broken) throw Object.assign(new Error('the disk is gone'), { code: 'SQLITE_IOERR' });
  };
  const nothing = () => undefined;
  const commits = new GroupCommit(
    {
      begin() {
        world.begun += 1;
        return !world.locked;
      },
      commit() {
        failIfBroken();
        world.commits.push(world.startedJobs);
        world.startedJobs = 0;
      },
      rollback: failIfBroken,
      savepoint() {
        world.did += '(';
      },
      release() {
        world.did += ')';
        return true;
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
  const addFor = (owner: string, name: string, patienceMs?: number) =>
    commits
      .run(
        owner,
        async () => {
          world.startedJobs += 1;
          world.did += '.';
          return name;
        },
        patienceMs,
      )
      .then(
        (done) => outcomes.push(done),
        ({ code, gate = '' }: { code?: string; gate?: string }) => outcomes.push(`${name} ${code} ${gate}`.trimEnd()),
      );
  const add = (name: string, patienceMs?: number) => addFor('calls brk_a', name, patienceMs);
  /** Lets the lock be tried once more. */
  const tried = async () => {
    for (const before = world.begun; world.begun === before; ) await new Promise((resolve) => setImmediate(resolve));
  };
  return { world, commits, outcomes, add, addFor, tried };
}

t.test('each job waits for the lock from when it came, and none longer because others came before it', async (t) => {
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

t.test('a job that must not wait is refused at the first try, whatever waits before it', async (t) => {
  const { world, outcomes, add } = setUp();
  world.locked = true;
  const patient = add('patient');
  await add('impatient', 0);
  t.strictSame(outcomes, ['impatient SQLITE_BUSY']);
  world.locked = false;
  await patient;
  t.strictSame(outcomes, ['impatient SQLITE_BUSY', 'patient']);
});

t.test('a broker with more than 600 jobs waiting is refused at once, and no other owner', async (t) => {
  const { world, commits, outcomes, add, addFor } = setUp();
  world.locked = true;
  const waiting = Array.from({ length: 600 }, (_, index) => add(`${index}`));
  await add('too many');
  t.strictSame(outcomes, ['too many server_error capacity']);
  const others = ['calls brk_b', 'console console', 'background worker'].map((owner) => addFor(owner, owner));
  world.locked = false;
  await Promise.all([...waiting, ...others]);
  await commits.idle();
  t.equal(outcomes.length, 604);
  await add('later');
  t.equal(outcomes.at(-1), 'later');
});

t.test('where 2,000 jobs wait in all, the owner with most of them is refused its last one', async (t) => {
  const { world, commits, outcomes, addFor } = setUp();
  world.locked = true;
  const waiting = ['a', 'b', 'c'].flatMap((broker) =>
    Array.from({ length: broker === 'b' ? 600 : 599 }, (_, index) => addFor(broker, `${broker}${index + 1}`)),
  );
  const few = Array.from({ length: 202 }, (_, index) => addFor(`few ${index}`, `few ${index}`));
  const worker = addFor('worker', 'worker');
  await waiting[1_198];
  t.strictSame(outcomes, ['b600 server_error capacity']);
  world.locked = false;
  await Promise.all([...waiting, ...few, worker]);
  await commits.idle();
  t.equal(outcomes.length, 2_001);
});

t.test('owners are served in turn, one job each, however many jobs one of them has', async (t) => {
  const { outcomes, add, addFor } = setUp();
  const many = Array.from({ length: 20 }, (_, index) => add(`a${index}`));
  await Promise.all([
    ...many,
    addFor('calls brk_b', 'b0'),
    addFor('background worker', 'w0'),
    addFor('calls brk_b', 'b1'),
  ]);
  t.strictSame(outcomes.slice(0, 7), ['a0', 'b0', 'w0', 'a1', 'b1', 'a2', 'a3']);
});

t.test(
  'other work runs after every eight jobs of a commit, and the jobs that it brings share the commit',
  async (t) => {
    const { world, commits, add } = setUp();
    const slices: number[] = [];
    const first = Array.from({ length: 20 }, (_, index) => add(`${index}`));
    // A callback that is queued behind the commit's own slice sees how far it came each time.
    const watch = () => {
      if (world.commits.length > 0) return;
      slices.push(world.startedJobs);
      setImmediate(watch);
    };
    setImmediate(watch);
    await Promise.all(first);
    await commits.idle();
    t.strictSame(slices, [8, 16]);
    t.strictSame(world.commits, [20]);

    world.commits = [];
    const second = Array.from({ length: 9 }, (_, index) => add(`${index}`));
    setImmediate(() => second.push(add('beside')));
    await commits.idle();
    await Promise.all(second);
    t.strictSame(world.commits, [10], 'a job that came while the others ran waits for no commit of its own');
  },
);

t.test('no commit has more than 128 jobs, however many come meanwhile', async (t) => {
  const { world, commits, add } = setUp();
  const all = Array.from({ length: 300 }, (_, index) => add(`${index}`));
  await Promise.all(all);
  await commits.idle();
  t.strictSame(world.commits, [128, 128, 44]);
});

t.test('each job has a savepoint, and is undone alone', async (t) => {
  const { world, commits, add } = setUp();
  const failed = commits.run('calls brk_a', async () => {
    world.did += '!';
    throw new Error('too late');
  });
  await Promise.all([t.rejects(failed, { message: 'too late' }), add('a'), add('b')]);
  await commits.idle();
  t.equal(world.did, '(!x)(.)(.)');
  t.strictSame(world.commits, [2]);
});

t.test('a commit that fails and cannot be undone either fails its own jobs alone', async (t) => {
  const { world, commits, outcomes, add } = setUp();
  world.broken = true;
  await Promise.all([add('a'), add('b')]);
  t.strictSame(outcomes, ['a SQLITE_IOERR', 'b SQLITE_IOERR']);
  world.broken = false;
  await add('c');
  t.equal(outcomes.at(-1), 'c');
  await commits.idle();
});
