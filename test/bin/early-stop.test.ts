import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import t, { type Test } from 'tap';

/** A PostgreSQL that takes connections and never answers: a start gets as far as its database, and no further. */
async function silentDatabase(t: Test) {
  const server = createServer((socket) => socket.on('error', () => {}));
  await once(server.listen(0, '127.0.0.1'), 'listening');
  t.teardown(() => server.close());
  return {
    url: `postgres://broker@127.0.0.1:${(server.address() as AddressInfo).port}/broker`,
    reached: once(server, 'connection'),
  };
}

const SERVER = ['dist/src/server.js'];
const BROKER = 'bin/broker.mjs';

for (const [program, signal, code] of [
  [SERVER, 'SIGTERM', 0],
  [SERVER, 'SIGINT', 0],
  [[BROKER, 'worker'], 'SIGTERM', 0],
  [[BROKER, 'migrate'], 'SIGTERM', 143],
  [[BROKER, 'status'], 'SIGINT', 130],
] as const) {
  t.test(`${signal} while ${program.join(' ')} starts ends it at once with ${code}`, async (t) => {
    const { url, reached } = await silentDatabase(t);
    const child = spawn(process.execPath, program, {
      env: { PATH: process.env.PATH, DATABASE_URL: url, PORT: '0', CONSOLE_PORT: 'off' },
      stdio: 'ignore',
    });
    t.teardown(() => child.kill('SIGKILL'));
    const ended = once(child, 'exit');
    await reached;
    child.kill(signal);
    t.strictSame(await ended, [code, null]);
  });
}

for (const [when, raise] of [
  [
    'while it loads',
    `process.on('newListener', (event) => {
       if (event === 'SIGTERM') queueMicrotask(() => process.kill(process.pid, 'SIGTERM'));
     });`,
  ],
  [
    'while its plugins are put together',
    `const { setTimeout } = Server.prototype;
     Server.prototype.setTimeout = function (...given) {
       process.kill(process.pid, 'SIGTERM');
       return setTimeout.apply(this, given);
     };`,
  ],
]) {
  t.test(`a server that is stopped ${when} never listens, though its start waits for nothing`, async (t) => {
    // A port that is opened ends the process with 9.
    const preload = `
      import { Server } from 'node:http';
      Server.prototype.listen = () => process.exit(9);
      ${raise}`;
    const options = ['--import', `data:text/javascript,${encodeURIComponent(preload)}`];
    const env = { PATH: process.env.PATH, DATABASE_URL: `file:${t.testdir()}/broker.db`, PORT: '0', CONSOLE_PORT: '0' };
    execFileSync(process.execPath, [BROKER, 'migrate'], { env });
    const child = spawn(process.execPath, [...options, ...SERVER], {
      env,
      stdio: ['ignore', 'ignore', 'inherit'],
    });
    t.teardown(() => child.kill('SIGKILL'));
    t.strictSame(await once(child, 'exit'), [0, null]);
  });
}

t.test('a signal that has arrived when the handlers change reaches the new one', async (t) => {
  const file = (path: string) => pathToFileURL(resolve(path)).href;
  const script = `
    const { stopEarly, handOverSignals } = await import('${file('src/runtime/early-stop.ts')}');
    stopEarly(0);
    process.kill(process.pid, 'SIGTERM');
    handOverSignals(() => process.once('SIGTERM', () => process.exit(7)));
    // Otherwise it would end by itself.
    await new Promise((resolve) => setTimeout(resolve, 60_000));`;
  const tsx = ['--import', file('node_modules/tsx/dist/esm/index.mjs')];
  const child = spawn(process.execPath, [...tsx, '--input-type=module', '--eval', script], { stdio: 'inherit' });
  t.teardown(() => child.kill('SIGKILL'));
  t.strictSame(await once(child, 'exit'), [7, null]);
});

t.test('a reader that closes the pipe of the server’s help, such as head, is no failure', async (t) => {
  const child = spawn(process.execPath, [...SERVER, '--help'], { stdio: ['ignore', 'pipe', 'pipe'] });
  t.teardown(() => child.kill('SIGKILL'));
  child.stdout.destroy();
  let said = '';
  child.stderr.on('data', (chunk) => {
    said += chunk;
  });
  t.strictSame(await once(child, 'close'), [0, null]);
  t.equal(said, '');
});
