/*
 * A provisioner over Proxmox VE: VMs cloned from the template that a plan's `provisioning` names. README.md says how to set
 * it up. It keeps nothing: each call looks at the VM, takes the next step and gives the step's task id as token. What a
 * repeat has to know (whose VM it is, which request was last) is the first line of the VM's description.
 */
import { createHmac } from 'node:crypto';
import { createProvisioner, done, Failure, inProgress } from './provisioning.mjs';

const {
  PROVISIONER_SECRET: secret = '',
  /** While a new secret is brought in: the one before. */
  PROVISIONER_SECRET_BEFORE: secretBefore = '',
  PROXMOX_URL: url = '',
  PROXMOX_TOKEN: apiToken = '',
  /** Passwords are made from it, so that none is kept. Without it there are none. */
  PASSWORD_KEY: passwordKey = '',
  /** A service's VM id is this and its number. */
  VMID_BASE = '0',
  HOST = 'localhost',
  PORT = '4000',
} = process.env;
for (const [name, value] of Object.entries({ PROVISIONER_SECRET: secret, PROXMOX_URL: url, PROXMOX_TOKEN: apiToken })) {
  if (value === '') throw new Error(`${name} is not set`);
}
const { protocol, hostname: proxmoxHost } = new URL(url);
if (protocol !== 'https:' && proxmoxHost !== 'localhost') throw new Error('PROXMOX_URL has to be https');

const CALL_MS = 30_000;
/** The state is another one than a moment ago, or will be soon: looking again is the cure. */
const PASSING = /is locked|can't lock file|got timeout|already running|not running/;
const USABLE = { service_usable: true };

class ProxmoxError extends Error {
  constructor(call, { status, statusText }, { message = '', errors } = {}) {
    super(`${call}: ${status} ${statusText} ${message} ${errors ? JSON.stringify(errors) : ''}`);
    Object.assign(this, { status, fields: Object.keys(errors ?? {}) });
  }
}

/** Something is done to the VM now, by whomever: how that ends does not matter here, but the state that it leaves. */
class Busy extends Error {}

/** @returns `data` of the answer: of most changes the id of a task */
async function proxmox(method, path, fields = {}) {
  const response = await fetch(`${url.replace(/\/$/, '')}/api2/json${path}`, {
    ...{ method, redirect: 'error', signal: AbortSignal.timeout(CALL_MS) },
    headers: { Authorization: `PVEAPIToken=${apiToken}` },
    ...((method === 'POST' || method === 'PUT') && { body: new URLSearchParams(fields) }),
  });
  const body = await response.json().catch(() => undefined);
  if (!response.ok) throw new ProxmoxError(`${method} ${path}`, response, body ?? {});
  if (body?.data === undefined) throw new Error(`${method} ${path}: no answer of Proxmox`);
  return body.data;
}

/** Starts a task, or changes at once where Proxmox has no task for it (null): the next call looks again. */
const begin = async (method, path, fields) => inProgress((await proxmox(method, path, fields)) ?? undefined);

/** What the description's first line says: `Broker API service 1000017 request=… step=…`. */
function readNote(description = '') {
  const [, number, rest] = /^Broker API service (\d+)(.*)/.exec(description) ?? [];
  return {
    ...Object.fromEntries(rest?.matchAll(/(\w+)=(\S+)/g).map(([, name, value]) => [name, value]) ?? []),
    number,
  };
}

function writeNote({ number, ...note }, description = '') {
  const pairs = Object.entries(note).map(([name, value]) => ` ${name}=${value}`);
  // Further lines are the operator's.
  return [`Broker API service ${number}${pairs.join('')}`, ...description.split('\n').slice(1)].join('\n');
}

/** The VM of a service as it is now; without `path` where there is none. */
async function look({ service_number: number }) {
  const vmid = Number(VMID_BASE) + number;
  if (vmid < 100 || vmid > 999_999_999) throw new Failure('vmid_out_of_range', `No VM can have the id ${vmid}`);
  const all = await proxmox('GET', '/cluster/resources?type=vm');
  const found = all.find((vm) => vm.vmid === vmid);
  if (!found) {
    // Rights that were lost look like VMs that are gone.
    if (!all.some((vm) => vm.template)) throw new Error('The token sees no template: does it have VM.Audit?');
    return { vmid };
  }
  // Before the rest: while it is cloned, its configuration comes by and by.
  if (found.lock) throw new Busy();
  const foreign = new Failure('vmid_taken', `VM ${vmid} is not marked as the one of this service`);
  if (found.type === 'lxc') throw foreign;
  const path = `/nodes/${found.node}/qemu/${vmid}`;
  const tasks = await proxmox('GET', `/nodes/${found.node}/tasks?vmid=${vmid}&source=active`);
  // An open console is a task too, for as long as someone looks.
  if (tasks.some(({ endtime, type }) => endtime === undefined && !/proxy$/.test(type))) throw new Busy();
  const config = await proxmox('GET', `${path}/config`);
  if (config.lock) throw new Busy();
  const note = readNote(config.description);
  if (note.number !== String(number)) throw foreign;
  const { status, pid = 0 } = await proxmox('GET', `${path}/status/current`);
  return { vmid, node: found.node, path, config, note, isRunning: status === 'running', pid: String(pid) };
}

