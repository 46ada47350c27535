import fc from 'fast-check';
import type { Test } from 'tap';
import { anchorOf, nextRenewal, renewalAsOf } from '../../../src/rules/renewals.ts';
import { fold } from '../../../src/rules/search-text.ts';
import { lastChangeAt } from '../../../src/rules/timestamps.ts';
import type { ServiceFilter } from '../../../src/store/queries/service-reads.ts';
import type { ListedService, OpenRequest, ServiceRow, ServiceView } from '../../../src/store/queries/services.ts';
import { full } from '../../support/full.ts';
import { reportedNumbers } from '../../support/reports.ts';
import { aBroker, aPlan, aRequest, aService, next, stock, T0 } from '../../support/rows.ts';
import { atOnce, type Opened, subsets } from '../contract.ts';

const DAY = 86_400_000;
const everything = { limit: 1000, offset: 0 };
/** The columns that a list has. */
const shown = ({ brokerId, clientEmailFolded, searchText, importId, uid, keptConfiguration, ...service }: ServiceRow) =>
  service;

const numbersOf = (views: ListedService[]) => views.map(({ service }) => service.number);

/** Services: finding, listing, searching, changing. */
export async function serviceContract(t: Test, opened: Opened): Promise<void> {
  const { store } = opened;
  const { read } = store;

  await t.test('a service is found by its own broker alone, up to the greatest number', async (t) => {
    const { broker, plan } = await stock(store);
    const { broker: other } = await stock(store);
    const service = aService(broker, plan, {
      number: Number.MAX_SAFE_INTEGER - next(),
      label: 'Label',
      externalReference: 'Reference',
      clientEmail: null,
      renewalAt: T0 + 1,
      cancelledAt: T0 + 2,
      cancellationType: 'end_of_term',
      cancellationEffectiveAt: T0 + 3,
      cancellationRequestId: 'req_1',
      requiresOperatorReview: true,
    });
    await store.tx((tx) => tx.services.insert([service]));
    t.strictSame(await read.services.find(broker.id, service.number), service);
    t.strictSame(await read.services.findView(broker.id, service.number), {
      service,
      plan,
      creationId: null,
      openRequests: [],
      newPlans: new Map([[plan.id, plan]]),
    });
    for (const [brokerId, number] of [
      [other.id, service.number],
      [broker.id, service.number + 1],
      [broker.id, -1],
    ] as const) {
      t.equal(await read.services.find(brokerId, number), null);
      t.equal(await read.services.findView(brokerId, number), null);
    }
    t.strictSame(await read.services.owners([service.number, 1]), new Map([[service.number, broker.id]]));
    t.strictSame(await read.services.owners([]), new Map());
  });

  await t.test('a service shows its open cancellation before a plan change before a creation', async (t) => {
    const { broker, rows, service } = await stock(store, 2);
    const shown = async () => show((await read.services.findView(broker.id, service.number))?.openRequests[0]);
    const show = (request: OpenRequest | undefined) =>
      request && { id: request.id, type: request.type, status: request.status };
    const final = aRequest(service, { type: 'cancellation', status: 'completed' });
    const creation = aRequest(service, { type: 'service-creation', status: 'accepted' });
    const suspension = aRequest(service, { type: 'service-suspension', status: 'accepted' });
    const change = aRequest(service, { type: 'plan-downgrade', status: 'operator_review' });
    const cancellation = aRequest(service, { type: 'cancellation', status: 'pending' });
    await store.tx((tx) => tx.requests.insert(final));
    t.equal(await shown(), undefined, 'what is final is not open');
    for (const request of [creation, suspension, change, cancellation]) {
      await store.tx((tx) => tx.requests.insert(request));
      t.strictSame(await shown(), show(request));
    }
    const listed = await read.services.page(broker.id, {}, everything);
    t.strictSame(
      listed.map(({ openRequests }) => show(openRequests[0])),
      rows.toSorted((a, b) => b.number - a.number).map((row) => (row === service ? show(cancellation) : undefined)),
    );
  });

  await t.test('a list is newest first, ties by number, and its pages are cuts of the whole', async (t) => {
    const { broker, plan } = await stock(store, 0);
    const stranger = await stock(store, 3);
    const rows = Array.from({ length: 23 }, (_, index) =>
      aService(broker, plan, { createdAt: T0 + (index % 4), number: 100_000 + ((index * 7) % 23) * 1000 + next() }),
    );
    await store.tx((tx) => tx.services.insert(rows));
    const sorted = rows.toSorted((a, b) => b.createdAt - a.createdAt || b.number - a.number).map((row) => row.number);
    t.strictSame(numbersOf(await read.services.page(broker.id, {}, everything)), sorted);
    for (const [limit, offset] of [
      [1, 0],
      [10, 0],
      [10, 10],
      [10, 20],
      [7, 22],
      [7, 23],
      [100, 2_147_483_647],
    ] as const) {
      const page = await read.services.page(broker.id, {}, { limit, offset });
      t.strictSame(numbersOf(page), sorted.slice(offset, offset + limit), `${limit} from ${offset}`);
    }
    t.strictSame(await reportedNumbers(store, broker.id), sorted);
    t.equal(await read.services.countMatches(stranger.broker.id, {}), 3);
    t.strictSame(await read.services.page('brk_nobody', {}, everything), []);
  });

  await t.test('a page holds every value as it was written, whatever is in it', async (t) => {
    const { broker, plan } = await stock(store, 0);
    const bare = aPlan(broker, {
      vcpu: null,
      priceAmount: null,
      priceCurrency: null,
      transferGb: Number.MAX_SAFE_INTEGER,
    });
    const exact = aPlan(broker, { priceAmount: '0.10000000000000000555', active: false, description: '"\\\u0001' });
    await store.tx((tx) => tx.plans.upsert([bare, exact]));
    const text = fc.string({ unit: 'binary', maxLength: 60 }).map((odd) => odd.replaceAll('\u0000', '').toWellFormed());
    const odd = fc.record({
      label: fc.option(text),
      externalReference: fc.option(fc.constantFrom('', 'null', '[]', '"', '\\', '\u2028', '\ud83d\ude00', '\u001f')),
      clientName: text,
      clientEmail: fc.option(fc.emailAddress()),
      createdAt: fc.integer({ min: -62_167_219_200_000, max: 253_402_300_799_999 }),
      renewalAt: fc.option(fc.integer({ min: T0, max: 253_402_300_799_999 })),
      requiresOperatorReview: fc.boolean(),
      planId: fc.constantFrom(plan.id, bare.id, exact.id),
    });
    const written: ServiceRow[] = [];
    await fc.assert(
      fc.asyncProperty(odd, async (fields) => {
        const row = aService(broker, plan, fields);
        await store.tx((tx) => tx.services.insert([row]));
        written.push(row);
      }),
      { numRuns: full ? 1000 : 60 },
    );
    const plans = new Map([plan, bare, exact].map((each) => [each.id, each]));
    t.strictSame(
      (await read.services.page(broker.id, {}, everything)).map(({ newPlans: _, ...view }) => view),
      written
        .toSorted((a, b) => b.createdAt - a.createdAt || b.number - a.number)
        .map((service) => ({
          service: shown(service),
          plan: plans.get(service.planId),
          openRequests: [],
        })),
    );
    for (const { number } of written.slice(0, 5)) {
      const [view] = (await read.services.page(broker.id, {}, everything)).filter(
        ({ service }) => service.number === number,
      );
      const {
        newPlans: _,
        creationId: _none,
        ...alone
      } = (await read.services.findView(broker.id, number)) as ServiceView;
      const { newPlans: __, ...listed } = view as ListedService;
      t.strictSame({ ...alone, service: shown(alone.service) }, listed, 'as it is alone');
    }
  });

  await t.test('services of a span of time are counted exactly, and no further than asked', async (t) => {
    const { broker, plan } = await stock(store, 0);
    await stock(store, 7);
    const rows = Array.from({ length: 100 }, (_, index) => aService(broker, plan, { createdAt: T0 + index }));
    await store.tx((tx) => tx.services.insert(rows));
    for (const [createdFrom, createdTo, expected] of [
      [T0 + 20, undefined, 80],
      [undefined, T0 + 20, 20],
      [T0 + 10, T0 + 20, 10],
      [T0 + 20, T0 + 20, 0],
      [T0 - 1, T0 + 1_000_000, 100],
    ] as const) {
      const filter = { createdFrom, createdTo };
      t.equal(await read.services.countMatches(broker.id, filter), expected);
      t.equal(await read.services.countMatches(broker.id, filter, 15), Math.min(15, expected));
    }
  });

  await t.test('a page lies as deep in the list as is asked', async (t) => {
    const { broker, plan } = await stock(store, 0);
    const rows = Array.from({ length: 60 }, (_, index) => aService(broker, plan, { createdAt: T0 + (index % 50) }));
    await store.tx((tx) => tx.services.insert(rows));
    const whole = numbersOf(await read.services.page(broker.id, {}, everything));
    t.equal(whole.length, 60);
    for (const filter of [{}, { status: 'active' as const }, { planId: plan.id }]) {
      for (const [limit, offset] of [
        [25, 0],
        [25, 50],
        [25, 59],
        [25, 60],
        [25, 2_147_483_647],
      ] as const) {
        const page = numbersOf(await read.services.page(broker.id, filter, { limit, offset }));
        t.strictSame(page, whole.slice(offset, offset + limit), `${JSON.stringify(filter)} ${limit} from ${offset}`);
      }
    }
    t.strictSame(await read.services.page(broker.id, { status: 'pending' }, { limit: 5, offset: 3000 }), []);
  });

  await t.test(
    'a search leads to the same page however common its word, and whatever is asked beside it',
    async (t) => {
      const { broker, plan } = await stock(store, 0);
      const other = aPlan(broker);
      await store.tx((tx) => tx.plans.upsert([other]));
      const rows = Array.from({ length: 1400 }, (_, index) =>
        aService(broker, index % 2 ? plan : other, {
          clientName: index % 100 === 0 ? 'Common rare' : 'Common',
          createdAt: T0 + index,
          status: index % 3 ? 'active' : 'suspended',
        }),
      );
      for (let first = 0; first < rows.length; first += 500) {
        await store.tx((tx) => tx.services.insert(rows.slice(first, first + 500)));
      }
      for (const filter of [
        { search: 'common' },
        { search: 'rare' },
        { search: 'common', status: 'suspended' as const },
        { search: 'common', planId: other.id, createdTo: T0 + 800 },
      ]) {
        const expected = rows
          .filter(
            (row) =>
              row.searchText.includes(filter.search) &&
              row.status === (filter.status ?? row.status) &&
              row.planId === (filter.planId ?? row.planId) &&
              row.createdAt < (filter.createdTo ?? Number.POSITIVE_INFINITY),
          )
          .map((row) => row.number)
          .reverse();
        for (const [limit, offset] of [
          [10, 0],
          [14, 0],
          [25, 980],
          [25, expected.length - 5],
        ] as const) {
          const page = numbersOf(await read.services.page(broker.id, filter, { limit, offset }));
          t.strictSame(
            page,
            expected.slice(offset, offset + limit),
            `${JSON.stringify(filter)} ${limit} from ${offset}`,
          );
        }
      }
    },
  );

  await t.test('changes are listed by the date of the last one, then by number, in every list', async (t) => {
    const { broker: stranger, service: foreign } = await stock(store);
    await store.tx((tx) => tx.services.update(stranger.id, foreign.number, { updatedAt: T0 + 4 }));
    const changed = fc.integer({ min: T0, max: T0 + 8 });
    await fc.assert(
      fc.asyncProperty(fc.array(changed, { minLength: 1, maxLength: 12 }), async (all) => {
        const { broker, plan } = await stock(store, 0);
        const rows = all.map((updatedAt) =>
          aService(broker, plan, { updatedAt, externalReference: 'alike', renewalAt: T0 + DAY }),
        );
        await store.tx((tx) => tx.services.insert(rows));
        const expected = rows
          .map(({ number, updatedAt }) => ({ number, at: updatedAt }))
          .sort((a, b) => a.at - b.at || a.number - b.number);
        const listed = (views: Array<Pick<ListedService, 'service'>>) =>
          views.map(({ service }) => ({ number: service.number, at: service.updatedAt }));
        const cursors = [{ at: T0, number: 0 }, { at: T0 + 4, number: undefined }, ...expected];
        for (const { at: updatedSince, number: afterNumber } of cursors) {
          const filter = { updatedSince, afterNumber };
          const left = expected.filter(
            ({ at, number }) =>
              at > updatedSince || (at === updatedSince && (afterNumber === undefined || number > afterNumber)),
          );
          // All of them are alike; what leads to them is another index each time.
          for (const narrower of [
            {},
            { status: 'active' },
            { planId: plan.id, billingType: 'monthly' },
            { search: 'ada ' },
            { clientEmailFolded: 'ada@example.com' },
            { externalReference: 'alike' },
            { createdFrom: T0, renewalBefore: T0 + 400 * DAY },
          ]) {
            const narrowed = { ...filter, ...narrower } as ServiceFilter;
            t.strictSame(listed(await read.services.page(broker.id, narrowed, everything)), left);
            const part = { limit: 2, offset: 1 };
            t.strictSame(listed(await read.services.page(broker.id, narrowed, part)), left.slice(1, 3));
            t.equal(await read.services.countMatches(broker.id, narrowed), left.length);
          }
          const since = expected.filter(({ at }) => at >= updatedSince);
          t.strictSame(
            (await reportedNumbers(store, broker.id, { updatedSince })).sort(),
            since.map(({ number }) => number).sort(),
          );
        }
        for (const filter of [{ brokerId: broker.id }, { brokerId: broker.id, planIds: [plan.id] }]) {
          const latest = await store.slow({ key: broker.id }, ({ allServices }) =>
            allServices.page(filter, 'changed', { limit: 5, offset: 1 }),
          );
          t.strictSame(listed(latest), expected.toReversed().slice(1, 6));
        }
      }),
      { numRuns: full ? 40 : 8 },
    );
    t.strictSame(
      (await read.services.page(stranger.id, { updatedSince: T0 + 1 }, everything)).map(
        ({ service }) => service.updatedAt,
      ),
      [T0 + 4],
      'of every broker by itself',
    );
    // Later than all other services, of any broker.
    const { broker: another, service: last } = await stock(store);
    const updatedAt = T0 + 36_500 * DAY;
    await store.tx((tx) => tx.services.update(another.id, last.number, { updatedAt }));
    const [latest] = await store.slow({ key: stranger.id }, ({ allServices }) =>
      allServices.page({}, 'changed', { limit: 1, offset: 0 }),
    );
    t.match(latest, { service: { number: last.number, updatedAt } }, 'and of all of them');
  });

  await t.test(
    'a service’s last change moves forward by a millisecond at least, whatever the clock says',
    async (t) => {
      const { broker, rows, service } = await stock(store, 2);
      const numbers = rows.map(({ number }) => number);
      const changedAt = async (number = service.number) => (await read.services.find(broker.id, number))?.updatedAt;
      for (const [now, expected] of [
        [T0 + 50, T0 + 50],
        [T0 + 50, T0 + 51],
        [T0 - 1000, T0 + 52],
        [T0 + 60, T0 + 60],
      ] as const) {
        await store.tx((tx) => tx.services.touch(broker.id, service.number, now));
        t.equal(await changedAt(), expected);
      }
      const other = numbers.find((number) => number !== service.number);
      t.equal(await changedAt(other), service.updatedAt, 'of the others nothing is changed');
      await store.tx((tx) => tx.services.touchMany(broker.id, numbers, T0 + 60));
      t.strictSame([await changedAt(), await changedAt(other)], [T0 + 61, T0 + 60]);
    },
  );

  await t.test('as many filters as there are make statements of their own', async (t) => {
    const { broker, plan, service } = await stock(store);
    const all = {
      status: service.status,
      planId: plan.id,
      billingType: plan.billingType,
      clientEmailFolded: service.clientEmailFolded ?? '',
      search: 'ada',
      updatedSince: service.updatedAt,
      afterNumber: service.number - 1,
      createdFrom: service.createdAt,
      createdTo: service.createdAt + 1,
    };
    for (const filter of [all, { ...all, createdTo: undefined }, { ...all, createdFrom: service.createdAt + 1 }]) {
      const expected = filter.createdFrom > service.createdAt ? [] : [service.number];
      t.strictSame(numbersOf(await read.services.page(broker.id, filter, everything)), expected);
      t.equal(await read.services.countMatches(broker.id, filter), expected.length);
    }
  });

  await t.test('every combination of filters finds exactly what each of them allows', async (t) => {
    const broker = aBroker();
    const stranger = aBroker();
    const plans = [aPlan(broker), aPlan(broker, { billingType: 'hourly' }), aPlan(broker)] as const;
    const foreign = aPlan(stranger);
    const names = ['Ada Example', 'Grace 100% Example', 'ΟΔΟΣ'];
    const rows = Array.from({ length: 72 }, (_, index) =>
      aService(broker, plans[index % 3] ?? plans[0], {
        status: index % 5 === 0 ? 'suspended' : index % 11 === 0 ? 'cancelled' : 'active',
        clientName: names[(index >> 1) % 3] ?? '',
        clientEmail: index % 7 === 0 ? null : index % 2 === 0 ? 'Ada@Example.com' : 'grace@example.com',
        createdAt: T0 + (index % 12),
        renewalAt: index % 4 === 0 ? null : T0 + (index % 10) * 4 * DAY,
      }),
    );
    await store.tx(async (tx) => {
      await tx.brokers.insert(broker);
      await tx.brokers.insert(stranger);
      await tx.plans.upsert([...plans, foreign]);
      await tx.services.insert([
        ...rows,
        ...rows.map((row) =>
          aService(stranger, foreign, { ...row, number: 9000 + next(), brokerId: stranger.id, planId: foreign.id }),
        ),
      ]);
    });
    const sorted = rows.toSorted((a, b) => b.createdAt - a.createdAt || b.number - a.number);
    const billing = new Map(plans.map((plan) => [plan.id, plan.billingType]));
    const renewalOf = (row: ServiceRow) => row.renewalAt ?? Number.POSITIVE_INFINITY;
    const filters = subsets({
      status: 'active' as const,
      planId: plans[0].id,
      billingType: 'monthly' as const,
      clientEmailFolded: 'ada@example.com',
      search: 'example',
      createdFrom: T0 + 2,
      createdTo: T0 + 10,
      renewalBefore: T0 + 34 * DAY,
    });
    t.equal(filters.length, 256);
    let found = 0;
    for (const filter of filters) {
      const expected = sorted.filter(
        (row) =>
          (filter.status === undefined || row.status === filter.status) &&
          (filter.planId === undefined || row.planId === filter.planId) &&
          (filter.billingType === undefined || billing.get(row.planId) === filter.billingType) &&
          (filter.clientEmailFolded === undefined || row.clientEmailFolded === filter.clientEmailFolded) &&
          (filter.search === undefined || row.searchText.includes(filter.search)) &&
          (filter.createdFrom === undefined || row.createdAt >= filter.createdFrom) &&
          (filter.createdTo === undefined || row.createdAt < filter.createdTo) &&
          (filter.renewalBefore === undefined || renewalOf(row) < filter.renewalBefore),
      );
      found += expected.length;
      const numbers = expected.map((row) => row.number);
      const page = numbersOf(await read.services.page(broker.id, filter, { limit: 10, offset: 3 }));
      const reported = await reportedNumbers(store, broker.id, filter);
      const counted = await read.services.countMatches(broker.id, filter);
      const wrong = { page: numbers.slice(3, 13), reported: numbers, counted: numbers.length };
      if (JSON.stringify({ page, reported, counted }) !== JSON.stringify(wrong)) {
        t.strictSame({ page, reported, counted }, wrong, JSON.stringify(filter));
      }
    }
    t.ok(found > 1000, 'the filters have something to find');
  });

  await t.test('a search is taken literally, in any of the fields but never across two', async (t) => {
    const { broker, plan } = await stock(store, 0);
    const texts = [
      '100% cotton',
      '100 percent',
      'under_score',
      'underXscore',
      'say "hello" now',
      "it's o'clock",
      'back\\slash',
      'back\\\\slash',
      'a* OR b',
      'NEAR(a b)',
      'col:umn',
      'Straße',
      'STRASSE',
      'ΟΔΟΣ',
      'οδός',
      'ΟΔΟΣ ΕΡΜΟΥ',
      'İstanbul',
      'ÄÖÜ äöü',
      '日本語テスト',
      'smile 😀😀😀 end',
      'e\u0301cole',
      '   spaces   ',
      'abc',
    ];
    const rows = texts.map((text, index) =>
      aService(broker, plan, {
        clientName: index % 3 === 0 ? text : 'nobody',
        label: index % 3 === 1 ? text : null,
        externalReference: index % 3 === 2 ? text : null,
      }),
    );
    const split = aService(broker, plan, { label: 'fron', clientName: 'tier', externalReference: 'town' });
    await store.tx((tx) => tx.services.insert([...rows, split]));
    const terms = [
      ...texts.filter((text) => Array.from(fold(text)).length >= 3),
      '100%',
      '%%%',
      '___',
      'r_s',
      '"hello"',
      '"""',
      "o'c",
      '\\sl',
      '\\\\\\',
      'k\\s',
      '* or',
      'near(',
      'l:u',
      'strasse',
      'straße',
      'ΔΟΣ',
      'δος',
      'δοσ',
      'istanbul',
      'öü ',
      '本語テ',
      '😀😀😀',
      'écol',
      // Three letters that fold to two.
      'e\u0301c',
      '   ',
      'frontier',
      'nZt',
      'ontie',
      'tier',
      'and not',
      'abc" or "x',
    ];
    for (const term of terms) {
      const search = fold(term);
      const expected = [...rows, split].filter((row) => row.searchText.includes(search)).map((row) => row.number);
      const found = numbersOf(await read.services.page(broker.id, { search }, everything));
      t.strictSame(found.sort(), expected.sort(), term);
      t.equal(await read.services.countMatches(broker.id, { search }), expected.length, term);
    }
    const both = await read.services.page(broker.id, { search: fold('ΟΔΌΣ') }, everything);
    t.equal(both.length, 1, 'accents count');
    t.equal(
      (await read.services.page(broker.id, { search: fold('Οδος') }, everything)).length,
      2,
      'a final sigma does not',
    );
  });

  await t.test('a search follows every change of a service', async (t) => {
    const { broker, service } = await stock(store);
    const found = async (search: string) => (await read.services.page(broker.id, { search }, everything)).length;
    const word = `needle${next()}`;
    t.equal(await found(word), 0);
    await store.tx((tx) => tx.services.update(broker.id, service.number, { searchText: word }));
    t.strictSame([await found(word), await found('ada')], [1, 0]);
    await store.tx((tx) => tx.services.update(broker.id, service.number, { label: 'untouched' }));
    t.equal(await found(word), 1);
    const before = new Map([[service.number, { ...service, searchText: word }]]);
    await store.tx((tx) => tx.services.replace([{ ...service, searchText: 'replaced' }], before));
    t.strictSame([await found(word), await found('replaced')], [0, 1]);
    await t.rejects(
      store.tx(async (tx) => {
        await tx.services.update(broker.id, service.number, { searchText: word });
        throw new Error('undone');
      }),
    );
    t.strictSame([await found(word), await found('replaced')], [0, 1]);
  });

  await t.test(
    'what has passed is moved on as the rule says, a few at a time, by several at once; what ended stays',
    async (t) => {
      const { broker, plan } = await stock(store, 0);
      // Far behind every other test's, so that the oldest are these.
      const began = Date.UTC(1990, 0, 31, 5);
      const dates = Array.from({ length: 40 }, (_, index) => began + index * 7 * DAY);
      const rows = dates.map((renewalAt) => aService(broker, plan, { renewalAt }));
      const ended = aService(broker, plan, { status: 'terminated', renewalAt: began - DAY });
      const hourly = aService(broker, plan, { renewalAt: null });
      await store.tx((tx) => tx.services.insert([...rows, ended, hourly]));
      const found = async () =>
        new Map(
          (
            await read.services.listMany(
              broker.id,
              [...rows, ended, hourly].map(({ number }) => number),
            )
          ).map((row) => [row.number, row]),
        );

      t.equal(await read.services.findDueRenewal(began - 1), false);
      t.equal(await store.tx((tx) => tx.services.renew({ now: began - 1, limit: 5 })), 0);
      for (const now of [began, began + 60 * DAY, began + 61 * DAY]) {
        const due = [...(await found()).values()].filter(
          (row) => row !== ended && row.status === 'active' && row.renewalAt !== null && row.renewalAt <= now,
        );
        const before = await found();
        let moved = 0;
        while (await read.services.findDueRenewal(now)) {
          const steps = await atOnce(opened, 3, (each) => each.tx((tx) => tx.services.renew({ now, limit: 2 })));
          t.ok(steps.every((step) => step <= 2));
          moved += steps.reduce((sum, step) => sum + step, 0);
        }
        t.equal(moved, due.length, 'each of them once');
        const after = await found();
        for (const row of rows) {
          const stood = before.get(row.number) as ServiceRow;
          const shown = renewalAsOf(stood, now);
          t.strictSame(
            after.get(row.number),
            shown === stood.renewalAt
              ? stood
              : { ...stood, renewalAt: shown, updatedAt: lastChangeAt(stood.updatedAt, now) },
          );
        }
        t.strictSame([after.get(ended.number), after.get(hourly.number)], [ended, hourly]);
      }
      t.equal((await found()).get(rows[0]?.number ?? 0)?.renewalAt, nextRenewal(anchorOf(began), began + 61 * DAY));
      await store.tx((tx) => tx.services.renew({ now: T0 - 40 * DAY, limit: 100 }));
    },
  );

  await t.test(
    'dates that are moved together are those of the rule for each alone, of any day and any broker',
    async (t) => {
      const stocks = [await stock(store, 0), await stock(store, 0)];
      // Far behind every other test's, so that the oldest are these.
      const began = Date.UTC(1985, 0, 1);
      const service = fc.record({
        of: fc.constantFrom(...stocks),
        // Often the 29th to the 31st, at midnight or at any millisecond.
        anchor: fc.tuple(fc.oneof(fc.constantFrom(28, 29, 30), fc.nat(30)), fc.oneof(fc.constant(0), fc.nat(DAY - 1))),
        hasAnchor: fc.boolean(),
        daysBehind: fc.nat(200),
        updatedAt: fc.integer({ min: began - DAY, max: began + DAY }),
        cancellationEffectiveAt: fc.option(fc.integer({ min: began - 250 * DAY, max: began })),
        status: fc.constantFrom('active' as const, 'pending' as const, 'terminated' as const),
      });
      await fc.assert(
        fc.asyncProperty(fc.array(service, { minLength: 1, maxLength: 25 }), async (made) => {
          const rows = made.map(({ of: { broker, plan }, anchor: [day, ms], hasAnchor, daysBehind, ...fields }) => {
            const renewalAnchor = day * DAY + ms;
            const renewalAt = nextRenewal(renewalAnchor, began - daysBehind * DAY);
            return aService(broker, plan, { ...fields, renewalAt, renewalAnchor: hasAnchor ? renewalAnchor : null });
          });
          await store.tx((tx) => tx.services.insert(rows));
          const expected = rows.map((row) => {
            const renewalAt = Number(row.renewalAt);
            const end = row.cancellationEffectiveAt;
            if (row.status === 'terminated' || renewalAt > began || (end !== null && end <= renewalAt)) return row;
            const next = nextRenewal(row.renewalAnchor ?? anchorOf(renewalAt), began);
            return { ...row, renewalAt: next, updatedAt: lastChangeAt(row.updatedAt, began) };
          });
          while ((await store.tx((tx) => tx.services.renew({ now: began, limit: 10 }))) > 0);
          for (const row of expected) t.strictSame(await read.services.find(row.brokerId, row.number), row);
          // None of them is due in another test.
          await store.tx(async (tx) => {
            for (const { brokerId, number } of rows) await tx.services.update(brokerId, number, { renewalAt: null });
          });
        }),
        { numRuns: full ? 200 : 20 },
      );
    },
  );

  await t.test('only a broker’s own services are locked, changed and replaced', async (t) => {
    const { broker, rows, service } = await stock(store, 3);
    const stranger = await stock(store);
    await store.tx(async (tx) => {
      t.strictSame(await tx.services.lock(broker.id, service.number), service);
      t.equal(await tx.services.lock(broker.id, stranger.service.number), null);
      const locked = await tx.services.lockMany(
        broker.id,
        [...rows, stranger.service].map((row) => row.number),
      );
      t.strictSame(new Set(locked.map((row) => row.number)), new Set(rows.map((row) => row.number)));
      t.strictSame(await tx.services.lockMany(broker.id, []), []);
      t.equal(await tx.services.update(broker.id, stranger.service.number, { status: 'terminated' }), null);
      const updated = await tx.services.update(broker.id, service.number, { label: 'New', updatedAt: T0 + 1 });
      t.strictSame(updated, { ...service, label: 'New', updatedAt: T0 + 1 });
    });
    const stolen = { ...aService(broker, stranger.plan), number: stranger.service.number, label: 'stolen' };
    await t.rejects(
      store.tx((tx) => tx.services.replace([stolen], new Map())),
      { message: /was not locked/ },
    );
    t.strictSame(await read.services.find(stranger.broker.id, stranger.service.number), stranger.service);
    t.equal(await read.counters.total(broker.id, 'services'), 3);
  });

  await t.test('a service is replaced as a whole', async (t) => {
    const { broker, plan, service } = await stock(store);
    const anew = aService(broker, plan, {
      number: service.number,
      status: 'suspended',
      suspendedBy: 'broker',
      suspensionReason: 'overdue',
      suspendedAt: T0,
      label: 'x',
      clientEmail: null,
    });
    await store.tx(async (tx) => {
      const standing = await tx.services.lockMany(broker.id, [service.number]);
      await tx.services.replace([anew], new Map(standing.map((row) => [row.number, row])));
    });
    t.strictSame(await read.services.find(broker.id, service.number), anew);
  });

  await t.test('consumption of all brokers, or of one, stands by the amount, and is narrowed by it', async (t) => {
    const [one, other] = [await stock(store, 2), await stock(store)];
    const [low, high] = one.rows.toSorted((a, b) => a.number - b.number) as [ServiceRow, ServiceRow];
    const used = ({ brokerId, number }: ServiceRow, transferGbUsed: string | null, diskGbUsed: string | null) => ({
      brokerId,
      serviceNumber: number,
      measuredAt: T0,
      periodFrom: null,
      transferGbUsed,
      diskGbUsed,
    });
    await store.tx((tx) =>
      tx.consumption.insert([
        used(low, '900.5', '80'),
        used(high, '10000', null),
        used(other.service, '2000.001', '9.25'),
      ]),
    );
    const page = { limit: 10, offset: 0 };
    const numbers = async (...given: Parameters<typeof read.consumption.pageOfAll>) =>
      (await read.consumption.pageOfAll(...given)).map(({ service }) => service.number);
    const all = [high.number, other.service.number, low.number];
    t.strictSame(await numbers({}, 'transfer', page), all, 'as numbers, not as texts');
    t.strictSame(await numbers({}, 'transfer', { ...page, reverse: true }), all.toReversed());
    t.strictSame(await numbers({}, 'disk', page), [low.number, other.service.number, high.number], 'unknown last');
    t.strictSame(await numbers({ transferAbove: 2000 }, 'transfer', page), all.slice(0, 2));
    t.strictSame(await numbers({ brokerId: one.broker.id, diskAbove: 10 }, 'disk', page), [low.number]);
    t.strictSame(await numbers({}, 'transfer', { limit: 1, offset: 1 }), [other.service.number]);
    t.equal(await read.consumption.countOfAll({ transferAbove: 2000 }, 10), 2);
    t.match(await read.consumption.pageOfAll({ transferAbove: 9000 }, 'transfer', page), [
      { consumption: { transferGbUsed: '10000' }, plan: { id: one.plan.id }, broker: { slug: one.broker.slug } },
    ]);
    await store.tx((tx) => tx.consumption.upsert([used(high, '10000000.001', null)]));
    t.strictSame(await numbers({ transferAbove: 10_000_000 }, 'transfer', page), [high.number], 'to the last place');
    const sizes = await read.sizes.listTables();
    t.ok(
      sizes.some(({ table, rows }) => table === 'consumption' && rows < 5_000),
      'numbers of services are no sizes',
    );
  });
}
