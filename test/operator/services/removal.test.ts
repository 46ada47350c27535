import t, { type Test } from 'tap';
import { listAudit } from '../../../src/operator/audit/audit.ts';
import { importInvoices } from '../../../src/operator/billing/invoices.ts';
import { createBroker } from '../../../src/operator/brokers/brokers.ts';
import { listImports } from '../../../src/operator/imports/list.ts';
import { importPlans } from '../../../src/operator/plans/plans.ts';
import { submitClientRequest } from '../../../src/operator/requests/decisions.ts';
import { importServices } from '../../../src/operator/services/import.ts';
import { previewServiceRemoval, removeServices } from '../../../src/operator/services/removal.ts';
import { setService } from '../../../src/operator/services/services.ts';
import { listServices } from '../../../src/operator/services/views.ts';
import type { BrokerRow } from '../../../src/store/queries/brokers.ts';
import { BROKER, createOperatorContext, file, PLANS } from '../../support/operator-context.ts';
import { anEmail } from '../../support/rows.ts';

const client = { name: 'Ada' };
const broker = 'acme';

async function imported(t: Test, records: object[]) {
  const context = await createOperatorContext();
  t.teardown(() => context.close());
  await createBroker.run(context, BROKER);
  await importPlans(context, { broker, file: file('plans.json', PLANS) });
  const bring = (services: object[]) => importServices(context, { broker, file: file('services.json', services) });
  const { import_id: importId, ...report } = await bring(records);
  const id = String((await context.store.read.brokers.findBySlug(broker))?.id);
  const total = () => context.store.read.counters.total(id, 'services');
  return { context, importId, report, bring, id, total };
}

const three = [1, 2, 3].map((number) => ({ service_number: 5000 + number, client, plan: 'start' }));

t.test('an import that was not used is taken back with all that it created, however much that is', async (t) => {
  const many = Array.from({ length: 1_200 }, () => ({ client, plan: 'start' }));
  const { context, importId, report, bring, total } = await imported(t, many);
  await bring(three);
  t.match(await previewServiceRemoval(context, { broker, importId }), { services: 1_200, used_services: 0, used: [] });
  const takenBack = async () => {
    const { records } = await listImports.run(context, { broker });
    return records.find(({ import_id: listed }) => listed === importId)?.taken_back;
  };
  t.equal(await takenBack(), false);
  t.strictSame(await removeServices(context, { broker, importId }), { broker, removed: 1_200, stayed: [] });
  t.equal(await takenBack(), true, 'the list of imports says so');
  t.equal(await total(), 3, 'another import’s services stay');
  t.match(await listAudit(context, { action: 'service.remove' }), [
    { subject: `import/${importId}`, before: { services: 1_200 } },
  ]);
  await t.rejects(removeServices(context, { broker, importId }), { message: /^"acme" has no services of the import/ });
  const [number] = (await bring([{ client, plan: 'start' }])).issued_service_numbers;
  t.notOk(report.issued_service_numbers.includes(Number(number)), 'no number is issued again');
});

t.test('nothing is removed once something has happened on one of the services, and that is named', async (t) => {
  const uses: Array<[why: string, use: (of: Awaited<ReturnType<typeof imported>>) => Promise<unknown>]> = [
    [
      'has an invoice',
      ({ context }) => {
        const invoice = { invoice_number: 'I-1', service_number: 5002, amount: '1.00', currency: 'EUR' };
        const dated = { ...invoice, invoice_status: 'open', issued_date: '2030-01-01' };
        return importInvoices(context, { broker, file: file('invoices.json', [dated]) });
      },
    ],
    [
      'has an email',
      ({ context, id }) =>
        context.store.tx((tx) => tx.emails.insert(anEmail({ id } as BrokerRow, { serviceNumber: 5002 }))),
    ],
    [
      'has changed since',
      ({ context }) => setService.run(context, { broker, service_number: 5002, 'client.name': 'Eve' }),
    ],
    ['has changed since', ({ bring }) => bring([{ ...three[1], label: 'Another' }])],
    [
      'has changed since',
      async ({ context }) => {
        context.clock.advance(40 * 86_400_000);
        const now = context.clock.now();
        await context.store.tx((tx) => tx.services.renew({ now, limit: 10 }));
      },
    ],
  ];
  for (const [why, use] of uses) {
    const world = await imported(t, three);
    const { context, importId, total } = world;
    context.clock.advance(1);
    await use(world);
    const preview = await previewServiceRemoval(context, { broker, importId });
    t.match(
      preview.used.find(({ service_number }) => service_number === 5002),
      { why },
    );
    await t.rejects(removeServices(context, { broker, importId }), { message: /^Nothing was removed: \d of 3 / });
    t.equal(await total(), 3);
  }
});

t.test('what an import changed and did not create stays, and is counted', async (t) => {
  const { context, bring, total } = await imported(t, three);
  const { import_id: later } = await bring([three[0] as object, { client, plan: 'more' }]);
  t.match(await previewServiceRemoval(context, { broker, importId: later }), { services: 1, updated_services: 1 });
  t.match(await removeServices(context, { broker, importId: later }), { removed: 1 });
  t.equal(await total(), 3);
});

