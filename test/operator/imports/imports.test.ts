import { readFileSync } from 'node:fs';
import t, { type Test } from 'tap';
import { listAudit } from '../../../src/operator/audit/audit.ts';
import { importInvoices, previewInvoices, showInvoice } from '../../../src/operator/billing/invoices.ts';
import { createBroker } from '../../../src/operator/brokers/brokers.ts';
import type { ImportInput } from '../../../src/operator/files/read-file.ts';
import { listImports } from '../../../src/operator/imports/list.ts';
import {
  createPlan,
  importPlans,
  listPlans,
  previewPlans,
  setPlan,
  showPlan,
} from '../../../src/operator/plans/plans.ts';
import { submitClientRequest } from '../../../src/operator/requests/decisions.ts';
import { importServices, previewServices } from '../../../src/operator/services/import.ts';
import { previewServiceRemoval } from '../../../src/operator/services/removal.ts';
import { resumeService, setService, suspendService } from '../../../src/operator/services/services.ts';
import { listServices, showService } from '../../../src/operator/services/views.ts';
import { createServiceOf } from '../../../src/operator/services/work.ts';
import { requireBroker } from '../../../src/operator/use-case/dependencies.ts';
import type { ImportReport } from '../../../src/operator/use-case/import-task.ts';
import type { Store } from '../../../src/store/store.ts';
import { BROKER, createOperatorContext, faultsOf, file, PLANS } from '../../support/operator-context.ts';
import { invoiceLines } from '../../support/reports.ts';

const broker = 'acme';

async function open(t: Test) {
  const context = await createOperatorContext();
  t.teardown(context.close);
  await createBroker.run(context, BROKER);
  return context;
}

async function openWithPlans(t: Test) {
  const context = await open(t);
  await importPlans(context, { broker, file: file('plans.json', PLANS) });
  return context;
}

type OperatorContext = Awaited<ReturnType<typeof open>>;

/** What an import reports, but for its id, which the audit trail's row has. */
const reported =
  <R extends ImportReport>(run: (context: OperatorContext, input: ImportInput) => Promise<R>) =>
  async (context: OperatorContext, name: string, content: unknown) => {
    const { import_id, ...report } = await run(context, { broker, file: file(name, content) });
    const [newest] = (await listImports.run(context, { limit: '1' })).records;
    if (newest?.import_id !== import_id) throw new Error('the newest import has another id');
    return report;
  };
const plansFrom = reported(importPlans);
const servicesFrom = reported(importServices);
const invoicesFrom = reported(importInvoices);

const client = { name: 'Ada Example', email: 'ada@example.com' };

t.test('JSON and CSV say the same about a plan', async (t) => {
  const context = await open(t);
  const json = `[{"slug": "big", "display_name": " Big One ", "upgrade_rank": 30, "billing_type": "hourly", "active": false,
    "requires_operator_review": true, "description": "Two,\\nlines",
    "specifications": {"vcpu": 4, "memory_mb": "8192", "disk_gb": 80, "transfer_gb": null},
    "price": {"amount": 12.50, "currency": "EUR"}}]`;
  t.strictSame(await plansFrom(context, 'plans.json', json), { broker, imported: 1, created: 1, updated: 0 });
  const [asJson] = (await listPlans.run(context, { broker })).records;
  t.match(asJson, {
    slug: 'big',
    display_name: 'Big One',
    upgrade_rank: 30,
    billing_type: 'hourly',
    active: false,
    requires_operator_review: true,
    description: 'Two,\nlines',
    specifications: { vcpu: 4, memory_mb: 8192, disk_gb: 80, transfer_gb: null },
    price: { amount: '12.50', currency: 'EUR' },
  });

  const csv =
    '\ufeffslug,display_name,upgrade_rank,billing_type,active,requires_operator_review,description,' +
    'specifications_vcpu,specifications_memory_mb,specifications_disk_gb,specifications_transfer_gb,price_amount,price_currency\r\n' +
    'big, Big One ,30,hourly,FALSE,1,"Two,\nlines",4,8192,80,,12.50,EUR\r\n\r\n';
  t.strictSame(await plansFrom(context, 'PLANS.CSV', csv), { broker, imported: 1, created: 0, updated: 1 });
  t.strictSame((await listPlans.run(context, { broker })).records, [asJson]);
});

t.test('what a file does not have of a plan stays as it is, and null empties what may be empty', async (t) => {
  const context = await open(t);
  const whole = {
    ...PLANS[0],
    active: false,
    requires_operator_review: true,
    description: 'Good',
    specifications: { vcpu: 1, memory_mb: 2 },
    price: { amount: '1', currency: 'EUR' },
  };
  await plansFrom(context, 'a.json', [whole]);
  const [before] = (await listPlans.run(context, { broker })).records;
  context.clock.advance(1000);

  // A price list: a withdrawn plan stays withdrawn, and is reviewed.
  const priced = { ...before, price: { amount: '2.50', currency: 'EUR' } };
  const csv = 'slug,price_amount\nstart,2.50\n';
  t.match(await previewPlans(context, { broker, file: file('p.csv', csv) }), {
    updated: 1,
    records: [
      {
        action: 'update',
        subject: 'start',
        summary: { display_name: 'Start' },
        changes: [{ field: 'price_amount', before: '1', after: '2.50' }],
      },
    ],
  });
  await plansFrom(context, 'p.csv', csv);
  const [changed] = (await listPlans.run(context, { broker })).records;
  t.strictSame(changed, { ...priced, updated_date: changed?.updated_date });
  t.not(changed?.updated_date, before?.updated_date);
  const [row] = await listAudit(context, { subject: 'plan/start', action: 'plan.set' });
  t.strictSame(
    [row?.before, row?.after],
    [{ price: { amount: '1', currency: 'EUR' } }, { price: { amount: '2.50', currency: 'EUR' } }],
  );

  // What may not be empty stays.
  const empty = 'slug,display_name,upgrade_rank,billing_type,active,requires_operator_review\nstart,,,,,\n';
  await plansFrom(context, 'p.csv', empty);
  t.strictSame((await listPlans.run(context, { broker })).records, [changed]);
  await plansFrom(context, 'a.json', [
    { slug: 'start', active: null, upgrade_rank: null, description: ' ', specifications: { vcpu: null }, price: null },
  ]);
  t.match((await listPlans.run(context, { broker })).records, [
    {
      display_name: 'Start',
      upgrade_rank: 10,
      active: false,
      description: null,
      specifications: { vcpu: null, memory_mb: 2 },
      price: null,
    },
  ]);
  await plansFrom(context, 'a.json', [
    { slug: 'start', specifications: null, price: { amount: '3', currency: 'EUR' } },
  ]);
  t.match((await listPlans.run(context, { broker })).records, [{ specifications: null, price: { amount: '3' } }]);
  await plansFrom(context, 'p.csv', 'slug,price_amount\nstart,\n');
  t.match((await listPlans.run(context, { broker })).records, [{ price: null }], 'a price is taken away as a whole');

  t.strictSame(
    await faultsOf(
      plansFrom(context, 'a.json', [
        { slug: 'start', price: { currency: 'EUR' } },
        { slug: 'new', active: null },
      ]),
    ),
    [
      'record 1: price.amount: a price needs an amount and a currency',
      'record 2: display_name: is required; upgrade_rank: is required; billing_type: is required',
      'a.json: 2 of 2 records are faulty; nothing was imported',
    ],
  );
  await plansFrom(context, 'a.json', [{ ...PLANS[1], active: null, requires_operator_review: null }]);
  t.match((await listPlans.run(context, { broker })).records[1], { active: true, requires_operator_review: false });
});

t.test(
  'slugs and display names that differ in case alone are refused, in the file and against what stands',
  async (t) => {
    const context = await open(t);
    await plansFrom(context, 'a.json', [...PLANS, { ...PLANS[0], slug: 'größe', display_name: 'GRÖSSE' }]);
    const plan = (slug: string, display_name: string) => ({ ...PLANS[0], slug, display_name });
    t.strictSame(
      await faultsOf(
        plansFrom(context, 'b.json', [
          plan('START', 'Another'),
          plan('one', 'mORE'),
          plan('two', 'Two'),
          plan('two', 'Three'),
          plan('five', 'two'),
          plan('GRO\u0308ßE', 'Size'),
        ]),
      ),
      [
        'record 1: slug: differs from "start" in case alone',
        'record 2: display_name: is that of "more" (case does not count)',
        'record 4: slug: "two" is in the file twice (case does not count)',
        'record 5: display_name: is that of "two" (case does not count); ' +
          'display_name: is the slug of "two" (case does not count)',
        'record 6: slug: differs from "größe" in case alone',
        'b.json: 5 of 6 records are faulty; nothing was imported',
      ],
    );
    t.equal((await listPlans.run(context, { broker })).records.length, 3);
  },
);

