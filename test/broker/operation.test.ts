import t, { type Test } from 'tap';
import type { Claim, Outcome } from '../../src/broker/operation.ts';
import { idempotently } from '../../src/broker/operation.ts';
import { createWorld } from '../support/world.ts';

async function setting(t: Test) {
  const world = await createWorld();
  t.teardown(() => world.close());
  const { store, clock } = world;
  const broker = await world.addBroker();
  let done = 0;
  const claim = (fields: Partial<Claim> = {}): Claim => ({
    name: { brokerId: broker.id, mode: 'live', namespace: 'action', key: 'one' },
    fingerprint: 'input',
    onOtherInput: 'compare',
    keepForMs: 1000,
    encode: (outcome) => JSON.stringify({ success: true, data: outcome.data }),
    ...fields,
  });
  const work = async (): Promise<Outcome<object>> => {
    done += 1;
    return { statusCode: 202, data: { done } };
  };
  return {
    ...world,
    broker,
    claim,
    run: (by: Claim | undefined, does = work) => store.tx((tx) => idempotently(tx, by, clock.now(), () => does())),
  };
}

t.test('without a key the work is done each time and its outcome stays one', async (t) => {
  const { run } = await setting(t);
  t.strictSame(await run(undefined), { statusCode: 202, data: { done: 1 } });
  t.strictSame(await run(undefined), { statusCode: 202, data: { done: 2 } });
});

t.test('under a key the work is done once, and its bytes are what everybody gets', async (t) => {
  const { run, claim, clock } = await setting(t);
  const body = '{"success":true,"data":{"done":1}}';
  t.strictSame(await run(claim()), { statusCode: 202, body, replayed: false });
  t.strictSame(await run(claim()), { statusCode: 202, body, replayed: true });
  clock.advance(999);
  t.match(await run(claim()), { replayed: true });
  clock.advance(1);
  t.match(await run(claim()), { body: '{"success":true,"data":{"done":2}}', replayed: false });
});

t.test(
  'other input is refused where it is compared, and gets the first answer with a note where it is not',
  async (t) => {
    const { run, claim } = await setting(t);
    await run(claim());
    await t.rejects(run(claim({ fingerprint: 'other' })), {
      code: 'already_processed',
      details: { reason: 'idempotency_key_reused' },
    });
    const replay = await run(claim({ fingerprint: 'other', onOtherInput: 'replay' }));
    t.match(replay, { statusCode: 202, replayed: true });
    t.match(JSON.parse((replay as { body: string }).body), { data: { done: 1 }, message: /ignored/ });
  },
);

t.test('a failure leaves neither the claim nor the change behind', async (t) => {
  const { run, claim, broker, store } = await setting(t);
  await t.rejects(
    store.tx((tx) =>
      idempotently(tx, claim(), 0, async () => {
        await tx.brokers.update(broker.id, { name: 'changed' });
        throw new Error('failed');
      }),
    ),
    { message: 'failed' },
  );
  t.equal((await store.read.brokers.find(broker.id))?.name, broker.name);
  t.match(await run(claim()), { replayed: false });
});

t.test('names differ by broker, mode and namespace; a key without an end is kept for good', async (t) => {
  const { run, claim, clock, addBroker } = await setting(t);
  const { name } = claim();
  const other = await addBroker();
  await run(claim({ keepForMs: null }));
  for (const each of [
    { brokerId: other.id },
    { mode: 'test' as const },
    { namespace: 'creation' as const },
    { key: 'two' },
  ]) {
    t.match(await run(claim({ name: { ...name, ...each } })), { replayed: false });
  }
  clock.advance(1e12);
  t.match(await run(claim({ keepForMs: null })), { replayed: true });
});