async function lookAtExisting(job) {
  const vm = await look(job);
  if (!vm.path) throw new Failure('service_not_found', 'There is no VM of this service');
  return vm;
}

const start = ({ path }) => begin('POST', `${path}/status/start`);
const stop = ({ path }) => begin('POST', `${path}/status/stop`);
const remove = ({ path }) => begin('DELETE', `${path}?purge=1&destroy-unreferenced-disks=1`);

async function configure(vm, fields, note = {}) {
  Object.assign(vm.note, note);
  const description = writeNote(vm.note, vm.config.description);
  await proxmox('PUT', `${vm.path}/config`, { ...fields, description });
}

/** GiB of the disk that plans are about. */
function diskOf({ config }, { disk = 'scsi0' }) {
  const [, size, unit] = /(?:^|,)size=(\d+)([MGT])/.exec(config[disk]) ?? [];
  if (!size) throw new Error(`The VM has no disk ${disk}: name it as "disk" in the plan's provisioning`);
  return { disk, size: Number(size) * { M: 1 / 1024, G: 1, T: 1024 }[unit] };
}

const sizeOf = ({ specifications }) => ({
  ...(specifications?.vcpu && { cores: specifications.vcpu }),
  ...(specifications?.memory_mb && { memory: specifications.memory_mb }),
});

/** @returns the task that enlarges the disk, undefined where it is large enough */
function enlarge(vm, { specifications, provisioning }) {
  const { disk, size } = diskOf(vm, provisioning ?? {});
  if (!(specifications?.disk_gb > size)) return undefined;
  return begin('PUT', `${vm.path}/resize`, { disk, size: `${specifications.disk_gb}G` });
}

const userOf = ({ provisioning }) => provisioning?.user ?? 'root';
const passwordOf = (number, id) => createHmac('sha256', passwordKey).update(`${number}.${id}`).digest('base64url');

function consoleOf({ vmid, node }, { provisioning }) {
  return provisioning?.console_url?.replaceAll('{vmid}', vmid).replaceAll('{node}', node) ?? null;
}

