import t from 'tap';
import { createKey, listKeys } from '../../src/operator/access/keys.ts';
import { createBroker } from '../../src/operator/brokers/brokers.ts';
import { createTestConsole } from '../support/console.ts';
import { BROKER } from '../support/operator-context.ts';
import { aUsageRow } from '../support/rows.ts';

t.test('usage is shown by broker and key, and as CSV for a bill', async (t) => {
  const console = await createTestConsole();
  t.teardown(() => console.close());
  const { context, clock, store } = console;
  await createBroker.run(context, BROKER);
  const fields = { broker: BROKER.slug, mode: 'live', scopes: 'admin:full' };
  await createKey.run(context, { ...fields, name: 'one' });
  await createKey.run(context, { ...fields, name: 'two', mode: 'test' });
  const keys = (await listKeys.run(context, { broker: BROKER.slug })).records;
  const minute = clock.now() - (clock.now() % 60_000) - 60_000;
  const brokerId = (await store.read.brokers.findBySlug(BROKER.slug))?.id as string;
  const rows = keys.flatMap(({ key_id: keyId }, index) => [
    aUsageRow(brokerId, minute, { keyId, calls: 20 + index }),
    aUsageRow(brokerId, minute, { keyId, calls: 8, outcome: 'not_found', gate: 7 }),
    aUsageRow(brokerId, minute, { keyId, calls: 2, outcome: 'server_error' }),
  ]);
  await store.tx((tx) => tx.usage.count(rows));

  let viewer = await console.signedIn('viewer');
  const page = await viewer.get('/usage?by=minute');
  t.equal(page.status, 200);
  for (const [index, { key_prefix: prefix }] of keys.entries()) {
    t.match(page.text, new RegExp(`${prefix} ${prefix.slice(3, 7)} ${20 + index} 8 2 ${30 + index}`));
  }
  const csv = await viewer.get('/usage.csv?by=minute');
  t.match(csv.headers['content-type'], 'text/csv');
  t.match(
    csv.body,
    /^\uFEFFline,from_date,until_date,broker,broker_name,key_prefix,mode,calls,answered,refused,failed\r\n/,
  );
  t.match(csv.body, new RegExp(`acme,"Acme Hosting",${keys[0]?.key_prefix},live,30,20,8,2\r\n`));
  t.match(csv.body, /\r\ntotal,.*,acme,"Acme Hosting",,,61,41,16,4\r\n$/);
  t.match((await viewer.get('/usage?key=none')).text, /There is no key &quot;none&quot;/);
  const bill = await viewer.get('/usage');
  t.match(
    bill.text,
    /2030-01-01 to 2030-01-31 \(UTC\), so far 61 calls 31 of them with test keys .*Acme Hosting acme 30 31 41 16 4 61/,
  );
  t.match(bill.text, new RegExp(`2030-01-01 Acme Hosting ${keys[1]?.key_prefix} test 21 8 2 31`));
  t.match(
    (await viewer.get('/usage?month=2029-12')).text,
    /2029-12-31 \(UTC\): no calls. The first that are counted were made on 2030-01-15/,
  );
  t.match((await viewer.get('/usage?month=2029-13')).text, /month: must be a month such as 2030-01/i);
  t.match((await viewer.get('/usage?since=2030-01-15&until=2030-01-16T00:00:00Z')).text, /2030-01-15 to 2030-01-16T00/);
  t.match((await viewer.get('/usage?since=24h')).text, /Since 24h 61 calls/);
  const both = await viewer.get('/usage?month=2030-01&since=2030-01-10');
  t.match(
    both,
    { status: 200, text: /Does not count while a month is chosen.*2030-01-01 to 2030-01-31/ },
    'the list stays',
  );
  t.notMatch(bill.body, /<option value="2030-01"/, 'the month that runs is one choice');
  const spans = async (query: string) =>
    (await viewer.get(`/usage.csv?${query}`)).body
      .trim()
      .split(/\r?\n/)
      .filter((line) => line.startsWith('key'))
      .map((line) => line.replaceAll('"', '').split(',').slice(1, 5).join(' '));
  const now = new Date(clock.now()).toISOString();
  const of = (from: string, until: string) => keys.map(() => `${from} ${until} acme Acme Hosting`);
  t.strictSame(await spans(''), of('2030-01-01T00:00:00.000Z', now), 'no later than now');
  clock.advance(30 * 86_400_000);
  viewer = await console.signedIn('viewer');
  t.strictSame(await spans('month=2030-01'), of('2030-01-01T00:00:00.000Z', '2030-02-01T00:00:00.000Z'));
  const aDay = of('2030-01-15T00:00:00.000Z', '2030-01-16T00:00:00.000Z');
  t.strictSame(await spans('since=2030-01-15&until=2030-01-16'), aDay);
  t.strictSame(await spans('since=2030-01-15&until=2030-01-18&by=day'), aDay);
  const part = 'since=2030-01-15T05:00:00Z&until=2030-01-15T13:00:00Z&by=day';
  t.strictSame(await spans(part), aDay, 'a day is added up whole');
});
