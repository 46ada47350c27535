import t from 'tap';
import { sendInvoicesReport, sendServicesReport } from '../../src/operations/send-report.ts';
import type { ServiceFilter } from '../../src/store/services.ts';
import type { Store } from '../../src/store/store.ts';
import { createWorld } from '../support/world.ts';

t.test('more services than any email could hold are refused before one of them is read', async (t) => {
  const world = await createWorld();
  t.teardown(() => world.close());
  const broker = await world.addBroker();
  const counted: ServiceFilter[] = [];
  const services = {
    ...world.store.read.services,
    async countMatches(_: string, filter: ServiceFilter) {
      counted.push(filter);
      return 1_000_000;
    },
    walk: () => t.fail('nothing needs to be read') as never,
  };
  const store: Store = { ...world.store, read: { ...world.store.read, services } };

  await t.rejects(
    sendServicesReport({ ...world.context, store }, { brokerId: broker.id }, { search: 'GmbH', periodFrom: 5 }),
    { code: 'invalid_parameter', details: { reason: 'report_too_large' } },
  );
  t.match(counted, [{ search: 'gmbh', createdFrom: 5 }]);
  t.equal(world.mailer.sent.length, 0);
});

t.test('a caller whose broker is gone gets no report', async (t) => {
  const world = await createWorld();
  t.teardown(() => world.close());
  await t.rejects(sendInvoicesReport(world.context, { brokerId: 'brk_gone' }, {}), { code: 'server_error' });
});

t.test('a report whose line in the email log cannot be written is not sent', async (t) => {
  const world = await createWorld();
  t.teardown(() => world.close());
  const broker = await world.addBroker();
  const store: Store = { ...world.store, tx: () => Promise.reject(new Error('the disk is full')) };
  await t.rejects(sendInvoicesReport({ ...world.context, store }, { brokerId: broker.id }, {}), {
    message: 'the disk is full',
  });
  t.equal(world.mailer.sent.length, 0);
});
