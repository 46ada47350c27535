import t from 'tap';
import { importConsumption } from '../../src/operator/billing/consumption.ts';
import { createBroker } from '../../src/operator/brokers/brokers.ts';
import { importPlans } from '../../src/operator/plans/plans.ts';
import { importServices } from '../../src/operator/services/import.ts';
import { createTestConsole, formOf } from '../support/console.ts';
import { BROKER, file, PLANS } from '../support/operator-context.ts';

const broker = 'acme';

t.test('the page of a service shows how it is reached, what was chosen and what it consumed', async (t) => {
  const console = await createTestConsole();
  t.teardown(() => console.close());
  const { context } = console;
  await createBroker.run(context, BROKER);
  const options = [{ name: 'image', display_name: 'Image', type: 'text' }];
  await importPlans(context, { broker, file: file('p.json', [{ ...PLANS[0], options }]) });
  const access = { hostname: 'shop.example.com', ip_addresses: ['192.0.2.10', '2001:db8::10'] };
  const service = { service_number: 7000, client: { name: 'Z' }, plan: 'start', configuration: { image: 'debian' } };
  await importServices(context, { broker, file: file('s.json', [{ ...service, access }]) });
  const measured = { service_number: 7000, measured_date: '2030-01-14', disk_gb_used: '12.5' };
  await importConsumption(context, { broker, file: file('c.json', [measured]) });
  const support = await console.signedIn('support');
  const page = await support.get('/services/7000');
  t.match(page.text, /Host name shop\.example\.com Copy Address 192\.0\.2\.10 Copy Address 2001:db8::10 Copy/);
  t.match(page.text, /Image debian/);
  t.match(page.text, /Disk 12\.5 GB Transfer –/);

  const path = '/services/7000/set';
  const shown = formOf(page.body, path);
  t.match(shown, { 'access.hostname': 'shop.example.com', 'access.ip_addresses': '192.0.2.10,2001:db8::10' });
  const refused = await support.post(path, { ...shown, 'access.hostname': '-' });
  t.match(refused, { status: 422, text: /Host name: must be a host name/ });
  t.equal((await support.post(path, { ...shown, 'access.ip_addresses': '198.51.100.7 192.0.2.10' })).status, 303);
  const changed = (await support.get('/services/7000')).text;
  t.match(changed, /Address 198\.51\.100\.7 Copy Address 192\.0\.2\.10 Copy/, 'in the order given');
  t.match(changed, /access changed/i);
  const again = formOf((await support.get('/services/7000')).body, path);
  t.match(again, { 'access.ip_addresses': '198.51.100.7,192.0.2.10' });
  t.match((await support.get('/services?q=198.51.100.7')).text, /7000/);
});
