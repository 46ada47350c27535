import type { Test } from 'tap';
import { isUniqueViolation } from '../../../src/store/session/session.ts';
import type { Store, Tx } from '../../../src/store/store.ts';
import { aBroker, aRequest, aService, next, stock, T0 } from '../../support/rows.ts';
import { atOnce, type Opened } from '../contract.ts';

/** Transactions, counters, issued numbers and idempotency keys. */
export async function transactionContract(t: Test, opened: Opened): Promise<void> {
  const { store } = opened;

  await t.test('issued service numbers start at 1000001, rise, and skip those that stand already', async (t) => {
    t.equal(await store.tx((tx) => tx.sequences.nextServiceNumber()), 1_000_001);
    t.strictSame(await store.tx((tx) => tx.sequences.nextServiceNumbers(2)), [1_000_002, 1_000_003]);
    const { broker, plan } = await stock(store);
    await store.tx((tx) =>
      tx.services.insert(
        [1_000_004, 1_000_005, 1_000_008, 1_000_010].map((number) => aService(broker, plan, { number })),
      ),
    );
    t.equal(await store.tx((tx) => tx.sequences.nextServiceNumber()), 1_000_006);
    t.strictSame(
      await store.tx((tx) => tx.sequences.nextServiceNumbers(4)),
      [1_000_007, 1_000_009, 1_000_011, 1_000_012],
    );
    t.strictSame(await store.tx((tx) => tx.sequences.nextServiceNumbers(0)), []);
  });

  await t.test('a number is issued once, however many ask at once', async (t) => {
    const issued = await atOnce(opened, 20, (store, turn) =>
      store.tx(async (tx) =>
        turn % 3 === 0 ? tx.sequences.nextServiceNumbers(3) : [await tx.sequences.nextServiceNumber()],
      ),
    );
    t.equal(new Set(issued.flat()).size, issued.flat().length);
  });

  await t.test('a total is exact whichever connections have counted, one after the other or at once', async (t) => {
    const { broker, service, plan } = await stock(store);
    await atOnce(opened, 20, (store) =>
      store.tx(async (tx) => {
        await tx.requests.insert(aRequest(service, { type: 'cancellation-warning', status: 'completed' }));
        await tx.services.insert([aService(broker, plan), aService(broker, plan)]);
      }),
    );
    t.equal(await store.read.counters.total(broker.id, 'requests', { status: 'completed' }), 20);
    t.equal(await store.read.counters.total(broker.id, 'services'), 41);
  });

  await t.test('a work that throws leaves no trace, in records, in counters and in issued numbers', async (t) => {
    const { broker, plan, service } = await stock(store);
    const before = await store.tx((tx) => tx.sequences.nextServiceNumber());
    const failure = new Error('changed my mind');
    await t.rejects(
      store.tx(async (tx) => {
        await tx.sequences.nextServiceNumber();
        await tx.services.insert([aService(broker, plan)]);
        await tx.services.update(broker.id, service.number, { status: 'suspended' });
        await tx.requests.insert(aRequest(service));
        await tx.brokers.update(broker.id, { name: 'Another name' });
        throw failure;
      }),
      failure,
    );
    t.strictSame(await store.read.brokers.find(broker.id), broker);
    const listed = await store.read.services.page(broker.id, {}, { limit: 9, offset: 0 });
    t.strictSame(
      listed.map((view) => view.service.number),
      [service.number],
    );
    t.strictSame(await store.read.services.find(broker.id, service.number), service);
    t.equal(await store.read.requests.countMatches(broker.id, {}), 0);
    t.equal(await store.read.counters.total(broker.id, 'services'), 1);
    t.equal(await store.read.counters.total(broker.id, 'services', { status: 'suspended' }), 0);
    t.equal(await store.read.counters.total(broker.id, 'requests'), 0);
    t.equal(await store.tx((tx) => tx.sequences.nextServiceNumber()), before + 1);
  });

  await t.test('counters noted by a work that threw are not written by the next one', async (t) => {
    const { broker, plan, service } = await stock(store);
    await Promise.allSettled([
      store.tx(async (tx) => {
        await tx.services.insert([aService(broker, plan)]);
        throw new Error('no');
      }),
      store.tx((tx) => tx.requests.insert(aRequest(service))),
    ]);
    t.equal(await store.read.counters.total(broker.id, 'services'), 1);
    t.equal(await store.read.counters.total(broker.id, 'requests'), 1);
  });

  await t.test('a transaction sees its own writes, and others see them after its end', async (t) => {
    const broker = aBroker();
    const result = await store.tx(async (tx) => {
      await tx.brokers.insert(broker);
      return tx.brokers.find(broker.id);
    });
    t.strictSame(result, broker);
    t.strictSame(await store.read.brokers.find(broker.id), broker);
    if (opened.beside) t.strictSame(await opened.beside.read.brokers.find(broker.id), broker);
  });

  await t.test('a value that stands already is distinguished from every other failure', async (t) => {
    const { broker, service } = await stock(store);
    const refused = async (work: Parameters<Store['tx']>[0]) =>
      store.tx(work).then(
        () => t.fail('the write went through'),
        (error: unknown) => isUniqueViolation(error),
      );
    t.equal(await refused((tx) => tx.brokers.insert(aBroker({ slug: broker.slug }))), true, 'a unique column');
    t.equal(await refused((tx) => tx.brokers.insert({ ...aBroker(), id: broker.id })), true, 'a primary key');
    t.equal(await refused((tx) => tx.services.insert([service])), true, 'a number');
    t.equal(await refused((tx) => tx.requests.insert(aRequest({ ...service, number: 1 }))), false, 'a missing service');
    t.equal(await refused(() => Promise.reject(new Error('something else'))), false);
  });

  await t.test('a refused write undoes its whole work, and is the reason whatever comes behind it', async (t) => {
    const { broker, service } = await stock(store);
    const request = aRequest(service);
    const twice = async (tx: Tx) => {
      await tx.requests.insert(request);
      await tx.requests.insert(request);
    };
    const works: Array<(tx: Tx) => Promise<unknown>> = [
      twice,
      (tx) => twice(tx).then(() => tx.brokers.list()),
      (tx) => twice(tx).then(() => Promise.reject(new Error('what came behind'))),
    ];
    for (const work of works) {
      const error = await store.tx(work).catch((error: unknown) => error);
      t.ok(isUniqueViolation(error), String(error));
      t.strictSame(await store.read.requests.listOpen(broker.id, service.number), []);
      t.equal(await store.read.counters.total(broker.id, 'requests'), 0);
    }
    await store.tx((tx) => tx.requests.insert(request));
    t.strictSame(await store.read.requests.listOpen(broker.id, service.number), [request]);
    t.equal(await store.read.counters.total(broker.id, 'requests'), 1);
  });

  await t.test('counters equal the counted rows through every kind of change', async (t) => {
    const { broker, plan, rows, service } = await stock(store, 6);
    const second = { ...plan, id: `${plan.id}-2`, slugFolded: `s-${next()}`, displayNameFolded: `d-${next()}` };
    const other = await stock(store, 2);
    const request = aRequest(service, { type: 'plan-upgrade', status: 'accepted' });
    await store.tx(async (tx) => {
      await tx.plans.insert(second);
      await tx.services.update(broker.id, service.number, { planId: second.id });
      await tx.services.update(broker.id, service.number, { status: 'suspended' });
      await tx.services.update(broker.id, service.number, { label: 'as it was' });
      await tx.requests.insert(request);
      await tx.requests.insert(aRequest(service));
    });
    await store.tx(async (tx) => {
      const standing = await tx.services.lockMany(broker.id, [rows[1]?.number ?? 0, rows[2]?.number ?? 0]);
      const before = new Map(standing.map((row) => [row.number, row]));
      const [first, then] = standing;
      if (!first || !then) throw new Error('the services are there');
      await tx.services.replace(
        [
          { ...first, status: 'terminated' },
          { ...then, planId: second.id },
        ],
        before,
      );
      await tx.requests.move(broker.id, request.id, { status: 'accepted' }, { status: 'completed' });
      await tx.requests.move(broker.id, request.id, { status: 'completed' }, { updatedAt: T0 + 1 });
      await tx.requests.move(broker.id, request.id, { status: 'accepted' }, { status: 'failed' });
    });
    for (const brokerId of [broker.id, other.broker.id]) {
      for (const status of [undefined, 'active', 'suspended', 'terminated', 'cancelled'] as const) {
        for (const planId of [undefined, plan.id, second.id]) {
          t.equal(
            await store.read.counters.total(brokerId, 'services', {
              kinds: planId === undefined ? undefined : [planId],
              status,
            }),
            await store.read.services.countMatches(brokerId, { status, planId }),
            `services ${status} ${planId}`,
          );
        }
      }
      for (const status of [undefined, 'pending', 'accepted', 'completed', 'failed'] as const) {
        for (const type of [undefined, 'plan-upgrade', 'cancellation-warning'] as const) {
          t.equal(
            await store.read.counters.total(brokerId, 'requests', { kinds: type && [type], status }),
            await store.read.requests.countMatches(brokerId, { status, type }),
            `requests ${status} ${type}`,
          );
        }
      }
    }
    t.equal(await store.read.counters.total(broker.id, 'services', { kinds: [plan.id, second.id] }), 6);
    t.equal(await store.read.counters.total(broker.id, 'services', { kinds: [] }), 0);
    t.equal(await store.read.counters.total('brk_nobody', 'services'), 0);
  });

  await t.test('counters stay true when many change the same lists at once', async (t) => {
    const { broker, plan, rows } = await stock(store, 10);
    await atOnce(opened, 20, (store, turn) =>
      store.tx(async (tx) => {
        const row = rows[turn % 10];
        if (!row) throw new Error('the service is there');
        const standing = await tx.services.lock(broker.id, row.number);
        const status = standing?.status === 'active' ? 'suspended' : 'cancelled';
        await tx.services.update(broker.id, row.number, { status });
        await tx.services.insert([aService(broker, plan)]);
      }),
    );
    t.equal(await store.read.counters.total(broker.id, 'services'), 30);
    for (const [status, expected] of [
      ['active', 20],
      ['suspended', 0],
      ['cancelled', 10],
    ] as const) {
      t.equal(await store.read.counters.total(broker.id, 'services', { status }), expected, status);
      t.equal(await store.read.services.countMatches(broker.id, { status }), expected, status);
    }
  });

  await t.test('of concurrent equal claims one does the work, and the others get its answer', async (t) => {
    const { broker } = await stock(store);
    const claim = claimOf(broker.id);
    const seen = await atOnce(opened, 20, (store, turn) =>
      store.tx(async (tx) => {
        const standing = await tx.idempotency.claim(claim);
        if (standing) return standing.body;
        await tx.brokers.update(broker.id, { name: `worked in turn ${turn}` });
        await tx.idempotency.complete(claim, { statusCode: 201, body: `turn ${turn}` });
        return null;
      }),
    );
    const winner = seen.indexOf(null);
    t.equal(seen.filter((body) => body === null).length, 1);
    t.strictSame(new Set(seen), new Set([null, `turn ${winner}`]));
    t.equal((await store.read.brokers.find(broker.id))?.name, `worked in turn ${winner}`);
  });

  await t.test('a claim whose work fails leaves the key to the next one', async (t) => {
    const { broker } = await stock(store);
    const claim = claimOf(broker.id);
    let works = 0;
    const results = await Promise.allSettled(
      (['a', 'b', 'c'] as const).map((body) =>
        store.tx(async (tx) => {
          const standing = await tx.idempotency.claim(claim);
          if (standing) return standing.body;
          works += 1;
          if (works === 1) throw new Error('the first work fails');
          await tx.idempotency.complete(claim, { statusCode: 200, body });
          return body;
        }),
      ),
    );
    t.equal(works, 2);
    t.equal(results.filter(({ status }) => status === 'rejected').length, 1);
    t.equal(new Set(results.map((result) => 'value' in result && result.value)).size, 2);
  });

  await t.test('a claim answers with the whole record of the call that had the key first', async (t) => {
    const { broker } = await stock(store);
    const claim = claimOf(broker.id);
    const answer = { statusCode: 202, body: '{"text":"ünïcode \\u0000"}' };
    await store.tx(async (tx) => {
      t.equal(await tx.idempotency.claim(claim), null);
      await tx.idempotency.complete(claim, answer);
    });
    t.strictSame(await store.tx((tx) => tx.idempotency.claim({ ...claim, fingerprint: 'other' })), {
      ...claim,
      ...answer,
    });
  });

  await t.test('keys of another broker, mode or namespace never meet', async (t) => {
    const { broker } = await stock(store);
    const other = await stock(store);
    const claim = claimOf(broker.id);
    const apart = [
      claim,
      { ...claim, brokerId: other.broker.id },
      { ...claim, mode: 'test' as const },
      { ...claim, namespace: 'creation' as const },
      { ...claim, key: 'KEY' },
    ];
    for (const each of apart) {
      await store.tx(async (tx) => {
        t.equal(await tx.idempotency.claim(each), null);
        await tx.idempotency.complete(each, { statusCode: 200, body: JSON.stringify(each) });
      });
    }
    for (const each of apart) {
      t.equal((await store.tx((tx) => tx.idempotency.claim(each)))?.body, JSON.stringify(each));
    }
  });

  await t.test('a key is free again at the moment it expires, and one without an end is kept for good', async (t) => {
    const { broker } = await stock(store);
    const claim = claimOf(broker.id, { expiresAt: T0 + 100 });
    const kept = { ...claim, key: 'kept', expiresAt: null };
    const again = (row: typeof claim, at: number) =>
      store.tx((tx) => use(tx, { ...row, createdAt: at, expiresAt: at + 100 }));
    await store.tx(async (tx) => {
      await use(tx, claim);
      await use(tx, kept);
    });
    t.ok(await again(claim, T0 + 99));
    t.equal(await again(claim, T0 + 100), null);
    t.ok(await again(claim, T0 + 101), 'and taken anew');
    t.ok(await store.tx((tx) => tx.idempotency.claim({ ...kept, createdAt: T0 * 2 })));
  });

  await t.test('of concurrent claims of an expired key one does the work', async (t) => {
    const { broker } = await stock(store);
    const expired = claimOf(broker.id, { expiresAt: T0 + 1 });
    await store.tx((tx) => use(tx, expired));
    const claim = { ...expired, createdAt: T0 + 5, expiresAt: T0 + 1000 };
    const seen = await atOnce(opened, 20, (store, turn) =>
      store.tx(async (tx) => {
        const standing = await tx.idempotency.claim(claim);
        if (!standing) await tx.idempotency.complete(claim, { statusCode: 200, body: `turn ${turn}` });
        return standing?.body ?? null;
      }),
    );
    t.equal(seen.filter((body) => body === null).length, 1);
    t.strictSame(new Set(seen), new Set([null, `turn ${seen.indexOf(null)}`]));
  });

  await t.test('expired keys are swept in steps, the oldest first, and nothing else is', async (t) => {
    const { broker } = await stock(store);
    // Long before what other tests keep.
    const at = 1_000_000;
    const claims = [10, 11, 12, 13].map((expiresAt, index) =>
      claimOf(broker.id, { key: `k${index}`, createdAt: at, expiresAt: at + expiresAt }),
    );
    const kept = claimOf(broker.id, { key: 'kept', createdAt: at, expiresAt: null });
    await store.tx(async (tx) => {
      for (const claim of [...claims, kept]) await use(tx, claim);
    });
    const sweep = () => store.tx((tx) => tx.idempotency.removeExpired(at + 13, 2));
    t.strictSame([await sweep(), await sweep(), await sweep()], [2, 1, 0]);
    const standing = (claim: typeof kept) => store.tx((tx) => tx.idempotency.claim(claim));
    t.ok(await standing({ ...kept }));
    t.ok(await standing(claims[3] as typeof kept), 'its time is not past yet');
    t.equal(await standing(claims[0] as typeof kept), null);
  });

  await t.test('the store answers while it is open', async (t) => {
    await t.resolves(store.ping());
  });
}

const claimOf = (brokerId: string, fields: { key?: string; createdAt?: number; expiresAt?: number | null } = {}) => ({
  brokerId,
  mode: 'live' as const,
  namespace: 'action' as const,
  key: 'key',
  fingerprint: 'fingerprint',
  createdAt: T0,
  expiresAt: T0 + 1_000_000,
  ...fields,
});

/** Claims a key as a call does and, where it is free, keeps an answer under it; resolves with what stood under it. */
async function use(tx: Tx, claim: ReturnType<typeof claimOf>) {
  const standing = await tx.idempotency.claim(claim);
  if (!standing) await tx.idempotency.complete(claim, { statusCode: 200, body: '{}' });
  return standing;
}