t.test('of what has happened on a service its request is named before its email; a refusal names five', async (t) => {
  const many = Array.from({ length: 7 }, (_, index) => ({ service_number: 5001 + index, client, plan: 'start' }));
  const { context, importId, id } = await imported(t, many);
  context.clock.advance(1);
  for (const { service_number: number } of many) {
    await context.store.tx((tx) => tx.emails.insert(anEmail({ id } as BrokerRow, { serviceNumber: number })));
  }
  const log = { error: () => undefined, warn: () => undefined };
  await submitClientRequest.run({ ...context, log }, { broker, service_number: '5001', type: 'cancellation' });
  await t.rejects(removeServices(context, { broker, importId }), {
    message: /: 5001 has a request, 5002 has an email, .*5005 has an email and 2 more$/,
  });
});

t.test('services are removed by number too, if an import in the trail created them', async (t) => {
  const { context, id, total } = await imported(t, three);
  const remove = (...numbers: number[]) => removeServices(context, { broker, numbers });
  t.match(await remove(5001, 5001), { removed: 1 });
  t.equal(await total(), 2);
  await t.rejects(remove(5001), { message: '"acme" has no service 5001' });
  await t.rejects(remove(), { message: /must name 1 to 500 services, or give an import/ });
  await t.rejects(remove(...Array.from({ length: 501 }, (_, index) => index + 1)), { message: /must name 1 to 500/ });
  await context.store.tx((tx) => tx.services.update(id, 5002, { importId: null }));
  await t.rejects(remove(5002, 5003), {
    message: 'Nothing was removed: 1 of 2 services cannot be: 5002 came with no import that is in the audit trail',
  });
  await createBroker.run(context, { ...BROKER, slug: 'other' });
  await t.rejects(removeServices(context, { broker: 'other', numbers: [5003] }), { message: /has no service 5003/ });
});

t.test('a service on which something happens during the removal stays and is named', async (t) => {
  const { context, importId, total } = await imported(t, three);
  let changes = 0;
  const racing = {
    ...context,
    store: {
      ...context.store,
      tx: async <T>(work: Parameters<typeof context.store.tx<T>>[0]) => {
        changes += 1;
        if (changes === 1) {
          context.clock.advance(1);
          await setService.run(context, { broker, service_number: 5002, 'client.name': 'Eve' });
        }
        return context.store.tx<T>(work);
      },
    },
  };
  t.strictSame(await removeServices(racing, { broker, importId }), {
    broker,
    removed: 2,
    stayed: [{ service_number: 5002, why: 'has changed since' }],
  });
  t.match(await listServices.run(context, { broker }), { total: 1, records: [{ service_number: 5002 }] });
  t.equal(await total(), 1);
  const only = { ...racing, store: { ...racing.store } };
  await t.rejects(removeServices(only, { broker, importId }), { message: /1 of 1 services cannot be/ });
});

t.test('one whose last service was used during the removal leaves no row in the trail', async (t) => {
  const { context } = await imported(t, three);
  const racing = {
    ...context,
    store: {
      ...context.store,
      tx: async <T>(work: Parameters<typeof context.store.tx<T>>[0]) => {
        context.clock.advance(1);
        await setService.run(context, { broker, service_number: 5003, 'client.name': `Eve ${context.clock.now()}` });
        return context.store.tx<T>(work);
      },
    },
  };
  t.match(await removeServices(racing, { broker, numbers: [5003] }), {
    removed: 0,
    stayed: [{ service_number: 5003 }],
  });
  t.strictSame(await listAudit(context, { action: 'service.remove' }), []);
});

t.test(
  'a removal that was killed, and repeated at once by two, leaves one row with what there was to remove',
  async (t) => {
    const many = Array.from({ length: 1_200 }, () => ({ client, plan: 'start' }));
    const { context, importId, total } = await imported(t, many);
    let transactions = 0;
    const killed = {
      ...context,
      store: {
        ...context.store,
        tx: async <T>(work: Parameters<typeof context.store.tx<T>>[0]) => {
          transactions += 1;
          if (transactions === 2) throw new Error('killed');
          // A slow transaction: the next one is smaller.
          context.clock.advance(100);
          return context.store.tx<T>(work);
        },
      },
    };
    await t.rejects(removeServices(killed, { broker, importId }), { message: 'killed' });
    t.equal(await total(), 700);
    const again = await Promise.all([1, 2].map(() => removeServices(context, { broker, importId })));
    t.equal(
      again.reduce((sum, { removed }) => sum + removed, 0),
      700,
    );
    t.equal(await total(), 0);
    const trail = await listAudit(context, { action: 'service.remove' });
    t.equal(trail.length, 1);
    t.match(trail, [{ subject: `import/${importId}`, before: { services: 1_200 } }]);
  },
);

t.test('imports are listed newest first, of one broker or of all', async (t) => {
  const { context, importId, bring } = await imported(t, three);
  context.clock.advance(1000);
  const later = await bring([{ ...three[0], label: 'x' }]);
  t.match((await listImports.run(context, { broker })).records, [
    { import_id: later.import_id, kind: 'services', created: 0, updated: 1, file: 'services.json' },
    { import_id: importId, created: 3, updated: 0, broker },
    { kind: 'plans', created: 2 },
  ]);
  t.match(await listImports.run(context, { limit: '1' }), { truncated: true, records: { length: 1 } });
  t.match(await listImports.run(context, { limit: '3' }), { truncated: false, records: { length: 3 } });
  await t.rejects(listImports.run(context, { broker: 'none' }), { message: 'There is no broker "none"' });
});
