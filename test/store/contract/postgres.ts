import type { Test } from 'tap';
import { ApiError, fail } from '../../../src/errors.ts';
import type { Store } from '../../../src/store/store.ts';
import { aBroker, stock } from '../../support/rows.ts';

export async function isOutOfService(t: Test, call: Promise<unknown>, message: string): Promise<void> {
  const error = await call.then(
    () => undefined,
    (refusal: unknown) => refusal,
  );
  t.ok(error instanceof ApiError, message);
  t.match(error, { code: 'server_error', statusCode: 500, retryAfterSeconds: 2 }, message);
}

/** What holds for PostgreSQL alone. */
export async function postgresContract(t: Test, store: Store): Promise<void> {
  await t.test('a transaction that lost against another one is tried again', async (t) => {
    const { broker, service } = await stock(store);
    let attempts = 0;
    await store.tx(async (tx) => {
      attempts += 1;
      await tx.services.update(broker.id, service.number, { status: 'suspended' });
      if (attempts === 1) throw Object.assign(new Error('deadlock detected'), { code: '40P01' });
    });
    t.equal(attempts, 2);
    t.equal(await store.read.counters.total(broker.id, 'services', { status: 'suspended' }), 1);
  });

  await t.test('a transaction that always loses is given up as overload', async (t) => {
    let attempts = 0;
    const work = store.tx(async () => {
      attempts += 1;
      throw Object.assign(new Error('could not serialize access'), { code: '40001' });
    });
    await isOutOfService(t, work, 'given up');
    t.equal(attempts, 8);
  });

  await t.test('a work that goes on after a refused statement is refused as a whole', async (t) => {
    const { broker } = await stock(store);
    const work = store.tx(async (tx) => {
      await tx.brokers.update(broker.id, { name: 'Never stored' });
      await tx.brokers.insert(aBroker({ slug: broker.slug })).catch(() => undefined);
      return 'all is well';
    });
    await t.rejects(work, { message: /went on after one of its statements had failed/ });
    t.strictSame(await store.read.brokers.find(broker.id), broker);
  });

  await t.test('a wrong query is no fault of the server', async (t) => {
    const outcomes = await Promise.allSettled([
      store.read.services.find('brk_1', 1.5),
      store.tx((tx) => tx.services.lock('brk_1', 1.5)),
    ]);
    for (const outcome of outcomes) {
      const error = outcome.status === 'rejected' && outcome.reason;
      t.ok(error instanceof Error);
      t.notOk(error instanceof ApiError);
    }
  });

  await t.test('a refusal of the work itself is handed on as it is', async (t) => {
    const refusal = fail.serviceNotFound();
    await t.rejects(
      store.tx(async () => Promise.reject(refusal)),
      refusal,
    );
  });
}
