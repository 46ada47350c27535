import type { Test } from 'tap';
import { createIds } from '../../../src/runtime/ids.ts';
import type { OwnedRequest } from '../../../src/store/queries/all-requests.ts';
import type { AllServicesFilter, AllServicesOrder, OwnedService } from '../../../src/store/queries/all-services.ts';
import type { EmailLine, EmailRow } from '../../../src/store/queries/emails.ts';
import type { InvoiceRow } from '../../../src/store/queries/invoices.ts';
import type { OperatorRow } from '../../../src/store/queries/operators.ts';
import type { ServiceRow } from '../../../src/store/queries/services.ts';
import type { UsageSum } from '../../../src/store/queries/usage.ts';
import { anEmail, anInvoice, aRequest, aService, aUsageRow, next, stock, T0 } from '../../support/rows.ts';
import { atOnce, type Opened } from '../contract.ts';

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
      for (const [index, hash] of ['b', 'c'].entries()) await tx.operators.insertLink(link(hash, T0 + index));
    });
    t.match(await store.read.operators.findLink('b', T0 + 99), { operatorId: row.id });
    t.equal(await store.read.operators.findLink('b', T0 + 100), null);
    t.equal(await store.read.operators.findLink('one', T0), null, 'it was used');
    t.strictSame(await store.read.operators.countLinks(row.id), { made: 3, unused: 2 });
    t.equal(await store.tx((tx) => tx.operators.takeLink('b', T0 + 100)), null, 'its time is over');
    await store.tx((tx) => tx.operators.sweepLinks(T0 + 100));
    t.equal(await store.tx((tx) => tx.operators.takeLink('c', T0)), null);
    t.strictSame(await store.read.operators.countLinks(row.id), { made: 0, unused: 0 });
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
    await store.tx((tx) => tx.operators.insertSession(session(row.id)));
    t.equal(await store.tx((tx) => tx.operators.removeSessionsOf(row.id)), 1);
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
      (await store.read.allRequests.page(filter, order, page))
        .filter((row) => row.broker.id === broker.id)
        .map(({ request }) => request.id);
    const ids = rows.map(({ id }) => id);
    t.strictSame(await own({}), ids.toReversed());
    t.strictSame(await own({ status: 'failed' }, 'oldest'), [ids[0]]);
    for (const [index, status] of ['failed', 'completed', 'operator_review'].entries()) {
      t.strictSame(await own({ status, type: 'plan-upgrade' }), [ids[index]], status);
      t.strictSame(await own({ status, type: 'cancellation' }), [], status);
    }
    const { listOldest } = store.read.allRequests;
    t.strictSame(await listOldest({ brokerId: broker.id, after: ids[0] }, 5), ids.slice(1));
    t.strictSame(await listOldest({ brokerId: broker.id, after: ids[2] }, 5), []);
    t.ok((await store.read.allRequests.count({ status: 'failed', type: 'plan-upgrade' })) >= 1);
    t.ok((await store.read.allRequests.count({})) >= 3);
    t.equal(await store.read.allServices.findOwner(service.number), broker.id);
    t.equal(await store.read.allServices.findOwner(999_999_999), null);
    t.equal((await store.read.allRequests.listOfService(broker.id, service.number, 2)).length, 2);
    const tallies = await store.read.counters.listTallies([broker.id]);
    t.equal(tallies.filter(({ subject }) => subject === 'requests').length, 3);
    t.equal((await store.read.keys.countUsable([broker.id], 0)).size, 0);
    t.strictSame(await store.read.keys.page(broker.id, page), { rows: [], total: 0 });
  });

  await t.test('failed requests are counted by reason, and those that can be done once more are known', async (t) => {
    const { broker, rows } = await stock(store, 2);
    const [one, two] = rows as [ServiceRow, ServiceRow];
    const at = T0 + 1_000;
    const failed = { type: 'cancellation', status: 'failed', failureReason: 'no_room', processedAt: at } as const;
    const first = aRequest(one, { ...failed, updatedAt: at });
    const second = aRequest(two, { ...failed, updatedAt: at });
    const retry = aRequest(one, { type: 'cancellation', status: 'accepted', retryOf: first.id, dueAt: at });
    const old = aRequest(two, { type: 'plan-upgrade', status: 'operator_review', submittedAt: 1 });
    await store.tx(async (tx) => {
      for (const request of [first, second, retry, old]) await tx.requests.insert(request);
      await tx.services.update(broker.id, two.number, { reference: `node-${two.number}/vm` });
      const invoice = anInvoice(one, { invoiceNumber: `N-${one.number}` });
      await tx.invoices.upsert([invoice]);
    });
    const { allRequests, allServices, invoices } = store.read;
    const filter = { brokerId: broker.id };
    const sum = { reason: 'no_room', total: 2, brokers: 1, retryable: 1, latestAt: at };
    t.strictSame(await allRequests.tallyFailures(filter, 10), [sum]);
    t.strictSame(await allRequests.tallyFailures({ ...filter, endedSince: at + 1 }, 10), []);
    const page = await allRequests.page({ ...filter, canRetry: true }, 'oldest', { limit: 10, offset: 0 });
    t.match(page, [{ request: { id: second.id }, retriedAs: null, service: { reference: `node-${two.number}/vm` } }]);
    t.equal(await allRequests.count({ ...filter, reason: 'no_room', endedSince: at, endedUntil: at + 1 }), 2);
    t.equal(await allRequests.count({ ...filter, reasonsLeftOut: ['no_room'], status: 'failed', canRetry: true }), 0);
    t.equal(await allRequests.count({ ...filter, endedSince: at }), 2, 'of every state');
    t.equal(await allRequests.findRetry(first.id), retry.id);
    t.ok((await allRequests.countWaiting(at, 1_000)) >= 1);
    t.ok((await allRequests.countOlder('operator_review', 2, 1_000)) >= 1);
    const another = aRequest(one, { type: 'plan-upgrade', status: 'failed', retryOf: first.id });
    await t.rejects(
      store.tx((tx) => tx.requests.insert(another)),
      'one retry of a request',
    );
    const numbers = async (reference: string) =>
      (await allServices.page({ reference }, 'number', { limit: 5, offset: 0 })).map(({ service }) => service.number);
    t.strictSame(await numbers(`node-${two.number}/`), [two.number]);
    t.strictSame(await numbers(`node-${two.number}/w`), []);
    t.match(await invoices.findNumbered(`N-${one.number}`, 5), [{ serviceNumber: one.number }]);
    t.equal((await invoices.listOfServices(broker.id, [one.number, two.number], 5)).length, 1);
  });

  await t.test('what waits, failed and was sent since a date is counted, no further than is asked', async (t) => {
    const { broker, service } = await stock(store);
    const at = Date.UTC(2040, 0, 1);
    const { read } = store;
    // The database has requests and emails of other tests, some with ids that were made up.
    const before = await read.allRequests.countDue(at, 1000);
    const emails = async (limit = 1000) =>
      Object.fromEntries((await read.emails.countByStatus(at, limit)).map(({ status, total }) => [status, total]));
    const { sent = 0, unknown = 0 } = await emails();
    const ids = createIds();
    await store.tx(async (tx) => {
      for (const [index, status] of (['failed', 'failed', 'accepted'] as const).entries()) {
        const id = ids('req', at + index);
        const due = status === 'accepted' ? { dueAt: at } : {};
        const request = aRequest(service, { id, status, type: 'cancellation-warning', ...due });
        await tx.requests.insert(request);
        await tx.requests.addHistory({
          id: ids('evt', at + index),
          brokerId: broker.id,
          requestId: id,
          status,
          at: at + index,
          actor: 'broker',
          note: null,
        });
      }
      for (const [index, status] of (['sent', 'sent', 'unknown'] as const).entries()) {
        const createdAt = at + index;
        await tx.emails.insert(
          anEmail(broker, { id: ids('eml', createdAt), createdAt, status, serviceNumber: service.number }),
        );
      }
    });
    const finished = await read.allRequests.countFinished(at, 1000);
    const processedAt = at + 10;
    const { service: another } = await stock(store);
    await store.tx(async (tx) => {
      for (const status of ['completed', 'failed', 'denied'] as const) {
        const dates = { submittedAt: 1, updatedAt: processedAt, processedAt };
        await tx.requests.insert(
          aRequest(another, { id: ids('req', 1), status, type: 'cancellation-warning', ...dates }),
        );
      }
    });
    const { completed, failed: ended } = finished;
    t.strictSame(await read.allRequests.countFinished(at, 1000), { completed: completed + 1, failed: ended + 1 });
    t.strictSame(
      await read.allRequests.countFinished(processedAt, 1),
      { completed: 1, failed: 1 },
      'each to the limit',
    );
    t.strictSame(await read.allRequests.countFinished(processedAt + 1, 1000), { completed: 0, failed: 0 });
    t.match(await read.allRequests.listFinished(processedAt, 1), [{ submittedAt: 1, processedAt }]);
    t.equal((await read.allRequests.countDue(at, 1000)).due, before.due + 1);
    t.match(await read.allRequests.countDue(at, 1), { due: 1 });
    t.strictSame(await read.allRequests.countDue(0, 10), { due: 0, oldestDueAt: null });
    t.match(await emails(), { sent: sent + 2, unknown: unknown + 1 });
    t.strictSame(Object.values(await emails(1)), [1]);
    const ofService = await read.allRequests.listOfService(broker.id, service.number, 2);
    const history = await read.allRequests.listHistoryOf(
      broker.id,
      ofService.map(({ id }) => id),
      10,
    );
    t.ok(history.length > 0 && history.every(({ requestId }) => ofService.some(({ id }) => id === requestId)));
    const during = (from: number, to: number) =>
      read.allRequests.listOfService(broker.id, service.number, 10, [from, to]);
    const [latest] = ofService;
    t.match(await during(latest?.submittedAt as number, latest?.submittedAt as number), { length: 3 });
    t.strictSame(await during(0, (latest?.submittedAt as number) - 1), []);
  });

  await t.test('services of all brokers are searched, narrowed, ordered and counted', async (t) => {
    const [one, two] = [await stock(store), await stock(store)];
    const mark = `wörld-${next()}`;
    const rows = [
      aService(one.broker, one.plan, {
        label: `a.${mark}`,
        requiresOperatorReview: true,
        createdAt: T0 + 5,
        updatedAt: T0 + 1,
      }),
      aService(two.broker, two.plan, { label: `b.${mark}`, status: 'suspended', createdAt: T0 + 1, updatedAt: T0 + 9 }),
      aService(two.broker, two.plan, { label: `c.${mark}`, status: 'cancelled', createdAt: T0 + 3, updatedAt: T0 + 5 }),
    ].map((row) => ({ ...row, renewalAt: T0 + HOUR, clientEmailFolded: `${mark}@example.com` }));
    await store.tx((tx) => tx.services.insert(rows));
    const numbers = rows.map(({ number }) => number);
    const { allServices } = store.read;
    const found = async (filter: AllServicesFilter, order: AllServicesOrder = 'number') =>
      (await allServices.page({ search: mark, ...filter }, order, { limit: 10, offset: 0 })).map(({ service }) =>
        numbers.indexOf(service.number),
      );
    const byNumber = [0, 1, 2].sort((a, b) => (numbers[b] as number) - (numbers[a] as number));
    t.strictSame(await found({}), byNumber);
    t.strictSame(await found({}, 'newest'), [0, 2, 1]);
    t.strictSame(await found({}, 'changed'), [1, 2, 0]);
    t.strictSame((await found({}, 'renewal')).sort(), [0, 1], 'what has ended renews no more');
    t.strictSame(await found({ brokerId: one.broker.id }), [0]);
    t.strictSame(await found({ status: 'suspended' }), [1]);
    t.strictSame(await found({ planIds: [one.plan.id] }), [0]);
    t.strictSame(await found({ review: true }), [0]);
    t.strictSame((await found({ search: undefined, clientEmail: `${mark}@example.com` })).length, 3);
    t.strictSame(await found({ search: undefined, number: numbers[2] }), [2]);
    t.strictSame((await found({ number: one.service.number })).length, 4, 'the number or the text');
    t.strictSame(await found({ search: '100%_"' }), []);
    t.equal(await allServices.countUpTo({ search: mark }, 'number', 10), 3);
    t.equal(await allServices.countUpTo({ search: mark }, 'number', 2), 2);
    t.match(await allServices.page({ search: mark, review: true }, 'number', { limit: 1, offset: 0 }), [
      { broker: { slug: one.broker.slug }, plan: { id: one.plan.id } },
    ]);
    t.equal(await allServices.total({ brokerId: two.broker.id, status: 'suspended', planIds: [two.plan.id] }), 1);
    t.ok((await allServices.total({})) >= 5);
    t.strictSame(await allServices.findPlans(one.plan.slugFolded, one.broker.id, 10), [one.plan.id]);
    t.ok((await allServices.findPlans(one.plan.slugFolded, undefined, 10)).includes(one.plan.id));
    t.strictSame(await allServices.findPlans('no such plan', undefined, 10), []);
  });

  await t.test('lists go on behind their last row, also where rows have one date', async (t) => {
    const { broker, plan, service } = await stock(store);
    const dates = [T0, T0 + 2, T0 + 1, T0 + 1, T0 + 1];
    const renewal = (renewalAt: number) => ({ renewalAt, createdAt: renewalAt, updatedAt: renewalAt });
    const services = dates.map((date) => aService(broker, plan, renewal(date)));
    const requests = dates.map((submittedAt) => aRequest(service, { submittedAt, status: 'completed' }));
    const emails = dates.map((createdAt) => anEmail(broker, { createdAt, serviceNumber: service.number }));
    const invoices = dates.map((issuedAt) => anInvoice(service, { issuedAt }));
    const minutes = dates.flatMap((_, minute) =>
      ['a', 'b'].map((keyId) => aUsageRow(broker.id, T0 + minute * 60_000, { keyId })),
    );
    await store.tx(async (tx) => {
      await tx.services.insert(services);
      for (const request of requests) await tx.requests.insert(request);
      for (const email of emails) await tx.emails.insert(email);
      await tx.invoices.upsert(invoices);
      await tx.usage.count(minutes);
    });
    const { read } = store;
    const brokerId = broker.id;
    const now = T0;
    /** All rows, two at a time. */
    async function inPages<Row>(load: (page: { limit: number; offset: number }, last?: Row) => Promise<Row[]>) {
      const all: Row[] = [];
      for (;;) {
        const rows = await load({ limit: 2, offset: 0 }, all.at(-1));
        all.push(...rows);
        if (rows.length < 2) return all;
      }
    }
    async function isWhole<Row>(
      name: string,
      count: number,
      load: (page: { limit: number; offset: number }, last?: Row) => Promise<Row[]>,
    ) {
      const whole = await load({ limit: 100, offset: 0 });
      t.equal(whole.length, count, name);
      t.strictSame(await inPages(load), whole, name);
    }
    for (const order of ['number', 'newest', 'changed', 'renewal'] as const) {
      const whole = (await read.allServices.page({ brokerId }, order, { limit: 100, offset: 0 })).length;
      t.ok(whole >= 5);
      await isWhole<OwnedService>(`services by ${order}`, whole, (page, last) =>
        read.allServices.page({ brokerId }, order, page, last?.service),
      );
    }
    for (const order of ['newest', 'oldest'] as const) {
      await isWhole<OwnedRequest>(`requests by ${order}`, 5, (page, last) =>
        read.allRequests.page({ brokerId }, order, page, last?.request),
      );
      const among = (rows: OwnedRequest[]) => rows.filter((row) => row.broker.id === brokerId);
      const pages = await inPages<OwnedRequest>((page, last) => read.allRequests.page({}, order, page, last?.request));
      t.equal(among(pages).length, 5, 'of all brokers');
    }
    for (const filter of [{ brokerId }, { brokerId, serviceNumber: service.number }]) {
      await isWhole<EmailLine>('emails', 5, (page, last) => read.emails.page({ ...filter, now }, page, last));
      await isWhole<EmailRow>('emails', 5, ({ limit }, last) => read.emails.list({ ...filter, now, limit }, last));
    }
    const all = await inPages<EmailLine>((page, last) => read.emails.page({ now }, page, last));
    t.equal(all.filter((email) => email.brokerId === brokerId).length, 5, 'of all brokers');
    await isWhole<InvoiceRow>('invoices', 5, (page, last) => read.invoices.page(brokerId, {}, page, last));
    const span = { grain: 'minute', since: T0, brokerId } as const;
    await isWhole<UsageSum<'fromAt' | 'brokerId' | 'keyId'>>('usage', 10, ({ limit }, last) =>
      read.usage.list(span, ['fromAt', 'brokerId', 'keyId'], limit, last),
    );
    await isWhole<UsageSum<'brokerId' | 'keyId'>>('usage of a span', 2, ({ limit }, last) =>
      read.usage.list(span, ['brokerId', 'keyId'], limit, last),
    );
    const stage = await read.usage.findStage(span, ['fromAt', 'brokerId', 'keyId']);
    t.equal(await read.usage.findNthNewest({ ...span, stage }, 3), T0 + 3 * 60_000);
    t.equal(await read.usage.findNthNewest({ ...span, until: T0 + 60_000, stage }, 1), T0);
    t.equal(await read.usage.findNthNewest({ ...span, stage }, 11), null);
  });

  await t.test('settings are written, listed by how they begin, and removed', async (t) => {
    const { settings } = store.read;
    await store.tx(async (tx) => {
      await tx.settings.put({ name: 'test b', value: '1' });
      await tx.settings.put({ name: 'test a', value: '1' });
      await tx.settings.put({ name: 'test a', value: '2' });
      await tx.settings.put({ name: 'tess', value: '3' });
    });
    t.strictSame(await settings.list('test ', 10), [
      { name: 'test a', value: '2' },
      { name: 'test b', value: '1' },
    ]);
    t.equal((await settings.list('test ', 1)).length, 1);
    await store.tx((tx) => tx.settings.remove('test a'));
    t.equal((await settings.list('test ', 10)).length, 1);
  });

  await t.test('the database shows how large it is, and which migrations it has had', async (t) => {
    const { sizes } = store.read;
    t.ok((await sizes.totalBytes()) > 10_000);
    const rows = await sizes.listTables();
    t.ok(rows.some(({ table }) => table === 'request_history'));
    t.ok(rows.every(({ rows }) => Number.isInteger(rows) && rows >= 0));
    const migrations = await sizes.listMigrations();
    t.ok(migrations.length > 0);
    t.ok(migrations.every(({ name }) => /^\d{4}_\w+$/.test(name as string)));
    t.strictSame(
      migrations,
      migrations.toSorted((a, b) => String(b.name).localeCompare(String(a.name))),
    );
  });
}
