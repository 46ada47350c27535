import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import t, { type Test } from 'tap';
import { DEMO_KEYS } from '../../src/demo/demo.ts';
import { full } from '../support/full.ts';
import { freePort } from '../support/redis.ts';
import { createDatabase, services } from '../support/services.ts';
import { until } from '../support/until.ts';

/** The release before this one: 1.1.0. */
const FORMER = 'd7861338e0db57b97bac07aaacd48e373cabdaf4';
const CACHE = resolve('node_modules/.cache', `broker-${FORMER.slice(0, 7)}`);
/** Its sources are run as they are. */
const TSX = ['--import', pathToFileURL(resolve('node_modules/tsx/dist/esm/index.mjs')).href];

const FORMER_DEMO = [...TSX, '-e', "import('./src/cli/main.ts').then((cli) => cli.main())", 'x', 'demo'];

/** The former release from the repository's history, with its own packages, none of them compiled. Null without history. */
function fetchFormer(): string | null {
  if (existsSync(CACHE)) return CACHE;
  if (spawnSync('git', ['cat-file', '-e', `${FORMER}^{commit}`]).status !== 0) return null;
  const made = `${CACHE}.${process.pid}`;
  mkdirSync(made, { recursive: true });
  execFileSync('tar', ['-x', '-C', made], { input: execFileSync('git', ['archive', FORMER], { maxBuffer: 1 << 28 }) });
  execFileSync('npm', ['ci', '--omit=dev', '--ignore-scripts'], { cwd: made, stdio: 'ignore' });
  try {
    renameSync(made, CACHE);
  } catch {
    rmSync(made, { recursive: true });
  }
  return CACHE;
}

async function start(t: Test, cwd: string, program: string[], DATABASE_URL: string) {
  const port = await freePort();
  const folder = mkdtempSync(join(tmpdir(), 'broker-releases-'));
  const child = spawn(process.execPath, program, {
    cwd,
    env: {
      PATH: process.env.PATH,
      DATABASE_URL,
      PORT: String(port),
      CONSOLE_PORT: 'off',
      LOG_LEVEL: 'warn',
      RATE_LIMIT_MAX: '1000000',
      MAIL_OUTBOX_DIR: folder,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let said = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (said += chunk));
  const stop = async () => {
    child.kill('SIGKILL');
    if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
  };
  t.teardown(async () => {
    await stop();
    rmSync(folder, { recursive: true, force: true });
  });
  const base = `http://127.0.0.1:${port}`;
  await until('the server is ready', async () => {
    if (child.exitCode !== null) throw new Error(said);
    const answer = await fetch(`${base}/health/ready`).catch(() => undefined);
    await answer?.arrayBuffer();
    return answer?.ok;
  });
  return {
    stop,
    async call(method: string, path: string, body?: object) {
      const answer = await fetch(`${base}/api/v1${path}`, {
        method,
        headers: { authorization: `Bearer ${DEMO_KEYS.live}`, 'content-type': 'application/json' },
        ...(body && { body: JSON.stringify(body) }),
      });
      const text = await answer.text();
      return { status: answer.status, text, data: JSON.parse(text).data };
    },
  };
}

type Server = Awaited<ReturnType<typeof start>>;

/** Resolves with the former release; null, with a line, where the history is not here. */
function requireFormer(t: Test): string | null {
  const former = fetchFormer();
  if (former) return former;
  const line = `THE HISTORY IS NOT HERE, so "${t.name}" is NOT TESTED`;
  process.stderr.write(`\n*** ${line}\n`);
  if (process.env.REQUIRE_SERVICES) t.fail(line);
  else t.pass(line, { skip: line });
  return null;
}

async function emptyDatabase(t: Test, engine: 'sqlite' | 'postgres'): Promise<string> {
  if (engine === 'sqlite') return `file:${join(t.testdir({}), 'broker.db')}`;
  const { url, drop } = await createDatabase({ migrated: false });
  t.teardown(drop);
  return url;
}

const broker = (cwd: string, program: string[], DATABASE_URL: string) =>
  execFileSync(process.execPath, program, {
    cwd,
    env: { PATH: process.env.PATH, DATABASE_URL },
    stdio: 'ignore',
  });

for (const engine of ['sqlite', 'postgres'] as const) {
  t.test(
    `on ${engine} the release before answers no 500 while this one starts beside it, nor does this one`,
    async (t) => {
      if (engine === 'postgres' && !(await services(t, 'PostgreSQL'))) return;
      const former = requireFormer(t);
      if (!former) return;
      const url = await emptyDatabase(t, engine);
      broker(former, FORMER_DEMO, url);
      const old = await start(t, former, [...TSX, 'src/server.ts'], url);

      const made: number[] = [];
      const failed: string[] = [];
      const change = async (server: Server) => {
        const created = await server.call('POST', '/services', {
          plan: 'starter',
          client: { name: 'Ada', email: 'ada@example.com' },
        });
        if (created.status === 201) made.push(created.data.service_number);
        const path = `/services/${made[Math.floor(made.length / 2)]}`;
        const others = [
          await server.call('POST', `${path}/upgrade`, { new_plan: 'standard' }),
          await server.call('POST', `${path}/suspend`, {}),
          await server.call('POST', `${path}/cancel`, { cancellation_type: 'immediate' }),
          await server.call('GET', '/services?updated_since=2020-01-01T00:00:00Z'),
        ];
        for (const { status, text } of [created, ...others]) if (status >= 500) failed.push(text);
      };
      let over = false;
      const load = async (server: Server) => {
        while (!over) await change(server);
      };
      const loads = [load(old), load(old)];
      await until('the release before has work', () => made.length >= 5);
      const fresh = await start(t, '.', ['dist/src/server.js'], url);
      loads.push(load(fresh), load(fresh));
      const before = made.length;
      await until('both have changed things', () => made.length >= before + (full ? 1_000 : 40));
      over = true;
      await Promise.all(loads);
      t.strictSame(failed, []);
      for (const number of made) {
        t.equal((await old.call('GET', `/services/${number}`)).status, 200);
        t.equal((await fresh.call('GET', `/services/${number}`)).status, 200);
      }
    },
  );

  t.test(`on ${engine} the release before starts beside this one until the update is finished`, async (t) => {
    if (engine === 'postgres' && !(await services(t, 'PostgreSQL'))) return;
    const former = requireFormer(t);
    if (!former) return;
    const url = await emptyDatabase(t, engine);
    broker(former, FORMER_DEMO, url);
    broker('.', ['bin/broker.mjs', 'migrate'], url);
    const old = await start(t, former, [...TSX, 'src/server.ts'], url);
    const created = await old.call('POST', '/services', {
      plan: 'starter',
      client: { name: 'Ada', email: 'a@example.com' },
    });
    t.equal(created.status, 201, created.text);
    await old.stop();
    broker('.', ['bin/broker.mjs', 'migrate', '--finish', '--yes'], url);
    await t.rejects(start(t, former, [...TSX, 'src/server.ts'], url), /needs 1\.2\.0 or later/);
  });
}
