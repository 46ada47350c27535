import t from 'tap';
import { createBroker } from '../../src/operator/brokers/brokers.ts';
import { importPlans } from '../../src/operator/plans/plans.ts';
import { importServices } from '../../src/operator/services/import.ts';
import type { ListedMachine } from '../../src/ports.ts';
import { createTestConsole } from '../support/console.ts';
import { BROKER, file, PLANS } from '../support/operator-context.ts';

const broker = 'acme';

t.test('the page of machines compares, shows what differs, and gives the file to import; a viewer reads', async (t) => {
  const console = await createTestConsole();
  t.teardown(() => console.close());
  const { context } = console;
  await createBroker.run(context, BROKER);
  await importPlans(context, { broker, file: file('p.json', PLANS) });
  const service = { service_number: 7000, client: { name: 'Zoe' }, plan: 'start' };
  await importServices(context, { broker, file: file('s.json', [service]) });
  const machine: ListedMachine = {
    service_number: 7001,
    service_uid: 'req_lost',
    reference: null,
    suspended: false,
    ip_addresses: ['192.0.2.7'],
    broker,
    plan: 'start',
    configuration: null,
  };
  context.machines.page = { machines: [machine], after: null };
  const support = await console.signedIn('support');
  t.match((await support.get('/machines')).text, /were never compared/);
  const shown = await support.post('/machines/compare', {});
  t.equal(shown.status, 200);
  t.match(shown.text, /2 differences/);
  t.match(shown.text, /7001 acme no record/);
  t.match(shown.body, /href="\/services\/7000"/);
  const saved = await support.post('/machines/import-file', { broker });
  const [record] = JSON.parse(saved.body);
  t.match(record, { service_number: 7001, service_uid: 'req_lost', client: { name: '', email: '' } });
  const filled = { ...record, client: { name: 'Ada', email: 'ada@example.com' } };
  t.match(await importServices(context, { broker, file: file('m.json', [filled]) }), { created: 1 });
  context.machines.page = { machines: [machine, { ...machine, service_number: 7000, service_uid: null }], after: null };
  t.match((await support.post('/machines/compare', {})).text, /1 difference/, 'of the address that was not known');
  await support.post('/machines/compare', { accept: 'true' });
  const viewer = await console.signedIn('viewer');
  t.match((await viewer.get('/machines')).text, /1 difference, accepted/);
  t.equal((await viewer.post('/machines/compare', {})).status, 403);
});
