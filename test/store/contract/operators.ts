import type { Test } from 'tap';
import type { OperatorRow } from '../../../src/store/operators.ts';
import { atOnce, type Opened } from '../contract.ts';
import { aRequest, next, stock, T0 } from '../records.ts';

const HOUR = 3_600_000;

const anOperator = (fields: Partial<OperatorRow> = {}): OperatorRow => {
  const email = `Person-${next()}@example.com`;
  return {
    id: `opr_${next()}`,
    email,
    emailFolded: email.toLowerCase(),
    name: 'A person',
    role: 'viewer',
    active: true,
    createdAt: T0,
    updatedAt: T0,
    lastSignInAt: null,
    ...fields,
  };
};

/** The people of the console, their links and sessions; what they look for among all brokers. */
export async function operatorContract(t: Test, opened: Opened): Promise<void> {
  const { store } = opened;
  const add = async (fields?: Partial<OperatorRow>) => {
    const row = anOperator(fields);
    await store.tx((tx) => tx.operators.insert(row));
    return row;
  };
  const session = (operatorId: string, fields: object = {}) => ({
    id: `ses_${next()}`,
    tokenHash: `hash ${next()}`,
    operatorId,
    createdAt: T0,
    lastSeenAt: T0,
    expiresAt: T0 + HOUR,
    ip: null,
    userAgent: null,
    ...fields,
  });

  await t.test('a person is found by id and by address, changed, and goes with sessions and links', async (t) => {
    const row = await add();
    t.strictSame(await store.read.operators.find(row.id), row);
    t.strictSame(await store.read.operators.findByEmail(row.emailFolded), row);
    t.equal(await store.read.operators.findByEmail(row.email), null, 'by the folded address alone');
    t.match(await store.tx((tx) => tx.operators.update(row.id, { role: 'admin' })), { role: 'admin' });
    t.equal(await store.tx((tx) => tx.operators.update('opr_nobody', { role: 'admin' })), null);
    const own = session(row.id);
    await store.tx(async (tx) => {
      await tx.operators.insertSession(own);
      await tx.operators.insertLink({
        tokenHash: `link ${row.id}`,
        operatorId: row.id,
        createdAt: T0,
        expiresAt: T0 + 1,
      });
    });
    t.match(await store.read.operators.findVisit(own.tokenHash), {
      session: own,
      operator: { id: row.id, role: 'admin' },
    });
    await store.tx((tx) => tx.operators.remove(row.id));
    t.equal(await store.read.operators.find(row.id), null);
    t.equal(await store.read.operators.findVisit(own.tokenHash), null);
  });

  await t.test('a link is taken once, however many try at the same time, and only before its end', async (t) => {
    const row = await add();
    const link = (tokenHash: string, createdAt: number) => ({
      tokenHash,
      operatorId: row.id,
      createdAt,
      expiresAt: T0 + 100,
    });
    await store.tx((tx) => tx.operators.insertLink(link('one', T0)));
    const taken = await atOnce(opened, 8, (store) => store.tx((tx) => tx.operators.takeLink('one', T0 + 99)));
    t.equal(taken.filter((each) => each !== null).length, 1);
    await store.tx(async (tx) => {
      for (const [index, hash] of ['a', 'b', 'c'].entries()) await tx.operators.insertLink(link(hash, T0 + index));
      await tx.operators.trimLinks(row.id, 2);
    });
    t.equal(await store.tx((tx) => tx.operators.takeLink('a', T0)), null, 'the oldest was one too many');
    t.equal(await store.tx((tx) => tx.operators.takeLink('b', T0 + 100)), null, 'its time is over');
    await store.tx((tx) => tx.operators.sweepLinks(T0 + 100));
    t.equal(await store.tx((tx) => tx.operators.takeLink('c', T0)), null);
  });

  await t.test('sessions are listed newest first, ended by their owner, and swept when they are over', async (t) => {
    const [row, other] = [await add(), await add()];
    const [old, idle, fresh] = [
      session(row.id, { createdAt: T0, expiresAt: T0 + 5 }),
      session(row.id, { createdAt: T0 + 1, lastSeenAt: T0 - HOUR, expiresAt: T0 + HOUR }),
      session(row.id, { createdAt: T0 + 2 }),
    ];
    await store.tx(async (tx) => {
      for (const each of [old, idle, fresh]) await tx.operators.insertSession(each);
      await tx.operators.touchSession(fresh.id, { lastSeenAt: T0 + 7, ip: '192.0.2.1' });
    });
    const ids = async () => (await store.read.operators.listSessions(row.id)).map(({ id }) => id);
    t.strictSame(await ids(), [fresh.id, idle.id, old.id]);
    t.match((await store.read.operators.listSessions(row.id))[0], { lastSeenAt: T0 + 7, ip: '192.0.2.1' });
    await store.tx((tx) => tx.operators.sweepSessions(T0 + 5, T0 - 1));
    t.strictSame(await ids(), [fresh.id]);
    t.equal(await store.tx((tx) => tx.operators.removeSession(other.id, fresh.id)), false);
    t.equal(await store.tx((tx) => tx.operators.removeSession(row.id, fresh.id)), true);
    await store.tx((tx) => tx.operators.removeSessions([]));
    await store.tx((tx) => tx.operators.removeSessions([old.id]));
  });

  await t.test('requests of all brokers come in the order of their ids, narrowed by status and type', async (t) => {
    const { broker, service } = await stock(store);
    const rows = (['failed', 'completed', 'operator_review'] as const).map((status, index) =>
      aRequest(service, { id: `req_zz${index}${next()}`, status, type: 'plan-upgrade' }),
    );
    await store.tx(async (tx) => {
      for (const row of rows) await tx.requests.insert(row);
    });
    const page = { limit: 100, offset: 0 };
    const own = async (filter: object, order: 'newest' | 'oldest' = 'newest') =>
      (await store.read.overview.pageRequests(filter, order, page))
        .filter((row) => row.broker.id === broker.id)
        .map(({ request }) => request.id);
    const ids = rows.map(({ id }) => id);
    t.strictSame(await own({}), ids.toReversed());
    t.strictSame(await own({ status: 'failed' }, 'oldest'), [ids[0]]);
    for (const [index, status] of ['failed', 'completed', 'operator_review'].entries()) {
      t.strictSame(await own({ status, type: 'plan-upgrade' }), [ids[index]], status);
      t.strictSame(await own({ status, type: 'cancellation' }), [], status);
    }
    t.ok((await store.read.overview.countRequests({ status: 'failed', type: 'plan-upgrade' })) >= 1);
    t.ok((await store.read.overview.countRequests({})) >= 3);
    t.equal(await store.read.overview.findServiceOwner(service.number), broker.id);
    t.equal(await store.read.overview.findServiceOwner(999_999_999), null);
    t.equal((await store.read.overview.listOfService(broker.id, service.number, 2)).length, 2);
    const tallies = await store.read.overview.listTallies([broker.id]);
    t.equal(tallies.filter(({ subject }) => subject === 'requests').length, 3);
    t.equal((await store.read.overview.countKeys([broker.id])).size, 0);
    t.strictSame(await store.read.overview.pageKeys(broker.id, page), { rows: [], total: 0 });
  });
}
