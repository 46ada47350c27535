import t from 'tap';
import type { Claim } from '../../src/broker/operation.ts';
import { sendInvoicesReport } from '../../src/broker/send-report.ts';
import { openPostgres } from '../../src/store/drivers/postgres.ts';
import { openSqlite } from '../../src/store/drivers/sqlite.ts';
import type { Store } from '../../src/store/store.ts';
import { openScratchPostgres, services } from '../support/services.ts';
import { PATIENCE_MS } from '../support/until.ts';
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

for (const engine of ['SQLite', 'PostgreSQL'] as const) {
  t.test(`on ${engine} a process that ends between the email and its record sends nothing twice`, async (t) => {
    if (engine === 'PostgreSQL' && !(await services(t, 'PostgreSQL'))) return;
    const scratch = engine === 'PostgreSQL' ? await openScratchPostgres() : undefined;
    const world = await createWorld(scratch ? { openStore: async () => scratch } : { onFile: true });
    t.teardown(() => world.close());
    const { context, clock, mailer } = world;
    const broker = await world.addBroker();
    const caller = { brokerId: broker.id, broker };
    const claim = (fingerprint = 'input'): Claim => ({
      name: { brokerId: broker.id, mode: 'live', namespace: 'action', key: 'night-1' },
      fingerprint,
      onOtherInput: 'compare',
      keepForMs: 86_400_000,
      encode: (outcome) => JSON.stringify(outcome),
    });
    const other = scratch
      ? await openPostgres({ url: scratch.url })
      : await openSqlite({
          file: `${world.directory}/broker.db`,
          monotonic: clock.monotonic,
          queuePatienceMs: PATIENCE_MS,
        });
    t.teardown(() => other.close());
    let answer: (receipt: { messageId: string }) => void = () => undefined;
    const handedOver = new Promise<void>((resolve) => {
      const isAnswered = new Promise<{ messageId: string }>((receive) => {
        answer = receive;
      });
      mailer.send = () => {
        resolve();
        return isAnswered;
      };
    });
    const first = sendInvoicesReport(context, caller, {}, claim());
    await handedOver;

    let sentTwice = 0;
    const counting = {
      ...mailer,
      async send() {
        sentTwice += 1;
        return { messageId: 'twice' };
      },
    };
    const repeat = (fingerprint?: string) =>
      sendInvoicesReport({ ...context, store: other, mailer: counting }, caller, {}, claim(fingerprint));
    await t.rejects(repeat(), { code: 'server_error', retryAfterSeconds: 5 }, 'while the first may be at it');
    await t.rejects(repeat('other'), { code: 'already_processed' });
    clock.advance(120_001);
    const unknown = { reason: 'outcome_unknown', provider_code: null, retryable: false };
    await t.rejects(repeat(), { code: 'email_send_error', details: unknown }, 'when it must have ended');
    t.equal(sentTwice, 0);

    // It had not ended: its mail server was slow.
    answer({ messageId: '1' });
    const sent = await first;
    t.match([sent, await repeat()], [{ replayed: false }, { ...sent, replayed: true }]);
    t.equal(sentTwice, 0);
  });
}
