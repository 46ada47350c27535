import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { Registry } from 'prom-client';
import t, { type Test } from 'tap';
import { parse } from 'yaml';
import { MailFailure } from '../../src/ports.ts';
import { createMetrics, serveMetrics } from '../../src/process/metrics.ts';
import { systemClock } from '../../src/runtime/clock.ts';
import { watchProvisioner } from '../../src/worker/provisioner-state.ts';
import { programHere, startProgram } from '../support/programs.ts';
import { freePort } from '../support/redis.ts';
import { aLoss } from '../support/rows.ts';
import { until } from '../support/until.ts';
import { addRequest } from '../support/v1.ts';
import { createWorld } from '../support/world.ts';

/** The rules in a sixtieth of their time: seconds for minutes. */
const hurried = (rules: string): string =>
  rules.replace(/(?<=[\s[])(\d+)([mh])(?=[\]\s]|$)/gm, (_, count, unit) => `${count * (unit === 'h' ? 60 : 1)}s`);

const DAY_MS = 86_400_000;

const MESSAGE = {
  id: 'eml_1',
  from: 'a@example.com',
  fromName: 'A',
  to: 'b@example.com',
  subject: 's',
  text: 't',
};

const UNREACHABLE = new MailFailure('unreachable', 'away', { retryable: true });
const UNANSWERED = { outcome: 'retry', reason: 'outcome_unknown', message: 'No answer', mayBeDone: true } as const;
const UNCLEAR = new MailFailure('outcome_unknown', 'no answer');

/** A process with a port of metrics; `port` is that of the one in whose place it is. */
async function startProcess(t: Test, port = 0) {
  const calls = new Registry();
  const world = await createWorld({
    metrics: calls,
    mailer: {
      maxMessageBytes: 10_000_000,
      // Of two reports one fails, and the other one takes its time.
      async send({ subject }) {
        if (subject.startsWith('Invoices report')) throw UNREACHABLE;
        await setTimeout(3_000);
        return { messageId: '1' };
      },
    },
  });
  const outcome = { next: UNCLEAR };
  const mailer = { send: async () => Promise.reject(outcome.next), maxMessageBytes: 0 };
  const metrics = createMetrics({ store: world.store, clock: world.clock, mailer });
  const registry = Registry.merge([calls, metrics.registry]);
  const served = await serveMetrics({
    registry,
    clock: systemClock,
    host: '127.0.0.1',
    port,
    trustedProxies: [],
    keepAliveMs: 1000,
  });
  let isOpen = true;
  const close = async () => {
    if (!isOpen) return;
    isOpen = false;
    served.close();
    await world.close();
  };
  t.teardown(close);
  return { world, outcome, metrics, port: served.port, close };
}

