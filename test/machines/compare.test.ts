import t, { type Test } from 'tap';
import { compareAfterLoss } from '../../src/machines/after-loss.ts';
import { compareMachines } from '../../src/machines/compare.ts';
import { compareServices } from '../../src/operator/services/compare.ts';
import { getStatus } from '../../src/operator/system/status.ts';
import type { ListedMachine, MachinePage, MachineSource } from '../../src/ports.ts';
import { createHttpMachines } from '../../src/worker/machines-http.ts';
import { serveEndpoint } from '../support/provisioner.ts';
import { aLoss, aRequest, aService } from '../support/rows.ts';
import { AN_OPERATOR, createWorld } from '../support/world.ts';

/** Records against machines (contract, section 15.7). */

const SILENT = { warn: () => undefined };

/** Machines as a provisioner lists them, two to a page; `before` is called before each page. */
function listOf(machines: Array<Partial<ListedMachine>>) {
  const state = { machines, pages: 0, before: async (_page: number): Promise<void> => undefined };
  const source: MachineSource = {
    async list({ after }) {
      state.pages += 1;
      await state.before(state.pages);
      const at = Number(after ?? 0);
      const page = state.machines.slice(at, at + 2).map((machine) => ({ ...UNKNOWN, ...machine }) as ListedMachine);
      return { machines: page, after: at + 2 < state.machines.length ? String(at + 2) : null };
    },
  };
  return Object.assign(state, { source });
}

const UNKNOWN = {
  service_uid: null,
  reference: null,
  suspended: null,
  ip_addresses: null,
  broker: null,
  plan: null,
  configuration: null,
};

async function setUp(t: Test) {
  const world = await createWorld();
  t.teardown(() => world.close());
  const broker = await world.addBroker({ slug: 'acme' });
  const plan = await world.addPlan(broker, { slug: 'vps' });
  const add = (number: number, fields = {}) =>
    world.addService(broker, plan, { number, uid: `req_${number}`, ...fields });
  const deps = { ...world.context, actor: AN_OPERATOR };
  return { world, broker, plan, add, deps };
}

t.test('what differs is shown worst first, with the command that exists for it', async (t) => {
  const { broker, add, deps } = await setUp(t);
  const access = JSON.stringify({ ip_addresses: ['192.0.2.1'] });
  for (const number of [1, 2, 3, 4, 5]) await add(number, { access, reference: `vm-${number}` });
  await add(6, { status: 'suspended', suspendedBy: 'operator', suspendedAt: 1 });
  await add(7, { status: 'terminated' });
  await add(8, { configuration: '{"image":"debian","size":3}' });
  const machines = listOf([
    { service_number: 8, service_uid: 'req_8', configuration: { image: 'alpine', other: 1 } },
    {
      service_number: 1,
      service_uid: 'req_1',
      ip_addresses: ['192.0.2.1'],
      reference: 'vm-1',
      plan: 'VPS',
      suspended: false,
    },
    { service_number: 2, service_uid: 'req_of-another' },
    { service_number: 3, service_uid: 'req_3', suspended: true, plan: 'large', ip_addresses: ['192.0.2.9'] },
    { service_number: 4, reference: 'vm-9' },
    { service_number: 6, service_uid: 'req_6', suspended: false },
    { service_number: 7, service_uid: 'req_7' },
    {
      service_number: 90,
      service_uid: 'req_90',
      broker: 'acme',
      plan: 'vps',
      suspended: true,
      ip_addresses: ['192.0.2.90'],
    },
  ]);
  const found = await compareServices.run({ ...deps, machines: machines.source }, {});
  t.same(
    found.differences.map((one) => [one.kind, one.service_number, one.record, one.machine, one.commands[0]]),
    [
      ['another_uid', 2, 'req_2', 'req_of-another', undefined],
      ['no_record', 90, null, 'req_90', 'services import FILE --broker acme'],
      ['not_living', 7, 'terminated', null, 'services cancel 7 --type immediate'],
      ['no_machine', 5, 'req_5', null, 'services cancel 5 --type immediate'],
      ['machine_suspended', 3, 'active', 'suspended', 'services suspend 3'],
      ['machine_running', 6, 'suspended', 'running', 'services resume 6'],
      ['plan', 3, 'vps', 'large', undefined],
      ['configuration', 8, '{"image":"debian"}', '{"image":"alpine"}', undefined],
      ['ip_addresses', 3, '192.0.2.1', '192.0.2.9', 'services set 3 --ip-addresses "192.0.2.9"'],
      ['reference', 4, 'vm-4', 'vm-9', undefined],
    ],
  );
  t.match(found, { outcome: 'compared', machines: 8, total: 10, accepted: false });
  t.strictSame(found.imports, [
    {
      broker: 'acme',
      records: [
        {
          service_number: 90,
          service_uid: 'req_90',
          plan: 'vps',
          client: { name: '', email: '' },
          service_status: 'suspended',
          configuration: {},
          access: { ip_addresses: ['192.0.2.90'] },
        },
      ],
    },
  ]);
  t.match(await compareServices.run({ ...deps, machines: machines.source }, { broker: broker.slug }), { total: 10 });
});

