import { randomUUID } from 'node:crypto';
import pg from 'pg';
import t, { type Test } from 'tap';
import { ERROR_CODES } from '../../src/errors.ts';
import { allowAddress, enableFirewall } from '../../src/operator/access/firewall.ts';
import type { WorkOutcome } from '../../src/ports.ts';
import { openPostgres } from '../../src/store/drivers/postgres.ts';
import { ahead, type Called, createCluster, startWorker } from '../support/cluster.ts';
import { full } from '../support/full.ts';
import { createDatabase, services } from '../support/services.ts';
import { until } from '../support/until.ts';
import { addRequest } from '../support/v1.ts';

const times = <T>(count: number, act: (turn: number) => Promise<T>): Promise<T[]> =>
  Promise.all(Array.from({ length: count }, (_, turn) => act(turn)));

/** Rows of the database itself, past everything that could be cached. */
async function queries(t: Test, url: string) {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  t.teardown(() => client.end());
  return async (text: string): Promise<Array<Record<string, unknown>>> => (await client.query(text)).rows;
}

async function seeded(t: Test) {
  const cluster = await createCluster(t);
  const { world } = cluster;
  const broker = await world.addBroker();
  const [small, medium, large] = [
    await world.addPlan(broker, { slug: 'small', upgradeRank: 1 }),
    await world.addPlan(broker, { slug: 'medium', upgradeRank: 2 }),
    await world.addPlan(broker, { slug: 'large', upgradeRank: 3 }),
  ];
  const { key, row } = await world.addKey(broker);
  return { ...cluster, broker, small, medium, large, key, keyRow: row, ask: await queries(t, cluster.database.url) };
}

/** Every answer stands in the envelope and in the catalogue, and none says that something broke. */
function isWell(t: Test, answers: Called[]): void {
  const ill = answers.filter(({ status, json }) =>
    json.success ? status >= 300 : status >= 500 || !ERROR_CODES.includes(json.error?.code),
  );
  t.strictSame(
    ill.map(({ raw }) => raw),
    [],
  );
}

t.test('of fifty equal calls over two instances one does the work and all get its answer', async (t) => {
  if (!(await services(t, 'PostgreSQL', 'Redis'))) return;
  const { of, key, small, ask } = await seeded(t);
  const body = { plan: small.slug, client: { name: 'Ada', email: 'ada@example.com' } };
  const idempotencyKey = randomUUID();
  const answers = await times(50, (turn) => of(turn).call(key, 'POST', '/services', { body, idempotencyKey }));
  t.strictSame([...new Set(answers.map(({ status }) => status))], [201]);
  t.equal(new Set(answers.map(({ raw }) => raw)).size, 1, 'byte for byte');
  t.equal(answers.filter(({ headers }) => headers['idempotent-replayed'] === undefined).length, 1);
  t.match(await ask('select count(*)::int as n from services'), [{ n: 1 }]);
});

t.test('of racing plan changes over two instances one is taken, and of racing decisions one wins', async (t) => {
  if (!(await services(t, 'PostgreSQL', 'Redis'))) return;
  const { of, key, world, broker, small, medium, large } = await seeded(t);
  for (let round = 0; round < 3; round += 1) {
    const service = await world.addService(broker, small);
    const changes = await times(20, (turn) =>
      of(turn).call(key, 'POST', `/services/${service.number}/upgrade`, {
        body: { new_plan: turn % 3 ? medium.slug : large.slug },
      }),
    );
    t.equal(changes.filter(({ status }) => status === 200).length, 1);
    t.equal(changes.filter(({ json }) => json.error?.details.reason === 'plan_change_in_progress').length, 19);

    const other = await world.addService(broker, small);
    const plans = { currentPlanId: small.id, newPlanId: large.id };
    const { id } = await addRequest(world, other, { type: 'plan-upgrade', ...plans });
    const decisions = await times(20, (turn) =>
      of(turn).call(key, 'POST', `/requests/${id}/${turn % 4 < 2 ? 'approve' : 'deny'}`, { body: { reason: 'so' } }),
    );
    t.equal(decisions.filter(({ status }) => status === 200).length, 1);
    t.equal(decisions.filter(({ status }) => status === 409).length, 19);
    isWell(t, [...changes, ...decisions]);
  }
});