t.test('each alert fires for what it is for, and is resolved when that is over', async (t) => {
  const program = programHere(t, 'prometheus');
  if (!program) return;
  const folder = t.testdir({});
  const rules = readFileSync('deploy/alerts.yaml', 'utf8');
  const names: string[] = parse(rules).groups[0].rules.map(({ alert }: { alert: string }) => alert);

  const faulty = await startProcess(t);
  // It begins with an email of unknown outcome, before Prometheus has read anything of it.
  const young = await startProcess(t);
  await t.rejects(young.metrics.mailer.send(MESSAGE));
  const downPort = await freePort();

  const port = await freePort();
  mkdirSync(join(folder, 'data'));
  writeFileSync(join(folder, 'alerts.yaml'), hurried(rules));
  const targets = [faulty.port, young.port, downPort].map((each) => `127.0.0.1:${each}`);
  writeFileSync(
    join(folder, 'prometheus.yaml'),
    JSON.stringify({
      global: { scrape_interval: '500ms', scrape_timeout: '500ms', evaluation_interval: '500ms' },
      rule_files: ['alerts.yaml'],
      scrape_configs: [{ job_name: 'broker', static_configs: [{ targets }] }],
    }),
  );
  await startProgram(t, port, [
    program,
    `--config.file=${join(folder, 'prometheus.yaml')}`,
    `--storage.tsdb.path=${join(folder, 'data')}`,
    `--web.listen-address=127.0.0.1:${port}`,
  ]);
  const prometheus = `http://127.0.0.1:${port}`;
  await until('Prometheus is ready', async () => (await fetch(`${prometheus}/-/ready`)).ok);
  const ask = async (path: string) => {
    const answer = await fetch(`${prometheus}/api/v1/${path}`);
    return ((await answer.json()) as { data: never }).data;
  };
  const alerts = async () =>
    ((await ask('alerts')) as { alerts: Array<{ state: string; labels: Record<string, string> }> }).alerts;
  await until('Prometheus has read the processes', async () => {
    const { result } = (await ask('query?query=sum(up)')) as { result: Array<{ value: [number, string] }> };
    return result[0]?.value[1] === '2';
  });

  const { world, outcome, metrics } = faulty;
  const broker = await world.addBroker();
  const { key } = await world.addKey(broker, ['admin:full'], { rateLimit: 1_000_000 });
  const service = await world.addService(broker, await world.addPlan(broker));
  await addRequest(world, service, { type: 'plan-upgrade', status: 'accepted', dueAt: world.clock.now() });
  await addRequest(world, service, { type: 'cancellation', status: 'operator_review' });
  world.clock.advance(DAY_MS + 1_000);
  const watched = watchProvisioner({ fulfil: async () => UNANSWERED }, world);
  for (let calls = 0; calls < 3; calls += 1) {
    await watched.provisioner.fulfil({} as never);
    world.clock.advance(60_000);
  }
  await watched.record();
  const loss = aLoss({ state: 'held' });
  await world.store.tx((tx) => tx.history.insert(loss));

  const report = (name: string) => world.call(key, 'POST', `/reports/${name}`, { body: {} });
  const { tx } = world.store;
  world.store.tx = (work) => {
    world.clock.advance(1_500);
    return tx(work);
  };
  world.store.ping = () => Promise.reject(new Error('away'));
  young.world.store.ping = world.store.ping;
  const firing = async () =>
    (await alerts()).filter(({ state }) => state === 'firing').map(({ labels }) => labels.alertname ?? '');
  const fired = new Set<string>();
  // Some alerts wait for what goes on.
  const untilFired = async (awaited: readonly string[], provoke: () => Promise<unknown>) => {
    await until(`${awaited} fire`, async () => {
      await provoke();
      for (const name of await firing()) fired.add(name);
      return awaited.every((name) => fired.has(name));
    });
  };
  await untilFired(
    names.filter((name) => name !== 'BrokerSlow'),
    async () => {
      for (let n = 0; n < 5; n += 1) await report('invoices');
      for (const next of [UNREACHABLE, UNCLEAR]) {
        outcome.next = next;
        await metrics.mailer.send(MESSAGE).catch(() => undefined);
      }
      await metrics.store.tx(async () => undefined);
      for (let n = 0; n < 10; n += 1) await world.call('nobody', 'GET', '/plans');
      for (let n = 0; n < 30; n += 1) await world.call(key, 'GET', '/services/999');
    },
  );
  const unclear = (await alerts()).filter(({ labels }) => labels.alertname === 'BrokerMailUnclear');
  t.strictSame(
    unclear.map(({ labels }) => labels.instance).toSorted(),
    [faulty.port, young.port].map((each) => `127.0.0.1:${each}`).toSorted(),
    'of the process too that counted its email before it was first read',
  );
  // While it is held, no report is sent, and none is slow.
  await tx((one) => one.history.update(loss.history, { state: 'over' }));
  await untilFired(names, () => report('services'));

  // Sound processes in their place.
  await Promise.all([faulty.close(), young.close()]);
  for (const each of [faulty.port, young.port, downPort]) await startProcess(t, each);
  await until('every alert is resolved', async () => (await alerts()).length === 0);
  t.pass('resolved');
});
