import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import t, { type Test } from 'tap';
import { requirePreparedStatements } from '../../src/store/pooler.ts';
import { freePort } from '../support/redis.ts';
import { POSTGRES_URL, services } from '../support/services.ts';

const REFUSAL = /^a pooler between here and PostgreSQL does not keep prepared statements; PgBouncer does from 1\.21 on/;

t.test('a pooler that forgets prepared statements is refused at the start, PostgreSQL itself is not', async (t) => {
  if (!(await services(t, 'PostgreSQL'))) return;
  await requirePreparedStatements(POSTGRES_URL);
  if (!isInstalled()) return void t.pass('PgBouncer is not installed', { skip: 'PgBouncer is not installed' });
  const url = await pooled(t, 20);
  await t.rejects(requirePreparedStatements(url), { message: REFUSAL });
  // The pooler's connection still has the statement of the start before.
  await t.rejects(requirePreparedStatements(url), { message: REFUSAL }, 'at the next start too');
  // With one connection the second look waits for the first client and tells nothing.
  await requirePreparedStatements(await pooled(t, 1), 300);
});

function isInstalled(): boolean {
  try {
    execFileSync('pgbouncer', ['--version'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

/** The URL of a PgBouncer with so many connections to the tests' server, as releases before 1.21 work. */
async function pooled(t: Test, size: number): Promise<string> {
  const directory = mkdtempSync(join(tmpdir(), 'broker-test-'));
  const server = new URL(POSTGRES_URL);
  const port = await freePort();
  const to = `host=${server.hostname} port=${server.port || 5432}`;
  const users = join(directory, 'users');
  writeFileSync(users, `"${server.username}" "${server.password}"\n`);
  const settings = [
    'auth_type = trust',
    `auth_file = ${users}`,
    'pool_mode = transaction',
    `default_pool_size = ${size}`,
    `listen_port = ${port}`,
  ];
  settings.push('listen_addr = 127.0.0.1', 'ignore_startup_parameters = lock_timeout', 'unix_socket_dir =');
  const since121 = / 1\.(?:2[1-9]|[3-9]\d)\./.test(String(execFileSync('pgbouncer', ['--version'])));
  if (since121) settings.push('max_prepared_statements = 0');
  const file = join(directory, 'pgbouncer.ini');
  writeFileSync(file, `[databases]\n* = ${to}\n[pgbouncer]\n${settings.join('\n')}\n`);
  // It does not run as root.
  execFileSync('chmod', ['-R', 'a+rX', directory]);
  const user = process.getuid?.() === 0 ? { uid: 65534, gid: 65534 } : {};
  const child: ChildProcess = spawn('pgbouncer', [file], { stdio: 'ignore', ...user });
  t.teardown(async () => {
    child.kill('SIGKILL');
    if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
    rmSync(directory, { recursive: true });
  });
  while (child.exitCode === null && !(await answers(port))) await new Promise((resolve) => setImmediate(resolve));
  return Object.assign(new URL(POSTGRES_URL), { hostname: '127.0.0.1', port: String(port) }).href;
}

const answers = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1', () => resolve(true)).on('error', () => resolve(false));
    socket.on('connect', () => socket.end());
  });
