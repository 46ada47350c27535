import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer, type RequestListener } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import t, { type Test } from 'tap';
import type { ProvisionedPlan, Work } from '../../src/ports.ts';
import type { ServiceRecord } from '../../src/records.ts';
import { NUMBER, startConnector } from '../support/connector.ts';
import { makeCertificate } from '../support/tls.ts';

/**
 * The Proxmox connector, against a stand-in whose parameters, patterns, texts and states are those that were seen of Proxmox
 * VE 9.2's own code (qemu-server 9.2.6, pve-http-server 6.0.5).
 */

const TOKEN = 'broker@pve!api=token-of-the-test';
const ADDRESS = '192.0.2.10';

type Fields = Record<string, string>;

interface Vm {
  config: Fields;
  pending: Fields;
  lock?: string;
  pid: number;
  boots: number;
  password?: string;
}

interface Task {
  upid: string;
  vmid: string;
  turns: number;
  exitstatus: string;
  end?: () => void;
}

/** The parameters of each change that the connector may make. Proxmox refuses any other one. */
const PARAMETERS: Record<string, RegExp> = {
  'POST /clone': /^(newid|name|description|storage|full|pool|target)$/,
  'PUT /config':
    /^(cores|memory|name|description|tags|onboot|ciuser|cipassword|nameserver|searchdomain|sshkeys|net\d|ipconfig\d)$/,
  'PUT /resize': /^(disk|size)$/,
  'POST /status/start': /^$/,
  'POST /status/stop': /^$/,
  'POST /status/shutdown': /^(forceStop|timeout)$/,
  'POST /status/reboot': /^timeout$/,
  'POST /agent/set-user-password': /^(username|password)$/,
};
const PATTERNS: Record<string, RegExp> = {
  name: /^[a-z0-9]([a-z0-9-]*[a-z0-9])?(\.[a-z0-9]([a-z0-9-]*[a-z0-9])?)*$/i,
  onboot: /^[01]$/,
  full: /^[01]$/,
  forceStop: /^[01]$/,
  cores: /^[1-9]\d*$/,
  memory: /^[1-9]\d*$/,
  timeout: /^\d+$/,
  size: /^\+?\d+(\.\d+)?[KMGT]?$/,
  sshkeys: /^[\w%.~*'()!-]+$/,
  ipconfig0: /^(ip6?|gw6?)=[^,=]+(,(ip6?|gw6?)=[^,=]+)*$/,
};
const MESSAGES: Record<string, string> = { sshkeys: 'invalid urlencoded string' };

/** A key as ssh-keygen reads it: its body begins with its type, and ends where its last field does. */
function isKey(line: string): boolean {
  const [type = '', body = ''] = line.split(' ');
  const bytes = Buffer.from(body, 'base64');
  let at = 0;
  for (let fields = 0; at + 4 <= bytes.length; fields += 1) {
    const end = at + 4 + bytes.readUInt32BE(at);
    if (fields === 0 && bytes.toString('latin1', at + 4, end) !== type) return false;
    at = end;
  }
  return at === bytes.length && at > 0;
}

class Refusal extends Error {
  constructor(
    readonly status: number,
    message: string,
    readonly errors?: object,
  ) {
    super(message);
  }
}

/** Proxmox with one template, 9000. A task goes on with each call, and ends with the sixth. */
async function startProxmox(t: Test, certificate?: { certFile: string; keyFile: string }) {
  const vms = new Map<string, Vm>();
  const tasks: Task[] = [];
  const calls: string[] = [];
  const state = {
    /** Calls whose work is done and whose answer is lost. */
    lose: [] as RegExp[],
    /** Calls that are refused once. */
    refuse: [] as Array<[RegExp, Refusal]>,
    /** How the next tasks of a type end, instead of in success. */
    fail: [] as Array<[type: string, exitstatus: string]>,
    /** Whether every other answer to a change is lost, the first one included. */
    isLossy: false,
    agentIsUp: true,
    guestRefuses: false,
    seesVms: true,
    /** Whether the program that reports of VMs runs. */
    hasStatus: true,
    templateSize: '10G',
    bridges: ['vmbr0'],
    pids: 100,
  };
  const template = () => ({
    agent: '1',
    net0: 'virtio=BC:24:11:00:00:01,bridge=vmbr0',
    scsi0: `local:base-9000,size=${state.templateSize}`,
  });

  function begin(type: string, vmid: string, end: () => void) {
    const at = state.fail.findIndex(([failing]) => failing === type);
    const [[, exitstatus] = ['', 'OK']] = at < 0 ? [] : state.fail.splice(at, 1);
    const upid = `UPID:pve1:0000A1B2:00C3D4E5:${tasks.length.toString(16).padStart(8, '0')}:${type}:${vmid}:broker@pve!api:`;
    tasks.push({ upid, vmid, turns: 0, exitstatus, ...(/^(OK|WARN)/.test(exitstatus) && { end }) });
    return upid;
  }

  function check(known: RegExp, form: Fields) {
    const faults = Object.entries(form).flatMap(([name, value]) => {
      if (!known.test(name)) return [[name, 'property is not defined in schema and the schema does not allow it']];
      return PATTERNS[name]?.test(value) === false
        ? [[name, MESSAGES[name] ?? 'value does not match the pattern']]
        : [];
    });
    if (faults.length > 0) throw new Refusal(400, 'Parameter verification failed.', Object.fromEntries(faults));
  }

  const isRunningStill = ({ turns }: Task) => turns < 6;

  function goOn() {
    for (const task of tasks.filter(isRunningStill)) {
      task.turns += 1;
      if (!isRunningStill(task)) task.end?.();
    }
  }

  function boot(vm: Vm) {
    Object.assign(vm.config, vm.pending);
    vm.pending = {};
    state.pids += 1;
    vm.pid = state.pids;
    vm.boots += 1;
  }

  function answer(method: string, path: string, query: URLSearchParams, form: Fields): unknown {
    if (path === '/cluster/resources') {
      return [
        ...(state.seesVms ? [{ vmid: 9000, node: 'pve1', type: 'qemu', template: 1 }] : []),
        ...(state.seesVms
          ? [...vms].map(([vmid, { lock, pid }]) => ({
              vmid: Number(vmid),
              node: 'pve1',
              type: 'qemu',
              template: 0,
              lock,
              status: pid === 0 ? 'stopped' : 'running',
            }))
          : []),
      ].map((vm) => (state.hasStatus ? vm : { vmid: vm.vmid, node: vm.node, type: vm.type, status: 'unknown' }));
    }
    const [, upid] = /^\/nodes\/pve1\/tasks\/([^/]+)\/status$/.exec(path) ?? [];
    if (upid) {
      const task = tasks.find((one) => one.upid === decodeURIComponent(upid));
      if (!task) throw new Refusal(400, 'no such task');
      return isRunningStill(task) ? { status: 'running' } : { status: 'stopped', exitstatus: task.exitstatus };
    }
    if (path === '/nodes/pve1/tasks') {
      const own = tasks.filter(({ vmid }) => vmid === query.get('vmid'));
      return own.map((task) => ({
        upid: task.upid,
        type: task.upid.split(':')[5],
        ...(!isRunningStill(task) && { endtime: 1 }),
      }));
    }
    const [, node = '', vmid = '', rest = ''] = /^\/nodes\/([^/]+)\/qemu\/(\d+)(.*)$/.exec(path) ?? [];
    if (node && node !== 'pve1') {
      throw new Refusal(500, `hostname lookup '${node}' failed - failed to get address info for: ${node}`);
    }
    const known = PARAMETERS[`${method} ${rest}`];
    if (known) check(known, form);
    if (rest === '/clone') {
      const { newid = '', name = '', description = '', storage, full } = form;
      if (vmid !== '9000') {
        throw new Refusal(500, `Configuration file 'nodes/pve1/qemu-server/${vmid}.conf' does not exist`);
      }
      if (storage && storage !== 'local') throw new Refusal(500, `storage '${storage}' does not exist`);
      if (storage && full !== '1') throw new Refusal(500, 'Linked clones do not take a storage');
      if (vms.has(newid)) throw new Refusal(500, `unable to create VM ${newid}: config file already exists`);
      const vm: Vm = { config: {}, pending: {}, lock: 'clone', pid: 0, boots: 0 };
      vms.set(newid, vm);
      const type = state.fail[0]?.[0];
      const task = begin('qmclone', vmid, () => {
        vm.config = { ...template(), name, description };
        delete vm.lock;
      });
      if (type === 'qmclone') vms.delete(newid);
      return task;
    }
    const vm = vms.get(vmid);
    if (!vm) throw new Refusal(500, `Configuration file 'nodes/pve1/qemu-server/${vmid}.conf' does not exist`);
    const isRunning = vm.pid !== 0;
    const off = () => {
      vm.pid = 0;
    };
    switch (`${method} ${rest}`) {
      case 'GET /config':
        return { ...vm.config, ...vm.pending, ...(vm.lock && { lock: vm.lock }) };
      case 'GET /status/current':
        return { status: isRunning ? 'running' : 'stopped', ...(isRunning && { pid: vm.pid }) };
      case 'GET /pending':
        return Object.entries(vm.config).map(([key, value]) => ({
          key,
          value,
          ...(key in vm.pending && { pending: vm.pending[key] }),
        }));
    }
    if (vm.lock) throw new Refusal(500, `VM is locked (${vm.lock})`);
    switch (`${method} ${rest}`) {
      case 'PUT /config': {
        if (form.sshkeys && !decodeURIComponent(form.sshkeys).split('\n').every(isKey)) {
          throw new Refusal(500, 'SSH public key validation error');
        }
        const { cores, memory, ...atOnce } = form;
        Object.assign(vm.config, atOnce);
        const sizes = { ...(cores && { cores }), ...(memory && { memory }) };
        Object.assign(isRunning ? vm.pending : vm.config, sizes);
        return null;
      }
      case 'PUT /resize':
        return begin('resize', vmid, () => {
          vm.config.scsi0 = `local:vm-${vmid},size=${form.size}`;
        });
      case 'POST /status/start': {
        const [, bridge = ''] = /bridge=(\w+)/.exec(vm.config.net0 ?? '') ?? [];
        if (!state.bridges.includes(bridge)) state.fail.push(['qmstart', `bridge '${bridge}' does not exist`]);
        return begin('qmstart', vmid, () => boot(vm));
      }
      case 'POST /status/stop':
        return begin('qmstop', vmid, off);
      case 'POST /status/shutdown':
        return begin('qmshutdown', vmid, off);
      case 'POST /status/reboot':
        if (!isRunning) throw new Refusal(500, `VM ${vmid} not running`);
        return begin('qmreboot', vmid, () => boot(vm));
      case 'GET /agent/network-get-interfaces':
        if (!state.agentIsUp) throw new Refusal(500, 'QEMU guest agent is not running');
        return {
          result: [
            { 'hardware-address': '00:00:00:00:00:00', 'ip-addresses': [{ 'ip-address': '127.0.0.1' }] },
            { 'hardware-address': '02:42:00:00:00:01' },
            {
              'hardware-address': (/[0-9a-f:]{17}/i.exec(vm.config.net0 ?? '')?.[0] ?? '').toLowerCase(),
              'ip-addresses': [{ 'ip-address': ADDRESS }, { 'ip-address': 'fe80::1' }],
            },
          ],
        };
      case 'POST /agent/set-user-password':
        if (!state.agentIsUp) throw new Refusal(500, 'QEMU guest agent is not running');
        if (state.guestRefuses) throw new Refusal(500, 'Agent error: child process has failed to set user password');
        vm.password = form.password ?? '';
        return null;
      case 'DELETE ':
        if (isRunning) throw new Refusal(500, `VM ${vmid} is running - destroy failed`);
        return begin('qmdestroy', vmid, () => vms.delete(vmid));
    }
    throw new Refusal(501, `Method '${method} ${path}' not implemented`);
  }

  const listener: RequestListener = async (request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '', 'http://localhost');
    const path = pathname.replace('/api2/json', '');
    const call = `${request.method} ${path}`;
    const form = Object.fromEntries(new URLSearchParams(await text(request)));
    if (request.method !== 'GET') calls.push(call.replace('/nodes/pve1/qemu/', ''));
    try {
      if (request.headers.authorization !== `PVEAPIToken=${TOKEN}`) throw new Refusal(401, 'No ticket');
      const refused = state.refuse.findIndex(([pattern]) => pattern.test(call));
      goOn();
      if (refused >= 0) throw state.refuse.splice(refused, 1)[0]?.[1];
      const data = answer(request.method ?? '', path, searchParams, form);
      const lost = state.lose.findIndex((pattern) => pattern.test(call));
      const isLost = state.isLossy && request.method !== 'GET' && calls.length % 2 === 1;
      if (isLost || lost >= 0) {
        if (lost >= 0) state.lose.splice(lost, 1);
        return request.socket.destroy();
      }
      response.end(JSON.stringify({ data }));
    } catch (error) {
      const { status = 500, message, errors } = error as Refusal;
      response.writeHead(status, message).end(JSON.stringify({ data: null, errors }));
    }
  };
  const server = certificate
    ? createTlsServer({ cert: readFileSync(certificate.certFile), key: readFileSync(certificate.keyFile) }, listener)
    : createServer(listener);
  server.listen(0, 'localhost');
  await once(server, 'listening');
  t.teardown(() => {
    server.closeAllConnections();
    server.close();
  });
  const scheme = certificate ? 'https' : 'http';
  return { url: `${scheme}://localhost:${(server.address() as AddressInfo).port}`, vms, tasks, calls, state };
}

