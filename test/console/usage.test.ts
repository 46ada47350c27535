import t from 'tap';
import { createBroker } from '../../src/operator/brokers.ts';
import { createKey, listKeys } from '../../src/operator/keys.ts';
import { aUsageRow } from '../store/records.ts';
import { createTestConsole } from '../support/console.ts';
import { BROKER } from '../support/operator-context.ts';

t.test('usage is shown by broker and key, and as CSV for a bill', async (t) => {
  const console = await createTestConsole();
  t.teardown(() => console.close());
  const { context, clock, store } = console;
  await createBroker.run(context, BROKER);
  const fields = { broker: BROKER.slug, mode: 'live', scopes: 'admin:full' };
  await createKey.run(context, { ...fields, name: 'one' });
  await createKey.run(context, { ...fields, name: 'two' });
  const keys = await listKeys.run(context, { broker: BROKER.slug });
  const minute = clock.now() - (clock.now() % 60_000) - 60_000;
  const brokerId = (await store.read.brokers.findBySlug(BROKER.slug))?.id as string;
  const rows = keys.map(({ key_id: keyId }, index) => aUsageRow(brokerId, minute, { keyId, calls: 30 + index }));
  await store.tx((tx) => tx.usage.count(rows));

  const viewer = await console.signedIn('viewer');
  const page = await viewer.get('/usage?by=minute');
  t.equal(page.status, 200);
  for (const [index, { key_prefix: prefix }] of keys.entries()) {
    t.match(page.text, new RegExp(`${prefix} ${30 + index}`));
  }
  const csv = await viewer.get('/usage.csv?by=minute');
  t.match(csv.headers['content-type'], 'text/csv');
  t.match(csv.body, /from_date,broker,key_prefix,calls,p50_ms,p99_ms/);
  t.match(csv.body, new RegExp(`acme,${keys[0]?.key_prefix},30,`));
  t.match((await viewer.get('/usage?key=none')).text, /There is no key &quot;none&quot;/);
  t.match((await viewer.get('/usage')).text, /Usage/);
});