t.test('a plan has what it offers from a file: JSON as it is, and as a text in a cell', async (t) => {
  const context = await open(t);
  const options = [{ name: 'size', display_name: 'Size', type: 'number', minimum: 1, maximum: 9007199254740991 }];
  const provisioning = { template: 9000, 'disk.bus': 'scsi' };
  const json = [{ ...PLANS[0], options, actions: [], has_credentials: true, provisioning }];
  await importPlans(context, { broker, file: file('p.json', json) });
  const stored = await showPlan.run(context, { broker, slug: 'start' });
  t.match(stored, { options, has_credentials: true, provisioning });

  const quoted = (value: object) => `"${JSON.stringify(value).replaceAll('"', '""')}"`;
  const csv = `slug,options,provisioning,actions\nstart,${quoted(options)},${quoted(provisioning)},\n`;
  t.strictSame((await previewPlans(context, { broker, file: file('p.csv', csv) })).records[0]?.changes, []);
  await importPlans(context, { broker, file: file('p.csv', csv) });
  t.strictSame(await showPlan.run(context, { broker, slug: 'start' }), stored, 'the same from a cell');

  const renamed = [{ slug: 'start', display_name: 'Begin' }];
  await importPlans(context, { broker, file: file('p.json', renamed) });
  t.match(await showPlan.run(context, { broker, slug: 'start' }), { options, has_credentials: true, provisioning });
  const emptied = [{ slug: 'start', options: null, has_credentials: null, provisioning: null }];
  await importPlans(context, { broker, file: file('p.json', emptied) });
  t.match(await showPlan.run(context, { broker, slug: 'start' }), {
    options: [],
    has_credentials: true,
    provisioning: null,
  });

  const faulty = [
    { slug: 'start', options: '[]' },
    { slug: 'more', actions: [{ name: 'a', display_name: 'A', options: [{ name: 'b' }] }], provisioning: [] },
  ];
  t.strictSame(await faultsOf(importPlans(context, { broker, file: file('p.json', faulty) })), [
    'record 1: options: must be a list',
    'record 2: actions.0.options.0.display_name: is required; actions.0.options.0.type: is required; provisioning: must be an object; display_name: is required; upgrade_rank: is required; billing_type: is required',
    'p.json: 2 of 2 records are faulty; nothing was imported',
  ]);
});

const OPTIONS = [
  { name: 'image', display_name: 'Image', type: 'choice', choices: [{ value: 'debian', display_name: 'Debian' }] },
  { name: 'size', display_name: 'Size', type: 'number', required: true },
  { name: 'backup', display_name: 'Backup', type: 'boolean' },
];
const ACCESS = {
  hostname: 'shop.example.com',
  ip_addresses: ['192.0.2.10', '2001:db8::10'],
  username: 'root',
  login_url: 'https://panel.example.com/1',
  notes: null,
};

t.test('a service has its configuration and its access from a file, by field and by name', async (t) => {
  const context = await openWithPlans(t);
  await setPlan.run(context, { broker, slug: 'start', options: JSON.stringify(OPTIONS) });
  const one = { service_number: 1, client, plan: 'start' };
  const configuration = { image: 'debian', size: 3, backup: true };
  const show = () => showService.run(context, { service_number: '1' });
  await servicesFrom(context, 's.json', [{ ...one, configuration, access: ACCESS }]);
  const stored = await show();
  t.match(stored, { configuration, access: ACCESS });

  const csv = [
    'service_number,access_hostname,access_ip_addresses,access_username,access_login_url,configuration_size,configuration_backup',
    '1,shop.example.com,192.0.2.10 2001:DB8:0::10,root,https://panel.example.com/1,3,yes',
  ].join('\n');
  const same = await previewServices(context, { broker, file: file('s.csv', csv) });
  t.match(same, { refused: 0, records: [{ changes: [] }] });
  context.clock.advance(1_000);
  await servicesFrom(context, 's.csv', csv);
  t.strictSame(await show(), stored, 'the same from a table, and the image stays');

  await servicesFrom(context, 's.json', [{ service_number: 1, label: 'Shop' }]);
  t.match(await show(), { configuration, access: ACCESS }, 'what the file does not have stays');
  const changes = { service_number: 1, configuration: { size: 4, backup: null }, access: { username: null } };
  const changed = await previewServices(context, { broker, file: file('s.json', [changes]) });
  t.match(changed.records[0]?.changes, [
    { field: 'configuration', before: JSON.stringify(configuration), after: '{"image":"debian","size":4}' },
    { field: 'access.username', before: 'root', after: null },
  ]);
  await servicesFrom(context, 's.json', [changes]);
  t.match(await show(), { configuration: { image: 'debian', size: 4 }, access: { ...ACCESS, username: null } });
  t.notOk('backup' in (await show()).configuration);
  await servicesFrom(context, 's.csv', 'service_number,configuration_image,access_ip_addresses\n1,,\n');
  t.strictSame((await show()).configuration, { size: 4 }, 'an empty cell takes one value away');
  t.match(await show(), { access: { hostname: 'shop.example.com', ip_addresses: [] } });
  await servicesFrom(context, 's.json', [{ service_number: 1, configuration: null, access: null }]);
  t.match(await show(), { configuration: {}, access: null }, 'null empties all of it');

  const faulty = [
    { ...one, service_number: 2, configuration: { image: 'none', size: '3', backup: 'true', color: 'red' } },
    { ...one, service_number: 3, configuration: 'debian' },
    { ...one, service_number: 4, access: { hostname: '-', ip_addresses: '192.0.2.1', login_url: 'ftp://example.com' } },
    { ...one, service_number: 5, plan: 'more', configuration: { size: 1 } },
  ];
  t.strictSame(await faultsOf(importServices(context, { broker, file: file('s.json', faulty) })), [
    'record 1: configuration.color: is no option here; configuration.image: must be one of debian; configuration.size: must be a whole number; configuration.backup: must be true or false',
    'record 2: configuration: must be an object',
    'record 3: access.hostname: must be a host name; access.ip_addresses: must be a list; access.login_url: must be an http or https address without user information, of at most 2000 characters',
    'record 4: configuration.size: is no option here',
    's.json: 4 of 4 records are faulty; nothing was imported',
  ]);
  t.strictSame(
    await faultsOf(
      importServices(context, { broker, file: file('s.csv', 'service_number,configuration_size\n1,much\n') }),
    ),
    ['line 2: configuration_size: must be a whole number', 's.csv: 1 of 1 records are faulty; nothing was imported'],
  );
  await t.rejects(importServices(context, { broker, file: file('s.csv', 'service_number,colour\n1,\n') }), {
    message: /unknown column "colour"; known are .*configuration_NAME$/,
  });
});

t.test('an imported service may be given a uid, which no other service has', async (t) => {
  const context = await openWithPlans(t);
  const uidOf = async (number: number) => (await showService.run(context, { service_number: number })).service_uid;
  const { id } = await requireBroker(context.store.read, broker);
  const one = { client, plan: 'start' };
  await servicesFrom(context, 's.json', [
    { ...one, service_number: 1, service_uid: 'req_of-a-lost-order' },
    { ...one, service_number: 2 },
  ]);
  t.same([await uidOf(1), await uidOf(2)], ['req_of-a-lost-order', `imported_${id}_2`]);
  const { records } = await listServices.run(context, { broker });
  t.match(await servicesFrom(context, 's.json', records), { imported: 2, updated: 2 });
  t.match(await servicesFrom(context, 's.csv', `service_number,service_uid\n2,imported_${id}_2\n1,\n`), { updated: 2 });
  t.equal(await uidOf(1), 'req_of-a-lost-order', 'an empty cell takes nothing away');
  await servicesFrom(context, 's.json', [{ service_number: 2, service_uid: 'vm-2' }]);
  t.equal(await uidOf(2), 'vm-2');

  const order = { broker, plan: 'start', 'client.name': 'Ada', 'client.email': 'ada@example.com' };
  const { request_id: created, service_number: ordered } = await createServiceOf.run(context, order);
  t.equal(await uidOf(ordered), created);
  t.match(await servicesFrom(context, 's.json', [{ service_number: ordered, service_uid: created }]), { updated: 1 });
  const faulty = [
    { ...one, service_number: 3, service_uid: 'vm-2' },
    { ...one, service_number: 4, service_uid: 'vm-4' },
    { ...one, service_number: 5, service_uid: 'vm-4' },
    { ...one, service_uid: created },
    { service_number: ordered, service_uid: 'vm-5' },
    { ...one, service_number: 6, service_uid: 'with blanks' },
  ];
  t.strictSame(await faultsOf(servicesFrom(context, 's.json', faulty)), [
    'record 1: service_uid: is the one of service 2',
    'record 3: service_uid: is the one of service 4',
    `record 4: service_uid: is the one of service ${ordered}`,
    'record 5: service_uid: is set only of services that were imported',
    'record 6: service_uid: must be letters, digits and signs without blanks, at most 128',
    's.json: 5 of 6 records are faulty; nothing was imported',
  ]);
});