const PLAN = {
  slug: 'vps',
  specifications: { vcpu: 2, memory_mb: 2048, disk_gb: 20, transfer_gb: null },
  options: [{ name: 'hostname' }],
  provisioning: { node: 'pve1', template: 9000, images: { 'debian-13': 9000 }, bridge: 'vmbr0' },
} as unknown as ProvisionedPlan;

const sized = (specifications: object) =>
  ({ ...PLAN, specifications: { ...PLAN.specifications, ...specifications } }) as ProvisionedPlan;

async function setup(
  t: Test,
  environment: Record<string, string> = {},
  certificate?: ReturnType<typeof makeCertificate>,
) {
  const proxmox = await startProxmox(t, certificate);
  const connector = await startConnector(t, 'proxmox', PLAN, {
    PROXMOX_URL: proxmox.url,
    PROXMOX_TOKEN: TOKEN,
    PASSWORD_KEY: 'password-key',
    ...environment,
  });
  return { ...proxmox, ...connector, vm: () => proxmox.vms.get(String(NUMBER)) as Vm };
}

/** With a comment that YAML would read as a mapping. */
const [TYPE, BODY] = ['ssh-ed25519', keyBody('ssh-ed25519', 32)];
const KEY = `${TYPE} ${BODY} ada@host: laptop`;

