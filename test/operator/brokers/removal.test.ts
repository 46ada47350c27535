import { createHash } from 'node:crypto';
import t, { type Test } from 'tap';
import { DEMO_KEYS } from '../../../src/demo/demo.ts';
import { listAudit } from '../../../src/operator/audit/audit.ts';
import { createBroker, resumeBroker, setBroker, suspendBroker } from '../../../src/operator/brokers/brokers.ts';
import { exportBroker, type WriteFile } from '../../../src/operator/brokers/export.ts';
import { removeBroker } from '../../../src/operator/brokers/removal.ts';
import { setPlan } from '../../../src/operator/plans/plans.ts';
import { OWNED } from '../../../src/store/queries/owned.ts';
import { openDemo } from '../../support/demo.ts';
import { BROKER, createOperatorContext } from '../../support/operator-context.ts';

const DAY_MS = 86_400_000;

async function withDemo(t: Test) {
  const context = await createOperatorContext(openDemo);
  t.teardown(() => context.close());
  const broker = await context.store.read.brokers.findBySlug('demo');
  if (!broker) throw new Error('the demo has this broker');
  const rowsOf = (id: string) =>
    Promise.all(OWNED.map(async (name) => (await context.store.read.owned.page(id, name, undefined, 100_000)).length));
  return { context, broker, rowsOf };
}

