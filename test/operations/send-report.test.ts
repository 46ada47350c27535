import t from 'tap';
import { sendInvoicesReport } from '../../src/operations/send-report.ts';
import type { Store } from '../../src/store/store.ts';
import { createWorld } from '../support/world.ts';

t.test('a report holds its turn until its email is out, so that one file of a broker is in memory', async (t) => {
  const world = await createWorld();
  t.teardown(() => world.close());
  const broker = await world.addBroker();
  const order: string[] = [];
  const store: Store = {
    ...world.store,
    report: (owner, work) =>
      world.store.report(owner, async (csv) => {
        order.push('turn begins');
        const result = await work(csv);
        order.push('turn ends');
        return result;
      }),
  };
  const mailer = {
    ...world.context.mailer,
    async send() {
      order.push('email');
      return { messageId: '1' };
    },
  };
  const send = () => sendInvoicesReport({ ...world.context, store, mailer }, { brokerId: broker.id, broker }, {});
  await Promise.all([send(), send()]);
  const turn = ['turn begins', 'email', 'turn ends'];
  t.strictSame(order, [...turn, ...turn]);
});

t.test('a report whose line in the email log cannot be written is not sent', async (t) => {
  const world = await createWorld();
  t.teardown(() => world.close());
  const broker = await world.addBroker();
  const store: Store = { ...world.store, tx: () => Promise.reject(new Error('the disk is full')) };
  await t.rejects(sendInvoicesReport({ ...world.context, store }, { brokerId: broker.id, broker }, {}), {
    message: 'the disk is full',
  });
  t.equal(world.mailer.sent.length, 0);
});