function keyBody(type: string, length: number): string {
  const field = (content: Buffer) => Buffer.concat([Buffer.from([0, 0, 0, content.length]), content]);
  return Buffer.concat([field(Buffer.from(type)), field(Buffer.alloc(length, 7))]).toString('base64');
}

const count = (calls: string[], part: string) => calls.filter((call) => call.includes(part)).length;

t.test('a VM is cloned, set up by cloud-init, enlarged and started, and done once it has an address', async (t) => {
  const { create, vm, state, call, calls } = await setup(t);
  const silent: [RegExp, Refusal] = [/network-get/, new Refusal(500, 'QEMU guest agent is not running')];
  state.refuse = [silent, silent];
  const first = await call('req_1', 'service-creation', { new_plan: PLAN });
  t.match(first, { outcome: 'in_progress', token: /^UPID:pve1:.*:qmclone:9000:/ });
  t.match(await create({ hostname: 'shop.example.com', ssh_key: KEY, image: 'debian-13' }), {
    outcome: 'done',
    access: { hostname: 'shop.example.com', ip_addresses: [ADDRESS], username: 'root', login_url: null },
    configuration: { hostname: 'shop.example.com' },
    reference: `pve1/${NUMBER}`,
  });
  t.match(vm(), {
    boots: 1,
    config: {
      cores: '2',
      memory: '2048',
      name: 'shop.example.com',
      onboot: '1',
      ciuser: 'root',
      ipconfig0: 'ip=dhcp',
      scsi0: /size=20G/,
      sshkeys: encodeURIComponent(`${TYPE} ${BODY}`),
      net0: 'virtio=02:00:00:0f:42:51,bridge=vmbr0',
    },
  });
  t.equal(count(calls, '/clone'), 1);
});

