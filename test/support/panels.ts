import { execFileSync, spawn } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import t, { type Test } from 'tap';
import { reviewRequest } from '../../src/lifecycle/operator-requests.ts';
import type { WorkOutcome } from '../../src/ports.ts';
import type { Action } from '../../src/rules/offers.ts';
import type { Option } from '../../src/rules/options.ts';
import type { PlanRow } from '../../src/store/queries/plans.ts';
import { faultyProxy, type Spoiled } from './faulty-proxy.ts';
import { languagesHere } from './languages.ts';
import { listen } from './wire.ts';
import { createTestProvisioner, workerOf } from './work.ts';
import { createWorld } from './world.ts';

const option = (name: string, display_name: string, more: Partial<Option>): Option =>
  ({ name, display_name, description: null, required: false, default: null, ...more }) as Option;
const IMAGE = option('image', 'Operating system', {
  type: 'choice',
  default: 'debian-13',
  choices: [
    { value: 'debian-13', display_name: 'Debian 13' },
    { value: 'alpine-3', display_name: 'Alpine 3' },
  ],
});
const HOST_NAME = option('hostname', 'Host name', { type: 'text', format: 'hostname', max_length: 253 });
const BACKUPS = option('backups', 'Backups', { type: 'boolean' });
const ADDRESSES = option('addresses', 'Addresses', { type: 'number', minimum: 1, maximum: 8 });
const action = (name: string, options: Option[] = [], destroys_data = false): Action => ({
  name,
  display_name: name,
  description: null,
  options,
  requires_operator_review: false,
  destroys_data,
});
export const OFFER = {
  options: [IMAGE, HOST_NAME, BACKUPS, ADDRESSES],
  actions: [action('reboot'), action('reinstall', [IMAGE], true), action('reconfigure', [BACKUPS, ADDRESSES])],
  hasCredentials: true,
  provisioning: {},
};

/** How each service is reached once it is built. */
export const ACCESS = {
  hostname: 'shop.example.com',
  ip_addresses: ['192.0.2.10', '2001:db8::10'],
  username: 'root',
  login_url: 'https://panel.example.com/shop',
  notes: null,
};

/** A creation that comes to nothing. */
export const NO_ROOM: WorkOutcome = {
  outcome: 'failed',
  reason: 'no_room',
  message: 'No room',
  serviceUsable: false,
  retryable: true,
};

/** An answer to a call that is one too many. */
export const limited = (headers: Record<string, string>) => ({
  status: 429,
  headers,
  body: '{"success":false,"error":{"code":"rate_limit_exceeded","message":"Too many"}}',
});

/** A test that needs PHP. */
export const suite = (name: string, run: (t: Test) => Promise<void>) =>
  t.test(name, async (t) => {
    if (languagesHere(t).has('php')) await run(t);
  });

/** Whether Debian's smarty4 is here, which renders templates as WHMCS does; where it is not, a line says so. */
export function smartyHere(t: Test): boolean {
  if (existsSync('/usr/share/php/smarty4/Smarty.class.php')) return true;
  const line = 'Smarty 4 (Debian: smarty4) IS NOT HERE, so templates are NOT RENDERED';
  if (process.env.REQUIRE_SERVICES) t.fail(line);
  else {
    process.stderr.write(`\n*** ${line}\n`);
    t.pass(line, { skip: line });
  }
  return false;
}

