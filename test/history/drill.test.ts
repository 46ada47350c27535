import { execFileSync } from 'node:child_process';
import { copyFileSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import t, { type Test } from 'tap';
import { DEMO_KEYS } from '../../src/demo/demo.ts';
import { type Running, startProgram } from '../support/programs.ts';
import { freePort } from '../support/redis.ts';
import { until } from '../support/until.ts';

/** A restore as an operator does it: real processes, the example provisioner, the commands of docs/operate.md. */

const SECRET = 'a secret of the drill that is long enough for anybody';

interface Machine {
  uid: string;
}

async function install(t: Test) {
  const folder = t.testdir({});
  const at = (name: string) => join(folder, name);
  const [port, provisionerPort] = [await freePort(), await freePort()];
  const env = {
    PATH: process.env.PATH,
    DATABASE_URL: `file:${at('broker.db')}`,
    PORT: String(port),
    CONSOLE_PORT: 'off',
    MAIL_OUTBOX_DIR: at('outbox'),
    LOG_LEVEL: 'warn',
    PROVISIONER_URL: `http://127.0.0.1:${provisionerPort}`,
    PROVISIONER_SECRET: SECRET,
  };
  const kept = { MACHINES: at('machines.json'), HISTORY_FILE: at('history'), BUILD_SECONDS: '0' };
  await startProgram(t, provisionerPort, [process.execPath, 'docs/examples/provisioner.mjs'], {
    env: { ...env, ...kept, PORT: String(provisionerPort), HOST: '127.0.0.1' },
  });
  let server: Running | undefined;
  const call = async (method: string, path: string, body?: object) => {
    const answer = await fetch(`http://127.0.0.1:${port}/api/v1${path}`, {
      method,
      headers: { Authorization: `Bearer ${DEMO_KEYS.live}`, 'Content-Type': 'application/json' },
      ...(body && { body: JSON.stringify(body) }),
    });
    // biome-ignore lint/suspicious/noExplicitAny: what an answer holds is what the test looks at
    return { status: answer.status, json: (await answer.json()) as any };
  };
  const statusOf = async (number: number) => (await call('GET', `/services/${number}`)).json.data?.service_status;
  return {
    at,
    call,
    statusOf,
    async start() {
      server = await startProgram(t, port, [process.execPath, 'dist/src/server.js'], { env });
      await until('the server is ready', async () => (await fetch(`http://127.0.0.1:${port}/health/ready`)).ok);
    },
    stop: () => server?.stop(),
    broker: (...words: string[]) =>
      JSON.parse(execFileSync(process.execPath, ['bin/broker.mjs', ...words, '--json'], { env, encoding: 'utf8' })),
    machines: () => JSON.parse(readFileSync(kept.MACHINES, 'utf8')) as Record<string, Machine>,
    async order(name: string): Promise<number> {
      const client = { name, email: `${name}@example.com` };
      const { json } = await call('POST', '/services', { plan: 'flex-small', client });
      return json.data.service_number;
    },
    until: (number: number, status: string) =>
      until(`service ${number} is ${status}`, async () => (await statusOf(number)) === status),
  };
}

t.test(
  'after a restore nothing of anybody becomes somebody else’s, and what was withheld is done when asked',
  async (t) => {
    const place = await install(t);
    const { at, broker, call, machines, order, start, stop } = place;
    await start();
    const before = await order('before');
    await place.until(before, 'active');
    await broker('backup', at('backup.db'));
    const lost = await order('lost');
    await place.until(lost, 'active');
    const lostMachine = machines()[lost];
    await call('POST', `/services/${before}/suspend`, {});
    await place.until(before, 'suspended');

    for (const restored of [1, 2]) {
      await stop();
      for (const end of ['', '-wal', '-shm']) rmSync(at(`broker.db${end}`), { force: true });
      copyFileSync(at('backup.db'), at('broker.db'));
      await start();
      t.match(
        broker('restored'),
        { holding: 'held', losses: [{ cause: 'restore', state: 'held' }] },
        `restore ${restored}`,
      );
    }
    const gone = await call('GET', `/services/${lost}`);
    t.match(gone, { status: 404, json: { error: { details: { reason: 'records_lost' } } } });
    const next = await order('next');
    t.not(next, lost);
    t.notOk(machines()[next], 'its work waits');
    t.match(broker('restored', '--go-on'), { holding: null });
    await place.until(next, 'active');
    t.strictSame(machines()[lost], lostMachine, 'the lost client’s machine is as it was');
    t.not(machines()[next]?.uid, lostMachine?.uid);

    const { differences } = broker('services', 'compare', '--broker', 'demo');
    const found = (number: number) =>
      (differences as Array<{ service_number: number; kind: string }>).find((each) => each.service_number === number)
        ?.kind;
    t.equal(found(lost), 'no_record');
    t.equal(found(before), 'machine_suspended');
  },
);