t.test('no answer that is lost and no lock makes a second VM or a second restart', async (t) => {
  const { create, act, state, calls, vms, vm } = await setup(t);
  state.lose = [/\/clone/, /PUT .*config/, /resize/, /start$/, /reboot/];
  state.refuse = [
    [/PUT .*config/, new Refusal(500, "can't lock file '/var/lock/qemu-server/lock-1.conf' - got timeout")],
    [/GET .*config/, new Refusal(595, 'Connection refused')],
  ];
  t.match(await create(), { outcome: 'done', access: { ip_addresses: [ADDRESS] } });
  t.match(await act('req_2', 'reboot'), { outcome: 'done' });
  t.equal(vms.size, 1);
  t.strictSame([count(calls, '/clone'), count(calls, '/start'), count(calls, '/reboot'), vm().boots], [1, 1, 1, 2]);
  await act('req_2', 'reboot');
  t.equal(vm().boots, 2, 'the repeat of a restart restarts nothing');
});

t.test('a day on a line that loses every other answer leaves what it should, and nothing in the end', async (t) => {
  const { create, act, fulfil, state, vms, vm, calls } = await setup(t);
  state.isLossy = true;
  t.match(await create(), { outcome: 'done' });
  const larger = sized({ vcpu: 4, disk_gb: 40 });
  t.match(await fulfil('req_2', 'plan-upgrade', { new_plan: larger }), { outcome: 'done' });
  t.match(await fulfil('req_3', 'service-suspension'), { outcome: 'done' });
  t.match(await fulfil('req_4', 'service-unsuspension'), { outcome: 'done' });
  t.match(await act('req_5', 'reboot'), { outcome: 'done' });
  t.match(vm(), { boots: 4, config: { cores: '4', scsi0: /size=40G/, onboot: '1' } });
  t.match(await act('req_6', 'reset_password'), { outcome: 'done' });
  t.match(await act('req_7', 'reinstall', { plan: larger }), { outcome: 'done', access: { ip_addresses: [ADDRESS] } });
  t.match(vm(), { boots: 1, config: { cores: '4', scsi0: /size=40G/ } });
  t.strictSame([count(calls, '/clone'), count(calls, 'DELETE'), vms.size], [2, 1, 1]);
  t.match(await fulfil('req_8', 'cancellation'), { outcome: 'done' });
  t.equal(vms.size, 0);
});

