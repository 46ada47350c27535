import type { Test } from 'tap';
import type { RequestRow } from '../../../src/store/queries/requests.ts';
import type { ServiceRow } from '../../../src/store/queries/services.ts';
import { isUniqueViolation } from '../../../src/store/session/session.ts';
import { aPlan, aRequest, next, stock, T0 } from '../../support/rows.ts';
import { atOnce, type Opened, subsets } from '../contract.ts';

type Stock = Awaited<ReturnType<typeof stock>>;

/** Requests: their lists, their moves, and the work that waits. */
export async function requestContract(t: Test, opened: Opened): Promise<void> {
  const { store } = opened;
  const { read } = store;

  await t.test('a request is found with its plans and history by its own broker alone', async (t) => {
    const { broker, plan, service } = await stock(store);
    const stranger = await stock(store);
    const target = aPlan(broker);
    const request = aRequest(service, {
      type: 'plan-upgrade',
      status: 'denied',
      origin: 'operator',
      processedAt: T0 + 1,
      decisionAction: 'deny',
      decidedBy: 'operator',
      decisionReason: 'a reason',
      decidedAt: T0 + 1,
      warningReason: 'w',
      currentPlanId: plan.id,
      newPlanId: target.id,
      effectiveAt: T0 + 2,
      cancellationType: 'immediate',
      cancellationReason: 'c',
      dueAt: T0 + 3,
    });
    const warning = aRequest(service);
    const failed = aRequest(service, {
      status: 'failed',
      failureReason: 'f',
      failureMessage: 'm',
      failureServiceUsable: true,
      failureRetryable: false,
      leaseOwner: 'worker-1',
      attempts: 3,
    });
    const line = (id: string, at: number, note: string | null) => ({
      id,
      brokerId: broker.id,
      requestId: request.id,
      status: 'pending' as const,
      at,
      actor: 'system' as const,
      note,
    });
    const tail = next();
    const history = [
      line(`evt_b${tail}`, T0, null),
      line(`evt_c${tail}`, T0, 'n'),
      line(`evt_a${tail}`, T0 + 1, 'last'),
    ];
    await store.tx(async (tx) => {
      await tx.plans.insert(target);
      await tx.requests.insert(request);
      await tx.requests.insert(warning);
      await tx.requests.insert(failed);
      for (const each of history.toReversed()) await tx.requests.addHistory(each);
    });
    t.strictSame(await read.requests.findView(broker.id, request.id), { request, currentPlan: plan, newPlan: target });
    t.strictSame(await read.requests.findView(broker.id, warning.id), {
      request: warning,
      currentPlan: null,
      newPlan: null,
    });
    t.strictSame((await read.requests.findView(broker.id, failed.id))?.request, failed);
    t.strictSame(await read.requests.listHistory(broker.id, request.id), history);
    t.equal(await read.requests.findView(stranger.broker.id, request.id), null);
    t.strictSame(await read.requests.listHistory(stranger.broker.id, request.id), []);
    t.equal(await read.requests.findOwner(request.id), broker.id);
    t.equal(await read.requests.findOwner('req_nobody'), null);
  });

  await t.test('a service’s open requests are those that are not final', async (t) => {
    const { broker, rows, service } = await stock(store, 2);
    const stranger = await stock(store);
    const statuses = ['pending', 'operator_review', 'accepted', 'completed', 'failed', 'approved', 'denied'] as const;
    const requests = statuses.map((status) => aRequest(service, { status }));
    await store.tx(async (tx) => {
      for (const request of [...requests, aRequest(rows[1] ?? service)]) await tx.requests.insert(request);
    });
    const open = await read.requests.listOpen(broker.id, service.number);
    t.strictSame(new Set(open), new Set(requests.slice(0, 3)));
    t.strictSame(await read.requests.listOpen(stranger.broker.id, service.number), []);
  });

  await t.test('every combination of filters finds exactly what each allows, newest first, ties by id', async (t) => {
    const { broker, service, rows } = await stock(store, 2);
    const stranger = await stock(store);
    const types = ['cancellation-warning', 'service-creation'] as const;
    const statuses = ['pending', 'operator_review', 'completed'] as const;
    const made = Array.from({ length: 48 }, (_, index) =>
      aRequest((index % 5 === 0 ? rows[1] : service) ?? service, {
        id: `req_${(index * 29) % 48}-${next()}`,
        type: types[index % 2] ?? 'cancellation-warning',
        status: statuses[index % 3] ?? 'pending',
        submittedAt: T0 + (index % 8),
        updatedAt: T0 + (index % 7),
      }),
    );
    await store.tx(async (tx) => {
      for (const row of made) await tx.requests.insert(row);
      await tx.requests.insert(aRequest(stranger.service));
    });
    const sorted = made.toSorted((a, b) => b.submittedAt - a.submittedAt || (a.id < b.id ? -1 : 1));
    const choices = {
      type: 'cancellation-warning' as const,
      status: 'operator_review' as const,
      serviceNumber: service.number,
      submittedFrom: T0 + 1,
      submittedTo: T0 + 7,
      updatedSince: T0 + 2,
    };
    const filters = [true, false].flatMap((operatorReview) => subsets({ ...choices, operatorReview }));
    t.equal(filters.length, 256);
    for (const filter of filters) {
      const inStep = (a: (typeof made)[number], b: (typeof made)[number]) =>
        a.updatedAt - b.updatedAt || (a.id < b.id ? -1 : 1);
      const ids = (filter.updatedSince === undefined ? sorted : made.toSorted(inStep))
        .filter(
          (row) =>
            (filter.type === undefined || row.type === filter.type) &&
            (filter.status === undefined || row.status === filter.status) &&
            (filter.serviceNumber === undefined || row.serviceNumber === filter.serviceNumber) &&
            (filter.operatorReview === undefined || (row.status === 'operator_review') === filter.operatorReview) &&
            (filter.submittedFrom === undefined || row.submittedAt >= filter.submittedFrom) &&
            (filter.submittedTo === undefined || row.submittedAt < filter.submittedTo) &&
            (filter.updatedSince === undefined || row.updatedAt >= filter.updatedSince),
        )
        .map((row) => row.id);
      const page = await read.requests.page(broker.id, filter, { limit: 10, offset: 2 });
      const counted = await read.requests.countMatches(broker.id, filter);
      const seen = { page: page.map(({ request }) => request.id), counted };
      const expected = { page: ids.slice(2, 12), counted: ids.length };
      if (JSON.stringify(seen) !== JSON.stringify(expected)) t.strictSame(seen, expected, JSON.stringify(filter));
    }
    const whole = await read.requests.page(broker.id, {}, { limit: 100, offset: 0 });
    t.strictSame(
      whole.map(({ request }) => request),
      sorted,
    );
    t.strictSame(await read.requests.page(broker.id, {}, { limit: 9, offset: 2_147_483_647 }), []);
    t.equal(await read.requests.countMatches(stranger.broker.id, {}), 1);
  });

  await t.test(
    'the database holds one open plan change, cancellation, suspension, end of one and action a service',
    async (t) => {
      const { broker, rows, service } = await stock(store, 2);
      const insert = (row: RequestRow) =>
        store
          .tx((tx) => tx.requests.insert(row))
          .then(
            () => 'stored',
            (error: unknown) => (isUniqueViolation(error) ? 'refused' : error),
          );
      const open = ['pending', 'operator_review', 'accepted'] as const;
      const change = aRequest(service, { type: 'plan-upgrade', status: 'pending' });
      t.equal(await insert(change), 'stored');
      for (const status of open) {
        for (const type of ['plan-upgrade', 'plan-downgrade'] as const) {
          t.equal(await insert(aRequest(service, { type, status })), 'refused', `${type} ${status}`);
        }
      }
      t.equal(await insert(aRequest(service, { type: 'cancellation', status: 'accepted' })), 'stored');
      for (const status of open) t.equal(await insert(aRequest(service, { type: 'cancellation', status })), 'refused');
      for (const type of ['service-suspension', 'service-unsuspension', 'service-action'] as const) {
        t.equal(await insert(aRequest(service, { type, status: 'accepted' })), 'stored', type);
        t.equal(await insert(aRequest(service, { type, status: 'accepted' })), 'refused', type);
      }
      t.equal(await insert(aRequest(service, { type: 'plan-downgrade', status: 'denied' })), 'stored', 'a final one');
      t.equal(await insert(aRequest(service)), 'stored', 'another type');
      t.equal(await insert(aRequest(rows[1] ?? service, { type: 'plan-upgrade' })), 'stored', 'another service');
      await store.tx((tx) => tx.requests.move(broker.id, change.id, { status: 'pending' }, { status: 'denied' }));
      t.equal(
        await insert(aRequest(service, { type: 'plan-downgrade', status: 'accepted' })),
        'stored',
        'after the end',
      );
      t.equal(await read.counters.total(broker.id, 'requests'), await read.requests.countMatches(broker.id, {}));
    },
  );

  await t.test('of 20 open plan changes that are made at once one stands', async (t) => {
    const { broker, service } = await stock(store);
    const made = await atOnce(opened, 20, (store) =>
      store
        .tx((tx) => tx.requests.insert(aRequest(service, { type: 'plan-upgrade', status: 'accepted' })))
        .then(
          () => true,
          (error: unknown) => !isUniqueViolation(error) && error,
        ),
    );
    t.equal(made.filter((stored) => stored === true).length, 1);
    t.equal(made.filter((stored) => stored === false).length, 19);
    t.equal(await read.counters.total(broker.id, 'requests'), 1);
  });

  await t.test('a move needs the state it starts from, its broker and its lease', async (t) => {
    const { broker, service } = await stock(store);
    const stranger = await stock(store);
    const request = aRequest(service, { status: 'accepted', leaseOwner: 'worker-1' });
    await store.tx((tx) => tx.requests.insert(request));
    const move = (brokerId: string, from: { status: RequestRow['status']; leaseOwner?: string | null }) =>
      store.tx((tx) => tx.requests.move(brokerId, request.id, from, { status: 'failed', failureRetryable: true }));
    t.equal(await move(stranger.broker.id, { status: 'accepted' }), null);
    t.equal(await move(broker.id, { status: 'pending' }), null);
    t.equal(await move(broker.id, { status: 'accepted', leaseOwner: 'worker-2' }), null);
    t.equal(await move(broker.id, { status: 'accepted', leaseOwner: null }), null);
    t.strictSame((await read.requests.findView(broker.id, request.id))?.request, request);
    const moved = { ...request, status: 'failed' as const, failureRetryable: true };
    t.strictSame(await move(broker.id, { status: 'accepted', leaseOwner: 'worker-1' }), moved);
    const free = aRequest(service, { status: 'accepted' });
    await store.tx((tx) => tx.requests.insert(free));
    const freed = (leaseOwner: string | null) =>
      store.tx((tx) =>
        tx.requests.move(broker.id, free.id, { status: 'accepted', leaseOwner }, { status: 'completed' }),
      );
    t.equal(await freed('worker-1'), null);
    t.equal((await freed(null))?.status, 'completed');
    t.strictSame((await read.requests.findView(broker.id, request.id))?.request, moved);
  });

  await t.test('of 20 that move the same request at once one wins', async (t) => {
    const { broker, service } = await stock(store);
    const request = aRequest(service);
    await store.tx((tx) => tx.requests.insert(request));
    const moves = await atOnce(opened, 20, (store, turn) =>
      store.tx((tx) =>
        tx.requests.move(
          broker.id,
          request.id,
          { status: 'pending' },
          { status: turn % 3 === 0 ? 'denied' : 'approved', decisionReason: `turn ${turn}` },
        ),
      ),
    );
    const won = moves.filter((move) => move !== null);
    t.equal(won.length, 1);
    t.strictSame((await read.requests.findView(broker.id, request.id))?.request, won[0]);
    t.equal(await read.counters.total(broker.id, 'requests', { status: won[0]?.status }), 1);
    t.equal(await read.counters.total(broker.id, 'requests', { status: 'pending' }), 0);
  });

  await t.test('due work is leased oldest first, in steps, and comes back when the lease runs out', async (t) => {
    const { service } = await stock(store);
    // Long before other tests' work is due.
    const at = 2_000_000;
    const due = (dueAt: number | null, fields: Partial<RequestRow> = {}) =>
      aRequest(service, { type: 'service-creation', status: 'accepted', dueAt, ...fields });
    const tail = next();
    const requests = [
      due(at + 3, { id: `req_c${tail}` }),
      due(at + 1, { id: `req_b${tail}` }),
      due(at + 1, { id: `req_a${tail}` }),
      due(at + 2, { id: `req_d${tail}` }),
    ];
    await store.tx(async (tx) => {
      for (const request of [...requests, due(at + 4), due(null), due(at, { status: 'completed' })])
        await tx.requests.insert(request);
    });
    const claim = (now: number, leaseOwner: string, limit: number) =>
      store.tx((tx) => tx.requests.claimDue({ now, leaseUntil: now + 50, leaseOwner, limit }));
    const [c, b, a, d] = requests;
    const leased = (row: RequestRow | undefined, leaseOwner: string, dueAt: number, attempts = 1) => ({
      ...row,
      leaseOwner,
      dueAt,
      calledAt: at + 3,
      attempts,
      takenOver: false,
    });
    t.strictSame(await claim(at + 3, 'one', 3), [
      leased(a, 'one', at + 53),
      leased(b, 'one', at + 53),
      leased(d, 'one', at + 53),
    ]);
    t.strictSame(await claim(at + 3, 'two', 3), [leased(c, 'two', at + 53)]);
    t.strictSame(await claim(at + 3, 'two', 3), []);
    const later = await claim(at + 53, 'three', 100);
    t.equal(later.length, 5, 'all four again and the one that became due meanwhile');
    t.ok(later.every((row) => row.leaseOwner === 'three'));
    t.strictSame(
      later.map(({ attempts, takenOver }) => ({ attempts, takenOver })).toSorted((a, b) => a.attempts - b.attempts),
      [{ attempts: 1, takenOver: false }, ...Array.from({ length: 4 }, () => ({ attempts: 2, takenOver: true }))],
      'and it is reported which of them had begun',
    );
    await store.tx(async (tx) => {
      for (const row of later)
        await tx.requests.move(row.brokerId, row.id, { status: 'accepted' }, { status: 'completed', dueAt: null });
    });
  });

  await t.test('due work is claimed in turn by whom it is for, and of each the oldest first', async (t) => {
    const at = 6_000_000;
    const [first, second, third] = [await stock(store), await stock(store), await stock(store)].sort((a, b) =>
      a.service.brokerId < b.service.brokerId ? -1 : 1,
    ) as [Stock, Stock, Stock];
    const requests = [
      ...Array.from({ length: 6 }, (_, index) => ({ of: first, dueAt: at + index })),
      ...[20, 21, 22].map((later) => ({ of: second, dueAt: at + later })),
      { of: third, dueAt: at + 30 },
      { of: third, dueAt: at + 31, origin: 'operator' as const },
      { of: third, dueAt: at + 1_000_000 },
    ].map(({ of: { service }, ...more }) =>
      aRequest(service, { type: 'service-creation', status: 'accepted', ...more }),
    );
    await store.tx(async (tx) => {
      for (const request of requests) await tx.requests.insert(request);
    });
    const named = new Map(requests.map(({ id }, index) => [id, index]));
    const claim = async (limit: number, last: string, taken: Array<[string, number]> = []) => {
      const places = { taken: new Map(taken), last };
      const input = { now: at + 100, leaseUntil: at + 1_000_000, leaseOwner: 'one', limit, places };
      return (await store.tx((tx) => tx.requests.claimDue(input))).map(({ id }) => named.get(id));
    };
    const [one, two, three] = [first, second, third].map(({ service }) => service.brokerId) as [string, string, string];
    t.strictSame(await claim(1, one, [[one, 7]]), [6], 'the one behind, though others have waited for longer');
    t.strictSame(await claim(1, two, [[two, 1]]), [9]);
    t.strictSame(await claim(1, three), [10], 'then the operator');
    t.strictSame(await claim(1, 'operator'), [0], 'and from the beginning');
    t.strictSame(await claim(2, '', [[one, 1]]), [7], 'none beyond half of all places while others wait');
    t.strictSame(await claim(2, two), [1, 8], 'each in its turn');
    t.strictSame(await claim(3, two, [[one, 4]]), [2, 3, 4], 'all where no other waits');
    await store.tx(async (tx) => {
      for (const { brokerId, id } of requests)
        await tx.requests.move(brokerId, id, { status: 'accepted' }, { status: 'completed', dueAt: null });
    });
  });

  await t.test('what was to wait for a date can be left out of a claim', async (t) => {
    const { service } = await stock(store);
    const other = await stock(store);
    const at = 2_500_000;
    const due = (owned: ServiceRow, fields: Partial<RequestRow>) =>
      aRequest(owned, { type: 'service-creation', status: 'accepted', dueAt: at, ...fields });
    const atOnce = due(service, { effectiveAt: null });
    const dated = due(other.service, { effectiveAt: at, updatedAt: at - 1 });
    await store.tx(async (tx) => {
      for (const request of [atOnce, dated]) await tx.requests.insert(request);
    });
    const claim = { now: at, leaseUntil: at + 50, leaseOwner: 'one', limit: 10 };
    const ids = async (more: { atOnce?: boolean } = {}) =>
      (await store.tx((tx) => tx.requests.claimDue({ ...claim, ...more }))).map(({ id }) => id);
    t.strictSame(await ids({ atOnce: true }), [atOnce.id]);
    t.strictSame(await ids(), [dated.id]);
    await store.tx(async (tx) => {
      for (const { brokerId, id } of [atOnce, dated])
        await tx.requests.move(brokerId, id, { status: 'accepted' }, { status: 'completed', dueAt: null });
    });
  });

  await t.test('two that claim due work at once never get the same', async (t) => {
    const { service } = await stock(store);
    const at = 3_000_000;
    const requests = Array.from({ length: 40 }, (_, index) =>
      aRequest(service, { type: 'service-creation', status: 'accepted', dueAt: at + (index % 5) }),
    );
    await store.tx(async (tx) => {
      for (const request of requests) await tx.requests.insert(request);
    });
    const claimed: string[] = [];
    for (let last = -1; claimed.length > last; ) {
      last = claimed.length;
      const rounds = await atOnce(opened, 4, (store, turn) =>
        store.tx((tx) =>
          tx.requests.claimDue({ now: at + 10, leaseUntil: at + 1000, leaseOwner: `worker-${turn}`, limit: 3 }),
        ),
      );
      for (const row of rounds.flat()) {
        claimed.push(row.id);
        t.equal(row.attempts, 1);
      }
    }
    t.strictSame(claimed.toSorted(), requests.map(({ id }) => id).toSorted());
    await store.tx(async (tx) => {
      for (const { brokerId, id } of requests)
        await tx.requests.move(brokerId, id, { status: 'accepted' }, { status: 'completed', dueAt: null });
    });
  });

  await t.test('the operator’s overview counts the open requests of all brokers and knows the oldest', async (t) => {
    const before = new Map((await read.requests.tally()).map((line) => [line.status, line.total]));
    for (const submittedAt of [5, 7]) {
      const { service } = await stock(store);
      await store.tx(async (tx) => {
        await tx.requests.insert(aRequest(service, { status: 'operator_review', submittedAt }));
        await tx.requests.insert(aRequest(service, { status: 'completed', submittedAt: 1 }));
      });
    }
    const after = await read.requests.tally();
    t.strictSame(
      after.find(({ status }) => status === 'operator_review'),
      {
        status: 'operator_review',
        total: (before.get('operator_review') ?? 0) + 2,
        oldestAt: 5,
        dueAt: null,
      },
    );
    t.notOk(after.some(({ status }) => !['pending', 'operator_review', 'accepted'].includes(status)));
  });
}
