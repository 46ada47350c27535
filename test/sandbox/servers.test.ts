import t from 'tap';
import { openSandboxStore } from '../../src/compose.ts';
import type { MailingCaller } from '../../src/context/outcome.ts';
import { createService } from '../../src/operations/create-service.ts';
import { getRequest } from '../../src/operations/get-request.ts';
import { listServices } from '../../src/operations/list-services.ts';
import { sendServicesReport } from '../../src/operations/send-report.ts';
import { createSandboxes } from '../../src/sandbox/sandbox.ts';
import { openScratchPostgres, services } from '../support/services.ts';
import { createWorld } from '../support/world.ts';

const CLIENT = { name: 'Ada Example', email: 'ada@example.com' };

for (const engine of ['SQLite', 'PostgreSQL'] as const) {
  t.test(`two servers on ${engine} share a sandbox, and each step is taken once`, async (t) => {
    if (engine === 'PostgreSQL' && !(await services(t, 'PostgreSQL'))) return;
    const scratch = engine === 'PostgreSQL' ? await openScratchPostgres() : undefined;
    const world = await createWorld(scratch ? { openStore: async () => scratch } : { onFile: true });
    t.teardown(() => world.close());
    const broker = await world.addBroker();
    const caller: MailingCaller = { brokerId: broker.id, broker };
    const database = scratch
      ? { kind: 'postgres' as const, url: scratch.url }
      : { kind: 'sqlite' as const, file: `${world.directory}/broker.db` };
    const server = () => {
      const sandboxes = createSandboxes({
        live: world.context,
        openStore: () => openSandboxStore({ database }, world.clock, () => undefined),
      });
      t.teardown(() => sandboxes.close());
      return sandboxes;
    };
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
    const asked = { plan: 'starter', client: CLIENT, label: null, externalReference: null };
    const created = await Promise.all(
      Array.from({ length: 20 }, (_, index) => (index % 2 ? one : two).perform(createService, caller, asked)),
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
    const reports = await one.perform(sendServicesReport, caller, {});
    t.equal(reports.data.row_count, 42);
    t.strictSame(
      [
        await world.store.read.counters.total(broker.id, 'services'),
        await world.store.read.counters.total(broker.id, 'requests'),
        (await world.store.read.services.owners([900001, 950001])).size,
      ],
      [0, 0, 0],
      'nothing of it is live',
    );
    t.equal((await two.reset(caller)).data.services.count, 22);
  });
}
