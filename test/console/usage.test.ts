import t from 'tap';
import { createBroker } from '../../src/operator/brokers.ts';
import { createKey, listKeys } from '../../src/operator/keys.ts';
import { aUsageRow } from '../store/records.ts';
import { createTestConsole } from '../support/console.ts';
import { BROKER } from '../support/operator-context.ts';

t.test('usage is shown by broker and key with the share of the limit, and as CSV for a bill', async (t) => {
  const settings = [
    { name: 'RATE_LIMIT_MAX', value: '100' },
    { name: 'RATE_LIMIT_WINDOW_SECONDS', value: '30' },
  ];
  const console = await createTestConsole({}, undefined, { settings });
  t.teardown(() => console.close());
  const { context, clock, store } = console;
  await createBroker(context, BROKER);
  const fields = { broker: BROKER.slug, mode: 'live', scopes: 'admin:full' };
  await createKey(context, { ...fields, name: 'own', rateLimit: '10' });
  await createKey(context, { ...fields, name: 'usual' });
  const keys = await listKeys(context, { broker: BROKER.slug });
  const minute = clock.now() - (clock.now() % 60_000) - 60_000;
  const brokerId = (await store.read.brokers.findBySlug(BROKER.slug))?.id as string;
  const rows = keys.map(({ key_id: keyId }, index) => aUsageRow(brokerId, minute, { keyId, calls: 30 + index }));
  await store.tx((tx) => tx.usage.count(rows));

  const viewer = await console.signedIn('viewer');
  const page = await viewer.get('/usage?by=minute');
  t.equal(page.status, 200);
  for (const [index, { key_prefix: prefix, name }] of keys.entries()) {
    const calls = 30 + index;
    const share = Math.round((100 * calls) / (name === 'own' ? 20 : 200));
    t.match(page.text, new RegExp(`${prefix} ${calls} ${calls} ${share} %`));
  }
  const csv = await viewer.get('/usage.csv?by=minute');
  t.match(csv.headers['content-type'], 'text/csv');
  t.match(csv.body, /from_date,broker,key_prefix,calls,busiest_minute,p50_ms,p99_ms/);
  t.match(csv.body, new RegExp(`acme,${keys[0]?.key_prefix},30,30,`));
  t.match((await viewer.get('/usage?key=none')).text, /There is no key &quot;none&quot;/);
  t.match((await viewer.get('/usage')).text, /Usage/);
});