/** A server with a broker, plans and a provisioner, and a line to it that can be spoiled. */
export async function createPanelWorld(t: Test) {
  const world = await createWorld({ startMs: Date.now() });
  t.teardown(() => world.close());
  world.context.hasProvisioner = true;
  const broker = await world.addBroker();
  const { key } = await world.addKey(broker, ['admin:full']);
  const plans: PlanRow[] = [];
  for (const [slug, rank, disk] of [
    ['starter', 10, 20],
    ['business', 20, 40],
    ['flat', 15, 20],
  ] as const) {
    const displayName = slug[0]?.toUpperCase() + slug.slice(1);
    plans.push(await world.addPlan(broker, { slug, displayName, upgradeRank: rank, diskGb: disk }));
  }
  await world.store.tx((tx) => tx.plans.putOffers(broker.id, new Map(plans.map(({ id }) => [id, OFFER]))));
  const provisioner = createTestProvisioner();
  provisioner.fulfil = async (work) => {
    provisioner.given.push(work);
    const answer = provisioner.answers.shift();
    if (typeof answer === 'function') return answer(work);
    if (answer instanceof Error) throw answer;
    return answer ?? { outcome: 'done', ...(work.type === 'service-creation' && { access: ACCESS }) };
  };
  const worker = workerOf(world, provisioner);
  const line: Pick<Spoiled, 'request' | 'answer'> = {};
  const sent: string[] = [];
  /** Of these, what is no reading. */
  const changes: string[] = [];
  let method = '';
  const port = await faultyProxy(t, await listen(world.app), [
    {
      when: /./,
      path(path) {
        sent.push(path);
        return path;
      },
      request(given) {
        method = given.method;
        if (method !== 'GET') changes.push(sent.at(-1) as string);
        return line.request?.(given);
      },
      answer: (given) => (line.answer ? line.answer(given) : given),
    },
  ]);
  return {
    ...world,
    broker,
    key,
    plans,
    provisioner,
    port,
    sent,
    changes,
    line,
    /** Runs something while every answer is lost, or every answer to a change. */
    async losing<T>(lost: 'answers' | 'changes', run: () => Promise<T>): Promise<T> {
      line.answer = (answer) => (lost === 'answers' || method === 'POST' ? undefined : answer);
      const result = await run();
      delete line.answer;
      return result;
    },
    /** A key is refused within a second. */
    async revoke(revoked: string): Promise<void> {
      const { key_id } = (await world.call(revoked, 'GET', '/auth-check')).json.data.api_key;
      await world.store.tx((tx) => tx.keys.update(key_id, { status: 'revoked' }));
      world.clock.advance(2_000);
    },
    work: async () => {
      world.clock.advance(60_000);
      await worker.runOnce();
    },
    services: async () => (await world.call(key, 'GET', '/services?limit=100')).json.data,
    service: async (number: number) => (await world.call(key, 'GET', `/services/${number}`)).json.data,
    requests: async () => (await world.call(key, 'GET', '/requests?limit=100')).json.data,
    /** The operator's word on what is under review. */
    decide: async (verdict: 'accept' | 'deny', reason = 'The operator decided') => {
      const { data } = (await world.call(key, 'GET', '/requests?operator_review=true')).json;
      for (const { request_id } of data)
        await reviewRequest(world.context, {
          requestId: request_id,
          accept: verdict === 'accept',
          reason,
        });
    },
  };
}

export type PanelWorld = Awaited<ReturnType<typeof createPanelWorld>>;

/** Unpacks a module as its panel's folder would have it, makes what would wait a note, and lets a test say how PHP runs. */
export async function unpack(t: Test, { app, port }: Pick<PanelWorld, 'app' | 'port'>, name: string): Promise<string> {
  const folder = t.testdir({});
  const archive = join(folder, `${name}.tar.gz`);
  const url = `/api/docs/integrations/${name}.tar.gz`;
  writeFileSync(archive, (await app.inject({ url, headers: { host: `127.0.0.1:${port}` } })).rawPayload);
  const panel = join(folder, 'panel');
  mkdirSync(panel);
  execFileSync('tar', ['xzf', archive, '-C', panel]);
  const shared = execFileSync('find', [panel, '-name', 'broker.php', '-o', '-name', 'panel.php'], { encoding: 'utf8' });
  for (const file of shared.trim().split('\n'))
    writeFileSync(
      file,
      readFileSync(file, 'utf8').replaceAll('sleep(', 'note(').replaceAll('PHP_SAPI', "($GLOBALS['sapi'] ?? PHP_SAPI)"),
    );
  return panel;
}

/** A panel in a process of its own, which makes a call for each line that it reads. */
export function startPanel<Call, Outcome>(
  t: Test,
  program: string,
  ...words: string[]
): (call: Call) => Promise<Outcome> {
  const child = spawn('php', ['-d', 'display_errors=stderr', resolve(program), ...words], { stdio: 'pipe' });
  let faults = '';
  child.stderr.on('data', (chunk) => (faults += chunk));
  t.teardown(() => child.stdin.end());
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  return async (call) => {
    child.stdin.write(`${JSON.stringify(call)}\n`);
    const { value, done } = await lines.next();
    if (done) throw new Error(`${program} ended: ${faults}`);
    return JSON.parse(value);
  };
}
