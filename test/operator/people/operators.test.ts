import t, { type Test } from 'tap';
import {
  createConsoleLink,
  createMailedLink,
  listSessions,
  openSession,
} from '../../../src/operator/people/console-access.ts';
import { addOperator, listOperators, removeOperator, setOperator } from '../../../src/operator/people/operators.ts';
import { createOperatorContext } from '../../support/operator-context.ts';
import { openScratchPostgres, services } from '../../support/services.ts';

/** Use cases on PostgreSQL, where transactions run at the same time. */
async function onPostgres(t: Test) {
  if (!(await services(t, 'PostgreSQL'))) return null;
  const context = await createOperatorContext(openScratchPostgres);
  t.teardown(() => context.close());
  return context;
}

const add = (context: Awaited<ReturnType<typeof createOperatorContext>>, name: string) =>
  addOperator.run(context, { email: `${name}@example.com`, name, role: 'admin' });

t.test('the last active administrator stays one, also when two act at once', async (t) => {
  const context = await onPostgres(t);
  if (!context) return;
  const ways: Array<[string, (email: string) => Promise<unknown>]> = [
    ['demoted', (email) => setOperator.run(context, { email, role: 'viewer' })],
    ['switched off', (email) => setOperator.run(context, { email, active: false })],
    // In the console: a command may remove the only operator, as the second of the two can be by then.
    [
      'removed',
      (email) =>
        removeOperator.run({ ...context, actor: { kind: 'operator', name: email, clientIp: null } }, { email }),
    ],
  ];
  for (const [title, act] of ways) {
    for (let turn = 0; turn < 5; turn += 1) {
      const people = await Promise.all([add(context, `ada-${turn}`), add(context, `bob-${turn}`)]);
      const outcomes = await Promise.allSettled(people.map(({ email }) => act(email)));
      t.strictSame(outcomes.map(({ status }) => status).sort(), ['fulfilled', 'rejected'], title);
      const left = await listOperators.run(context, {});
      t.equal(left.filter(({ role, active }) => role === 'admin' && active).length, 1, title);
      await Promise.all(
        left
          .filter(({ role, active }) => role !== 'admin' || !active)
          .map(({ email }) => removeOperator.run(context, { email })),
      );
      for (const { email } of await listOperators.run(context, {})) await removeOperator.run(context, { email });
    }
  }
});

t.test('an operator cannot remove or demote the only administrator; a command removes the only operator', async (t) => {
  const context = await createOperatorContext();
  t.teardown(() => context.close());
  const { email } = await add(context, 'ada');
  const console = { ...context, actor: { kind: 'operator', name: email, clientIp: null } as const };
  await t.rejects(removeOperator.run(console, { email }), { message: /last active admin/ });
  await t.rejects(setOperator.run(console, { email, active: false }), { message: /last active admin/ });
  t.match(await removeOperator.run(context, { email }), { removed: true });
});

t.test('of links that are asked for at the same time three are mailed', async (t) => {
  const context = await onPostgres(t);
  if (!context) return;
  const { email } = await add(context, 'ada');
  const links = await Promise.all(
    Array.from({ length: 12 }, () => createMailedLink(context, { email, consoleUrl: '' })),
  );
  t.equal(links.filter((link) => link !== null).length, 3);
});

t.test('an operator who is switched off cannot sign in', async (t) => {
  const context = await onPostgres(t);
  if (!context) return;
  await add(context, 'bob');
  const { email } = await add(context, 'ada');
  for (let turn = 0; turn < 10; turn += 1) {
    const { url } = await createConsoleLink.run({ ...context, consoleUrl: '' }, { email });
    const linkToken = url.slice('/sign-in/'.length);
    await Promise.all([
      openSession(context, { linkToken, ip: null, userAgent: null }),
      setOperator.run(context, { email, active: false }),
    ]);
    await setOperator.run(context, { email, active: true });
    t.strictSame(await listSessions.run(context, { email }), []);
  }
});
