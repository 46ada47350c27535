import { EventEmitter, once } from 'node:events';
import t, { type Test } from 'tap';
import { systemClock } from '../../../src/runtime/clock.ts';
import { openPostgres } from '../../../src/store/drivers/postgres.ts';
import { listenForDue } from '../../../src/store/drivers/postgres-due.ts';
import { openSqlite } from '../../../src/store/drivers/sqlite.ts';
import type { OnDue, Store } from '../../../src/store/store.ts';
import { createDueSignal } from '../../../src/worker/due-signal.ts';
import { aRequest, stock, T0 } from '../../support/rows.ts';
import { createDatabase, services } from '../../support/services.ts';
import { until } from '../../support/until.ts';

/* What a commit reports of work that it made due. */

const OPEN: Record<'sqlite' | 'postgres', (t: Test, onDue: OnDue) => Promise<Store>> = {
  sqlite: (t, onDue) => openSqlite({ file: `${t.testdir()}/broker.db`, monotonic: systemClock.monotonic, onDue }),
  async postgres(t, onDue) {
    const { url, drop } = await createDatabase();
    t.teardown(drop);
    return openPostgres({ url, onDue });
  },
};

for (const engine of ['sqlite', 'postgres'] as const) {
  t.test(`a change that makes work due reports the earliest date once it is durable, on ${engine}`, async (t) => {
    if (engine === 'postgres' && !(await services(t, 'PostgreSQL'))) return;
    const reported: Array<[dueAt: number, isDurable: Promise<unknown>]> = [];
    const store = await OPEN[engine](t, (dueAt) => {
      reported.push([dueAt, store.read.requests.findAnyDue(dueAt)]);
    });
    t.teardown(() => store.close());
    const { service, broker } = await stock(store);
    const accepted = (dueAt: number | null) => aRequest(service, { type: 'service-action', status: 'accepted', dueAt });
    const [first, second, waiting] = [accepted(T0 + 2), accepted(T0 + 1), accepted(null)];
    await store.tx(async (tx) => {
      await tx.requests.insert(first);
      await tx.requests.move(broker.id, first.id, { status: 'accepted' }, { status: 'completed', dueAt: null });
      await tx.requests.insert(second);
    });
    t.strictSame(
      reported.map(([dueAt]) => dueAt),
      [T0 + 1],
    );
    t.equal(await reported[0]?.[1], second.id);
    await store.tx((tx) =>
      tx.requests.move(broker.id, second.id, { status: 'accepted' }, { status: 'completed', dueAt: null }),
    );
    await store.tx((tx) => tx.requests.insert(waiting)).then(() => t.equal(reported.length, 1, 'nothing is due'));
    await store.tx((tx) => tx.requests.move(broker.id, waiting.id, { status: 'accepted' }, { dueAt: T0 + 9 }));
    t.strictSame(
      reported.map(([dueAt]) => dueAt),
      [T0 + 1, T0 + 9],
    );
    await reported[1]?.[1];
  });
}

t.test('a process without a worker announces due work to those that listen on PostgreSQL', async (t) => {
  if (!(await services(t, 'PostgreSQL'))) return;
  const { url, drop } = await createDatabase();
  const serving = createDueSignal();
  const store = await openPostgres({ url, onDue: serving.report });
  const heard = new EventEmitter();
  const stop = listenForDue(url, (dueAt) => heard.emit('due', dueAt));
  t.teardown(async () => {
    await stop();
    await store.close();
    await drop();
  });
  const { service } = await stock(store);
  const announced = once(heard, 'due');
  // The listener connects meanwhile: each commit announces anew.
  await until('an announcement arrives', async () => {
    await store
      .tx((tx) => tx.requests.insert(aRequest(service, { type: 'service-action', status: 'accepted', dueAt: T0 })))
      .catch(() => undefined);
    return heard.listenerCount('due') === 0;
  });
  t.strictSame(await announced, [T0]);
});

t.test('listening ends also while it connects, and where no server answers', async (t) => {
  if (!(await services(t, 'PostgreSQL'))) return;
  const { url, drop } = await createDatabase();
  t.teardown(drop);
  for (const server of [url, 'postgres://127.0.0.1:1/none']) {
    await t.resolves(listenForDue(server, () => undefined)());
  }
});

t.test('where a worker listens in the process, nothing is announced to others', async (t) => {
  const signal = createDueSignal();
  const [own, others]: [number[], number[]] = [[], []];
  signal.report(1, (dueAt) => others.push(dueAt));
  const stop = signal.listen((dueAt) => own.push(dueAt));
  signal.report(2, (dueAt) => others.push(dueAt));
  stop();
  signal.report(3, (dueAt) => others.push(dueAt));
  t.strictSame({ own, others }, { own: [2], others: [1, 3] });
});
