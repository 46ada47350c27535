import { execFile, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import t, { type Test } from 'tap';
import { blocksOf } from '../support/guides.ts';
import { createClient, type Lxd, startLxd } from '../support/lxd/machines.ts';
import { type Call, openShop } from '../support/lxd/shop.ts';
import { freePort } from '../support/redis.ts';
import { makeCertificate } from '../support/tls.ts';
import { until } from '../support/until.ts';

/** The connector for LXD sells real containers of a real LXD, through the product as an operator runs it. */

const IMAGES = ['busybox', 'debian'];
const IMAGE = {
  name: 'image',
  display_name: 'Operating system',
  type: 'choice',
  default: 'busybox',
  choices: [...IMAGES, 'nowhere'].map((value) => ({ value, display_name: value })),
};
const planOf = (slug: string, rank: number, specifications: object, provisioning: object = {}) => ({
  slug,
  display_name: slug,
  upgrade_rank: rank,
  billing_type: 'monthly',
  has_credentials: true,
  specifications,
  options: [
    IMAGE,
    { name: 'hostname', display_name: 'Host name', type: 'text', format: 'hostname' },
    { name: 'ssh_key', display_name: 'SSH key', type: 'text', format: 'ssh_public_key' },
  ],
  actions: [
    ...['start', 'stop', 'reboot', 'reset_password', 'console'].map((name) => ({ name, display_name: name })),
    { name: 'reinstall', display_name: 'reinstall', destroys_data: true, options: [{ ...IMAGE, default: null }] },
  ],
  provisioning: {
    images: { busybox: 'busybox', debian: 'debian' },
    console_url: 'https://console.example.com/{host}/{name}',
    ...provisioning,
  },
});
const SMALL = { vcpu: 1, memory_mb: 256, disk_gb: 1 };
const LARGE = { vcpu: 2, memory_mb: 512, disk_gb: 2 };
const PLANS = [
  planOf('small', 10, SMALL),
  planOf('large', 20, LARGE),
  planOf('fixed', 30, SMALL, { addresses: ['10.71.0.50-10.71.0.51'] }),
  planOf('refused', 35, SMALL, { addresses: ['fd71::50-fd71::60'] }),
  planOf('unheld', 40, SMALL, { pool: 'plain' }),
  planOf('away', 45, SMALL, { images: undefined, image: 'gone' }),
  planOf('both', 50, SMALL, { wait_for: ['inet', 'inet6'] }),
];

const run = promisify(execFile);

type Shop = Awaited<ReturnType<typeof openShop>>;
type Client = Awaited<ReturnType<typeof createClient>>;

// Images are made, and three days take minutes.
t.setTimeout(1_800_000);
const lxd = await startLxd(t);

/** The memory that the kernel lets a container have, in MiB, by the process id of its first process. */
function memoryOf(pid: number): number {
  // A number is added to the name of a group where one of before is not gone yet.
  const groups = readFileSync(`/proc/${pid}/cgroup`, 'utf8');
  const [, own = ''] =
    /:memory:\/?(.*?lxc\.payload\.[^/\n]+)/.exec(groups) ?? /^0::\/?(.*?lxc\.payload\.[^/\n]+)/m.exec(groups) ?? [];
  for (const path of [`memory/${own}/memory.limit_in_bytes`, `${own}/memory.max`]) {
    try {
      return Number(readFileSync(`/sys/fs/cgroup/${path}`, 'utf8')) / 1_048_576;
    } catch {}
  }
  return Number.NaN;
}

/** What a client and an operator do with a service from the order to its end; after each step the machine is looked at. */
async function day(t: Test, { api, names }: Lxd, shop: Shop, client: Client, next: (step: string) => void) {
  const { order, ended, service, act, call, operate } = shop;
  next('order');
  const ordered = await order('small', { image: 'busybox', hostname: 'shop.example.com', ssh_key: client.publicKey });
  const number: number = ordered.data.service_number;
  t.match(await ended(ordered), { request_status: 'completed' });
  const name = `vps-${number}`;
  const { access } = await service(number);
  t.match(access, { hostname: 'shop.example.com', username: 'root', ip_addresses: [/^10\.71\./] });
  const [address] = access.ip_addresses;
  const says = (what: string, command: string, pattern: RegExp) =>
    until(what, async () => pattern.test((await client.byKey(address, command)) ?? ''));
  await says('ssh by key works', 'hostname', /^shop\.example\.com$/);
  t.match(await client.byKey(address, 'nproc; echo mine > /root/data; sync'), /^1$/m);
  const processOf = async () => (await api('GET', `/1.0/instances/${name}/state`)).pid;
  t.equal(memoryOf(await processOf()), 256);

  next('password');
  t.match(await act(number, 'reset_password'), { request_status: 'completed' });
  const passwordOf = async () => (await call('GET', `/services/${number}/credentials`)).data.credentials[0].password;
  const password = await passwordOf();
  t.equal(await client.byPassword(address, password, 'cat /root/data'), 'mine');
  await act(number, 'reset_password');
  t.equal(await client.byPassword(address, password, 'true'), undefined, 'the password of before is refused');
  t.equal(await client.byPassword(address, await passwordOf(), 'cat /root/data'), 'mine');

  next('reboot');
  const before = await processOf();
  t.match(await act(number, 'reboot'), { request_status: 'completed' });
  t.not(await processOf(), before);
  await says('it is back, with its data', 'cat /root/data', /^mine$/);

  next('stop');
  t.match(await act(number, 'stop'), { request_status: 'completed' });
  t.equal(await processOf(), 0);
  next('start');
  t.match(await act(number, 'start'), { request_status: 'completed' });
  await says('it is on again', 'cat /root/data', /^mine$/);
  t.match(await act(number, 'console'), { request_status: 'completed' });
  t.match((await service(number)).access, {
    login_url: `https://console.example.com/local/${name}`,
    ip_addresses: [address],
  });

  next('suspension');
  const suspended = await call('POST', `/services/${number}/suspend`, { reason: 'late' });
  const resumed = await call('POST', `/services/${number}/unsuspend`, {});
  for (const answer of [suspended, resumed]) t.match(await ended(answer), { request_status: 'completed' });
  t.match(await service(number), { service_status: 'active' });
  await says('suspended and resumed at once, it runs', 'cat /root/data', /^mine$/);

  next('upgrade');
  t.match(await ended(await call('POST', `/services/${number}/upgrade`, { new_plan: 'large' })), {
    request_status: 'completed',
  });
  t.match(await client.byKey(address, 'nproc'), /^2$/);
  t.equal(memoryOf(await processOf()), 512);
  t.equal((await api('GET', `/1.0/instances/${name}`)).devices.root.size, '2GiB');

  next('reinstall');
  t.match(await act(number, 'reinstall', { image: 'debian' }), { request_status: 'completed' });
  t.match(await service(number), { access: { ip_addresses: [address] }, configuration: { image: 'debian' } });
  await says('the other system is there', 'cat /etc/os-release', /Debian/);
  t.equal(await client.byKey(address, 'ls /root'), '', 'its data is gone');
  t.match(await client.byKey(address, 'hostname; nproc'), /^shop\.example\.com\n2$/);
  await until(
    'the password works in the new system',
    async () => (await client.byPassword(address, await passwordOf(), 'true')) !== undefined,
  );
  t.strictSame(await names(), [name]);

  next('operator');
  await operate('services', 'suspend', String(number), '--reason', 'abuse');
  await until('the operator’s suspension has stopped it', async () => (await processOf()) === 0);
  t.match(await call('POST', `/services/${number}/actions`, { action: 'start' }), { error: { code: 'invalid_state' } });
  next('resume');
  await operate('services', 'resume', String(number));
  await until('its end has started it', async () => (await processOf()) !== 0);

  next('cancellation');
  const cancelled = await call('POST', `/services/${number}/cancel`, {
    cancellation_type: 'immediate',
    reason: 'over',
  });
  t.match(await ended(cancelled), { request_status: 'completed' });
  t.match(await service(number), { access: null });
  t.strictSame(await names(), [], 'nothing is left');
  const { devices } = await api('GET', '/1.0/storage-pools/quota/volumes?recursion=1').then((volumes) => ({
    devices: volumes.filter(({ type }: { type: string }) => type === 'container'),
  }));
  t.strictSame(devices, [], 'nor a disk');
}

/** What failed says why, in words of the connector's log. */
async function withLog(t: Test, shop: Shop, run: () => Promise<void>) {
  try {
    await run();
  } catch (error) {
    t.error(error);
  }
  await lxd?.clear();
  const words = shop
    .log()
    .split('\n')
    .filter((line) => !line.startsWith('{'));
  if (!t.passing()) t.comment(words.join('\n').slice(-6000));
}

const isChange = ({ method }: Call) => method !== 'GET';

if (lxd) {
  t.test('a day on a real container', async (t) => {
    const [shop, client] = [await openShop(t, lxd.socket, PLANS), await createClient(t, lxd)];
    await withLog(t, shop, () => day(t, lxd, shop, client, () => undefined));
  });

  t.test('the same day where each answer is lost once, of the connector’s and of LXD’s', async (t) => {
    const [shop, client] = [await openShop(t, lxd.socket, PLANS), await createClient(t, lxd)];
    const lost = new Set<string>();
    let step = '';
    const once = (key: string) => !lost.has(key) && lost.add(key) !== undefined;
    shop.faults.isAnswerLost = ({ body, answer }) => {
      const { request_id: id, type } = JSON.parse(body);
      return type !== 'credentials' && once(`${id} ${JSON.parse(answer).outcome}`);
    };
    shop.faults.isLxdAnswerLost = (call) => isChange(call) && once(`${step} ${call.method} ${call.path}`);
    const next = (name: string) => {
      step = name;
    };
    await withLog(t, shop, () => day(t, lxd, shop, client, next));
    t.ok(lost.size > 40, 'answers were lost in every step');
  });

  t.test('the same day where the connector is killed in the middle of each kind of work', async (t) => {
    const [shop, client] = [await openShop(t, lxd.socket, PLANS), await createClient(t, lxd)];
    const killed: string[] = [];
    let step = '';
    let changes = 0;
    // In each step at its first change of LXD, and after the restart at the second one.
    shop.faults.isLxdAnswerLost = async (call) => {
      if (!isChange(call)) return false;
      changes += 1;
      const lives = killed.filter((name) => name === step).length;
      if (lives === 2 || changes !== lives + 1) return false;
      killed.push(step);
      changes = 0;
      await shop.killConnector();
      await shop.startConnector();
      return true;
    };
    const next = (name: string) => {
      step = name;
      changes = 0;
    };
    await withLog(t, shop, () => day(t, lxd, shop, client, next));
    t.ok(new Set(killed).size > 9, 'in every step');
  });

  t.test('twenty orders at once become twenty machines, and their cancellations leave none', async (t) => {
    const shop = await openShop(t, lxd.socket, PLANS);
    await withLog(t, shop, async () => {
      const orders = await Promise.all(Array.from({ length: 20 }, () => shop.order('small')));
      const numbers: number[] = orders.map(({ data }) => data.service_number);
      for (const order of orders) t.match(await shop.ended(order), { request_status: 'completed' });
      t.strictSame(await lxd.names(), numbers.map((number) => `vps-${number}`).sort());
      const services = await Promise.all(numbers.map(shop.service));
      t.equal(new Set(services.map(({ access }) => access.ip_addresses[0])).size, 20);
      const cancel = (number: number) =>
        shop.call('POST', `/services/${number}/cancel`, { cancellation_type: 'immediate', reason: 'over' });
      for (const end of await Promise.all(numbers.map(cancel)))
        t.match(await shop.ended(end), { request_status: 'completed' });
      t.strictSame(await lxd.names(), []);
    });
  });

  t.test('what cannot be sold fails at once with its reason, and leaves nothing', async (t) => {
    const shop = await openShop(t, lxd.socket, PLANS);
    await withLog(t, shop, async () => {
      const reasonOf = async (plan: string, configuration = {}) =>
        (await shop.ended(await shop.order(plan, configuration))).failure?.reason;
      t.equal(await reasonOf('small', { image: 'nowhere' }), 'image_unknown');
      t.equal(await reasonOf('unheld'), 'plan_not_set_up', 'a pool that holds no sizes');
      t.equal(await reasonOf('away'), 'plan_not_set_up', 'an image that LXD has not');
      t.equal(await reasonOf('refused'), 'plan_not_set_up', 'IPv6 addresses on a network without DHCP for them');
      t.match(shop.log(), /has no image gone/, 'which the operator reads in the log');
      t.strictSame(await lxd.names(), []);
    });
  });

  t.test('fixed addresses come from the pool, stay over a reinstallation and rest after the end', async (t) => {
    const shop = await openShop(t, lxd.socket, PLANS);
    await withLog(t, shop, async () => {
      const order = async () => {
        const ordered = await shop.order('fixed', { ssh_key: client.publicKey });
        return { end: await shop.ended(ordered), number: ordered.data.service_number };
      };
      const client = await createClient(t, lxd);
      const [first, second] = [await order(), await order()];
      const addressesOf = async (number: number) => (await shop.service(number)).access.ip_addresses;
      t.match(await addressesOf(first.number), ['10.71.0.50']);
      t.match(await addressesOf(second.number), ['10.71.0.51']);
      t.match((await order()).end, { failure: { reason: 'no_capacity' } });
      t.match(await shop.act(first.number, 'reinstall'), { request_status: 'completed' });
      t.match(await addressesOf(first.number), ['10.71.0.50']);
      await until('ssh works', async () => (await client.byKey('10.71.0.50', 'true')) === '');
      const path = `/services/${second.number}/cancel`;
      await shop.ended(await shop.call('POST', path, { cancellation_type: 'immediate', reason: 'over' }));
      t.match((await order()).end, { failure: { reason: 'no_capacity' } }, 'nobody gets it so soon');
    });
  });

  t.test('a machine whose plan waits for both families is done when it has both', async (t) => {
    const shop = await openShop(t, lxd.socket, PLANS);
    await withLog(t, shop, async () => {
      const ordered = await shop.order('both');
      await shop.ended(ordered);
      const { access } = await shop.service(ordered.data.service_number);
      t.match(access.ip_addresses, [/^10\.71\./, /^fd71:/]);
    });
  });

  t.test('a creation whose end stays unknown is cleaned up', async (t) => {
    const shop = await openShop(t, lxd.socket, PLANS);
    await withLog(t, shop, async () => {
      shop.faults.isAnswerLost = ({ body }) => JSON.parse(body).type === 'service-creation';
      const ordered = await shop.order('small');
      const name = `vps-${ordered.data.service_number}`;
      await until('the machine runs', async () => {
        const names = await lxd.names();
        return names.includes(name) && (await lxd.api('GET', `/1.0/instances/${name}`)).status === 'Running';
      });
      // Its last attempt, which is some nine hours away; a call that is open writes its own count.
      await until('the last attempt is over', async () => {
        shop.exhaust(ordered.data.request_id);
        return (await shop.call('GET', `/requests/${ordered.data.request_id}`)).data.is_final;
      });
      t.match(await shop.ended(ordered), { failure: { reason: 'outcome_unknown' } });
      await until('nothing is left', async () => (await lxd.names()).length === 0);
      await until(
        'the service has ended',
        async () => (await shop.service(ordered.data.service_number)).service_status === 'terminated',
      );
    });
  });

  t.test('no late repeat starts a machine that is suspended, whatever it repeats', async (t) => {
    const shop = await openShop(t, lxd.socket, PLANS);
    await withLog(t, shop, async () => {
      const calls: Call[] = [];
      shop.faults.isAnswerLost = (call) => {
        calls.push(call);
        return false;
      };
      const ordered = await shop.order('small');
      await shop.ended(ordered);
      const number: number = ordered.data.service_number;
      for (const action of ['stop', 'start', 'reboot', 'reinstall']) await shop.act(number, action);
      for (const path of ['suspend', 'unsuspend', 'suspend'])
        await shop.ended(await shop.call('POST', `/services/${number}/${path}`, {}));
      const statusOf = async () => (await lxd.api('GET', `/1.0/instances/vps-${number}`)).status;
      t.equal(await statusOf(), 'Stopped');
      // Another process, which remembers no answer.
      await shop.killConnector();
      await shop.startConnector();
      const last = new Map(calls.map((call) => [call.key, call]));
      t.equal(last.size, 8);
      for (const call of last.values()) {
        t.match((await shop.repeat(call)).outcome, /done|failed/);
        t.equal(await statusOf(), 'Stopped');
      }
    });
  });

  t.test('over HTTPS with a client certificate it does the same, and trusts no other server', async (t) => {
    const folder = mkdtempSync(join(tmpdir(), 'broker-tls-'));
    t.teardown(() => rmSync(folder, { recursive: true }));
    const { certFile, keyFile } = makeCertificate(folder);
    const certificate = readFileSync(certFile, 'utf8').replace(/-----[^-]*-----|\s/g, '');
    await lxd.api('POST', '/1.0/certificates', { type: 'client', name: 'connector', certificate });
    const { environment } = await lxd.api('GET', '/1.0');
    writeFileSync(join(folder, 'lxd.crt'), environment.certificate);
    const port = await lxd.reachable(t, 8443);
    const hosts = (server: string) => (to: string) => {
      const own = { url: `https://127.0.0.1:${port}`, certificate: server };
      const client = { client_certificate: certFile, client_key: keyFile };
      writeFileSync(join(to, 'hosts.json'), JSON.stringify({ far: { ...own, ...client } }));
      return { LXD_HOSTS: join(to, 'hosts.json') };
    };
    const shop = await openShop(t, lxd.socket, PLANS, hosts(join(folder, 'lxd.crt')));
    await withLog(t, shop, async () => {
      const ordered = await shop.order('small');
      t.match(await shop.ended(ordered), { request_status: 'completed' });
      const number = ordered.data.service_number;
      t.match(await shop.act(number, 'reboot'), { request_status: 'completed' });
      const end = await shop.call('POST', `/services/${number}/cancel`, {
        cancellation_type: 'immediate',
        reason: 'over',
      });
      t.match(await shop.ended(end), { request_status: 'completed' });
      t.strictSame(await lxd.names(), []);
    });
    const other = await openShop(t, lxd.socket, PLANS, hosts(certFile));
    await other.order('small');
    await until('the connector says why', () => /certificate/i.test(other.log()));
    t.strictSame(await lxd.names(), []);
  });

  t.test('disk and traffic reach the operator’s API, added up over restarts, and orphans are found', async (t) => {
    const shop = await openShop(t, lxd.socket, PLANS);
    const client = await createClient(t, lxd);
    await withLog(t, shop, async () => {
      const ordered = await shop.order('small', { ssh_key: client.publicKey });
      await shop.ended(ordered);
      const number: number = ordered.data.service_number;
      const [address] = (await shop.service(number)).access.ip_addresses;
      const secret = await shop.operate('ops-keys', 'create', '--name', 'Nightly', '--role', 'admin', '--json');
      const { key: OPERATOR_KEY } = JSON.parse(secret);
      const env = {
        OPERATOR_URL: `http://localhost:${shop.consolePort}/operator/v1`,
        OPERATOR_KEY,
        LXD_SOCKET: lxd.socket,
      };
      const nightly = async (...words: string[]) =>
        (await run(process.execPath, [join(shop.connectorFolder, 'consumption.mjs'), ...words], { env })).stdout;
      const consumed = async () => {
        t.match(await nightly(), /1 measurements sent/);
        const { data } = await shop.call('GET', `/consumption?service_number=${number}`);
        return { disk: Number(data[0].disk_gb_used), traffic: Number(data[0].transfer_gb_used) };
      };
      await until('ssh works', async () => (await client.byKey(address, 'true')) === '');
      await client.byKey(
        address,
        'head -c 40000000 /dev/urandom > /root/data; sync; head -c 600000 /dev/urandom | base64',
      );
      await until('the disk is counted', async () => (await consumed()).disk > 0.02);
      const before = await consumed();
      t.ok(before.traffic > 0.0006);
      await shop.act(number, 'reboot');
      t.ok((await consumed()).traffic >= before.traffic, 'a restart makes no traffic free');
      await shop.operate('services', 'set', String(number), '--status', 'terminated', '--yes');
      t.match(await nightly('--remove'), new RegExp(`local/vps-${number} belongs to no service: removed`));
      t.strictSame(await lxd.names(), []);
    });
  });

  t.test('the README’s commands end in a machine that was sold', async (t) => {
    const folder = mkdtempSync(join(tmpdir(), 'broker-readme-lxd-'));
    t.teardown(() => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }));
    await run('ssh-keygen', ['-q', '-t', 'ed25519', '-N', '', '-f', join(folder, 'key')]);
    mkdirSync(join(folder, '.ssh'));
    for (const end of ['', '.pub']) renameSync(join(folder, `key${end}`), join(folder, `.ssh/id_ed25519${end}`));
    // `ssh` in the containers' network, with what belongs to this reader.
    // By its path: the name is the script's own.
    const ssh = lxd.inside('/usr/bin/ssh', '-i', `${folder}/.ssh/id_ed25519`, '-o', 'UserKnownHostsFile=/dev/null');
    writeFileSync(join(folder, 'ssh'), `#!/bin/sh\nexec ${ssh.join(' ')} "$@"\n`, { mode: 0o755 });
    const [start, order] = blocksOf('README.md').filter(({ needs }) => needs.includes('lxd'));
    t.equal(start?.code, 'npm ci && npm run lxd\n');
    const env = { PATH: `${folder}:${process.env.PATH}`, HOME: folder };
    const port = await freePort();
    const nothing = spawnSync(process.execPath, [resolve('tools/lxd.mjs')], {
      cwd: folder,
      env: { ...env, LXD_SOCKET: join(folder, 'none') },
      encoding: 'utf8',
    });
    t.match(nothing, { status: 1, stderr: /Install one/ }, 'without LXD it says what to install');
    const shop = spawn(process.execPath, [resolve('tools/lxd.mjs')], {
      cwd: folder,
      env: { ...env, LXD_SOCKET: lxd.socket, LXD_IMAGES: 'debian busybox', PORT: String(port), CONSOLE_PORT: 'off' },
    });
    let said = '';
    for (const stream of [shop.stdout, shop.stderr]) {
      stream.on('data', (chunk) => {
        said += chunk;
      });
    }
    t.teardown(async () => {
      shop.kill();
      await once(shop, 'exit');
      await lxd.clear();
    });
    await until('the plan is on sale', () => {
      if (shop.exitCode !== null) throw new Error(said);
      return said.includes('"lxd-small" is on sale');
    });
    const code = `set -eu\n${order?.code.replace('127.0.0.1:3000', `127.0.0.1:${port}`)}`
      // Its SSH server may need a moment more.
      .replace(/^ssh /m, 'until ssh ')
      .replace(/ hostname$/m, ' hostname; do sleep 0.2; done');
    const { stdout } = await run('sh', ['-c', code], { env, timeout: 200_000 });
    t.equal(stdout.trim(), 'shop.example.com');
  });
}
