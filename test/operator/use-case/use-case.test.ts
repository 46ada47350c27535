import { Type } from '@sinclair/typebox';
import t, { type Test } from 'tap';
import { listAudit } from '../../../src/operator/audit/audit.ts';
import { createBroker } from '../../../src/operator/brokers/brokers.ts';
import type { ChangeDeps } from '../../../src/operator/use-case/dependencies.ts';
import { useCase } from '../../../src/operator/use-case/use-case.ts';
import { BROKER, createOperatorContext } from '../../support/operator-context.ts';

const ABOUT = { brokerId: null, subject: 'setting/colour' };
const DECLARED = {
  name: 'colours set',
  title: 'Set',
  description: 'Set the colour',
  example: 'colours set blue',
  input: Type.Object({}),
} as const;

const put = (tx: Parameters<Parameters<ChangeDeps['store']['tx']>[0]>[0], value: string) =>
  tx.settings.put({ name: 'colour', value });

const setColour = useCase({
  ...DECLARED,
  role: 'admin',
  action: 'colour.set',
  async change(tx) {
    const before = await tx.settings.find('colour');
    if (before === 'blue') return { record: { colour: 'blue' }, isChanged: false };
    await put(tx, 'blue');
    return { record: { colour: 'blue' }, about: ABOUT, before: { colour: before }, after: { colour: 'blue' } };
  },
});

async function open(t: Test) {
  const context = await createOperatorContext();
  t.teardown(context.close);
  return context;
}

t.test('a change resolves with its record, and writes the row that it declares', async (t) => {
  const context = await open(t);
  t.strictSame(await setColour.perform(context, {}), { record: { colour: 'blue' }, isChanged: true });
  t.match(await listAudit(context), [{ action: 'colour.set', subject: 'setting/colour', after: { colour: 'blue' } }]);
});

t.test('a change that changes nothing says so, and writes no row', async (t) => {
  const context = await open(t);
  await context.store.tx((tx) => put(tx, 'blue'));
  t.strictSame(await setColour.perform(context, {}), { record: { colour: 'blue' }, isChanged: false });
  t.strictSame(await listAudit(context), []);
});

t.test('values that turn out to be the same are no change either', async (t) => {
  const context = await open(t);
  const again = useCase({
    ...DECLARED,
    role: 'admin',
    action: 'colour.set',
    change: async () => ({ record: {}, about: ABOUT, before: { colour: 'blue' }, after: { colour: 'blue' } }),
  });
  t.equal((await again.perform(context, {})).isChanged, false);
});

t.test('a change whose row cannot be written is not made', async (t) => {
  const context = await open(t);
  const newId = () => {
    throw new Error('no id');
  };
  await t.rejects(setColour.run({ ...context, newId }, {}), { message: 'no id' });
  t.equal(await context.store.read.settings.find('colour'), null);
});

t.test('of two who create the same at once, the second finds the record of the first', async (t) => {
  const context = await open(t);
  const done = await Promise.all([createBroker.perform(context, BROKER), createBroker.perform(context, BROKER)]);
  t.strictSame(done.map(({ isChanged }) => isChanged).sort(), [false, true]);
});

t.test('a change that a unique index refused is tried once more', async (t) => {
  const context = await open(t);
  let tries = 0;
  const create = useCase({
    ...DECLARED,
    role: 'admin',
    action: 'colour.set',
    async change() {
      tries += 1;
      throw Object.assign(new Error('taken'), { code: 'SQLITE_CONSTRAINT_UNIQUE' });
    },
  });
  await t.rejects(create.run(context, {}), { message: 'taken' });
  t.equal(tries, 2);
});

t.test('a declaration with a role and without an action does not compile', async (t) => {
  // @ts-expect-error -- it needs `action` with `change`, or `audits` beside `run`
  const silent = useCase({ ...DECLARED, role: 'admin', run: async () => ({}) });
  t.strictSame(silent.actions, []);
});