t.test('a file that sends what is stored passes though the plan has lost the choice or the option', async (t) => {
  const context = await openWithPlans(t);
  const sell = (options: object[]) => setPlan.run(context, { broker, slug: 'start', options: JSON.stringify(options) });
  await sell(OPTIONS);
  const configuration = { image: 'debian', size: 3 };
  await servicesFrom(context, 's.json', [{ service_number: 1, client, plan: 'start', configuration }]);
  await sell([{ ...OPTIONS[0], choices: [{ value: 'alpine', display_name: 'Alpine' }] }]);
  const accepted = { imported: 1, created: 0 };
  t.match(await servicesFrom(context, 's.json', [{ service_number: 1, configuration }]), accepted);
  const cells = 'service_number,configuration_image,configuration_size\n1,debian,3\n';
  t.match(await servicesFrom(context, 's.csv', cells), accepted);
  t.match(await showService.run(context, { service_number: '1' }), { configuration });
  t.strictSame(await faultsOf(servicesFrom(context, 's.json', [{ service_number: 1, configuration: { size: 4 } }])), [
    'record 1: configuration.size: is no option here',
    's.json: 1 of 1 records are faulty; nothing was imported',
  ]);
});

t.test('an operator sets how a service is reached, and finds it by that; the trail does not hold it', async (t) => {
  const context = await openWithPlans(t);
  await servicesFrom(context, 's.json', [{ service_number: 1, client, plan: 'start' }]);
  const set = (fields: object) => setService.run(context, { service_number: 1, ...fields });
  const found = async (search: string) => (await listServices.run(context, { search })).records.length;
  const made = await set({
    'access.hostname': 'shop.example.com',
    'access.ip_addresses': '192.0.2.10, 2001:DB8::0:10',
  });
  t.match(made.access, { hostname: 'shop.example.com', ip_addresses: ['192.0.2.10', '2001:db8::10'], username: null });
  t.strictSame([await found('SHOP.EXAMPLE.com'), await found('2001:db8::10'), await found('192.0.2.11')], [1, 1, 0]);
  context.clock.advance(1_000);
  t.equal((await set({ 'access.hostname': 'shop.example.com' })).updated_date, made.updated_date, 'nothing changes');
  const renamed = await set({ 'access.hostname': 'new.example.com', 'access.notes': 'Port 2222' });
  t.match(renamed.access, { hostname: 'new.example.com', ip_addresses: ['192.0.2.10', '2001:db8::10'] });
  t.not(renamed.updated_date, made.updated_date, 'copies learn of it');
  t.strictSame([await found('shop.example.com'), await found('new.example.com')], [0, 1]);
  await t.rejects(set({ 'access.ip_addresses': '192.0.2.300', 'access.login_url': 'https://a:b@example.com' }), {
    message: /^access\.ip_addresses: must be a list of at most 32 .*; access\.login_url: must be an http/,
  });
  t.match(await set({ service_status: 'cancelled' }), { access: { hostname: 'new.example.com' } });
  t.equal(await found('new.example.com'), 0, 'the address of an ended service may be that of another one');
  t.equal((await set({ 'access.hostname': null, 'access.ip_addresses': null, 'access.notes': null })).access, null);
  const trail = JSON.stringify(await listAudit(context, { subject: 'service/1' }));
  t.match(trail, /"access":"changed"/);
  t.notMatch(trail, /example|192\.0|2222/);
});

t.test('all faults of a file are named together, those of its form and those against the records', async (t) => {
  const context = await openWithPlans(t);
  await setPlan.run(context, { broker, slug: 'start', options: JSON.stringify(OPTIONS) });
  const one = { client, plan: 'start' };
  const faulty = [
    { ...one, created_date: 'soon', configuration: { image: 'none' } },
    { ...one, client: { name: ' ' }, plan: 'nothing' },
    7,
    { ...one, configuration: { size: 'much' } },
    one,
  ];
  t.strictSame(await faultsOf(importServices(context, { broker, file: file('s.json', faulty) })), [
    'record 1: created_date: must be a date such as 2030-01-31, or a time such as 2030-01-31T12:00:00Z; configuration.image: must be one of debian',
    'record 2: client.name: is required; plan: "acme" has no plan "nothing"',
    'record 3: must be an object',
    'record 4: configuration.size: must be a whole number',
    's.json: 4 of 5 records are faulty; nothing was imported',
  ]);
});

t.test('a nested field cannot be written as one name with a dot', async (t) => {
  const context = await openWithPlans(t);
  const record = { service_number: 1, 'client.name': 'Ada', plan: 'start' };
  const [fault] = await faultsOf(servicesFrom(context, 's.json', [record]));
  t.match(fault, /^record 1: .*client\.name/);
});

t.test('plans can swap their names in one import', async (t) => {
  const context = await open(t);
  await plansFrom(context, 'p.json', [
    { ...PLANS[0], display_name: 'One' },
    { ...PLANS[1], display_name: 'Two' },
  ]);
  await plansFrom(context, 'swap.json', [
    { slug: 'start', display_name: 'TWO' },
    { slug: 'more', display_name: 'one' },
  ]);
  t.strictSame(
    (await listPlans.run(context, { broker })).records.map(({ slug, display_name }) => [slug, display_name]),
    [
      ['start', 'TWO'],
      ['more', 'one'],
    ],
  );
});

t.test('every faulty record is named with each of its faulty fields, and nothing is imported', async (t) => {
  const context = await open(t);
  t.strictSame(
    await faultsOf(
      plansFrom(context, 'bad.json', [
        PLANS[0],
        {},
        'text',
        { ...PLANS[1], slug: 7, upgrade_rank: true, billing_type: 'weekly', active: 'true', price: 5, extra: 1 },
        { ...PLANS[1], upgrade_rank: -1, price: { amount: '1,50', currency: 'eur' }, specifications: { gpu: 1 } },
        { ...PLANS[1], price: { amount: '1.50' }, description: ['a'], display_name: 'a\u0000b' },
        { ...PLANS[1], slug: 'more than one', price: { currency: 'EUR' } },
        { ...PLANS[1], display_name: 'x\ny', price: { currency: 'EUR' } },
        { ...PLANS[1], price: { currency: 'EUR' } },
      ]),
    ),
    [
      'record 2: slug: is required; display_name: is required; upgrade_rank: is required; billing_type: is required',
      'record 3: must be an object',
      'record 4: slug: must be a string; upgrade_rank: must be a number; billing_type: must be one of monthly, hourly; ' +
        'active: must be a boolean; price: must be an object; extra: is no known field',
      'record 5: upgrade_rank: must be a whole number from 0 to 2147483647; price.amount: must be a decimal number such as 12.50; ' +
        'price.currency: must be a currency code of three capital letters; specifications.gpu: is no known field',
      'record 6: display_name: must not hold control characters; description: must be a string; slug: "more" is in the file twice (case does not count)',
      'record 7: slug: must be letters, digits, ".", "-" and "_", at most 128',
      'record 8: display_name: must not hold control characters; slug: "more" is in the file twice (case does not count)',
      'record 9: slug: "more" is in the file twice (case does not count); price.amount: a price needs an amount and a currency',
      'bad.json: 8 of 9 records are faulty; nothing was imported',
    ],
  );
  t.strictSame((await listPlans.run(context, { broker })).records, []);
});

t.test('a faulty CSV record is named by the line where it begins and the column', async (t) => {
  const context = await open(t);
  const csv =
    'slug,display_name,upgrade_rank,billing_type,active,description,price_amount\n' +
    'a,A,1,monthly,true,"one\ntwo",\n' +
    'b,B,x,monthly,maybe,"one\ntwo\nthree",\n' +
    'c,C,1,monthly\n' +
    ',D,1,monthly,0,,5\n';
  t.strictSame(await faultsOf(plansFrom(context, 'bad.csv', csv)), [
    'line 4: upgrade_rank: must be a whole number from 0 to 2147483647; active: must be true or false',
    'line 7: has 4 cells in place of 7',
    'line 8: slug: is required',
    'bad.csv: 3 of 4 records are faulty; nothing was imported',
  ]);
});

