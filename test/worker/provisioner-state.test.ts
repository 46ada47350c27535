import t, { type Test } from 'tap';
import type { Work, WorkOutcome } from '../../src/ports.ts';
import { findProvisionerState, watchProvisioner } from '../../src/worker/provisioner-state.ts';
import { createTestProvisioner } from '../support/work.ts';
import { createWorld } from '../support/world.ts';

const DOWN: WorkOutcome = {
  outcome: 'retry',
  reason: 'provisioner_unreachable',
  message: 'The provisioner could not be reached',
  mayBeDone: false,
};
const WORK = {} as Work;

/** A process whose provisioner meets the answers that the test gives, and the state that all processes see. */
async function processes(t: Test) {
  const world = await createWorld();
  t.teardown(() => world.close());
  const { store, clock } = world;
  const start = () => {
    const provisioner = createTestProvisioner();
    const watched = watchProvisioner({ fulfil: (...call) => provisioner.fulfil(...call) }, { store, clock });
    return {
      record: watched.record,
      async call(answer: WorkOutcome, signal?: AbortSignal) {
        provisioner.answers.push(answer);
        await watched.provisioner.fulfil(WORK, signal);
      },
    };
  };
  return { ...world, start, state: () => findProvisionerState(store.read) };
}

t.test('it is unknown before the first answer, and answers with it', async (t) => {
  const { start, state, clock } = await processes(t);
  const one = start();
  t.match(await state(), { state: 'unknown', answeredAt: null, failingSince: null });
  await one.call({ outcome: 'done' });
  await one.record();
  t.match(await state(), { state: 'answering', answeredAt: clock.now(), failingSince: null });
});

t.test('it does not answer after three calls over a minute, counted over all processes', async (t) => {
  const { start, state, clock } = await processes(t);
  const [one, other] = [start(), start()];
  await one.call({ outcome: 'done' });
  await one.record();
  clock.advance(1_000);
  const since = clock.now();
  await one.call(DOWN);
  await other.call(DOWN);
  clock.advance(59_000);
  await one.call(DOWN);
  await one.record(true);
  await other.record(true);
  t.match(await state(), { state: 'answering', failingSince: since }, 'not yet a minute');
  clock.advance(1_000);
  await other.call(DOWN);
  await other.record(true);
  const { reason, message } = DOWN;
  t.match(await state(), { state: 'not_answering', failingSince: since, reason, message });
  clock.advance(1_000);
  await one.call({ outcome: 'failed', reason: 'no_capacity', message: '', serviceUsable: true, retryable: true });
  await one.record(true);
  t.match(await state(), { state: 'answering', answeredAt: clock.now(), failingSince: null, reason: null });
});

t.test('two calls that had no answer say nothing yet, however long ago the first was', async (t) => {
  const { start, state, clock } = await processes(t);
  const one = start();
  await one.call(DOWN);
  clock.advance(600_000);
  await one.call(DOWN);
  await one.record();
  t.match(await state(), { state: 'unknown', answeredAt: null });
});

t.test('an answer of one process that came later than the calls of another one ends what these say', async (t) => {
  const { start, state, clock } = await processes(t);
  const [one, other] = [start(), start()];
  for (let calls = 0; calls < 5; calls += 1) {
    await one.call(DOWN);
    clock.advance(30_000);
  }
  await other.call({ outcome: 'in_progress', token: null, checkAfterSeconds: null });
  await other.record();
  await one.record();
  t.match(await state(), { state: 'answering', failingSince: null });
});

t.test('many calls cost a write every few seconds, and none where nothing was called', async (t) => {
  const { start, store, clock } = await processes(t);
  let writes = 0;
  const counting = { tx: ((work) => store.tx(work).finally(() => (writes += 1))) as typeof store.tx };
  const watched = watchProvisioner({ fulfil: async () => ({ outcome: 'done' }) }, { store: counting, clock });
  for (let calls = 0; calls < 100; calls += 1) {
    await watched.provisioner.fulfil(WORK);
    await watched.record();
  }
  t.equal(writes, 1);
  clock.advance(5_000);
  await watched.record();
  await watched.record(true);
  t.equal(writes, 2, 'what came after the first write');
  await start().record(true);
});

t.test('what could not be written is written with the next', async (t) => {
  const { store, clock, state } = await processes(t);
  let isAway = true;
  const tx: typeof store.tx = (work) => (isAway ? Promise.reject(new Error('away')) : store.tx(work));
  const watched = watchProvisioner({ fulfil: async () => DOWN }, { store: { tx }, clock });
  await watched.provisioner.fulfil(WORK);
  await t.rejects(watched.record(), { message: 'away' });
  isAway = false;
  clock.advance(60_000);
  await watched.provisioner.fulfil(WORK);
  await watched.provisioner.fulfil(WORK);
  await watched.record();
  t.match(await state(), { state: 'not_answering' });
});

t.test('a call that the end of the process cut short says nothing', async (t) => {
  const { start, state } = await processes(t);
  const one = start();
  await one.call(DOWN, AbortSignal.abort());
  await one.record(true);
  t.match(await state(), { state: 'unknown', failingSince: null });
});
