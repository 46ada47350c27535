import t, { type Test } from 'tap';
import { listAudit } from '../../../src/operator/audit/audit.ts';
import {
  importConsumption,
  listConsumption,
  previewConsumption,
  removeConsumption,
} from '../../../src/operator/billing/consumption.ts';
import { createBroker } from '../../../src/operator/brokers/brokers.ts';
import { listImports } from '../../../src/operator/imports/list.ts';
import { importPlans } from '../../../src/operator/plans/plans.ts';
import { importServices } from '../../../src/operator/services/import.ts';
import { removeServices } from '../../../src/operator/services/removal.ts';
import { showService, showServiceFile } from '../../../src/operator/services/views.ts';
import { BROKER, createOperatorContext, faultsOf, file, PLANS } from '../../support/operator-context.ts';

const broker = 'acme';

async function open(t: Test) {
  const context = await createOperatorContext();
  t.teardown(() => context.close());
  await createBroker.run(context, BROKER);
  await importPlans(context, { broker, file: file('plans.json', PLANS) });
  const services = [7000, 7001].map((number) => ({ service_number: number, client: { name: 'Z' }, plan: 'start' }));
  await importServices(context, { broker, file: file('s.json', services) });
  return context;
}

const MEASURED = { service_number: 7000, measured_date: '2029-02-01', disk_gb_used: 12.5, transfer_gb_used: '340.125' };

t.test('of each service the latest measurement is kept; an older one is skipped and counted', async (t) => {
  const context = await open(t);
  const bring = async (name: string, content: unknown) => {
    const {
      import_id: _,
      broker: __,
      ...counts
    } = await importConsumption(context, { broker, file: file(name, content) });
    return counts;
  };
  const before = await showService.run(context, { service_number: 7000 });
  context.clock.advance(1_000);
  t.strictSame(await bring('c.json', [MEASURED]), { imported: 1, created: 1, updated: 0, skipped: 0 });
  const csv =
    'service_number,measured_date,period_from,disk_gb_used\n7000,2029-02-02,2029-02-01,13\n7001,2029-02-02,,1\n';
  t.strictSame(await bring('c.csv', csv), { imported: 2, created: 1, updated: 1, skipped: 0 });
  const { records } = await listConsumption.run(context, { broker });
  t.match(records, [
    {
      service_number: 7000,
      measured_date: '2029-02-02T00:00:00.000Z',
      period_from: '2029-02-01T00:00:00.000Z',
      disk_gb_used: '13',
      transfer_gb_used: '340.125',
    },
    { service_number: 7001, disk_gb_used: '1', transfer_gb_used: null },
  ]);
  const older = [MEASURED, { service_number: 7001, measured_date: '2029-02-02', disk_gb_used: 2 }];
  t.match(await previewConsumption(context, { broker, file: file('c.json', older) }), {
    updated: 1,
    skipped: 1,
    records: [
      { action: 'skip', changes: [] },
      { action: 'update', changes: [{ field: 'disk_gb_used', before: '1', after: '2' }] },
    ],
  });
  t.strictSame(await bring('c.json', older), { imported: 1, created: 0, updated: 1, skipped: 1 });
  t.match((await listConsumption.run(context, { broker, service_number: 7000 })).records, [{ disk_gb_used: '13' }]);
  t.equal((await showService.run(context, { service_number: 7000 })).updated_date, before.updated_date);
  t.match(await showServiceFile(context, { number: '7000' }), { consumption: { disk_gb_used: '13' } });
  t.equal((await listAudit(context, { action: 'consumption.import' })).length, 3);
  t.match((await listImports.run(context, { broker, limit: '2' })).records, [
    { kind: 'consumption', created: 0, updated: 1, skipped: 1 },
    { kind: 'consumption', created: 1, updated: 1, skipped: 0 },
  ]);
});

t.test('an unknown service and what is no quantity are faults, and nothing is imported', async (t) => {
  const context = await open(t);
  const faulty = [
    MEASURED,
    { ...MEASURED, service_number: 9 },
    { ...MEASURED, service_number: 7001, disk_gb_used: '1.0001', transfer_gb_used: -1 },
    { service_number: 7001 },
    MEASURED,
  ];
  t.strictSame(await faultsOf(importConsumption(context, { broker, file: file('c.json', faulty) })), [
    'record 2: service_number: "acme" has no service 9',
    'record 3: disk_gb_used: must be a decimal number of at most three places, such as 12.5; transfer_gb_used: must be a decimal number of at most three places, such as 12.5',
    'record 4: service_number: 7001 is in the file twice; measured_date: is required',
    'record 5: service_number: 7000 is in the file twice',
    'c.json: 4 of 5 records are faulty; nothing was imported',
  ]);
  t.strictSame((await listConsumption.run(context, { broker })).records, []);
});

t.test('a period that begins after its measurement is a fault; of an older measurement it is skipped', async (t) => {
  const context = await open(t);
  const bring = (record: object) => importConsumption(context, { broker, file: file('c.json', [record]) });
  t.strictSame(await faultsOf(bring({ ...MEASURED, period_from: '2029-02-01T00:00:01Z' })), [
    'record 1: period_from: must not be after measured_date',
    'c.json: 1 of 1 records are faulty; nothing was imported',
  ]);
  await bring({ ...MEASURED, period_from: '2029-02-01' });
  t.match(await bring({ ...MEASURED, measured_date: '2029-01-31' }), { skipped: 1 });
});

t.test('what a service consumed goes with it', async (t) => {
  const context = await open(t);
  await importConsumption(context, { broker, file: file('c.json', [MEASURED]) });
  await removeServices(context, { broker, numbers: ['7000'] });
  t.strictSame((await listConsumption.run(context, { broker })).records, []);
});

t.test('a measurement from far ahead is refused, and one that was stored can be taken back', async (t) => {
  const context = await open(t);
  const bring = (measured_date: string) =>
    importConsumption(context, { broker, file: file('c.json', [{ ...MEASURED, measured_date }]) });
  t.strictSame(await faultsOf(bring('2062-01-01')), [
    'record 1: measured_date: must not be more than a day ahead',
    'c.json: 1 of 1 records are faulty; nothing was imported',
  ]);
  await bring('2030-01-16');
  t.match(await bring('2029-02-01'), { skipped: 1 });
  t.match(await removeConsumption.run(context, { broker, service_number: 7000 }), {
    measured_date: '2030-01-16T00:00:00.000Z',
  });
  t.match(await listAudit(context, { limit: 1 }), [{ action: 'consumption.remove', subject: 'service/7000' }]);
  t.match(await bring('2029-02-01'), { imported: 1, skipped: 0 });
  await t.rejects(removeConsumption.run(context, { broker, service_number: 7001 }), { message: /has no measurement/ });
});