t.test('what changes while it is compared, and what has open work, is no difference', async (t) => {
  const { world, broker, add, deps } = await setUp(t);
  const busy = await add(1);
  await world.store.tx((tx) => tx.requests.insert(aRequest(busy, { type: 'plan-upgrade', status: 'accepted' })));
  const waits = await add(2);
  const ahead = { effectiveAt: world.clock.now() + 1000, dueAt: world.clock.now() + 1000 };
  await world.store.tx((tx) =>
    tx.requests.insert(aRequest(waits, { type: 'cancellation', status: 'accepted', ...ahead })),
  );
  const suspending = await add(3);
  const machines = listOf([
    { service_number: 1, service_uid: 'req_x' },
    { service_number: 3, suspended: true },
  ]);
  machines.before = async (page) => {
    if (page !== 2) return;
    const fields = { status: 'suspended', suspendedBy: 'operator', suspendedAt: 1 } as const;
    await world.store.tx((tx) => tx.services.update(broker.id, suspending.number, fields));
  };
  const { differences } = await compareServices.run({ ...deps, machines: machines.source }, {});
  t.match(differences, [{ kind: 'no_machine', service_number: 2 }], 'a cancellation that is ahead is no work yet');
  t.equal(differences.length, 1);
});

t.test('an answer that is no list compares nothing, and a copy for trying asks nothing', async (t) => {
  const { world, add, deps } = await setUp(t);
  await add(1);
  for (const answer of ['not_known', 'no_answer'] as const) {
    const source = { list: async () => answer };
    const found = await compareServices.run({ ...deps, machines: source }, {});
    t.match(found, { outcome: answer, total: 0, machines: 0, differences: [] });
  }
  const endless = { list: async (): Promise<MachinePage> => ({ machines: [], after: 'x' }) };
  t.match(await compareServices.run({ ...deps, machines: endless }, {}), { outcome: 'no_answer' });
  await t.rejects(compareServices.run(deps, {}), { message: /No provisioner/ });
  await world.store.tx((tx) => tx.history.insert(aLoss({ state: 'copy' })));
  await t.rejects(compareServices.run({ ...deps, machines: endless }, {}), { message: /copy for trying/ });
});

t.test('it runs once after a loss, and its count stands in the status until it is 0 or accepted', async (t) => {
  const { world, add, deps } = await setUp(t);
  await add(1);
  const list = listOf([]);
  const parts = { ...deps, machines: list.source };
  const counted = async () => (await getStatus(world.context)).machine_differences?.total;
  await compareAfterLoss(parts);
  t.equal(list.pages, 0, 'not without a loss');
  await world.store.tx((tx) => tx.history.insert(aLoss({ state: 'held' })));
  await compareAfterLoss({ ...parts, machines: { list: async () => 'no_answer' } });
  t.equal(await counted(), undefined);
  await compareAfterLoss(parts);
  t.equal(await counted(), 1);
  const { pages } = list;
  await compareAfterLoss(parts);
  t.equal(list.pages, pages, 'once');
  await compareServices.run(parts, { accept: true });
  t.equal(await counted(), undefined, 'accepted');
  await compareServices.run(parts, {});
  t.equal(await counted(), 1);
  list.machines = [{ service_number: 1, service_uid: 'req_1' }];
  await compareServices.run(parts, {});
  t.equal(await counted(), undefined);
});

t.test('the endpoint is asked page by page; one that does not know the question says so', async (t) => {
  const answers: object[] = [
    {
      outcome: 'done',
      machines: [
        { service_number: 7, service_uid: 'u', suspended: true, ip_addresses: ['2001:DB8::1', 'x'], plan: 5 },
        { service_number: 'x' },
      ],
      after: 'p2',
    },
    { outcome: 'failed', reason: 'not_supported' },
    { outcome: 'done' },
    {},
    { outcome: 'in_progress' },
    { outcome: 'done', machines: [], after: 5 },
  ];
  const { url, received } = await serveEndpoint(t, () => answers.shift());
  const clock = { now: () => 0 };
  const { list } = createHttpMachines({ url, secret: 's', clock, log: SILENT });
  const question = { after: null, broker: null, history: 9 };
  t.strictSame(await list(question), {
    machines: [{ ...UNKNOWN, service_number: 7, service_uid: 'u', suspended: true, ip_addresses: ['2001:db8::1'] }],
    after: 'p2',
  });
  t.match(received[0], { body: { type: 'list', after: null, limit: 1000, broker: null, history: 9 } });
  for (const said of ['not_known', 'not_known', 'not_known', 'no_answer', 'no_answer'])
    t.equal(await list({ ...question, after: 'p2' }), said);
});

t.test('a hundred thousand machines are compared in bounded memory', async (t) => {
  const { world, broker, plan, deps } = await setUp(t);
  const total = process.env.TEST_FULL ? 100_000 : 5_000;
  for (let from = 0; from < total; from += 500) {
    const rows = Array.from({ length: 500 }, (_, at) =>
      aService(broker, plan, { number: 1_000_000 + from + at, uid: `req_${from + at}` }),
    );
    await world.store.tx((tx) => tx.services.insert(rows));
  }
  const source: MachineSource = {
    async list({ after }) {
      const from = Number(after ?? 0);
      const machines = Array.from({ length: Math.min(1_000, total - from) }, (_, at) => ({
        ...UNKNOWN,
        service_number: 1_000_000 + from + at,
        // Every hundredth is another service's.
        service_uid: (from + at) % 100 === 0 ? 'another' : `req_${from + at}`,
      }));
      return { machines, after: from + 1_000 < total ? String(from + 1_000) : null };
    },
  };
  const begun = performance.now();
  const before = process.memoryUsage().rss;
  const found = await compareMachines({ ...deps, machines: source });
  t.match(found, { outcome: 'compared', machines: total, counts: { another_uid: total / 100 } });
  t.comment(
    `${total}: ${Math.round(performance.now() - begun)} ms, ${Math.round((process.memoryUsage().rss - before) / 1e6)} MB`,
  );
});