t.test('a backup of others is waited for, however it ends; an open console is not', async (t) => {
  const { create, fulfil, call, tasks, vm, calls } = await setup(t);
  await create();
  const upid = `UPID:pve1:0000FFFF:00C3D4E5:0000FFFF:vzdump:${NUMBER}:root@pam:`;
  tasks.push({ upid, vmid: String(NUMBER), turns: 0, exitstatus: 'job errors' });
  const opened = `UPID:pve1:0000EEEE:00C3D4E5:0000EEEE:vncproxy:${NUMBER}:root@pam:`;
  tasks.push({ upid: opened, vmid: String(NUMBER), turns: Number.NEGATIVE_INFINITY, exitstatus: 'OK' });
  const before = calls.length;
  t.match(await call('req_2', 'service-suspension'), { outcome: 'in_progress' });
  t.equal(calls.length, before, 'nothing is changed meanwhile');
  t.match(await fulfil('req_2', 'service-suspension'), { outcome: 'done' });
  t.equal(vm().pid, 0);
});

t.test('a plan change whose disk cannot be enlarged fails, and the service stays usable', async (t) => {
  const { create, fulfil, state } = await setup(t);
  await create();
  state.fail = [['resize', 'out of space']];
  t.match(await fulfil('req_2', 'plan-upgrade', { new_plan: sized({ disk_gb: 40 }) }), {
    outcome: 'failed',
    reason: 'task_failed',
    serviceUsable: true,
    retryable: true,
  });
});