t.test('a file that is no list of records is refused in one line', async (t) => {
  const context = await open(t);
  const refused: Array<[name: string, content: unknown, message: string | RegExp]> = [
    ['plans.txt', '', 'plans.txt: the name must end in .json or .csv'],
    ['plans', '[]', 'plans: the name must end in .json or .csv'],
    ['p.json', '', /^p\.json: not valid JSON: /],
    [
      'p.json',
      '[{"slug": "a", "slug": "b"}]',
      /^p\.json: not valid JSON: a field stands twice in one object \(record 1\)/,
    ],
    ['p.json', '{"plans": []}', 'p.json: the file must hold a JSON array of records'],
    ['p.json', '5', 'p.json: the file must hold a JSON array of records'],
    ['p.json', Buffer.from([0x5b, 0xff, 0x5d]), 'p.json: the file is not UTF-8 text'],
    ['p.csv', '', 'p.csv: the file is empty; its first line must name the columns'],
    ['p.csv', 'slug,slug\n', 'p.csv: line 1: the column "slug" appears twice'],
    [
      'p.csv',
      'slug;display_name\n',
      /^p\.csv: line 1: fields are separated by commas, not by semicolons or tabs, unless /,
    ],
    ['p.csv', 'slug\n"a\n', /^p\.csv: not valid CSV: /],
  ];
  for (const [name, content, message] of refused) await t.rejects(plansFrom(context, name, content), { message });
  t.strictSame(await plansFrom(context, 'p.json', '[]'), { broker, imported: 0, created: 0, updated: 0 });
  t.strictSame(await plansFrom(context, 'p.csv', 'slug,display_name\n'), {
    broker,
    imported: 0,
    created: 0,
    updated: 0,
  });
});

t.test('of a field that a file makes up a message names the beginning', async (t) => {
  const context = await open(t);
  const plan = { ...PLANS[0], ['x'.repeat(61)]: 1, ['y'.repeat(60)]: 1 };
  const faults = (await faultsOf(plansFrom(context, 'p.json', [plan]))).join('\n');
  t.match(faults, `${'x'.repeat(60)}…: is no known field`);
  t.match(faults, `${'y'.repeat(60)}: is no known field`);
});

t.test('a plan is switched and marked by its slug', async (t) => {
  const context = await openWithPlans(t);
  t.match(await setPlan.run(context, { broker, slug: 'START', active: false }), {
    active: false,
    requires_operator_review: false,
  });
  t.match(await setPlan.run(context, { broker, slug: 'start', requires_operator_review: true }), {
    active: false,
    requires_operator_review: true,
  });
  t.match(await setPlan.run(context, { broker, slug: 'start', active: true, requires_operator_review: false }), {
    active: true,
    requires_operator_review: false,
  });
  await t.rejects(setPlan.run(context, { broker, slug: 'start' }), { message: /Nothing to change/ });
  await t.rejects(setPlan.run(context, { broker, slug: 'none', active: true }), {
    message: '"acme" has no plan "none"',
  });
});

t.test('service numbers are kept exactly, and issued where the file has none', async (t) => {
  const context = await openWithPlans(t);
  const records = `[
    {"client": {"name": "A"}, "plan": "start"},
    {"service_number": 1000001, "client": {"name": "B"}, "plan": "START"},
    {"service_number": "9007199254740991", "client": {"name": "C"}, "plan": "start"},
    {"client": {"name": "D", "email": null}, "plan": "start"}]`;
  t.strictSame(await servicesFrom(context, 's.json', records), {
    broker,
    imported: 4,
    created: 4,
    updated: 0,
    // Not 1000001: it belongs to a record of the same file.
    issued_service_numbers: [1000002, 1000003],
  });
  const { records: listed } = await listServices.run(context, { broker });
  t.strictSame(
    listed.map(({ service_number, client }) => [service_number, client.name]),
    [
      [9007199254740991, 'C'],
      [1000003, 'D'],
      [1000002, 'A'],
      [1000001, 'B'],
    ],
  );

  const faulty = [
    '9007199254740992',
    '9007199254740993',
    '1.0',
    '1e3',
    '0',
    '-5',
    '18446744073709551617',
    'true',
    '"12a"',
  ];
  const record = (number: string) => `{"service_number": ${number}, "client": {"name": "A"}, "plan": "start"}`;
  const range = 'service_number: must be a whole number from 1 to 9007199254740991';
  t.strictSame(await faultsOf(servicesFrom(context, 's.json', `[${faulty.map(record).join(',')}]`)), [
    ...faulty.map((number, index) =>
      number === 'true' ? `record ${index + 1}: service_number: must be a number` : `record ${index + 1}: ${range}`,
    ),
    's.json: 9 of 9 records are faulty; nothing was imported',
  ]);
});

t.test('issuing steps over every number in use, however many', async (t) => {
  const context = await openWithPlans(t);
  const used = Array.from({ length: 7 }, (_, index) => ({
    service_number: 1000001 + index * 2,
    client,
    plan: 'start',
  }));
  await servicesFrom(context, 's.json', used);
  const { issued_service_numbers: issued } = await servicesFrom(
    context,
    's.json',
    Array(5).fill({ client, plan: 'start' }),
  );
  t.strictSame(issued, [1000002, 1000004, 1000006, 1000008, 1000010]);
});

t.test('an import of many numbers leaves the counter behind those that creations would come to', async (t) => {
  const context = await openWithPlans(t);
  const numbered = Array.from({ length: 1000 }, (_, index) => ({
    service_number: 1000003 + index,
    client,
    plan: 'start',
  }));
  await servicesFrom(context, 's.json', numbered);
  t.equal(await context.store.tx((tx) => tx.sequences.nextServiceNumber()), 1001003);
});

t.test('a file that is refused uses up no numbers', async (t) => {
  const context = await openWithPlans(t);
  await faultsOf(
    servicesFrom(context, 's.json', [...Array(3).fill({ client, plan: 'start' }), { client, plan: 'no' }]),
  );
  t.equal(await context.store.tx((tx) => tx.sequences.nextServiceNumber()), 1000001);
});

t.test('numbers that another import brings between issuing and writing refuse the file', async (t) => {
  const context = await openWithPlans(t);
  const { store } = context;
  let transactions = 0;
  const raced: Store = {
    ...store,
    async tx(work) {
      transactions += 1;
      if (transactions === 2)
        await servicesFrom(context, 'o.json', [{ service_number: 1000002, client, plan: 'start' }]);
      return store.tx(work);
    },
  };
  const records = Array(3).fill({ client, plan: 'start' });
  await t.rejects(servicesFrom({ ...context, store: raced }, 's.json', records), { message: /run it again$/ });
  const { issued_service_numbers: issued } = await servicesFrom(context, 's.json', records);
  t.strictSame(issued, [1000004, 1000005, 1000006]);
});

t.test('a service that a file suspends is suspended by the operator, whoever had suspended it before', async (t) => {
  const context = await openWithPlans(t);
  const become = (service_status: string) =>
    servicesFrom(context, 's.json', [{ service_number: 5, client, plan: 'start', service_status }]);
  await become('active');
  const brokerId = (await context.store.read.brokers.findBySlug(broker))?.id as string;
  const suspendedAt = context.clock.now();
  const byBroker = { status: 'suspended', suspendedBy: 'broker', suspensionReason: 'Unpaid', suspendedAt } as const;
  await context.store.tx((tx) => tx.services.update(brokerId, 5, byBroker));
  await become('suspended');
  const suspension = async () => (await showService.run(context, { broker, service_number: '5' })).suspension;
  t.match(await suspension(), { suspended_by: 'broker', reason: 'Unpaid' }, 'one that stays suspended keeps it');
  for (const between of ['active', 'cancelled']) {
    await context.store.tx((tx) => tx.services.update(brokerId, 5, byBroker));
    await become(between);
    t.equal(await suspension(), null);
    await become('suspended');
    t.match(await suspension(), { suspended_by: 'operator', reason: null });
  }
});