t.test(
  'an export has every record of the broker and none of another one, with counts and hashes that hold',
  async (t) => {
    const { context, broker } = await withDemo(t);
    const offer = { options: '[{"name":"host","display_name":"Host","type":"text"}]', provisioning: '{"node":"pve1"}' };
    await setPlan.run(context, { broker: 'demo', slug: 'classic', ...offer });
    const files = new Map<string, string>();
    const write: WriteFile = async (file, lines) => {
      let text = '';
      for await (const part of lines) text += part;
      files.set(file, text);
      return createHash('sha256').update(text).digest('hex');
    };
    const manifest = await exportBroker(context, { broker: 'demo' }, write);
    t.strictSame(
      manifest.files.map(({ file }) => file),
      [...files.keys()],
    );
    for (const { file, records, sha256 } of manifest.files) {
      const text = String(files.get(file));
      const rows = text
        .split('\n')
        .slice(0, -1)
        .map((line) => JSON.parse(line));
      t.equal(rows.length, records, file);
      t.equal(createHash('sha256').update(text).digest('hex'), sha256);
      t.ok(
        rows.every((row) => (row.broker_id ?? row.id) === broker.id),
        'all of this broker',
      );
    }
    const counts = Object.fromEntries(manifest.files.map(({ file, records }) => [file, records]));
    const total = (subject: 'services' | 'requests') => context.store.read.counters.total(broker.id, subject);
    t.match(counts, {
      'brokers.jsonl': 1,
      'services.jsonl': await total('services'),
      'requests.jsonl': await total('requests'),
    });
    t.ok(Number(counts['calls.jsonl']) > 500, 'more than one page');
    const [key] = String(files.get('api_keys.jsonl')).split('\n');
    t.match(JSON.parse(String(key)), { scopes: ['admin:full'], created_date: /^\d{4}-.*Z$/, hash: undefined });
    t.notMatch([...files.values()].join(''), new RegExp(DEMO_KEYS.live));
    const offered = String(files.get('plan_offers.jsonl'))
      .split('\n')
      .find((line) => line.includes('"host"'));
    t.match(JSON.parse(String(offered)), { options: [{ name: 'host' }], actions: [], has_credentials: false });
    t.notMatch([...files.values()].join(''), /pve1|provisioning":\{/, 'what is for the provisioner alone stays here');
    const [row] = (await listAudit(context, { action: 'broker.export' })) as unknown as Array<Record<string, unknown>>;
    t.match(row, { subject: 'broker/demo', after: counts });
    await t.rejects(exportBroker(context, { broker: 'none' }, write), { message: 'There is no broker "none"' });
  },
);

t.test(
  'a broker is removed only after a day of suspension, then wholly, and no other broker loses a record',
  async (t) => {
    const { context, broker, rowsOf } = await withDemo(t);
    const removed: string[] = [];
    const parts = { ...context, removeSandbox: async (id: string) => void removed.push(id) };
    const remove = () => removeBroker.run(parts, { broker: 'demo' });
    const refusal = { message: '"demo" can be removed once it has been suspended for a day' };
    const other = await context.store.read.brokers.findBySlug('demo-other');
    const before = await rowsOf(String(other?.id));
    context.clock.advance(2 * DAY_MS);
    await t.rejects(remove(), refusal, 'it is active');
    await suspendBroker.run(context, { broker: 'demo' });
    context.clock.advance(DAY_MS - 1);
    const from = new Date(context.clock.now() + 1).toISOString();
    const early = { message: `"demo" can be removed from ${from} on, once it has been suspended for a day` };
    await t.rejects(remove(), early, 'with the date');
    await setBroker.run(context, { broker: 'demo', name: 'Demo' });
    context.clock.advance(1);
    await t.rejects(remove(), /once it has been suspended for a day/, 'a change begins the day anew');
    context.clock.advance(DAY_MS);
    t.match(await remove(), { broker: 'demo', removed: true });
    t.strictSame(removed, [broker.id]);
    t.strictSame(new Set(await rowsOf(broker.id)), new Set([0]));
    t.equal(await context.store.read.brokers.find(broker.id), null);
    t.strictSame(await rowsOf(String(other?.id)), before);
    const [row] = (await listAudit(context, { action: 'broker.remove' })) as unknown as Array<Record<string, unknown>>;
    t.match(row, { subject: 'broker/demo', before: { slug: 'demo', broker_status: 'suspended' } });
    await t.rejects(remove(), { message: 'There is no broker "demo"' });
    await createBroker.run(context, { ...BROKER, slug: 'demo' });
  },
);

t.test('a removal that was cut off goes on where it stopped, in smaller steps where each takes long', async (t) => {
  const { context, broker, rowsOf } = await withDemo(t);
  await suspendBroker.run(context, { broker: 'demo' });
  context.clock.advance(DAY_MS);
  const steps: number[] = [];
  let left = 3;
  const slow = {
    ...context,
    removeSandbox: async () => undefined,
    store: {
      ...context.store,
      tx: <T>(work: Parameters<typeof context.store.tx<T>>[0]) =>
        context.store.tx<T>((tx) => {
          const removeSome: typeof tx.owned.removeSome = async (id, limit) => {
            steps.push(limit);
            if (steps.length > left) throw new Error('killed');
            if (steps.length <= 4) context.clock.advance(100);
            return tx.owned.removeSome(id, limit);
          };
          return work({ ...tx, owned: { ...tx.owned, removeSome } });
        }),
    },
  };
  await t.rejects(removeBroker.run(slow, { broker: 'demo' }), { message: 'killed' });
  t.strictSame(steps, [500, 250, 125, 62]);
  context.clock.advance(1);
  t.not((await rowsOf(broker.id)).at(-1), 0, 'something is left');
  left = Number.POSITIVE_INFINITY;
  steps.length = 0;
  await removeBroker.run(slow, { broker: 'demo' });
  t.strictSame(new Set(await rowsOf(broker.id)), new Set([0]));
  t.strictSame(
    steps.slice(0, 8),
    [500, 250, 125, 62, 31, 62, 124, 248],
    'and in larger ones where they are fast again',
  );
  const trail = await listAudit(context, { action: 'broker.remove' });
  t.equal(trail.length, 1, 'one removal, one row, with what there was at first');
  t.match(trail, [{ before: { services: 25, requests: 18 } }]);
});

t.test('a broker that was resumed after a removal was cut off is removed anew, with a row of its own', async (t) => {
  const { context } = await withDemo(t);
  const cut = { ...context, removeSandbox: () => Promise.reject(new Error('killed')) };
  for (let times = 0; times < 2; times += 1) {
    await suspendBroker.run(context, { broker: 'demo' });
    context.clock.advance(DAY_MS);
    await t.rejects(removeBroker.run(cut, { broker: 'demo' }), { message: 'killed' });
    context.clock.advance(1);
    await resumeBroker.run(context, { broker: 'demo' });
  }
  t.equal((await listAudit(context, { action: 'broker.remove' })).length, 2);
});
