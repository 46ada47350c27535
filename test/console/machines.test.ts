import t, { type Test } from 'tap';
import { importServices } from '../../src/operator/services/import.ts';
import { listServices } from '../../src/operator/services/views.ts';
import { createTestConsole } from '../support/console.ts';
import { file } from '../support/operator-context.ts';
import { anInvoice, stock } from '../support/rows.ts';

/** Two brokers with services on two machines; one has invoices. */
async function open(t: Test) {
  const console = await createTestConsole();
  t.teardown(() => console.close());
  const { store } = console;
  const [acme, other] = [await stock(store, 3), await stock(store, 1)];
  const [one, two, three] = acme.rows.map(({ number }) => number) as [number, number, number];
  const place = (broker: { id: string }, number: number, reference: string) =>
    store.tx((tx) => tx.services.update(broker.id, number, { reference }));
  await place(acme.broker, one, 'node-3/vm-1');
  await place(acme.broker, two, 'node-30/vm-2');
  await place(other.broker, other.service.number, 'node-3/vm-3');
  await store.tx((tx) =>
    tx.invoices.upsert([
      anInvoice(acme.service, { invoiceNumber: 'HAR-1', status: 'open' }),
      anInvoice(acme.service, { invoiceNumber: 'HAR-2', status: 'paid' }),
      anInvoice(acme.rows[1] as never, { invoiceNumber: 'HAR-3', status: 'paid' }),
    ]),
  );
  return { console, acme, other, numbers: { one, two, three, others: other.service.number } };
}

t.test(
  'whose services are on a machine: the list by the beginning of their reference, with the brokers’ contacts',
  async (t) => {
    const { console, acme, other, numbers } = await open(t);
    const list = async (given: object) => {
      const { records, total } = await listServices.run(console.context, given);
      return { numbers: records.map(({ service_number }) => service_number).sort(), total };
    };
    const onNode = [numbers.one, numbers.others].sort();
    t.strictSame(await list({ reference: 'node-3/' }), { numbers: onNode, total: 2 });
    t.strictSame(await list({ reference: 'node-3' }), { numbers: [...onNode, numbers.two].sort(), total: 3 });
    t.strictSame(await list({ reference: 'node-3/', broker: acme.broker.slug }), { numbers: [numbers.one], total: 1 });
    t.strictSame((await list({ search: 'node-3/vm-3' })).numbers, [numbers.others]);
    t.strictSame((await list({ reference: 'NODE' })).numbers, []);
    const viewer = await console.signedIn('viewer');
    const csv = (await viewer.get('/services.csv?reference=node-3%2F')).body;
    t.match(csv, /Machine,"Broker’s contact",Broker/);
    t.match(csv, new RegExp(`"node-3/vm-1",${acme.broker.contactEmail},${acme.broker.slug}`));
    t.match(csv, new RegExp(`"node-3/vm-3",${other.broker.contactEmail},${other.broker.slug}`));
    const page = await viewer.get(`/services/${numbers.one}`);
    t.match(page.text, /Machine node-3\/vm-1 all of node-3/);
    t.match(page.body, /href="\/services\?reference=node-3%2F"/);
    t.match((await viewer.get('/services?reference=node-3%2F')).text, /2 services/);
    t.match((await viewer.get(`/services/${numbers.three}`)).text, /Machine not known/);
    t.match((await viewer.get('/search/options?q=node-3%2Fvm-3')).text, new RegExp(`${numbers.others}.*node-3/vm-3`));
  },
);

t.test(
  'is it paid: invoices stand on the page of their service, client and broker, and are found by number',
  async (t) => {
    const { console, acme, numbers } = await open(t);
    const viewer = await console.signedIn('viewer');
    const service = (await viewer.get(`/services/${numbers.one}`)).text;
    t.match(service, /Invoices All .*HAR-/s);
    t.match(service, /1 of these is open\./);
    t.notMatch(service, /HAR-3/);
    t.match((await viewer.get(`/services/${numbers.one}/client`)).text, /Invoices All of the broker.*HAR-1/s);
    t.match((await viewer.get(`/brokers/${acme.broker.slug}`)).text, /Latest invoices All .*HAR-3/s);
    t.notMatch((await viewer.get(`/services/${numbers.three}`)).text, /Invoices/);
    const found = await viewer.get('/search?q=HAR-3');
    t.equal(found.status, 303);
    t.equal(found.headers.location, `/services/${numbers.two}#invoices`);
    const { slug } = acme.broker;
    t.match((await viewer.get(`/invoices?broker=${slug}&status=paid`)).text, /HAR-2.*2 invoices|2 invoices/s);
    t.match((await viewer.get('/invoices')).text, /Choose a broker/);
    t.match(
      (await viewer.get(`/invoices.csv?broker=${slug}`)).body,
      /Invoice,Status,Amount,Currency,Service,Issued,Due,Paid/,
    );
  },
);

t.test('a list with the machines can be imported again; another machine than the stored one is a fault', async (t) => {
  const { console, acme } = await open(t);
  const { records } = await listServices.run(console.context, { broker: acme.broker.slug });
  const broker = acme.broker.slug;
  const deps = { ...console.context, actor: { kind: 'command', name: 'ada', clientIp: null } as const };
  t.match(await importServices(deps, { broker, file: file('services.json', records) }), { imported: 3 });
  const moved = records.map((record) => ({ ...record, reference: 'node-9/vm-1' }));
  await t.rejects(importServices(deps, { broker, file: file('services.json', moved) }), { name: 'ImportError' });
});