t.test(
  'what a file does not have of a service stays as it is, and an empty cell empties what may be empty',
  async (t) => {
    const context = await openWithPlans(t);
    const full = {
      service_number: 5,
      label: 'shop',
      external_reference: 'X-1',
      client,
      plan: 'start',
      service_status: 'suspended',
      requires_operator_review: true,
      created_date: '2029-05-01',
      renewal_date: '2030-05-01T10:00:00+02:00',
    };
    await servicesFrom(context, 's.json', [full]);
    t.match(await showService.run(context, { broker, service_number: '5' }), {
      service_status: 'suspended',
      label: 'shop',
      external_reference: 'X-1',
      client,
      requires_operator_review: true,
      created_date: '2029-05-01T00:00:00.000Z',
      renewal_date: '2030-05-01T08:00:00.000Z',
    });

    const stored = {
      service_status: 'suspended',
      label: 'shop',
      external_reference: 'X-1',
      client,
      plan: { slug: 'start' },
      requires_operator_review: true,
      created_date: '2029-05-01T00:00:00.000Z',
      renewal_date: '2030-05-01T08:00:00.000Z',
    };
    const names = 'service_number,client_name\n5,Ben\n';
    const preview = await previewServices(context, { broker, file: file('s.csv', names) });
    t.match(preview.records, [
      {
        summary: { label: 'shop', client_name: 'Ben', plan: 'start' },
        changes: [{ field: 'client_name', before: client.name, after: 'Ben' }],
        warnings: [],
      },
    ]);
    t.equal(preview.records[0]?.changes.length, 1);
    await servicesFrom(context, 's.csv', names);
    t.match(await showService.run(context, { broker, service_number: '5' }), {
      ...stored,
      client: { name: 'Ben', email: client.email },
    });
    await servicesFrom(context, 's.json', [
      {
        service_number: 5,
        client: { name: null },
        plan: null,
        service_status: null,
        requires_operator_review: null,
        created_date: null,
        renewal_date: null,
      },
    ]);
    t.match(await showService.run(context, { broker, service_number: '5' }), {
      ...stored,
      client: { name: 'Ben', email: client.email },
    });
    await servicesFrom(context, 's.json', [{ service_number: 5, client: null }]);
    t.strictSame((await showService.run(context, { broker, service_number: '5' })).client, {
      name: 'Ben',
      email: null,
    });

    const csv = 'service_number,label,external_reference,client_email,plan\n5,,,not an address,more\n';
    await servicesFrom(context, 's.csv', csv);
    t.match(await servicesFrom(context, 's.csv', 'service_number,client_name,plan\n5,,\n6,Cid,more\n'), {
      imported: 2,
      created: 1,
      updated: 1,
      issued_service_numbers: [],
    });
    t.match(await showService.run(context, { broker, service_number: '5' }), {
      ...stored,
      label: null,
      external_reference: null,
      client: { name: 'Ben', email: 'not an address' },
      plan: { slug: 'more' },
    });
    t.match(await faultsOf(servicesFrom(context, 's.json', [{ service_number: 7 }, { service_number: 5 }])), [
      'record 1: client.name: is required; plan: is required',
      's.json: 1 of 2 records are faulty; nothing was imported',
    ]);
    await servicesFrom(context, 's.json', [{ service_number: 5, service_status: 'cancelled' }]);
    await servicesFrom(context, 's.csv', 'service_number,label\n5,Old shop\n');
    t.match(await showService.run(context, { broker, service_number: '5' }), {
      service_status: 'cancelled',
      label: 'Old shop',
    });
    const brokerId = (await context.store.read.brokers.findBySlug(broker))?.id ?? '';
    t.equal(await context.store.read.counters.total(brokerId, 'services'), 2);
    t.equal(await context.store.read.counters.total(brokerId, 'services', { status: 'suspended' }), 0);
    t.equal(await context.store.read.services.countMatches(brokerId, { search: 'old shop' }), 1);
    t.equal(await context.store.read.services.countMatches(brokerId, { clientEmailFolded: 'not an address' }), 1);
  },
);

t.test('what renews is ahead whatever a file says, and what is billed hourly renews never', async (t) => {
  const context = await open(t);
  const plans = [...PLANS, { slug: 'hour', display_name: 'Hour', upgrade_rank: 5, billing_type: 'hourly' }];
  await plansFrom(context, 'plans.json', plans);
  const service = { client, plan: 'start', created_date: '2029-10-31' };
  await servicesFrom(context, 's.json', [
    { ...service, service_number: 1 },
    { ...service, service_number: 2, renewal_date: '2029-08-30T05:00:00Z' },
    { ...service, service_number: 3, renewal_date: '2033-02-28' },
    { ...service, service_number: 4, renewal_date: '2033-02-28', plan: 'hour' },
    { ...service, service_number: 5, renewal_date: '2029-08-30', service_status: 'cancelled' },
    { ...service, service_number: 6, service_status: 'terminated' },
    { ...service, service_number: 7, renewal_date: '2030-04-30' },
  ]);
  // It is noon of 15 January 2030.
  const dates = async () =>
    (await listServices.run(context, { broker })).records
      .sort((a, b) => a.service_number - b.service_number)
      .map(({ renewal_date: date }) => date?.slice(0, 10) ?? null);
  const imported = ['2030-01-31', '2030-01-30', '2033-02-28', null, '2029-08-30', null, '2030-04-30'];
  t.strictSame(await dates(), imported);

  const renew = () => context.store.tx((tx) => tx.services.renew({ now: context.clock.now(), limit: 100 }));
  context.clock.advance(20 * 86_400_000);
  await renew();
  t.strictSame(await dates(), ['2030-02-28', '2030-02-28', ...imported.slice(2)]);
  await servicesFrom(context, 's.json', [{ ...service, service_number: 1, plan: 'more', service_status: 'cancelled' }]);
  await setService.run(context, { broker, service_number: 2, service_status: 'terminated' });
  await setService.run(context, { broker, service_number: 5, service_status: 'active' });
  await setService.run(context, { broker, service_number: 6, service_status: 'suspended' });
  await setService.run(context, { broker, service_number: 7, renewal_date: '2030-01-17' });
  const ended = ['2030-02-28', '2030-02-28', '2033-02-28', null, '2030-02-28', '2030-02-28', '2030-02-17'];
  t.strictSame(await dates(), ended);
  t.equal(
    (await setService.run(context, { broker, service_number: 4, renewal_date: '2031-01-01' })).renewal_date,
    null,
  );

  context.clock.advance(60 * 86_400_000);
  await renew();
  t.strictSame(await dates(), [
    '2030-02-28',
    '2030-02-28',
    '2033-02-28',
    null,
    '2030-04-30',
    '2030-04-30',
    '2030-04-17',
  ]);
});

t.test(
  'the billing of a plan changes only while no service, ended or not, and no open request refers to it',
  async (t) => {
    const context = await openWithPlans(t);
    const ended = { service_number: 2, client, plan: 'start', service_status: 'cancelled', renewal_date: '2030-01-20' };
    await servicesFrom(context, 's.json', [{ service_number: 1, client, plan: 'start' }, ended]);
    const log = { error: () => undefined, warn: () => undefined };
    await submitClientRequest.run(
      { ...context, log },
      { broker, service_number: '1', type: 'plan-upgrade', new_plan: 'more' },
    );
    const hourly = PLANS.map((plan) => ({ ...plan, billing_type: 'hourly' }));
    t.strictSame(await faultsOf(plansFrom(context, 'p.json', hourly)), [
      'record 1: billing_type: cannot change: 2 services (ended ones count) and 0 open requests refer to the plan',
      'record 2: billing_type: cannot change: 0 services (ended ones count) and 1 open request refer to the plan',
      'p.json: 2 of 2 records are faulty; nothing was imported',
    ]);
    await t.rejects(setPlan.run(context, { broker, slug: 'more', billing_type: 'hourly' }), {
      message: 'billing_type: cannot change: 0 services (ended ones count) and 1 open request refer to the plan',
    });
    t.match(await showService.run(context, { broker, service_number: 2 }), {
      renewal_date: '2030-01-20T00:00:00.000Z',
    });
    await createPlan.run(context, {
      broker,
      slug: 'free',
      display_name: 'Free',
      upgrade_rank: 1,
      billing_type: 'monthly',
    });
    t.match(await setPlan.run(context, { broker, slug: 'free', billing_type: 'hourly' }), { billing_type: 'hourly' });
  },
);

t.test(
  'what a long import brings is visible within the time that readers of changes go back, or not at all',
  async (t) => {
    const context = await openWithPlans(t);
    const records = Array.from({ length: 2_500 }, (_, index) => ({ service_number: index + 1, client, plan: 'start' }));
    const written = (secondsABatch: number) =>
      importServices(context, {
        broker,
        file: file(
          's.json',
          records.map((record) => ({ ...record, label: `Within ${secondsABatch} s` })),
        ),
        onProgress: () => context.clock.advance(secondsABatch * 1000),
      });
    const oldest = async () => {
      const brokerId = (await context.store.read.brokers.findBySlug(broker))?.id ?? '';
      const filter = { updatedSince: 0 };
      const [first] = await context.store.read.services.page(brokerId, filter, { limit: 1, offset: 0 });
      return context.clock.now() - Number(first?.service.updatedAt);
    };
    await written(0);
    t.equal(await oldest(), 0);
    await written(300);
    t.ok((await oldest()) <= 10_000);

    // Each look at the clock is another 6 seconds later, also while the dates are written anew.
    const now = () => {
      context.clock.advance(6000);
      return context.clock.now();
    };
    const clock = { ...context.clock, now };
    await t.rejects(
      importServices(
        { ...context, clock },
        {
          broker,
          file: file('s.json', [
            ...records,
            ...records.map((one) => ({ ...one, service_number: one.service_number + 5000 })),
          ]),
        },
      ),
      {
        message: /too large for this database .* import it in parts$/,
      },
    );
    t.equal((await listServices.run(context, { broker })).total, 2500);
  },
);

