import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import t, { type Test } from 'tap';
import { parse } from 'yaml';
import { systemClock } from '../../src/clock.ts';
import { REQUEST_TYPES } from '../../src/kinds/index.ts';
import { createService } from '../../src/operations/create-service.ts';
import type { ProvisionedPlan, Work } from '../../src/ports.ts';
import { planRecord, type ServiceRecord } from '../../src/records.ts';
import { createHttpProvisioner } from '../../src/worker/provisioner-http.ts';
import { createTestProvisioner, workerOf } from '../support/work.ts';
import { createWorld } from '../support/world.ts';

const SECRET = 'secret-of-the-test';

const work = (fields: Partial<Work>): Work => ({
  request_id: 'req_1',
  type: 'plan-upgrade',
  attempt: 1,
  token: null,
  broker_id: 'brk_1',
  service_number: 5001,
  submitted_date: '2030-01-15T12:00:00.000Z',
  effective_date: null,
  service: { service_number: 5001, service_status: 'active' } as ServiceRecord,
  reference: null,
  configuration: {},
  action: null,
  plan: {} as ProvisionedPlan,
  current_plan: null,
  new_plan: null,
  cancellation_type: null,
  ...fields,
});

/** The example as a reader starts it, and our own client for it. */
async function startExample(t: Test, journal: string, buildSeconds = 0) {
  const child = spawn(process.execPath, ['docs/examples/provisioner.mjs'], {
    env: { PROVISIONER_SECRET: SECRET, PORT: '0', JOURNAL: journal, BUILD_SECONDS: String(buildSeconds) },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  t.teardown(() => child.kill('SIGKILL'));
  const [line] = await once(child.stdout.setEncoding('utf8'), 'data');
  const url = `http://127.0.0.1:${/\d+/.exec(line)?.[0]}/work`;
  return {
    url,
    provisioner: createHttpProvisioner({ url, secret: SECRET, clock: systemClock }),
    async kill() {
      child.kill('SIGKILL');
      await once(child, 'exit');
    },
  };
}

const journalOf = (journal: string) =>
  readFileSync(journal, 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));

t.test('the example works once for each key, however often it is called, and over a restart', async (t) => {
  const journal = join(t.testdir({}), 'journal');
  const first = await startExample(t, journal);
  const calls = Array.from({ length: 5 }, (_, turn) => first.provisioner.fulfil(work({ attempt: turn + 1 })));
  t.same(await Promise.all(calls), Array(5).fill({ outcome: 'done' }));
  t.same(await first.provisioner.fulfil(work({ request_id: 'req_2' })), { outcome: 'done' });
  await first.kill();
  const second = await startExample(t, journal);
  t.same(await second.provisioner.fulfil(work({})), { outcome: 'done' });
  t.same(journalOf(journal), [
    ['req_1', { outcome: 'done' }],
    ['req_2', { outcome: 'done' }],
  ]);
});

t.test('the example tells a failure in words, and the same ones to a repeat', async (t) => {
  const { provisioner } = await startExample(t, join(t.testdir({}), 'journal'));
  const tooLarge = work({ new_plan: { specifications: { vcpu: 65 } } as ProvisionedPlan });
  for (let calls = 0; calls < 2; calls += 1) {
    t.same(await provisioner.fulfil(tooLarge), {
      outcome: 'failed',
      reason: 'no_capacity',
      message: 'No machine is that large',
      serviceUsable: true,
      retryable: false,
    });
  }
});

t.test('the example says of work that takes time that it is in progress, and in the end that it is done', async (t) => {
  const { provisioner } = await startExample(t, join(t.testdir({}), 'journal'), 3);
  const creation = work({ type: 'service-creation' });
  t.same(await provisioner.fulfil(creation), { outcome: 'in_progress', token: 'req_1', checkAfterSeconds: 5 });
  let answer = await provisioner.fulfil({ ...creation, token: 'req_1' });
  while (answer.outcome === 'in_progress') answer = await provisioner.fulfil({ ...creation, token: 'req_1' });
  t.same(answer, { outcome: 'done' });
});

t.test('the example works for no other than the broker, and not for an old call', async (t) => {
  const journal = join(t.testdir({}), 'journal');
  const { url } = await startExample(t, journal);
  const refused = { outcome: 'retry', reason: 'provisioner_refused', message: 'The provisioner answered 401' };
  const stranger = createHttpProvisioner({ url, secret: 'a guess', clock: systemClock });
  t.match(await stranger.fulfil(work({})), refused);
  const late = createHttpProvisioner({ url, secret: SECRET, clock: { now: () => systemClock.now() - 301_000 } });
  t.match(await late.fulfil(work({})), refused);
  t.throws(() => journalOf(journal), { code: 'ENOENT' }, 'nothing was done');
  const answer = await fetch(url, { method: 'POST', body: '{}' });
  t.equal(answer.status, 401, 'unsigned');
});

t.test('the document names every field of the work that is sent, and no other', async (t) => {
  const document = parse(readFileSync('docs/provisioner.yaml', 'utf8'));
  const { required, properties } = document.components.schemas.Work;
  const types = REQUEST_TYPES.filter((type) => type !== 'cancellation-warning');
  t.same([...properties.type.enum].sort(), types.sort(), 'and every type that has work');
  const world = await createWorld();
  t.teardown(() => world.close());
  const broker = await world.addBroker();
  const plan = await world.addPlan(broker);
  const client = { name: 'Ada', email: 'ada@example.com' };
  const input = { plan: plan.slug, client, label: null, externalReference: null };
  await createService(world.context, { brokerId: broker.id }, input);
  const provisioner = createTestProvisioner();
  await workerOf(world, provisioner).runOnce();
  const [sent] = provisioner.given;
  t.same(Object.keys(sent ?? {}).sort(), [...required].sort());
  t.same(Object.keys(properties).sort(), [...required].sort());
  t.same(sent?.new_plan, { ...planRecord(plan), provisioning: null });
});
