import t from 'tap';
import { createKnownAnswers } from '../../src/context/known-answers.ts';
import type { Listed } from '../../src/context/outcome.ts';

const NOW = 1_000;
const MEGABYTE = 1024 * 1024;

const page: Listed<string> = {
  statusCode: 200,
  data: [],
  pagination: { page: 1, perPage: 25, total: 0, totalPages: 0 },
};

/** Answers of a database that is in the test's hands, to callers whose answers have so many bytes. */
function setUp() {
  const database = { version: 1, reads: 0 };
  const known = createKnownAnswers({ version: () => database.version });
  if (!known) throw new Error('the version can be told');
  /** Asks, and has what was read written out; tells what was sent without a reading. */
  async function ask(
    brokerId: string,
    name: string,
    { bytes = 100, goodUntil = Number.POSITIVE_INFINITY, now = NOW } = {},
  ) {
    const answer = await known?.answer({ brokerId }, name, now, async () => {
      database.reads += 1;
      return { listed: page, goodUntil };
    });
    if (answer && 'body' in answer) return answer;
    answer?.keep?.(Buffer.alloc(bytes, name));
    return null;
  }
  return { database, known, ask };
}

t.test('what was sent is sent again, byte for byte, until anything is committed', async (t) => {
  const { database, ask } = setUp();
  t.equal(await ask('one', 'a'), null);
  t.strictSame(await ask('one', 'a'), { statusCode: 200, body: Buffer.alloc(100, 'a'), replayed: false });
  t.equal(await ask('one', 'b'), null, 'under its own name');
  t.equal(await ask('two', 'a'), null, 'to its own broker');
  t.equal(database.reads, 3);
  database.version = 2;
  t.equal(await ask('one', 'a'), null);
  t.ok(await ask('one', 'a'));
  database.version = 1;
  t.equal(await ask('one', 'a'), null, 'a version says nothing of which came first');
});

t.test('nothing is sent again once its moment has passed', async (t) => {
  const { ask } = setUp();
  t.equal(await ask('one', 'a', { goodUntil: NOW + 5 }), null);
  t.ok(await ask('one', 'a', { now: NOW + 4 }));
  t.equal(await ask('one', 'a', { now: NOW + 5 }), null);
  t.equal(await ask('one', 'b', { goodUntil: NOW }), null);
  t.equal(await ask('one', 'b', { goodUntil: NOW }), null, 'what counts down is not kept');
});

t.test('a reading that a commit overtook is not kept', async (t) => {
  const { database, known, ask } = setUp();
  const slow = await known.answer({ brokerId: 'one' }, 'a', NOW, async () => {
    database.version = 2;
    await ask('one', 'b');
    return { listed: page, goodUntil: Number.POSITIVE_INFINITY };
  });
  if ('body' in slow) throw new Error('it was read');
  slow.keep?.(Buffer.from('old'));
  t.equal(await ask('one', 'a'), null);
  t.ok(await ask('one', 'b'), 'what was read behind the commit stands');
});

t.test('nobody looked between the commit and the reading: the next who asks finds out', async (t) => {
  const { database, known, ask } = setUp();
  const slow = await known.answer({ brokerId: 'one' }, 'a', NOW, async () => {
    database.version = 2;
    return { listed: page, goodUntil: Number.POSITIVE_INFINITY };
  });
  if ('body' in slow) throw new Error('it was read');
  slow.keep?.(Buffer.from('old'));
  t.equal(await ask('one', 'a'), null);
});

t.test('a broker has a megabyte, and pushes out its own alone', async (t) => {
  const { ask } = setUp();
  await ask('other', 'a');
  for (let n = 0; n < 40; n += 1) await ask('one', `page ${n}`, { bytes: MEGABYTE / 20 });
  t.equal(await ask('one', 'page 0', { bytes: MEGABYTE / 20 }), null);
  t.ok(await ask('one', 'page 39'));
  t.ok(await ask('other', 'a'));
  await ask('one', 'huge', { bytes: MEGABYTE + 1 });
  t.equal(await ask('one', 'huge'), null, 'what is larger than its whole share is not kept');
  const name = 'x'.repeat(MEGABYTE / 2);
  await ask('one', name);
  t.equal(await ask('one', name), null, 'names count too');
});

t.test('the brokers that asked last are known, sixteen of them', async (t) => {
  const { ask } = setUp();
  for (let n = 0; n < 17; n += 1) await ask(`broker ${n}`, 'a');
  t.ok(await ask('broker 1', 'a'));
  t.equal(await ask('broker 0', 'a'), null);
  t.ok(await ask('broker 1', 'a'), 'who has just asked stays');
  t.equal(await ask('broker 2', 'a'), null);
});

t.test('where the engine cannot tell whether anything was committed, nothing is kept', async (t) => {
  t.equal(createKnownAnswers({}), undefined);
});