t.test('a renewal date that stands already changes nothing, by file as by command', async (t) => {
  const context = await openWithPlans(t);
  const renewal = async () => (await showService.run(context, { service_number: 1 })).renewal_date;
  const renew = (days: number) => {
    context.clock.advance(days * 86_400_000);
    return context.store.tx((tx) => tx.services.renew({ now: context.clock.now(), limit: 100 }));
  };
  await servicesFrom(context, 's.json', [{ service_number: 1, client, plan: 'start', renewal_date: '2030-01-31' }]);
  await renew(20);
  const before = await showService.run(context, { service_number: 1 });
  t.equal(before.renewal_date, '2030-02-28T00:00:00.000Z');
  await servicesFrom(context, 's.csv', 'service_number,renewal_date\n1,2030-02-28\n');
  await setService.run(context, { service_number: 1, renewal_date: '2030-02-28' });
  t.strictSame(await showService.run(context, { service_number: 1 }), before);
  await renew(30);
  t.equal(await renewal(), '2030-03-31T00:00:00.000Z');
  // The worker has not come by: the date that stands has passed, and the next one is given.
  context.clock.advance(45 * 86_400_000);
  await servicesFrom(context, 's.csv', 'service_number,renewal_date\n1,2030-04-30\n');
  await renew(15);
  t.equal(await renewal(), '2030-05-31T00:00:00.000Z');
  await setService.run(context, { service_number: 1, renewal_date: '2030-05-30' });
  await renew(30);
  t.equal(await renewal(), '2030-06-30T00:00:00.000Z');
});

t.test('names and labels of a file become one line', async (t) => {
  const context = await openWithPlans(t);
  await servicesFrom(
    context,
    's.csv',
    'service_number,client_name,label,plan\r\n1,"Ada\r\nExample","My\n\tshop",start\r\n',
  );
  t.match(await showService.run(context, { service_number: 1 }), { client: { name: 'Ada Example' }, label: 'My shop' });
  await setService.run(context, { service_number: 1, 'client.name': 'Ben\u2028Example' });
  t.match(await showService.run(context, { service_number: 1 }), { client: { name: 'Ben Example' } });
  t.match(await faultsOf(servicesFrom(context, 's.json', [{ client: { name: '\u0007' }, plan: 'start' }])), [
    'record 1: client.name: is required',
    /1 of 1/,
  ]);
});

t.test("another broker's number, an unknown plan and a number given twice are faults", async (t) => {
  const context = await openWithPlans(t);
  await createBroker.run(context, { ...BROKER, slug: 'other' });
  await importPlans(context, { broker: 'other', file: file('p.json', PLANS) });
  await importServices(context, {
    broker: 'other',
    file: file('s.json', [{ service_number: 7, client, plan: 'start' }]),
  });
  const faults = await faultsOf(
    servicesFrom(context, 's.json', [
      { service_number: 7, client, plan: 'start' },
      { service_number: 8, client, plan: 'start' },
      { service_number: '8', client, plan: 'none' },
      { client: { name: '\u3164\u200b', email: 'a\tb' }, plan: 'start' },
      { client: null, plan: {} },
    ]),
  );
  t.strictSame(faults, [
    'record 1: service_number: 7 belongs to another broker',
    'record 3: service_number: 8 is in the file twice; plan: "acme" has no plan "none"',
    'record 4: client.name: is required; client.email: must not hold control characters',
    'record 5: client.name: is required; plan: must be a string',
    's.json: 4 of 5 records are faulty; nothing was imported',
  ]);
  t.match(await listServices.run(context, { broker }), { total: 0, records: { length: 0 } });
  t.match(await showService.run(context, { broker: 'other', service_number: '7' }), { client });
});

t.test('no date is stored of which a year beyond 9999 could come, or one before 1970', async (t) => {
  const context = await openWithPlans(t);
  const base = { client, plan: 'start' };
  const term = 'must be in the years 1970 to 9899';
  const any = 'must be in the years 1970 to 9999';
  t.strictSame(
    await faultsOf(
      servicesFrom(context, 's.json', [
        { ...base, created_date: '9999-12-31' },
        { ...base, renewal_date: '9900-01-01T00:00:00Z' },
        { ...base, created_date: '1969-12-31T23:59:59.999Z' },
        { ...base, service_status: 'cancelled', cancelled_date: '0001-01-01' },
      ]),
    ),
    [
      `record 1: created_date: ${term}`,
      `record 2: renewal_date: ${term}`,
      `record 3: created_date: ${term}`,
      `record 4: cancelled_date: ${any}`,
      's.json: 4 of 4 records are faulty; nothing was imported',
    ],
  );
  const latest = '9899-12-31T23:59:59.999Z';
  await servicesFrom(context, 's.json', [
    { ...base, service_number: 1, renewal_date: latest },
    { ...base, service_number: 2, created_date: '1970-01-01', renewal_date: latest },
  ]);
  t.equal((await showService.run(context, { broker, service_number: '1' })).renewal_date, latest);
  t.match(
    await setService
      .run(context, { broker, service_number: '1', renewal_date: '9999-12-31' })
      .catch((error: unknown) => error),
    {
      faults: [{ field: 'renewal_date', message: term }],
    },
  );

  const invoice = { service_number: 1, amount: '1.00', currency: 'EUR', invoice_status: 'open' };
  const dates = { issued_date: '1969-12-31', due_date: '0000-01-01', paid_date: '1969-01-01' };
  t.strictSame(
    (await faultsOf(invoicesFrom(context, 'i.json', [{ ...invoice, invoice_number: 'I-1', ...dates }])))[0],
    `record 1: issued_date: ${any}; due_date: ${any}; paid_date: ${any}`,
  );
  const last = { issued_date: '2030-01-01', due_date: '9999-12-31T23:59:59.999Z' };
  await invoicesFrom(context, 'i.json', [{ ...invoice, invoice_number: 'I-1', ...last }]);
});

t.test('a service that ends has a date for it, and one that lives has none', async (t) => {
  const context = await openWithPlans(t);
  const now = '2030-01-15T12:00:00.000Z';
  const base = { client, plan: 'start' };
  await servicesFrom(context, 's.json', [
    { ...base, service_number: 1, service_status: 'cancelled', cancelled_date: '2029-12-01' },
    { ...base, service_number: 2, service_status: 'terminated' },
    { ...base, service_number: 3, cancelled_date: '2029-12-01' },
  ]);
  const endOf = async (number: string) =>
    (await showService.run(context, { broker, service_number: number })).cancelled_date;
  t.strictSame([await endOf('1'), await endOf('2'), await endOf('3')], ['2029-12-01T00:00:00.000Z', now, null]);

  context.clock.advance(60_000);
  await servicesFrom(context, 's.json', [{ ...base, service_number: 1, service_status: 'terminated' }]);
  t.equal(await endOf('1'), '2029-12-01T00:00:00.000Z', 'an update does not forget when it was');
  t.equal(
    (await setService.run(context, { broker, service_number: '2', service_status: 'active' })).cancelled_date,
    null,
  );
  t.equal(
    (await setService.run(context, { broker, service_number: '2', service_status: 'cancelled' })).cancelled_date,
    '2030-01-15T12:01:00.000Z',
  );
});

t.test('an import gives no date of cancellation to a service that had ended before', async (t) => {
  const context = await openWithPlans(t);
  await servicesFrom(context, 's.json', [{ service_number: 1, client, plan: 'start', service_status: 'terminated' }]);
  const { id } = await requireBroker(context.store.read, broker);
  // As a creation that failed leaves it.
  await context.store.tx((tx) => tx.services.update(id, 1, { cancelledAt: null }));
  await servicesFrom(context, 's.json', [{ service_number: 1, label: 'Shop' }]);
  t.match(await showService.run(context, { service_number: 1 }), { label: 'Shop', cancelled_date: null });
  t.strictSame(await faultsOf(servicesFrom(context, 's.json', [{ service_number: 1, cancelled_date: '2029-12-01' }])), [
    'record 1: cancelled_date: is set only by the record that ends the service',
    's.json: 1 of 1 records are faulty; nothing was imported',
  ]);
});

