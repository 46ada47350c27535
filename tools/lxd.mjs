/*
 * `npm run lxd`: a shop that sells real containers of this machine's LXD or Incus, for a try. It finds the socket, starts the
 * connector (integrations/lxd) and the server with the demo's data, and puts the plan "lxd-small" on sale.
 *   LXD_IMAGES="debian-12 alpine"   sells images that LXD has under these aliases, instead of two of the public server
 */
import { execFileSync, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import {
  accessSync,
  constants,
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:net';
import { join, resolve } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { fileURLToPath, pathToFileURL } from 'node:url';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const FOLDER = resolve('data/lxd');
/** Of images that have cloud-init. */
const SERVERS = { lxd: 'https://images.lxd.canonical.com', incus: 'https://images.linuxcontainers.org' };
const PUBLIC = { 'debian-13': 'debian/13/cloud', 'ubuntu-24-04': 'ubuntu/24.04/cloud' };
const INSTALL = `There is no LXD and no Incus on this machine. Install one, as root, and run this again:
  Debian 12:         apt-get install lxd && lxd init --minimal
  Debian 13, Ubuntu: apt-get install incus && incus admin init --minimal
  with snap:         snap install lxd && lxd init --minimal`;

function stop(message) {
  console.error(message);
  process.exit(1);
}

/** Lays the connector out as it lies in its archive. */
function layOut() {
  mkdirSync(FOLDER, { recursive: true });
  const own = readdirSync(join(ROOT, 'integrations/lxd')).filter((name) => name.endsWith('.mjs'));
  const from = [
    ...own.map((name) => join(ROOT, 'integrations/lxd', name)),
    join(ROOT, 'docs/examples/provisioning.mjs'),
  ];
  for (const path of from) copyFileSync(path, join(FOLDER, path.split('/').at(-1)));
  // The passwords of machines are made of it, so it is kept.
  const file = join(FOLDER, 'key');
  if (!existsSync(file)) writeFileSync(file, randomBytes(32).toString('hex'), { mode: 0o600 });
  return readFileSync(file, 'utf8');
}

function accessible(socket) {
  try {
    accessSync(socket, constants.W_OK);
    return true;
  } catch {
    return false;
  }
}

async function planOf(host) {
  const { environment } = await host.call('GET', '/1.0');
  const server = SERVERS[environment.server] ?? SERVERS.lxd;
  const own = (process.env.LXD_IMAGES ?? '').split(' ').filter(Boolean);
  const images = Object.fromEntries(
    own.length > 0
      ? own.map((alias) => [alias, alias])
      : Object.entries(PUBLIC).map(([name, alias]) => [name, { server, alias }]),
  );
  const { devices } = await host.call('GET', '/1.0/profiles/default');
  const root = Object.values(devices).find(({ path }) => path === '/');
  if (!root) stop('The default profile of LXD has no disk: run "lxd init --minimal" (or "incus admin init --minimal")');
  const { driver } = await host.call('GET', `/1.0/storage-pools/${root.pool}`);
  if (driver === 'dir') console.log(`The storage pool ${root.pool} (dir) does not limit disks.`);
  const [preset] = Object.keys(images);
  const image = {
    name: 'image',
    display_name: 'Operating system',
    type: 'choice',
    choices: Object.keys(images).map((value) => ({ value, display_name: value })),
  };
  const action = (name, display_name, more) => ({ name, display_name, ...more });
  return {
    slug: 'lxd-small',
    display_name: 'LXD small',
    upgrade_rank: 5,
    billing_type: 'monthly',
    has_credentials: true,
    specifications: { vcpu: 1, memory_mb: 512, disk_gb: 5, transfer_gb: null },
    options: [
      { ...image, default: preset },
      { name: 'hostname', display_name: 'Host name', type: 'text', format: 'hostname' },
      { name: 'ssh_key', display_name: 'SSH key', type: 'text', format: 'ssh_public_key' },
    ],
    actions: [
      action('start', 'Switch on'),
      action('stop', 'Switch off'),
      action('reboot', 'Restart'),
      action('reset_password', 'New password'),
      action('reinstall', 'Install anew', { destroys_data: true, options: [image] }),
    ],
    provisioning: {
      images,
      quota: driver !== 'dir',
      ...(own.length === 0 && { cloud_init: { packages: ['openssh-server'] } }),
    },
  };
}

async function freePort() {
  const server = createServer().listen(0, '127.0.0.1');
  await new Promise((listening) => server.once('listening', listening));
  const { port } = server.address();
  await new Promise((closed) => server.close(closed));
  return port;
}

const passwordKey = layOut();
const { findSocket, readHosts } = await import(pathToFileURL(join(FOLDER, 'client.mjs')).href);
const socket = findSocket();
if (!socket || !existsSync(socket)) stop(INSTALL);
if (!accessible(socket)) stop(`${socket} is not open to you: run this as root, or join the socket's group.`);
const plan = await planOf(readHosts().get('local'));
writeFileSync(join(FOLDER, 'plans.json'), JSON.stringify([plan], null, 2));

const [port, secret] = [await freePort(), randomBytes(24).toString('hex')];
const env = { ...process.env, PROVISIONER_URL: `http://localhost:${port}/`, PROVISIONER_SECRET: secret };
const children = [
  spawn(process.execPath, [join(FOLDER, 'connector.mjs')], {
    env: { ...env, LXD_SOCKET: socket, PASSWORD_KEY: passwordKey, HOST: 'localhost', PORT: String(port) },
    stdio: ['ignore', 'inherit', 'inherit'],
  }),
  spawn(process.execPath, [join(ROOT, 'dist/src/server.js')], { env, stdio: ['ignore', 'inherit', 'inherit'] }),
];
const end = () => {
  for (const child of children) child.kill();
};
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.once(signal, end);
for (const child of children) {
  child.once('exit', (code) => {
    process.exitCode ??= code ?? 0;
    end();
  });
}
const health = `http://127.0.0.1:${process.env.PORT ?? 3000}/health/ready`;
while (children.every(({ exitCode }) => exitCode === null)) {
  if (
    await fetch(health).then(
      ({ ok }) => ok,
      () => false,
    )
  ) {
    const broker = [join(ROOT, 'bin/broker.mjs'), 'plans', 'import', join(FOLDER, 'plans.json'), '--broker', 'demo'];
    execFileSync(process.execPath, broker, { stdio: ['ignore', 'ignore', 'inherit'] });
    console.log('The plan "lxd-small" is on sale.');
    break;
  }
  await setTimeout(100);
}