t.test(
  'what the operator changes of a key or the firewall is in force on every instance within a second',
  async (t) => {
    if (!(await services(t, 'PostgreSQL', 'Redis'))) return;
    const { instances, key, world, broker, keyRow, advance } = await seeded(t);
    const parts = { store: world.store, clock: world.clock, newId: world.context.newId, actor: world.context.actor };
    const { slug } = broker;
    /** Fills the caches, changes something, and asks both instances a second later. */
    const change = async (what: string, act: () => Promise<unknown>, status: number) => {
      for (const instance of instances) await instance.call(key, 'GET', '/services');
      await act();
      advance(1000);
      const answers = await Promise.all(instances.map((instance) => instance.call(key, 'GET', '/services')));
      t.strictSame(
        answers.map((answer) => answer.status),
        [status, status],
        what,
      );
    };
    const setKey = (changes: object) => world.store.tx((tx) => tx.keys.update(keyRow.id, changes));
    await change('a scope is taken', () => setKey({ scopes: '["plans:read"]' }), 403);
    await change('a scope is given', () => setKey({ scopes: '["services:read"]' }), 200);
    await change('the firewall closes', () => enableFirewall.run(parts, { broker: slug }), 403);
    await change('a rule lets in', () => allowAddress.run(parts, { broker: slug, rule: '127.0.0.1' }), 200);
    await change('the key is revoked', () => setKey({ status: 'revoked' }), 401);
  },
);

t.test('in a storm over two instances and two workers every rule of the records holds', async (t) => {
  if (!(await services(t, 'PostgreSQL', 'Redis'))) return;
  const { of, key, world, broker, small, medium, large, ask, database } = await seeded(t);
  await world.store.tx((tx) => tx.plans.update(broker.id, large.id, { requiresOperatorReview: true } as never));
  const numbers: number[] = [];
  const wishes: string[] = [];
  for (let n = 0; n < 10; n += 1) {
    const service = await world.addService(broker, n % 2 ? small : medium);
    numbers.push(service.number);
    if (n % 2) {
      const plans = { currentPlanId: small.id, newPlanId: medium.id };
      wishes.push((await addRequest(world, service, { type: 'plan-upgrade', ...plans })).id);
    }
    wishes.push((await addRequest(world, service, { type: 'cancellation' })).id);
  }
  const workers = [await startWorker(t, database.url), await startWorker(t, database.url)];
  for (const worker of workers) worker.start();
  t.teardown(() => Promise.all(workers.map((worker) => worker.stop())));

  // Lehmer's generator: every run draws the same numbers.
  let drawn = 1;
  const pick = <T>(list: readonly T[]): T => {
    drawn = (drawn * 48_271) % 2_147_483_647;
    return list[drawn % list.length] as T;
  };
  const act = (turn: number): Promise<Called> => {
    const instance = of(turn);
    const post = (url: string, body: object) =>
      instance.call(key, 'POST', url, { body, ...(turn % 3 === 0 && { idempotencyKey: `k${turn % 90}` }) });
    switch (turn % 10) {
      case 0:
        return instance.call(key, 'GET', pick(['/services', '/requests?limit=100', '/plans', '/auth-check']));
      case 1:
        return post('/services', { plan: pick(['small', 'medium']), client: { name: 'Ada', email: 'a@example.com' } });
      case 2:
        return post(`/requests/${pick(wishes)}/approve`, {});
      case 3:
        return post(`/requests/${pick(wishes)}/deny`, { reason: 'no' });
      case 4:
        return turn % 40 === 4
          ? post(`/services/${pick(numbers)}/cancel`, { cancellation_type: 'immediate' })
          : instance.call(key, 'GET', `/services/${pick(numbers)}`);
      case 5:
      case 6:
        return post(`/services/${pick(numbers)}/downgrade`, { new_plan: pick(['small', 'medium']) });
      default:
        return post(`/services/${pick(numbers)}/upgrade`, { new_plan: pick(['medium', 'medium', 'large']) });
    }
  };
  for (let gust = 0; gust < (full ? 60 : 6); gust += 1) isWell(t, await times(40, (turn) => act(gust * 40 + turn)));
  await until('all work is done', async () => {
    const [row] = await ask("select count(*)::int as n from requests where status = 'accepted'");
    return row?.n === 0;
  });

  t.strictSame(
    await ask(`
      with counted as (
        select broker_id, 'services' as subject, plan_id as kind, status, count(*) as n from services group by 1, 2, 3, 4
        union all select broker_id, 'requests', type, status, count(*) from requests group by 1, 2, 3, 4
      )
      select subject, kind, status, c.value, n
      from (
        select broker_id, subject, kind, status, sum(value) as value
        from counters group by 1, 2, 3, 4 having sum(value) <> 0
      ) c
      full join counted using (broker_id, subject, kind, status) where c.value is distinct from n`),
    [],
    'the counters are what can be counted',
  );
  t.strictSame(
    await ask(`
      select a.id, b.id as other from requests a join requests b using (service_number)
      where a.id < b.id and a.type like 'plan-%' and b.type like 'plan-%' and a.origin = 'broker' and b.origin = 'broker'
        and a.submitted_at < coalesce(b.processed_at, 1e15) and b.submitted_at < coalesce(a.processed_at, 1e15)`),
    [],
    'no two plan changes of a service were ever open at once',
  );
  t.strictSame(
    await ask(`
      select s.number, s.plan_id, last.new_plan_id from services s
      cross join lateral (
        select new_plan_id from requests
        where service_number = s.number and type like 'plan-%' and status = 'completed'
        order by processed_at desc limit 1
      ) last where s.plan_id <> last.new_plan_id`),
    [],
    'a service has the plan of its last completed change',
  );
  t.strictSame(
    await ask(`
      select request_id, status, count(*) from request_history where status in ('completed', 'failed', 'denied')
      group by 1, 2 having count(*) > 1`),
    [],
    'nothing ended twice',
  );
  // A cancellation that is accepted while a worker has the plan change in hand closes it, and the worker says so.
  const lost = workers
    .flatMap(({ logged }) => logged)
    .map(({ details }) => (details as { request_id: string }).request_id);
  t.strictSame(
    await ask(`
      select id, failure_reason from requests
      where id in (${["''", ...lost.map((id) => `'${id}'`)].join()}) and failure_reason is distinct from 'service_cancelled'`),
    [],
    'no worker lost anything but to a cancellation',
  );
});