t.test('a suspended VM is off and stays off at boot, and its end starts it', async (t) => {
  const { create, fulfil, vm } = await setup(t);
  await create();
  t.match(await fulfil('req_2', 'service-suspension'), { outcome: 'done' });
  t.match(vm(), { pid: 0, config: { onboot: '0' } });
  t.match(await fulfil('req_3', 'service-unsuspension'), { outcome: 'done' });
  t.match(vm(), { boots: 2, config: { onboot: '1' } });
});

t.test('a plan change restarts for cores and memory, and a disk only grows', async (t) => {
  const { create, fulfil, vm, state } = await setup(t);
  await create();
  state.fail = [['qmreboot', 'VM quit/powerdown failed - got no answer']];
  const larger = sized({ vcpu: 4, memory_mb: 4096, disk_gb: 40 });
  t.match(await fulfil('req_2', 'plan-upgrade', { new_plan: larger }), { outcome: 'done' });
  t.match(vm(), { boots: 2, pending: {}, config: { cores: '4', memory: '4096', scsi0: /size=40G/ } });
  t.match(await fulfil('req_3', 'plan-downgrade', { new_plan: PLAN }), {
    outcome: 'failed',
    reason: 'disk_cannot_shrink',
    serviceUsable: true,
  });
  t.match(vm(), { boots: 2, config: { cores: '4' } }, 'nothing is changed then');
});

t.test('actions start, stop, reinstall and name the console', async (t) => {
  const { create, act, vm, vms } = await setup(t);
  await create({ hostname: 'shop.example.com' });
  t.match(await act('req_2', 'stop'), { outcome: 'done' });
  t.equal(vm().pid, 0);
  t.match(await act('req_3', 'start'), { outcome: 'done' });
  const before = vm();
  const service = { configuration: { hostname: 'shop.example.com' } } as unknown as Work['service'];
  t.match(await act('req_4', 'reinstall', { service, configuration: { image: 'none' } }), { reason: 'image_unknown' });
  t.equal(vm(), before, 'nothing is destroyed for an image that is not there');
  t.match(await act('req_5', 'reinstall', { service }), { outcome: 'done', access: { hostname: 'shop.example.com' } });
  t.not(vm(), before);
  t.equal(vm().config.net0, before.config.net0);
  t.equal(vms.size, 1);
  t.match(await act('req_6', 'console'), { outcome: 'failed', reason: 'not_supported', serviceUsable: true });
  const plan = { ...PLAN, provisioning: { console_url: 'https://console.example.com/{node}/{vmid}' } };
  t.match(await act('req_7', 'console', { plan }), {
    access: { login_url: `https://console.example.com/pve1/${NUMBER}`, ip_addresses: [ADDRESS] },
  });
  t.match(await act('req_8', 'fly'), { reason: 'not_supported' });
});

t.test('a password is set by the guest agent, and read by whoever may ask', async (t) => {
  const { create, act, read, vm, state, log } = await setup(t);
  await create({ ssh_key: KEY });
  t.match(await read(), null);
  t.match(await act('req_2', 'reset_password'), { outcome: 'done' });
  const password = vm().password ?? '';
  t.match(await read(), [{ username: 'root', password }]);
  t.notMatch(JSON.stringify(vm().config) + log(), password);
  state.agentIsUp = false;
  t.match(await act('req_3', 'reset_password'), { reason: 'no_guest_agent', serviceUsable: true, retryable: true });
  t.match(await read(), [{ password }]);
});

t.test('nothing remains after a removal, also where the VM was gone before', async (t) => {
  const { create, fulfil, vms, state } = await setup(t);
  await create();
  state.fail = [['qmdestroy', 'protection mode enabled']];
  t.match(await fulfil('req_2', 'cancellation'), { outcome: 'done', access: null });
  t.equal(vms.size, 0);
  t.match(await fulfil('req_2', 'cancellation'), { outcome: 'done' });
  t.match(await create(), { outcome: 'failed', reason: 'service_cancelled' });
  t.match(await fulfil('req_3', 'service-suspension'), { outcome: 'failed', reason: 'service_not_found' });
});

