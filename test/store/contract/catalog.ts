import type { Test } from 'tap';
import type { ServiceRow } from '../../../src/store/queries/services.ts';
import { isUniqueViolation } from '../../../src/store/session/session.ts';
import { invoiceLine, invoiceLines } from '../../support/reports.ts';
import { aBroker, anInvoice, aPlan, aService, next, stock, T0 } from '../../support/rows.ts';
import type { Opened } from '../contract.ts';

/** Plans and invoices. */
export async function catalogContract(t: Test, { store }: Opened): Promise<void> {
  await t.test(
    'plans are listed by rank and then id, the active ones page by page, and only the broker’s',
    async (t) => {
      const broker = aBroker();
      const plans = [
        aPlan(broker, { upgradeRank: 20, id: `pln_b${next()}` }),
        aPlan(broker, { upgradeRank: 20, id: `pln_a${next()}`, billingType: 'hourly' }),
        aPlan(broker, { upgradeRank: -5, active: false }),
        aPlan(broker, { upgradeRank: 10, vcpu: null, memoryMb: null, diskGb: null, priceAmount: null }),
        aPlan(broker, { upgradeRank: 30, description: 'Words', transferGb: 9, requiresOperatorReview: true }),
      ] as const;
      const stranger = await stock(store);
      await store.tx(async (tx) => {
        await tx.brokers.insert(broker);
        for (const plan of plans) await tx.plans.insert(plan);
      });
      const inOrder = [plans[3], plans[1], plans[0], plans[4]];
      const { read } = store;
      t.strictSame(await read.plans.list(broker.id), [plans[2], ...inOrder]);
      t.strictSame(await read.plans.listActive(broker.id), inOrder);
      t.strictSame(await read.plans.page(broker.id, {}, { limit: 2, offset: 1 }), {
        rows: inOrder.slice(1, 3),
        total: 4,
      });
      t.strictSame(await read.plans.page(broker.id, {}, { limit: 100, offset: 2_147_483_647 }), { rows: [], total: 4 });
      t.strictSame(await read.plans.page(broker.id, { billingType: 'hourly' }, { limit: 9, offset: 0 }), {
        rows: [plans[1]],
        total: 1,
      });
      t.strictSame(await read.plans.find(broker.id, plans[4].id), plans[4]);
      t.equal(await read.plans.find(stranger.broker.id, plans[4].id), null);
      t.equal(await store.tx((tx) => tx.plans.update(stranger.broker.id, plans[4].id, { active: false })), null);
      t.strictSame(await store.tx((tx) => tx.plans.update(broker.id, plans[4].id, { active: false })), {
        ...plans[4],
        active: false,
      });
    },
  );

  await t.test('an active plan answers to its id, slug and display name, and no other one does', async (t) => {
    const broker = aBroker();
    const tail = next();
    const bySlug = aPlan(broker, { slug: `Fast-${tail}` });
    const byName = aPlan(broker, { displayName: `ΑΣ ${tail}`, displayNameFolded: `ας ${tail}` });
    const inactive = aPlan(broker, { slug: `slow-${tail}`, active: false });
    const stranger = await stock(store);
    await store.tx(async (tx) => {
      await tx.brokers.insert(broker);
      for (const plan of [bySlug, byName, inactive]) await tx.plans.insert(plan);
    });
    const named = async (id: string, folded: string, brokerId = broker.id) =>
      (await store.read.plans.listActiveNamed(brokerId, id, folded)).map((plan) => plan.id);
    t.strictSame(await named(bySlug.id, 'nothing'), [bySlug.id]);
    t.strictSame(await named('nothing', `fast-${tail}`), [bySlug.id]);
    t.strictSame(await named('nothing', `ας ${tail}`), [byName.id]);
    t.strictSame(await named(inactive.id, `slow-${tail}`), []);
    t.strictSame(await named(bySlug.id, `fast-${tail}`, stranger.broker.id), []);
    t.strictSame((await named(bySlug.id, `ας ${tail}`)).sort(), [bySlug.id, byName.id].sort());

    // For a change, the service's own plan beside them: inactive too, once more where it is named, and no other broker's.
    const [onInactive, onActive] = [aService(broker, inactive), aService(broker, bySlug)];
    await store.tx((tx) => tx.services.insert([onInactive, onActive]));
    const change = async ({ number }: Pick<ServiceRow, 'number'>, id: string, folded: string) =>
      (await store.read.plans.listForChange(broker.id, number, id, folded)).map((plan) => plan.id).sort();
    t.strictSame(await change(onInactive, bySlug.id, 'nothing'), [inactive.id, bySlug.id].sort());
    t.strictSame(await change(onActive, 'nothing', `fast-${tail}`), [bySlug.id, bySlug.id]);
    t.strictSame(await change(stranger.service, 'nothing', `slow-${tail}`), []);

    const ids = async (filter: Parameters<typeof store.read.plans.listIds>[1], brokerId = broker.id) =>
      (await store.read.plans.listIds(brokerId, filter)).sort();
    t.strictSame(await ids({}), [bySlug.id, byName.id, inactive.id].sort());
    t.strictSame(await ids({ idOrSlug: { id: byName.id, folded: '' } }), [byName.id]);
    t.strictSame(await ids({ idOrSlug: { id: '', folded: `slow-${tail}` } }), [inactive.id]);
    t.strictSame(await ids({ idOrSlug: { id: byName.id, folded: '' }, billingType: 'hourly' }), []);
    t.strictSame(await ids({ idOrSlug: { id: byName.id, folded: '' } }, stranger.broker.id), []);
    const bySlugs = await store.read.plans.listBySlug(broker.id, [`slow-${tail}`, `fast-${tail}`, 'nothing']);
    t.strictSame(bySlugs.map(({ id }) => id).sort(), [bySlug.id, inactive.id].sort());
    t.strictSame(await store.read.plans.listBySlug(broker.id, []), []);

    const colliding = async (folded: string[], brokerId = broker.id) =>
      (await store.read.plans.listColliding(brokerId, folded)).map(({ id }) => id).sort();
    t.strictSame(await colliding([`slow-${tail}`, `ας ${tail}`]), [byName.id, inactive.id].sort(), 'inactive ones too');
    t.strictSame(await colliding([`slow-${tail}`], stranger.broker.id), []);
    t.equal(await store.read.plans.countActive(broker.id), 2);
  });

  await t.test('plans are written as a whole by their ids, and never over another broker’s', async (t) => {
    const { broker, plan } = await stock(store);
    const stranger = await stock(store);
    const changed = { ...aPlan(broker), id: plan.id, upgradeRank: 99, active: false, priceAmount: null };
    const added = aPlan(broker);
    await store.tx((tx) => tx.plans.upsert([changed, added]));
    t.strictSame(await store.read.plans.find(broker.id, plan.id), changed);
    t.strictSame(await store.read.plans.find(broker.id, added.id), added);
    await store.tx((tx) => tx.plans.upsert([{ ...aPlan(broker), id: stranger.plan.id }]));
    t.strictSame(await store.read.plans.list(stranger.broker.id), [stranger.plan]);
  });

  await t.test('a slug and a display name stand once a broker', async (t) => {
    const { broker, plan } = await stock(store);
    const other = await stock(store);
    for (const same of [{ slugFolded: plan.slugFolded }, { displayNameFolded: plan.displayNameFolded }]) {
      const refusal = await store.tx((tx) => tx.plans.insert(aPlan(broker, same))).catch((error: unknown) => error);
      t.ok(isUniqueViolation(refusal));
      await t.resolves(store.tx((tx) => tx.plans.insert(aPlan(other.broker, same))));
    }
  });

  await t.test('a report of invoices has each match once, oldest first', async (t) => {
    const { broker, rows } = await stock(store, 2);
    const stranger = await stock(store);
    const [first, second] = rows;
    if (!first || !second) throw new Error('the services are there');
    const invoices = Array.from({ length: 24 }, (_, index) =>
      anInvoice(index % 3 === 0 ? second : first, {
        // Several at one time, so that the number has to decide.
        issuedAt: T0 + Math.floor(index / 4),
        status: (['open', 'paid', 'void'] as const)[index % 3] ?? 'open',
        invoiceNumber: `N-${(index * 7) % 24}-${next()}`,
        paidAt: index % 3 === 1 ? T0 : null,
      }),
    );
    await store.tx(async (tx) => {
      await tx.invoices.upsert(invoices);
      await tx.invoices.upsert([anInvoice(stranger.service)]);
    });
    const sorted = invoices.toSorted((a, b) => a.issuedAt - b.issuedAt || (a.invoiceNumber < b.invoiceNumber ? -1 : 1));
    const filters = [
      {},
      { serviceNumber: second.number },
      { status: 'paid' as const },
      { issuedFrom: T0 + 2 },
      { issuedTo: T0 + 2 },
      { serviceNumber: first.number, status: 'void' as const, issuedFrom: T0 + 1, issuedTo: T0 + 5 },
      { serviceNumber: stranger.service.number },
    ];
    for (const filter of filters) {
      t.strictSame(
        await invoiceLines(store, broker.id, filter),
        sorted
          .filter(
            (row) =>
              (filter.serviceNumber ?? row.serviceNumber) === row.serviceNumber &&
              (filter.status ?? row.status) === row.status &&
              row.issuedAt >= (filter.issuedFrom ?? 0) &&
              row.issuedAt < (filter.issuedTo ?? Number.POSITIVE_INFINITY),
          )
          .map((row) => invoiceLine(row)),
        JSON.stringify(filter),
      );
    }
  });

  await t.test('a report that would be larger than it may be is none, and what fails in it fails alone', async (t) => {
    const { broker, service } = await stock(store);
    await store.tx((tx) => tx.invoices.upsert([anInvoice(service)]));
    const query = await store.read.invoices.report(broker.id, {});
    const write = (maxBytes: number, sql = query.sql) =>
      store.report({ key: broker.id }, (csv) => csv({ ...query, sql }, maxBytes));
    const whole = await write(10_000);
    t.equal(whole?.rowCount, 1);
    t.equal(await write((whole?.content.length ?? 0) - 1), null);
    await t.rejects(write(10_000, 'select nothing'));
    t.equal((await write(10_000))?.rowCount, 1);
  });

  await t.test('an invoice is set anew under its number, which another broker may use as well', async (t) => {
    const one = await stock(store);
    const other = await stock(store);
    const invoice = anInvoice(one.service, { dueAt: T0 });
    const twin = { ...anInvoice(other.service), invoiceNumber: invoice.invoiceNumber };
    const changed = { ...invoice, amount: '0.00', status: 'paid' as const, paidAt: T0 + 1, dueAt: null };
    await store.tx((tx) => tx.invoices.upsert([invoice, twin]));
    await store.tx((tx) => tx.invoices.upsert([changed]));
    const { read } = store;
    t.strictSame(await invoiceLines(store, one.broker.id), [invoiceLine(changed)]);
    t.strictSame(await invoiceLines(store, other.broker.id), [invoiceLine(twin)]);
    const numbers = [invoice.invoiceNumber, 'nothing'];
    t.match(await read.invoices.listMany(one.broker.id, numbers), [{ amount: '0.00', invoiceNumber: numbers[0] }]);
    t.strictSame(await read.invoices.listMany(aBroker().id, numbers), []);
    t.strictSame(await read.invoices.listMany(one.broker.id, []), []);
  });
}