t.test(
  'what a killed worker had in hand is taken up after its lease, and its late answer changes nothing',
  async (t) => {
    if (!(await services(t, 'PostgreSQL', 'Redis'))) return;
    const { of, key, database, ask, medium, world, broker, small } = await seeded(t);
    const service = await world.addService(broker, small);
    const called = await of(0).call(key, 'POST', `/services/${service.number}/upgrade`, {
      body: { new_plan: 'medium' },
    });
    t.equal(called.status, 200);

    let answer: (outcome: WorkOutcome) => void = () => undefined;
    let calls = 0;
    const provisioner = {
      fulfil() {
        calls += 1;
        return new Promise<WorkOutcome>((resolve) => {
          answer = resolve;
        });
      },
    };
    const killed = await startWorker(t, database.url, { provisioner });
    killed.start();
    await until('the work has begun', () => calls === 1);

    const now = await startWorker(t, database.url);
    t.equal(await now.runOnce(), 0, 'it is not touched under the lease');
    const later = await startWorker(t, database.url, { clock: ahead(61_000) });
    t.equal(await later.runOnce(), 1);
    const state = () => ask(`select status, attempts::int from requests where id = '${called.json.data.request_id}'`);
    t.strictSame(await state(), [{ status: 'completed', attempts: 2 }]);
    t.match(await ask(`select plan_id from services where number = ${service.number}`), [{ plan_id: medium.id }]);

    answer({ outcome: 'failed', reason: 'too_late', message: 'Too late', serviceUsable: true, retryable: true });
    await killed.stop();
    t.strictSame(await state(), [{ status: 'completed', attempts: 2 }]);
    t.match(killed.logged, [{ text: /closed or claimed elsewhere/ }]);
  },
);

t.test('instances that start at once migrate the database once', async (t) => {
  if (!(await services(t, 'PostgreSQL'))) return;
  const database = await createDatabase({ migrated: false });
  t.teardown(() => database.drop());
  const opened = await times(4, () => openPostgres({ url: database.url }));
  t.teardown(() => Promise.all(opened.map((store) => store.close())));
  t.equal(opened.filter(({ created }) => created).length, 1);
  const ask = await queries(t, database.url);
  const [row] = await ask('select count(*)::int as n, count(distinct made_at)::int as made from schema_migrations');
  t.ok(Number(row?.n) > 0);
  t.equal(row?.n, row?.made);
  t.match(await ask("select count(*)::int as n from settings where name = 'sandbox_secret'"), [{ n: 1 }]);
});