t.test('a VM that was suspended while other work was under way is not started by it', async (t) => {
  const { create, act, fulfil, vm } = await setup(t);
  await create();
  const service = { service_status: 'suspended', configuration: {}, access: null } as unknown as ServiceRecord;
  await fulfil('req_2', 'service-suspension');
  for (const name of ['reboot', 'start'])
    t.match(await act(`req_${name}`, name, { service }), { outcome: 'failed', reason: 'service_not_active' });
  t.match(await act('req_5', 'reinstall', { service }), { outcome: 'done' });
  const larger = sized({ vcpu: 4, disk_gb: 40 });
  t.match(await fulfil('req_6', 'plan-upgrade', { new_plan: larger, service }), { outcome: 'done' });
  t.match(vm(), { pid: 0, config: { cores: '4' } });
  t.match(await fulfil('req_7', 'service-unsuspension'), { outcome: 'done' });
  t.not(vm().pid, 0);
});

t.test('a token that lost its rights removes nothing, and says so', async (t) => {
  const { create, call, state, vms, log } = await setup(t);
  await create();
  state.seesVms = false;
  t.match(await call('req_2', 'cancellation'), { outcome: 'retry' });
  t.match(log(), /VM\.Audit/);
  t.equal(vms.size, 1);
});

t.test("a stranger's VM is never touched", async (t) => {
  const { create, fulfil, vms, calls } = await setup(t);
  vms.set(String(NUMBER), { config: { description: 'mine' }, pending: {}, pid: 7, boots: 1 });
  t.match(await create(), { outcome: 'failed', reason: 'vmid_taken' });
  t.match(await fulfil('req_2', 'cancellation'), { outcome: 'failed', reason: 'vmid_taken' });
  t.strictSame(calls, []);
});

t.test('a task that fails, or values that are refused, fail the request without an internal text', async (t) => {
  const { create, fulfil, state, log, vms } = await setup(t);
  state.fail = [['qmclone', "lvcreate '/dev/pve/vm' error: out of space"]];
  const failed = await create();
  t.match(failed, { outcome: 'failed', reason: 'task_failed', retryable: true });
  t.notMatch(JSON.stringify(failed), /lvcreate/);
  t.match(log(), /lvcreate/);
  state.fail = [['qmclone', 'WARNINGS: 1']];
  t.match(await fulfil('req_2', 'service-creation', { new_plan: PLAN, configuration: { hostname: 'a b' } }), {
    outcome: 'failed',
    reason: 'values_refused',
    message: /name/,
  });
  for (const [at, task] of ['resize', 'qmstart'].entries()) {
    state.fail = [[task, 'no such disk']];
    t.match(await create({}, `req_1${at}`), {
      outcome: 'failed',
      reason: 'task_failed',
      message: `The task ${task} failed`,
    });
    t.equal(vms.size, 0, 'nothing is left, for no cancellation comes');
  }
});

t.test(
  'a Proxmox with a certificate of its own is trusted where the certificate is given, and nowhere else',
  async (t) => {
    const folder = mkdtempSync(join(tmpdir(), 'broker-proxmox-'));
    t.teardown(() => rmSync(folder, { recursive: true }));
    const certificate = makeCertificate(folder);
    const trusting = await setup(t, { NODE_EXTRA_CA_CERTS: certificate.certFile }, certificate);
    t.match(await trusting.create(), { outcome: 'done', access: { ip_addresses: [ADDRESS] } });
    const { call, calls, log } = await setup(t, {}, certificate);
    t.match(await call('req_1', 'service-creation', { new_plan: PLAN }), { outcome: 'retry' });
    t.match(log(), /self-signed certificate/);
    t.strictSame(calls, [], 'and gets no call, nor the token in it');
  },
);