/** The addresses on the first network card: as the guest says, or as cloud-init was told. */
async function addressesOf({ path, config }) {
  if (/^(1|enabled=1)/.test(config.agent)) {
    const mac = /[0-9a-f]{2}(:[0-9a-f]{2}){5}/i.exec(config.net0)?.[0].toLowerCase();
    const { result = [] } = await proxmox('GET', `${path}/agent/network-get-interfaces`).catch((error) => {
      if (error.status === 500) return {}; // The guest is not up yet.
      throw error;
    });
    const addresses = result
      .filter((card) => card['hardware-address']?.toLowerCase() === mac)
      .flatMap((card) => card['ip-addresses'] ?? [])
      .map((address) => address['ip-address'])
      .filter((address) => !/^(fe[89ab]|169\.254\.)/i.test(address));
    if (addresses.length > 0) return addresses;
  }
  return [...(config.ipconfig0 ?? '').matchAll(/(?:^|,)ip6?=([\d.]+|[\da-f]*:[\da-f:.]*)\//gi)].map(([, ip]) => ip);
}

/** Numbers whose end was promised. A call of before is refused by its age soon, so that memory is enough. */
const cancelled = new Set();

function templateOf({ provisioning }, image) {
  const { node, template, images = {} } = provisioning ?? {};
  if (image !== undefined && provisioning?.images) {
    if (!Object.hasOwn(images, image)) throw new Failure('image_unknown', `There is no template for ${image}`);
    return { node, template: images[image] };
  }
  if (!node || !template) throw new Failure('plan_not_set_up', 'The plan names no template', { retryable: true });
  return { node, template };
}

/** Clones, sets up and starts; a VM that another request made has to be gone before. */
async function build(vm, job, plan, { hostname = `vps-${job.service_number}`, ssh_key: sshKey, image }) {
  const { storage, pool, bridge, ipconfig0 = 'ip=dhcp', nameserver } = plan.provisioning ?? {};
  const { service_number: number, request_id: request } = job;
  if (!vm.path) {
    const { node, template } = templateOf(plan, image);
    const description = writeNote({ number, request, step: 'cloned' });
    return begin('POST', `/nodes/${node}/qemu/${template}/clone`, {
      ...{ newid: vm.vmid, name: hostname, description },
      // A linked clone lies where its template does.
      ...(storage && { storage, full: 1 }),
      ...(pool && { pool }),
    }).catch(async (error) => {
      // By an answer that was lost, or by a VM that the token does not see.
      if (!/already exists/.test(error.message) || (await look(job)).path) throw error;
      throw new Failure('vmid_taken', `VM ${vm.vmid} is not the one of this service`);
    });
  }
  if (vm.note.step === 'cloned') {
    // Made of the id, so that a reinstalled VM keeps the address that DHCP gives it.
    const mac = `02:00:${vm.vmid.toString(16).padStart(8, '0').match(/../g).join(':')}`;
    const hasPassword = passwordKey !== '' && !sshKey;
    const fields = {
      ...{ ...sizeOf(plan), name: hostname, onboot: 1, ciuser: userOf(plan), ipconfig0 },
      ...(bridge && { net0: `virtio=${mac},bridge=${bridge}` }),
      ...(nameserver && { nameserver }),
      // Proxmox wants it encoded inside of the encoded form.
      ...(sshKey && { sshkeys: encodeURIComponent(sshKey.trim()) }),
      ...(hasPassword && { cipassword: passwordOf(number, request) }),
    };
    await configure(vm, fields, { step: 'configured', ...(hasPassword && { password: request }) });
  }
  const resizing = await enlarge(vm, plan);
  if (resizing) return resizing;
  if (!vm.isRunning) return start(vm);
  const addresses = await addressesOf(vm);
  // A client without an address has nothing.
  if (addresses.length === 0) return inProgress(undefined, 10);
  const login_url = consoleOf(vm, plan);
  return done({
    access: { hostname, ip_addresses: addresses, username: userOf(plan), login_url, notes: null },
    reference: `${vm.node}/${vm.vmid}`,
    ...(plan.options?.some(({ name }) => name === 'hostname') && { configuration: { hostname } }),
  });
}

/** Restarts once: the process of before is noted, and is another one afterwards. */
async function restart(vm, { request_id: request }, failed) {
  if (vm.note.request !== request) await configure(vm, {}, { request, step: 'restart', pid: vm.pid });
  if (!vm.isRunning) return start(vm);
  if (vm.pid !== vm.note.pid) return done();
  // A guest that does not listen is switched off; what is off is started above.
  return failed === 'qmreboot' ? stop(vm) : begin('POST', `${vm.path}/status/reboot`, { timeout: 60 });
}

async function reinstall(vm, job) {
  if (vm.path && vm.note.request !== job.request_id) {
    templateOf(job.plan, job.configuration.image); // Nothing is destroyed for an image that is not there.
    return vm.isRunning ? stop(vm) : remove(vm);
  }
  return build(vm, job, job.plan, { ...job.service.configuration, ...job.configuration });
}

async function resetPassword(vm, { service_number: number, request_id: request, plan }) {
  if (passwordKey === '') throw new Failure('not_supported', 'Passwords are not kept here', USABLE);
  if (vm.note.password === request) return done();
  if (!vm.isRunning) throw new Failure('not_running', 'The VM has to run for that', { ...USABLE, retryable: true });
  const fields = { username: userOf(plan), password: passwordOf(number, request) };
  await proxmox('POST', `${vm.path}/agent/set-user-password`, fields).catch((error) => {
    if (!/guest agent/i.test(error.message)) throw error;
    throw new Failure('no_guest_agent', 'The guest does not listen to its agent', { ...USABLE, retryable: true });
  });
  await configure(vm, {}, { password: request });
  return done();
}

const ACTIONS = {
  start: (vm) => (vm.isRunning ? done() : start(vm)),
  stop: (vm) => (vm.isRunning ? begin('POST', `${vm.path}/status/shutdown`, { forceStop: 1, timeout: 60 }) : done()),
  reboot: restart,
  reset_password: resetPassword,
  async console(vm, { plan }) {
    const login_url = consoleOf(vm, plan);
    if (!login_url) throw new Failure('not_supported', 'The plan names no console', USABLE);
    const hostname = vm.config.name ?? null;
    return done({
      access: { hostname, ip_addresses: await addressesOf(vm), username: userOf(plan), login_url, notes: null },
    });
  },
};

async function act(job, failed) {
  const { name } = job.action;
  if (name === 'reinstall') return reinstall(await look(job), job);
  if (!Object.hasOwn(ACTIONS, name)) throw new Failure('not_supported', `VMs cannot ${name}`, USABLE);
  return ACTIONS[name](await lookAtExisting(job), job, failed);
}

async function changePlan(job, failed) {
  const vm = await lookAtExisting(job);
  const { new_plan: plan } = job;
  if (plan.specifications?.disk_gb < diskOf(vm, plan.provisioning ?? {}).size) {
    throw new Failure('disk_cannot_shrink', 'The disk is larger than the plan has, and cannot shrink', USABLE);
  }
  const changes = Object.entries(sizeOf(plan)).filter(([name, value]) => String(vm.config[name]) !== String(value));
  if (changes.length > 0) await configure(vm, Object.fromEntries(changes));
  const resizing = await enlarge(vm, plan);
  if (resizing) return resizing;
  const isRestarting = vm.note.request === job.request_id;
  const pending = vm.isRunning ? await proxmox('GET', `${vm.path}/pending`) : [];
  return isRestarting || pending.some((field) => 'pending' in field) ? restart(vm, job, failed) : done();
}

/** By type: takes the next step towards what the request wants. */
const WORK = {
  async 'service-creation'(job) {
    if (cancelled.has(job.service_number)) throw new Failure('service_cancelled', 'The service was cancelled before');
    return build(await look(job), job, job.new_plan, job.configuration);
  },
  'service-action': act,
  async 'service-suspension'(job) {
    const vm = await lookAtExisting(job);
    if (Number(vm.config.onboot)) await configure(vm, { onboot: 0 });
    return vm.isRunning ? stop(vm) : done();
  },
  async 'service-unsuspension'(job) {
    const vm = await lookAtExisting(job);
    if (!Number(vm.config.onboot)) await configure(vm, { onboot: 1 });
    return vm.isRunning ? done() : start(vm);
  },
  'plan-upgrade': changePlan,
  'plan-downgrade': changePlan,
  async cancellation(job) {
    cancelled.add(job.service_number);
    const vm = await look(job);
    if (!vm.path) return done({ access: null });
    return vm.isRunning ? stop(vm) : remove(vm);
  },
};

/** The task of the token: its type and whether it runs; undefined where Proxmox knows none. */
async function taskOf(upid) {
  const [, node, , , , type] = upid.split(':');
  const path = `/nodes/${encodeURIComponent(node)}/tasks/${encodeURIComponent(upid)}/status`;
  const task = await proxmox('GET', path).catch((error) => {
    if (error.status === 400) return undefined;
    throw error;
  });
  return task && { type, ...task };
}

async function takeStep(job) {
  const task = job.token?.startsWith('UPID:') ? await taskOf(job.token) : undefined;
  if (task?.status === 'running') return inProgress(job.token);
  const failed = task && !/^(OK|WARNINGS)/.test(task.exitstatus) ? task.type : undefined;
  if (failed) console.error(`${job.type} of ${job.service_number}: ${failed}: ${task.exitstatus}`);
  // A guest that does not reboot is helped otherwise, and a removal does not give up.
  if (failed && failed !== 'qmreboot' && job.type !== 'cancellation' && !PASSING.test(task.exitstatus)) {
    // What was not enlarged or switched off is as it was before.
    const service_usable = job.type !== 'service-creation' && /resize|qmstop|qmshutdown/.test(failed);
    throw new Failure('task_failed', `The task ${failed} failed`, { service_usable, retryable: true });
  }
  const answer = await WORK[job.type](job, failed);
  return failed && answer.outcome === 'in_progress' ? { ...answer, seconds: 30 } : answer;
}

async function work(job) {
  if (!Object.hasOwn(WORK, job.type)) throw new Failure('not_supported', `There is no work ${job.type}`, USABLE);
  try {
    return await takeStep(job);
  } catch (error) {
    if (error instanceof Busy) return inProgress();
    if (error instanceof ProxmoxError && PASSING.test(error.message)) return inProgress();
    if (error.status !== 400) throw error;
    console.error(error);
    const names = error.fields.join(', ') || 'the request';
    const service_usable = job.type !== 'service-creation';
    throw new Failure('values_refused', `Proxmox refuses the values of ${names}`, { service_usable });
  }
}

/** Passwords that were set here; the guest may have changed them since. */
async function credentials({ service_number: number, plan }) {
  if (passwordKey === '') return null;
  const { note } = await look({ service_number: number });
  if (!note?.password) return null;
  const password = passwordOf(number, note.password);
  return [{ display_name: 'Login', username: userOf(plan), password, private_key: null, url: null }];
}

const secrets = [secret, secretBefore].filter(Boolean);
const server = createProvisioner({ secrets, work, credentials });
server.listen(Number(PORT), HOST, () => console.log(`listening on ${server.address().port}`));