t.test('a scheduled cancellation outlives changes of the record, and ends with the return to life', async (t) => {
  const context = await openWithPlans(t);
  await servicesFrom(context, 's.json', [{ service_number: 1, client, plan: 'start' }]);
  const brokerId = (await context.store.read.brokers.findBySlug(broker))?.id ?? '';
  await context.store.tx((tx) =>
    tx.services.update(brokerId, 1, {
      cancellationType: 'immediate',
      cancellationEffectiveAt: context.clock.now(),
      cancellationRequestId: 'req_1',
    }),
  );
  await servicesFrom(context, 's.json', [{ service_number: 1, label: 'x', client, plan: 'more' }]);
  t.match((await setService.run(context, { broker, service_number: '1', service_status: 'suspended' })).cancellation, {
    request_id: 'req_1',
  });
  t.match((await setService.run(context, { broker, service_number: '1', service_status: 'cancelled' })).cancellation, {
    request_id: 'req_1',
  });
  t.equal(
    (await setService.run(context, { broker, service_number: '1', service_status: 'active' })).cancellation,
    null,
  );
});

t.test('single fields of a service are changed, and found again by their new text', async (t) => {
  const context = await openWithPlans(t);
  await servicesFrom(context, 's.json', [
    { service_number: 1, label: 'shop', client, plan: 'start', renewal_date: '2031-01-01' },
  ]);
  t.match(await setService.run(context, { broker, service_number: '1', requires_operator_review: true }), {
    requires_operator_review: true,
    client,
  });
  t.match(
    await setService.run(context, {
      broker,
      service_number: '1',
      requires_operator_review: false,
      'client.name': 'Zoë',
    }),
    {
      requires_operator_review: false,
      client: { name: 'Zoë', email: client.email },
      label: 'shop',
      renewal_date: '2031-01-01T00:00:00.000Z',
    },
  );
  t.equal((await setService.run(context, { broker, service_number: '1', 'client.email': null })).client.email, null);
  t.equal(
    (await setService.run(context, { broker, service_number: '1', 'client.email': 'New@example.com' })).client.email,
    'New@example.com',
  );
  t.equal(
    (await setService.run(context, { broker, service_number: '1', renewal_date: '2032-02-02' })).renewal_date,
    '2032-02-02T00:00:00.000Z',
  );
  t.match(
    await setService.run(context, { broker, service_number: '1', renewal_date: null }).catch((error: unknown) => error),
    {
      faults: [{ field: 'renewal_date', message: 'a monthly service always has one' }],
    },
  );
  await plansFrom(context, 'p.json', [{ ...PLANS[0], slug: 'hour', display_name: 'Hour', billing_type: 'hourly' }]);
  await servicesFrom(context, 's.json', [{ service_number: 9, client, plan: 'hour', renewal_date: '2031-01-01' }]);
  t.equal((await setService.run(context, { broker, service_number: 9, renewal_date: null })).renewal_date, null);

  const brokerId = (await context.store.read.brokers.findBySlug(broker))?.id ?? '';
  t.equal(await context.store.read.services.countMatches(brokerId, { search: 'zoë' }), 1);
  t.equal(await context.store.read.services.countMatches(brokerId, { clientEmailFolded: 'new@example.com' }), 1);

  await t.rejects(setService.run(context, { broker, service_number: '1' }), { message: /Nothing to change/ });
  await t.rejects(setService.run(context, { broker, service_number: '1', service_status: 'gone' }), {
    message: /^service_status: must be one of/,
  });
  await t.rejects(setService.run(context, { broker, service_number: '2', requires_operator_review: true }), {
    message: '"acme" has no service 2',
  });
  await t.rejects(setService.run(context, { broker, service_number: 'x', requires_operator_review: true }), {
    message: /^service_number: must be a whole/,
  });
  await t.rejects(showService.run(context, { broker, service_number: '2' }), { message: '"acme" has no service 2' });
});

t.test('a file that is imported again changes nothing, and what it brought can still be taken back', async (t) => {
  const context = await openWithPlans(t);
  const records = [1, 2].map((service_number) => ({ service_number, client, plan: 'start' }));
  const { import_id: importId } = await importServices(context, { broker, file: file('s.json', records) });
  const { updated_date } = await showService.run(context, { service_number: 1 });
  context.clock.advance(60_000);
  t.match(await servicesFrom(context, 's.json', [{ ...records[0] }, { ...records[1], label: 'New' }]), { updated: 2 });
  t.equal((await showService.run(context, { service_number: 1 })).updated_date, updated_date);
  t.not((await showService.run(context, { service_number: 2 })).updated_date, updated_date);
  t.match(await previewServiceRemoval(context, { broker, importId }), { services: 2, used_services: 1 });
});

t.test('a suspension is refused for what has ended, lifted only where there is one, and keeps its date', async (t) => {
  const context = await openWithPlans(t);
  const records = ['active', 'cancelled', 'terminated'].map((service_status, index) => {
    return { service_number: index + 1, client, plan: 'start', service_status };
  });
  await servicesFrom(context, 's.json', records);
  const service_number = 1;
  for (const [number, status] of [[2, 'cancelled'] as const, [3, 'terminated'] as const]) {
    const ended = { service_number: number };
    await t.rejects(suspendService.run(context, ended), { message: `Service ${number} is ${status}` });
    await t.rejects(resumeService.run(context, ended), { message: `Service ${number} is ${status}, not suspended` });
    const question = await setService.ask(context, { ...ended, service_status: 'active' });
    t.match(question, /^Service \d of .* becomes active\. Its server is not created again\.$/);
  }
  await t.rejects(resumeService.run(context, { service_number }), { message: 'Service 1 is active, not suspended' });

  const { suspension: first } = await suspendService.run(context, { service_number, reason: 'First' });
  context.clock.advance(1000);
  const { suspension, updated_date } = await suspendService.run(context, { service_number, reason: 'Second' });
  t.strictSame(suspension, { ...first, reason: 'Second' });
  context.clock.advance(1000);
  const again = await suspendService.run(context, { service_number, reason: 'Second' });
  t.equal(again.updated_date, updated_date, 'what changes nothing is no change');
});

t.test('the list of services is narrowed by status and cut into windows', async (t) => {
  const context = await openWithPlans(t);
  const records = [1, 2, 3].map((service_number) => ({ service_number, client, plan: 'start' }));
  await servicesFrom(context, 's.json', [
    ...records,
    { service_number: 4, client, plan: 'start', service_status: 'pending' },
  ]);
  const numbers = async (input: object) =>
    (await listServices.run(context, { broker, ...input })).records.map(({ service_number }) => service_number);
  t.strictSame(await numbers({}), [4, 3, 2, 1]);
  t.strictSame(await numbers({ service_status: 'active', limit: '2', offset: '1' }), [2, 1]);
  await t.rejects(numbers({ limit: '0' }), { message: /^limit: must be/ });
});

t.test('what a file does not have of an invoice stays as it is', async (t) => {
  const context = await openWithPlans(t);
  await servicesFrom(context, 's.json', [{ service_number: 1, client, plan: 'start' }]);
  const invoice = {
    invoice_number: 'I-1',
    service_number: 1,
    amount: '10.00',
    currency: 'EUR',
    invoice_status: 'open',
    issued_date: '2030-01-01T00:00:00.000Z',
    due_date: '2030-01-14T00:00:00.000Z',
    paid_date: null,
  };
  const stored = () => showInvoice.run(context, { broker, invoice_number: 'I-1' });
  await invoicesFrom(context, 'i.json', [invoice]);
  const paid = 'invoice_number,invoice_status,paid_date\nI-1,paid,2030-01-03\n';
  t.strictSame((await previewInvoices(context, { broker, file: file('i.csv', paid) })).records[0]?.changes, [
    { field: 'invoice_status', before: 'open', after: 'paid' },
    { field: 'paid_date', before: null, after: '2030-01-03T00:00:00.000Z' },
  ]);
  await invoicesFrom(context, 'i.csv', paid);
  t.strictSame(await stored(), { ...invoice, invoice_status: 'paid', paid_date: '2030-01-03T00:00:00.000Z' });
  await invoicesFrom(context, 'i.csv', 'invoice_number,amount,due_date,paid_date\nI-1,,,\n');
  t.strictSame(await stored(), { ...invoice, invoice_status: 'paid', due_date: null, paid_date: null });
  t.match(await faultsOf(invoicesFrom(context, 'i.json', [{ invoice_number: 'I-2', service_number: 1 }])), [
    'record 1: amount: is required; currency: is required; invoice_status: is required; issued_date: is required',
    /1 of 1/,
  ]);

  const changedAt = async () => {
    const brokerId = (await context.store.read.brokers.findBySlug(broker))?.id ?? '';
    return (await context.store.read.invoices.find(brokerId, 'I-1'))?.updatedAt;
  };
  const before = await changedAt();
  context.clock.advance(1000);
  await invoicesFrom(context, 'i.json', [{ invoice_number: 'I-1', amount: '10.00' }]);
  t.equal(await changedAt(), before, 'one that is as the file says is left as it is');
});