t.test('values that Proxmox takes and that go wrong in the guest are refused before anything is made', async (t) => {
  const { create, fulfil, calls, vms } = await setup(t);
  for (const hostname of ['no', 'ON.example.com', 'null', '010', '0x10', '1e3', '2026-01-02', 'a'.repeat(65)]) {
    t.match(await create({ hostname }, `req_${hostname}`), { outcome: 'failed', reason: 'values_refused' }, hostname);
  }
  t.strictSame(calls, []);
  const cut = `${TYPE} ${BODY.slice(0, 40)}`;
  t.match(await create({ ssh_key: cut }, 'req_cut'), { outcome: 'failed', reason: 'values_refused', retryable: false });
  t.equal(vms.size, 0, 'nothing is left of what a key was refused for');
  t.match(
    await fulfil('req_2', 'service-creation', { new_plan: PLAN, configuration: { hostname: 'none.example.com' } }),
    {
      outcome: 'done',
    },
  );
});

t.test('what a plan names and Proxmox has not fails at once, in words for the operator', async (t) => {
  const { fulfil, vms, log } = await setup(t);
  const faults = [
    [{ node: 'pve9' }, /hostname lookup 'pve9' failed/],
    [{ template: 9999, images: undefined }, /9999\.conf' does not exist/],
    [{ storage: 'fast' }, /storage 'fast' does not exist/],
    [{ bridge: 'vmbr9' }, /bridge 'vmbr9' does not exist/],
  ] as const;
  for (const [at, [wrong, words]] of faults.entries()) {
    const provisioning = { ...(PLAN.provisioning as object), ...wrong };
    const failed = await fulfil(`req_${at}`, 'service-creation', {
      new_plan: { ...PLAN, provisioning } as ProvisionedPlan,
    });
    t.match(failed, { outcome: 'failed', reason: 'plan_not_set_up', retryable: true });
    t.match(log(), words);
    t.notMatch(JSON.stringify(failed), words);
  }
  t.equal(vms.size, 0);
});

t.test('a password that the guest refuses fails, and the service stays usable', async (t) => {
  const { create, act, state } = await setup(t);
  await create({ ssh_key: KEY });
  state.guestRefuses = true;
  t.match(await act('req_2', 'reset_password'), {
    outcome: 'failed',
    reason: 'password_refused',
    serviceUsable: true,
    retryable: false,
  });
});

t.test('a template’s disk is read in whatever unit Proxmox gives its size', async (t) => {
  for (const size of ['10G', '2048M', '123392K', '126353408', '1.5G']) {
    const { create, state, vm } = await setup(t);
    state.templateSize = size;
    t.match(await create(), { outcome: 'done' }, size);
    t.match(vm().config.scsi0, /size=20G/);
  }
});

t.test('a node whose VMs are unknown is told from a token without rights', async (t) => {
  const { create, call, state, vms, log } = await setup(t);
  await create();
  state.hasStatus = false;
  vms.delete(String(NUMBER));
  t.match(await call('req_2', 'cancellation'), { outcome: 'retry' });
  t.match(log(), /pvestatd/);
  t.notMatch(log(), /VM\.Audit/);
});

t.test('VMs are listed with what their descriptions say, and another service’s VM is left alone', async (t) => {
  const { create, fulfil, list, vms, calls } = await setup(t);
  await create();
  vms.set('1000000', { config: {}, pending: {}, pid: 0, boots: 0 });
  t.match(await list(), {
    machines: [
      {
        service_number: NUMBER,
        service_uid: 'req_1',
        broker: 'acme',
        plan: 'vps',
        reference: `pve1/${NUMBER}`,
        suspended: false,
      },
    ],
    after: null,
  });
  t.strictSame(await list(String(NUMBER)), { machines: [], after: null });
  const before = calls.length;
  const other = { service_uid: 'req_9' };
  t.match(await fulfil('req_9', 'service-creation', { ...other, new_plan: PLAN }), { reason: 'not_this_service' });
  for (const type of ['service-suspension', 'cancellation'] as const)
    t.match(await fulfil(`req_${type}`, type, other), { outcome: 'failed', reason: 'not_this_service' });
  t.equal(calls.length, before);
  t.match(await fulfil('req_2', 'service-suspension'), { outcome: 'done' });
  t.match(await list(), { machines: [{ suspended: true }] });
});
