import t, { type Test } from 'tap';
import { createService } from '../../src/broker/create-service.ts';
import { getRequest } from '../../src/broker/get-request.ts';
import { listServices } from '../../src/broker/list-services.ts';
import type { MailingCaller } from '../../src/broker/operation.ts';
import { sendServicesReport } from '../../src/broker/send-report.ts';
import { openSandboxStore } from '../../src/compose.ts';
import { createSandboxes } from '../../src/sandbox/sandbox.ts';
import type { Store } from '../../src/store/store.ts';
import { openScratchPostgres, services } from '../support/services.ts';
import { createWorld } from '../support/world.ts';

const CLIENT = { name: 'Ada Example', email: 'ada@example.com' };

const CREATION = { plan: 'starter', client: CLIENT, label: null, externalReference: null };

/** A broker, and servers that share its sandbox; undefined where the engine's server does not answer. */
async function setUp(t: Test, engine: 'SQLite' | 'PostgreSQL') {
  if (engine === 'PostgreSQL' && !(await services(t, 'PostgreSQL'))) return undefined;
  const scratch = engine === 'PostgreSQL' ? await openScratchPostgres() : undefined;
  const world = await createWorld(scratch ? { openStore: async () => scratch } : { onFile: true });
  t.teardown(() => world.close());
  const broker = await world.addBroker();
  const caller: MailingCaller = { brokerId: broker.id, broker };
  const database = scratch
    ? { kind: 'postgres' as const, url: scratch.url }
    : { kind: 'sqlite' as const, file: `${world.directory}/broker.db` };
  const server = (over = (store: Store) => store) => {
    const sandboxes = createSandboxes({
      live: world.context,
      openStore: async () => over(await openSandboxStore({ database }, world, () => undefined)),
    });
    t.teardown(() => sandboxes.close());
    return sandboxes;
  };
  return { world, broker, caller, server };
}

for (const engine of ['SQLite', 'PostgreSQL'] as const) {
  t.test(`two servers on ${engine} share a sandbox, and each step is taken once`, async (t) => {
    const shared = await setUp(t, engine);
    if (!shared) return;
    const { world, broker, caller, server } = shared;
    const [one, two] = [server(), server()];
    t.equal(await one.find(broker.id), null, 'an operator who looks makes none');
    const both = <T>(work: (sandboxes: typeof one) => Promise<T>) => Promise.all([one, two].map(work));

    const made = await both(({ describe }) => describe(caller));
    t.strictSame(made[0], made[1], 'both make it, and it is made once');
    const { services: had, requests, sandbox_date, created_date } = (await one.describe(caller)).data;
    t.strictSame(await two.find(broker.id), {
      services: had.count,
      requests: requests.count,
      sandbox_date,
      called_date: created_date,
    });
    const created = await Promise.all(
      Array.from({ length: 20 }, (_, index) => (index % 2 ? one : two).perform(createService, caller, CREATION)),
    );
    const numbers = created.map((answer) => ('data' in answer ? answer.data.service_number : 0));
    t.strictSame(
      numbers.sort((a, b) => a - b),
      Array.from({ length: 20 }, (_, index) => 950001 + index),
    );

    world.clock.advance(60_000);
    const seen = await both(({ perform }) =>
      perform(listServices, caller, { serviceStatus: 'active', limit: 100, offset: 0, search: 'Ada' }),
    );
    t.strictSame(
      seen.map(({ pagination }) => pagination.total),
      [20, 20],
    );
    for (const answer of created) {
      const requestId = 'data' in answer ? answer.data.request_id : '';
      const { data } = await one.perform(getRequest, caller, { requestId });
      t.strictSame(
        data.history.map(({ request_status }) => request_status),
        ['accepted', 'completed'],
      );
      t.equal(Date.parse(String(data.processed_date)), Date.parse(data.submitted_date) + 10_000);
    }

    await both((sandboxes) => sandboxes.moveClock(caller, { advanceSeconds: 100 }));
    t.equal((await two.describe(caller)).data.offset_seconds, 200, 'both moves count');
    const reports = await one.perform(sendServicesReport, caller, {}, undefined, 'unrecorded');
    t.match(reports, { data: { row_count: 44 } });
    t.strictSame(
      [
        await world.store.read.counters.total(broker.id, 'services'),
        await world.store.read.counters.total(broker.id, 'requests'),
        (await world.store.read.services.owners([900001, 950001])).size,
      ],
      [0, 0, 0],
      'nothing of it is live',
    );
    t.equal((await two.reset(caller)).data.services.count, 24);
  });

  t.test(`on ${engine} a call does what comes due while it waits for the sandbox, and waits once`, async (t) => {
    const shared = await setUp(t, engine);
    if (!shared) return;
    const { world, caller, server } = shared;
    let transactions = 0;
    let waitMs = 0;
    const wait = () => world.clock.advance(waitMs);
    const sandboxes = server((store) => {
      const slow: Store = {
        ...store,
        for: () => slow,
        tx: async (work) => {
          transactions += 1;
          wait();
          return store.tx(work).finally(wait);
        },
      };
      return slow;
    });
    // A stream of creations: each second one begins and one is done.
    for (let second = 0; second < 20; second += 1) {
      await sandboxes.perform(createService, caller, CREATION);
      world.clock.advance(1_000);
    }
    waitMs = 1_000;
    const transactionsOf = async (call: () => Promise<unknown>) => {
      transactions = 0;
      await call();
      return transactions;
    };
    const filter = { limit: 1, offset: 0 };
    t.equal(await transactionsOf(() => sandboxes.perform(listServices, caller, filter)), 1, 'a read');
    t.equal(await transactionsOf(() => sandboxes.perform(createService, caller, CREATION)), 2, 'a change');
    const { data } = await sandboxes.perform(listServices, caller, { ...filter, serviceStatus: 'pending' });
    t.equal(data.length, 1, 'the stream is not over');

    waitMs = 0;
    await sandboxes.moveClock(caller, { advanceSeconds: 60 });
    for (let each = 0; each < 12; each += 1) await sandboxes.perform(createService, caller, CREATION);
    world.clock.advance(4_000);
    waitMs = 1_000;
    t.equal(await transactionsOf(() => sandboxes.perform(createService, caller, CREATION)), 3, 'what is left is next');
    waitMs = 0;
    world.clock.advance(60_000);
    const active = await sandboxes.perform(listServices, caller, { ...filter, serviceStatus: 'active', search: 'Ada' });
    t.equal(active.pagination.total, 34, 'and nothing is lost');
  });
}