t.test('invoices are created and updated, and only for services of the broker', async (t) => {
  const context = await openWithPlans(t);
  await createBroker.run(context, { ...BROKER, slug: 'other' });
  await importPlans(context, { broker: 'other', file: file('p.json', PLANS) });
  await importServices(context, {
    broker: 'other',
    file: file('s.json', [{ service_number: 2, client, plan: 'start' }]),
  });
  await servicesFrom(context, 's.json', [{ service_number: 1, client, plan: 'start' }]);
  const invoice = {
    invoice_number: 'I-1',
    service_number: 1,
    amount: '10.00',
    currency: 'EUR',
    invoice_status: 'open',
    issued_date: '2030-01-01',
  };
  t.strictSame(await invoicesFrom(context, 'i.json', [invoice]), { broker, imported: 1, created: 1, updated: 0 });
  const csv =
    'invoice_number,service_number,amount,currency,invoice_status,issued_date,due_date,paid_date\n' +
    'I-1,1,10.00,EUR,paid,2030-01-01,2030-01-14,2030-01-03\n' +
    'I-2,1,-2.5,EUR,void,2030-01-02,,\n';
  t.strictSame(await invoicesFrom(context, 'i.csv', csv), { broker, imported: 2, created: 1, updated: 1 });
  const brokerId = (await context.store.read.brokers.findBySlug(broker))?.id ?? '';
  const stored = await invoiceLines(context.store, brokerId);
  t.strictSame(
    stored.map((line) => [line.invoice_number, line.amount, line.invoice_status, line.paid_date]),
    [
      ['I-1', '10.00', 'paid', '2030-01-03T00:00:00.000Z'],
      ['I-2', '-2.5', 'void', ''],
    ],
  );
  t.strictSame(
    await faultsOf(
      invoicesFrom(context, 'i.json', [
        { ...invoice, service_number: 2 },
        { ...invoice, service_number: 3, amount: '1e5' },
        { ...invoice, invoice_number: 'I-9' },
        { ...invoice, invoice_number: 'I-9', service_number: 4 },
      ]),
    ),
    [
      'record 1: service_number: "acme" has no service 2',
      'record 2: amount: must be a decimal number such as 12.50; invoice_number: "I-1" is in the file twice; service_number: "acme" has no service 3',
      'record 4: invoice_number: "I-9" is in the file twice; service_number: "acme" has no service 4',
      'i.json: 3 of 4 records are faulty; nothing was imported',
    ],
  );
});

t.test('an import of many batches shows how far it is and writes every record', async (t) => {
  const context = await openWithPlans(t);
  const steps: Array<[number, number]> = [];
  const onProgress = (done: number, total: number) => void steps.push([done, total]);
  const names = Array.from({ length: 1200 }, (_, index) => `n${index}`);
  const plans = names.map((slug, index) => ({
    ...PLANS[0],
    slug,
    display_name: slug,
    upgrade_rank: index,
    active: index < 900,
  }));
  await importPlans(context, { broker, file: file('p.json', plans), onProgress });
  const services = names.map((plan, index) => ({ service_number: index + 1, client, plan }));
  await importServices(context, { broker, file: file('s.json', services), onProgress });
  const update = [...services, { client, plan: 'start' }];
  await importServices(context, { broker, file: file('s.json', update), onProgress });
  const invoices = names.map((invoice_number, index) => ({
    invoice_number,
    service_number: index + 1,
    amount: 1,
    currency: 'EUR',
    invoice_status: 'open',
    issued_date: '2030-01-01',
  }));
  await importInvoices(context, { broker, file: file('i.json', invoices), onProgress });
  const thrice: Array<[number, number]> = [
    [500, 1200],
    [1000, 1200],
    [1200, 1200],
  ];
  t.strictSame(steps, [...thrice, ...thrice, [500, 1201], [1000, 1201], [1200, 1201], [1201, 1201], ...thrice]);
  const brokerId = (await context.store.read.brokers.findBySlug(broker))?.id ?? '';
  t.equal(await context.store.read.counters.total(brokerId, 'services'), 1201);
  t.equal(await context.store.read.services.countMatches(brokerId, {}), 1201);
});

t.test('the list of services is searched as callers search it, and says how many there are in all', async (t) => {
  const context = await openWithPlans(t);
  await servicesFrom(context, 's.json', [
    { service_number: 1, client: { name: 'Zoë Müller' }, plan: 'start' },
    { service_number: 2, client, plan: 'start', label: 'MÜLLER 2' },
    { service_number: 3, client, plan: 'start' },
  ]);
  const found = async (input: object) => {
    const { total, records } = await listServices.run(context, { broker, ...input });
    return { total, numbers: records.map(({ service_number }) => service_number) };
  };
  t.strictSame(await found({ search: ' müller ' }), { total: 2, numbers: [2, 1] });
  t.strictSame(await found({ search: 'müller', limit: 1 }), { total: 2, numbers: [2] });
  t.strictSame(await found({ service_status: 'active', limit: 1, offset: 5 }), { total: 3, numbers: [] });
  t.match(await found({ search: 'mü' }).catch((error: unknown) => error), {
    kind: 'invalid',
    faults: [{ field: 'search', message: 'must have at least 3 characters' }],
  });
});

t.test(
  'a broker has a thousand active plans at most, by file as by switch, and what stands can still be changed',
  async (t) => {
    const context = await open(t);
    const plan = (n: number, more: object = {}) => ({
      slug: `plan-${n}`,
      display_name: `Plan ${n}`,
      upgrade_rank: n,
      billing_type: 'monthly',
      ...more,
    });
    const plans = Array.from({ length: 1_000 }, (_, n) => plan(n));
    const message = 'is one too many: a broker may have 1000 active plans';
    const beyond = [...plans, plan(1_000, { active: false }), plan(1_001)];
    t.match(await faultsOf(plansFrom(context, 'plans.json', beyond)), [
      `record 1002: active: ${message}`,
      /1 of 1002 records are faulty/,
    ]);
    await plansFrom(context, 'plans.json', [...plans, plan(1_000, { active: false })]);
    t.match(await faultsOf(plansFrom(context, 'one.json', [plan(1_002)])), [`record 1: active: ${message}`, /1 of 1/]);
    await t.rejects(setPlan.run(context, { broker, slug: 'plan-1000', active: true }), {
      message: `active: ${message}`,
    });
    t.match(
      await setPlan.run(context, { broker, slug: 'plan-7', active: true }),
      { active: true },
      'it is active already',
    );
    t.match(await plansFrom(context, 'again.json', plans), { updated: 1_000 });
    await plansFrom(context, 'swap.json', [plan(7, { active: false }), plan(1_000, { active: true })]);
    const { records } = await listPlans.run(context, { broker, limit: 2_000 });
    t.equal(records.filter(({ active }) => active).length, 1_000);
  },
);

t.test('the sample in docs/imports.md is imported as it stands', async (t) => {
  const context = await open(t);
  const [, sample] = /```csv\n([\s\S]*?)```/.exec(readFileSync('docs/imports.md', 'utf8')) ?? [];
  t.match(await plansFrom(context, 'plans.csv', sample), { created: 2 });
  t.match((await listPlans.run(context, { broker })).records, [
    { price: { amount: '6.00' } },
    { price: { amount: '18.00' } },
  ]);
});

t.test('a fault is reported once, also where the check runs again because of another change', async (t) => {
  const context = await openWithPlans(t);
  const invoice = { invoice_number: '1', service_number: 5, amount: '1.00', currency: 'EUR', invoice_status: 'open' };
  const imported = invoicesFrom(context, 'invoices.json', [{ ...invoice, issued_date: '2026-01-01' }]);
  const failing = context.store.tx(async (tx) => {
    await tx.settings.put({ name: 'a', value: '1' });
    throw new Error('too late');
  });
  const [faults] = await Promise.all([faultsOf(imported), t.rejects(failing, { message: 'too late' })]);
  t.strictSame(faults.slice(0, -1), ['record 1: service_number: "acme" has no service 5']);
});
