import t, { type Test } from 'tap';
import { importConsumption, listConsumption } from '../../../src/operator/billing/consumption.ts';
import { importInvoices, listInvoices } from '../../../src/operator/billing/invoices.ts';
import { importPlans, listPlans } from '../../../src/operator/plans/plans.ts';
import { importServices, previewServices } from '../../../src/operator/services/import.ts';
import { listServices, showService } from '../../../src/operator/services/views.ts';
import { exportCsv } from '../../../src/operator/use-case/exports.ts';
import type { AnyUseCase } from '../../../src/operator/use-case/use-case.ts';
import { openDemo } from '../../support/demo.ts';
import { createOperatorContext, faultsOf, file } from '../../support/operator-context.ts';

/** What a list prints can be imported again (contract, section 14.8). */

const broker = 'demo';

async function open(t: Test) {
  const context = await createOperatorContext(openDemo);
  t.teardown(() => context.close());
  return context;
}

type Context = Awaited<ReturnType<typeof open>>;

const KINDS = [
  ['plans', listPlans, importPlans],
  ['services', listServices, importServices],
  ['invoices', listInvoices, importInvoices],
  ['consumption', listConsumption, importConsumption],
] as const satisfies ReadonlyArray<readonly [string, AnyUseCase, typeof importPlans]>;

const recordsOf = async (context: Context, list: AnyUseCase): Promise<object[]> =>
  (await list.run(context as never, { broker, limit: 500 })).records;

/** A list as the command prints it. */
async function printed(format: 'csv' | 'json', { columns = [], furtherColumns = [] }: AnyUseCase, records: object[]) {
  if (format === 'json') return JSON.stringify(records);
  const pieces: Buffer[] = [];
  async function* pages() {
    yield records;
  }
  for await (const piece of exportCsv([...columns, ...furtherColumns], pages(), { mark: true })) pieces.push(piece);
  return Buffer.concat(pieces).toString();
}

for (const format of ['csv', 'json'] as const) {
  for (const [kind, list, bring] of KINDS) {
    t.test(`${kind} that were printed as ${format} are imported again, and nothing changes`, async (t) => {
      const context = await open(t);
      // Texts that a spreadsheet would run, and one that looks as if it had been kept from that.
      const labels = ['=1+1', "'=1+1", '-12 days'].map((label, index) => ({
        service_number: 1_000_001 + index,
        label,
      }));
      await importServices(context, { broker, file: file('labels.json', JSON.stringify(labels)) });
      const before = await recordsOf(context, list);
      t.ok(before.length > 0);
      context.clock.advance(1_000);
      const content = await printed(format, list, before);
      t.match(await bring(context, { broker, file: file(`list.${format}`, content) }), {
        imported: before.length,
        created: 0,
      });
      t.strictSame(await recordsOf(context, list), before);
    });
  }

  t.test(`what an import cannot set is a fault in ${format} where it is not as it is stored`, async (t) => {
    const context = await open(t);
    const [record] = (await listServices.run(context, { broker, limit: 1 })).records;
    const content = await printed(format, listServices, [
      { ...record, broker: 'another', updated_date: '2020-01-01T00:00:00.000Z' },
    ]);
    const faults = await faultsOf(importServices(context, { broker, file: file(`list.${format}`, content) }));
    for (const field of ['broker', 'updated_date']) {
      t.match(faults[0], `${field}: is not as it is stored, and an import cannot set it`);
    }
  });
}

t.test('a service moves to another plan by the name of the list', async (t) => {
  const context = await open(t);
  const content = 'service_number,plan.slug\n1000001,business\n';
  await importServices(context, { broker, file: file('s.csv', content) });
  t.match(await showService.run(context, { service_number: 1_000_001 }), { plan: { slug: 'business' } });
});

for (const [columns, column] of [
  ['plan,plan.slug', 'plan.slug'],
  ['plan.slug,plan', 'plan'],
  ['configuration,configuration_image', 'configuration_image'],
] as const) {
  t.test(`a field that a file has under two names is refused: ${columns}`, async (t) => {
    const context = await open(t);
    const content = `service_number,${columns}\n1000001,,\n`;
    await t.rejects(importServices(context, { broker, file: file('s.csv', content) }), {
      message: `s.csv: line 1: the column "${column}" appears twice`,
    });
  });
}

t.test('cells that a spreadsheet damaged are imported with a warning, by a dry run too', async (t) => {
  const context = await open(t);
  const cells = [
    'service_number,label,client_name,external_reference,access_ip_addresses',
    '1000001,1.23457E+11,MÃ¼ller,#N/A,192.0.2.1 10.0.0.300',
    '1000002,Müller,####,\\N,',
    '1000003,12 345,Ada,E+1,192.0.2.3',
  ].join('\n');
  const input = { broker, file: file('s.csv', cells) };
  const warnings = [
    { where: 'line 2', field: 'label', message: /rounded/ },
    { where: 'line 2', field: 'client_name', message: /another encoding/ },
    { where: 'line 2', field: 'external_reference', message: /error of a spreadsheet/ },
    { where: 'line 2', field: 'access_ip_addresses', message: 'left out: 10.0.0.300' },
    { where: 'line 3', field: 'client_name', message: /error of a spreadsheet/ },
    { where: 'line 3', field: 'external_reference', message: /empty value/ },
  ];
  const preview = await previewServices(context, input);
  t.equal(preview.warned, 2);
  const fields = preview.records.map((record) => record.warnings.map(({ field }) => field));
  t.strictSame(fields, [
    ['label', 'client_name', 'external_reference', 'access_ip_addresses'],
    ['client_name', 'external_reference'],
    [],
  ]);
  const report = await importServices(context, input);
  t.match(report, { imported: 3, warned: 2, warnings });
  t.equal(report.warnings?.length, warnings.length);
});
