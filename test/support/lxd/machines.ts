import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { request } from 'node:http';
import { type AddressInfo, connect, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { text } from 'node:stream/consumers';
import { setTimeout } from 'node:timers/promises';
import { promisify } from 'node:util';
import type { Test } from 'tap';
import { has } from '../guides.ts';

/** A real LXD for a test, with containers in a network namespace of its own; and ssh into them. */

const run = promisify(execFile);
/** What it needs beside root, by the packages of Debian that bring it. */
const PROGRAMS = ['lxd', 'lxc', 'dnsmasq', 'nft', 'mkfs.btrfs', 'mksquashfs', 'debootstrap', 'ssh', 'nsenter'];

const MOST_TRIES = 10;

export interface Lxd {
  /** Path of its socket. */
  socket: string;
  /** A call of its API. @returns `metadata` of the answer */
  // biome-ignore lint/suspicious/noExplicitAny: what an answer holds is what the test looks at.
  api(method: string, path: string, body?: object): Promise<any>;
  /** Names of all containers. */
  names(): Promise<string[]>;
  /** Removes all containers. */
  clear(): Promise<void>;
  /** Makes a port of the containers' network reachable. @returns a port of this machine */
  reachable(t: Test, port: number): Promise<number>;
  /** The words of a command that runs in the containers' network. */
  inside(...command: string[]): string[];
}

/**
 * Starts an LXD with the images "busybox" and "debian", a pool "quota" and one without quotas, "plain".
 * @returns undefined where this machine cannot run one: the test is then left out with a line that says so
 */
export async function startLxd(t: Test): Promise<Lxd | undefined> {
  if (process.getuid?.() !== 0) return leaveOut(t, 'it needs root');
  const missing = PROGRAMS.find((name) => !has(name));
  if (missing) return leaveOut(t, `${missing} is not installed`);
  const folder = mkdtempSync(join(tmpdir(), 'broker-lxd-'));
  chmodSync(folder, 0o711);
  t.teardown(() => rmSync(folder, { recursive: true, force: true }));
  // Where a developer has kept them, they are not made again.
  const images = process.env.TEST_LXD_IMAGES ?? join(folder, 'images');
  await run(resolve('test/support/lxd/images.sh'), [images], { maxBuffer: 1e8 });
  const own = join(folder, 'own');
  const child = spawn(
    resolve('test/support/lxd/lxd.sh'),
    [own, `busybox=${images}/busybox.tar.gz`, `debian=${images}/debian.tar.gz+${images}/debian.squashfs`],
    { stdio: ['pipe', 'pipe', 'pipe'] },
  );
  let said = '';
  child.stderr.on('data', (chunk) => {
    said += chunk;
  });
  t.teardown(async () => {
    child.stdin.end();
    if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
  });
  const [line] = await Promise.race([
    once(child.stdout.setEncoding('utf8'), 'data'),
    once(child, 'exit').then(([code]): [string] => [`ended with ${code}: ${said}`]),
  ]);
  const [, pid] = /^ready (\d+)/.exec(String(line)) ?? [];
  // In most containers, for one.
  if (!pid) return leaveOut(t, `it did not start (${line})`);
  const socket = join(own, 'lxd/unix.socket');
  const api = (method: string, path: string, body?: object) => callLxd(socket, method, path, body);
  async function names() {
    const paths: string[] = await api('GET', '/1.0/instances');
    return paths.map((path) => path.split('/').at(-1) ?? '').sort();
  }
  const inside = (...command: string[]) => ['nsenter', '--net', '--target', pid, ...command];
  /** Sockets are the same in every network namespace. */
  async function reachable(t: Test, port: number) {
    const path = join(folder, `${port}.socket`);
    const relay = `require('node:net').createServer((one) => { const other = require('node:net').connect(${port}, '127.0.0.1');
      one.pipe(other).pipe(one); one.on('error', () => other.destroy()); other.on('error', () => one.destroy()); })
      .listen(process.argv[1], () => console.log('listening'))`;
    const [program = '', ...args] = inside(process.execPath, '-e', relay, path);
    const relaying = spawn(program, args, { stdio: ['ignore', 'pipe', 'inherit'] });
    t.teardown(() => relaying.kill());
    await once(relaying.stdout, 'data');
    const server = createServer((one) => {
      const other = connect(path);
      one.pipe(other).pipe(one);
      one.on('error', () => other.destroy());
      other.on('error', () => one.destroy());
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    t.teardown(() => server.close());
    return (server.address() as AddressInfo).port;
  }
  return {
    socket,
    api,
    names,
    inside,
    reachable,
    async clear() {
      for (const name of await names())
        await run('lxc', ['delete', '-f', name], { env: { ...process.env, LXD_DIR: join(own, 'lxd') } });
    },
  };
}

/** A machine that cannot run LXD is no fault of the change that is tested. */
function leaveOut(t: Test, reason: string): undefined {
  const line = `LXD CANNOT RUN HERE, so "${t.name}" is NOT TESTED: ${reason}`;
  process.stderr.write(`\n*** ${line}\n`);
  t.pass(line, { skip: line });
}

async function callLxd(socketPath: string, method: string, path: string, body?: object) {
  const call = request({ socketPath, method, path, headers: { 'Content-Type': 'application/json', Host: 'lxd' } });
  call.end(body && JSON.stringify(body));
  const [response] = await once(call, 'response');
  const answer = JSON.parse(await text(response));
  if (answer.type === 'error') throw new Error(`${method} ${path}: ${answer.error}`);
  return answer.metadata;
}

/** A client with a key of its own, on the containers' network. */
export async function createClient(t: Test, { inside }: Lxd) {
  const folder = mkdtempSync(join(tmpdir(), 'broker-ssh-'));
  t.teardown(() => rmSync(folder, { recursive: true, force: true }));
  const key = join(folder, 'key');
  await run('ssh-keygen', ['-q', '-t', 'ed25519', '-N', '', '-C', 'ada@host: laptop', '-f', key]);
  const options = ['StrictHostKeyChecking=no', 'UserKnownHostsFile=/dev/null', 'LogLevel=ERROR', 'ConnectTimeout=5'];
  async function ssh(address: string, command: string, more: string[], env = {}): Promise<string | undefined> {
    const [program = '', ...args] = inside('ssh', ...[...options, ...more].flatMap((option) => ['-o', option]));
    for (let tries = 1; ; tries += 1) {
      try {
        const { stdout } = await run(program, [...args, `root@${address}`, command], {
          env: { ...process.env, ...env },
          timeout: 20_000,
        });
        return stdout.trim();
      } catch (error) {
        // A busy machine answers late; one that refuses says so.
        const { code, stderr } = error as { code: unknown; stderr: string };
        if (code !== 255 || /Permission denied/.test(stderr) || tries === MOST_TRIES) return undefined;
        await setTimeout(200);
      }
    }
  }
  return {
    publicKey: readFileSync(`${key}.pub`, 'utf8').trim(),
    /** What a command prints in the machine; undefined where it cannot be reached or lets nobody in. */
    byKey: (address: string, command: string) =>
      ssh(address, command, [`IdentityFile=${key}`, 'BatchMode=yes', 'PasswordAuthentication=no']),
    byPassword(address: string, password: string, command: string) {
      const file = join(folder, 'askpass');
      writeFileSync(file, `#!/bin/sh\necho '${password}'\n`, { mode: 0o700 });
      const env = { SSH_ASKPASS: file, SSH_ASKPASS_REQUIRE: 'force', DISPLAY: ':0' };
      return ssh(address, command, ['PubkeyAuthentication=no', 'NumberOfPasswordPrompts=1'], env);
    },
  };
}
