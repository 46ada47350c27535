/* The VM of a service: as it is now, and what can be done to it. Whose it is stands in its description. */
import { Failure, setting } from './provisioning.mjs';
import { Busy, begin, proxmox } from './proxmox.mjs';

/** A service's VM id is this and its number. */
const VMID_BASE = Number(setting('VMID_BASE', '0'));

/** What the description's first line says: `Broker API service 1000017 request=… step=…`. */
function readNote(description = '') {
  const [, number, rest] = /^Broker API service (\d+)(.*)/.exec(description) ?? [];
  return {
    ...Object.fromEntries(rest?.matchAll(/(\w+)=(\S+)/g).map(([, name, value]) => [name, value]) ?? []),
    number,
  };
}

export function writeNote({ number, ...note }, description = '') {
  const known = Object.entries(note).filter(([, value]) => value !== undefined);
  const pairs = known.map(([name, value]) => ` ${name}=${value}`);
  // Further lines are the operator's.
  return [`Broker API service ${number}${pairs.join('')}`, ...description.split('\n').slice(1)].join('\n');
}

function vmidOf(number) {
  const vmid = VMID_BASE + number;
  if (vmid < 100 || vmid > 999_999_999) throw new Failure('vmid_out_of_range', `No VM can have the id ${vmid}`);
  return vmid;
}

const seenVms = () => proxmox('GET', '/cluster/resources?type=vm');

/** The VM of a service as it is now; without `path` where there is none. */
export async function findVm({ service_number: number }) {
  const vmid = vmidOf(number);
  const all = await seenVms();
  const found = all.find((vm) => vm.vmid === vmid);
  if (!found) {
    // Rights that were lost look like VMs that are gone.
    if (!all.some((vm) => vm.template)) throw new Error(reasonOf(all));
    return { vmid };
  }
  // Before the rest: while it is cloned, its configuration comes by and by.
  if (found.lock) throw new Busy();
  const foreign = new Failure('vmid_taken', `VM ${vmid} is not marked as the one of this service`);
  if (found.type === 'lxc') throw foreign;
  const path = `/nodes/${found.node}/qemu/${vmid}`;
  const tasks = await proxmox('GET', `/nodes/${found.node}/tasks?vmid=${vmid}&source=active`);
  // An open console is a task too, for as long as it is open.
  if (tasks.some(({ endtime, type }) => endtime === undefined && !/proxy$/.test(type))) throw new Busy();
  const config = await proxmox('GET', `${path}/config`);
  if (config.lock) throw new Busy();
  const note = readNote(config.description);
  if (note.number !== String(number)) throw foreign;
  const { status, pid = 0 } = await proxmox('GET', `${path}/status/current`);
  return { vmid, node: found.node, path, config, note, isRunning: status === 'running', pid: String(pid) };
}

/** Why no template is seen. What VMs are comes from a program on each node, pvestatd. */
const reasonOf = (all) =>
  all.length > 0 && all.every(({ status }) => status === 'unknown')
    ? 'Proxmox knows nothing of its VMs (all are "unknown"): does pvestatd hang on the nodes?'
    : 'The token sees no template: does it have VM.Audit?';

export async function requireVm(job) {
  const vm = await findVm(job);
  if (!vm.path) throw new Failure('service_not_found', 'There is no VM of this service');
  return vm;
}

export const start = ({ path }) => begin('POST', `${path}/status/start`);
export const stop = ({ path }) => begin('POST', `${path}/status/stop`);
export const remove = ({ path }) => begin('DELETE', `${path}?purge=1&destroy-unreferenced-disks=1`);

export async function configure(vm, fields, note = {}) {
  Object.assign(vm.note, note);
  const description = writeNote(vm.note, vm.config.description);
  await proxmox('PUT', `${vm.path}/config`, { ...fields, description });
}

/** Of sizes in a configuration; without one they are bytes. */
const UNITS = { '': 1, K: 1024, M: 1024 ** 2, G: 1024 ** 3, T: 1024 ** 4 };

/** GiB of the disk that plans are about. */
export function diskOf({ config }, { disk = 'scsi0' }) {
  const [, size, unit] = /(?:^|,)size=(\d+(?:\.\d+)?)([KMGT]?)/.exec(config[disk]) ?? [];
  if (!size) throw new Error(`The VM has no disk ${disk}: name it as "disk" in the plan's provisioning`);
  return { disk, size: (Number(size) * UNITS[unit]) / UNITS.G };
}

/** @returns the task that enlarges the disk, undefined where it is large enough */
export function enlarge(vm, { specifications, provisioning }) {
  const { disk, size } = diskOf(vm, provisioning ?? {});
  if (!(specifications?.disk_gb > size)) return undefined;
  return begin('PUT', `${vm.path}/resize`, { disk, size: `${specifications.disk_gb}G` });
}

/** The addresses on the first network card: as the guest says, or as cloud-init has them. */
export async function addressesOf({ path, config }) {
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
  return fixedOf({ config });
}

const fixedOf = ({ config }) =>
  [...(config.ipconfig0 ?? '').matchAll(/(?:^|,)ip6?=([\d.]+|[\da-f]*:[\da-f:.]*)\//gi)].map(([, ip]) => ip);

/** What is noted of a VM, whatever is done to it now; undefined where it is no service's. */
async function noted({ vmid, node, type, lock: isLocked }) {
  if (type !== 'qemu') return undefined;
  const path = `/nodes/${node}/qemu/${vmid}`;
  const config = await proxmox('GET', `${path}/config`).catch((error) => {
    // It has gone since, or its node is away.
    if (error.status === 500 || error.status === 595) return undefined;
    throw error;
  });
  const note = readNote(config?.description);
  return note.number && { path, node, vmid, config, note, isLocked: isLocked || config.lock };
}

/** Whose the VM of a number is: its description says it. Of one that is being made nothing is known yet. */
export async function whose({ service_number: number }) {
  const found = (await seenVms()).find(({ vmid }) => vmid === vmidOf(number));
  const vm = found && (await noted(found));
  if (!vm || vm.note.number !== String(number)) return undefined;
  const { uid, request } = vm.note;
  // While it is locked nothing can be noted: a later call does.
  return { uid, request, keep: async (own) => void (vm.isLocked || (await configure(vm, {}, { uid: own }))) };
}

/** VMs of a page: their configurations are asked for one by one. */
const MOST_LISTED = 100;

/** A page of the VMs that are marked as a service's, by their ids. */
export async function list({ after, limit }) {
  const all = await seenVms();
  if (!all.some((vm) => vm.template)) throw new Error(reasonOf(all));
  const left = all
    .filter(({ vmid, template }) => !template && vmid > Number(after))
    .sort((one, other) => one.vmid - other.vmid);
  const page = left.slice(0, Math.min(limit, MOST_LISTED));
  const machines = await Promise.all(page.map(listed));
  return { machines: machines.filter(Boolean), after: page.length < left.length ? String(page.at(-1).vmid) : null };
}

async function listed(found) {
  const vm = await noted(found);
  if (!vm) return undefined;
  const { number, uid = null, broker, plan } = vm.note;
  const addresses = fixedOf(vm);
  return {
    ...{ service_number: Number(number), service_uid: uid, broker, plan, reference: `${vm.node}/${vm.vmid}` },
    suspended: found.status === 'stopped' && !Number(vm.config.onboot),
    // What a guest got by DHCP it says itself: with a page of them nobody waits for that.
    ip_addresses: addresses.length > 0 ? addresses : null,
  };
}
