/* What a plan says of a machine: its image, size, disk, network card and host. README.md lists the fields. */
import { hosts, marksOf } from './machine.mjs';
import { Failure } from './provisioning.mjs';

const MIB = 1_048_576;
/** Memory of machines that are being made here, by host: LXD does not show all of them yet. */
const underWay = new Map();

export const settingsOf = ({ provisioning }) => provisioning ?? {};

/** A fault of the operator's: the order can be made again once it is mended. The words for the operator are in the log. */
export function notSetUp(message, words = message) {
  console.error(`plan_not_set_up: ${words}`);
  return new Failure('plan_not_set_up', message, { retryable: true });
}

/** Where LXD gets the image that was chosen: an alias of its own, or one of a server of images. */
async function sourceOf(host, { provisioning }, chosen) {
  const { image, images } = provisioning ?? {};
  const isListed = chosen !== undefined && images;
  if (isListed && !Object.hasOwn(images, chosen)) throw new Failure('image_unknown', `There is no image ${chosen}`);
  const named = isListed ? images[chosen] : image;
  if (!named) throw notSetUp('The plan names no image');
  if (typeof named !== 'string') return { type: 'image', mode: 'pull', protocol: 'simplestreams', ...named };
  if (!(await host.find(`/1.0/images/aliases/${encodeURIComponent(named)}`))) {
    throw notSetUp('The image of the plan is missing', `the host ${host.name} has no image ${named}`);
  }
  return { type: 'image', alias: named };
}

/** The devices of a name that the profiles of a plan have. */
async function devicesOf(host, { profiles = ['default'] }) {
  const found = await Promise.all(
    profiles.map(async (name) => {
      const profile = await host.find(`/1.0/profiles/${encodeURIComponent(name)}`);
      if (profile) return profile.devices;
      throw notSetUp('A profile of the plan is missing', `the host ${host.name} has no profile ${name}`);
    }),
  );
  return Object.assign({}, ...found);
}

/**
 * The disk of a machine, in the plan's size.
 * @param devices those that the machine has otherwise
 */
export async function diskOf(host, plan, devices) {
  const { pool, quota = true } = settingsOf(plan);
  const [name = 'root', device] =
    Object.entries(devices).find(([, { type, path }]) => type === 'disk' && path === '/') ?? [];
  const disk = { type: 'disk', path: '/', ...device, ...(pool && { pool }) };
  if (!disk.pool)
    throw notSetUp('The plan names no storage pool', `no pool in the plan or the profiles of ${host.name}`);
  const found = await host.find(`/1.0/storage-pools/${encodeURIComponent(disk.pool)}`);
  if (!found)
    throw notSetUp('The storage pool of the plan is missing', `the host ${host.name} has no pool ${disk.pool}`);
  const gigabytes = plan.specifications?.disk_gb;
  if (!gigabytes || !quota) return { [name]: disk };
  if (found.driver === 'dir') {
    throw notSetUp(
      'The storage pool of the plan holds no disk sizes',
      `the pool ${disk.pool} of ${host.name} is of the driver dir, which takes a size and need not hold it`,
    );
  }
  return { [name]: { ...disk, size: `${gigabytes}GiB` } };
}

/** A network card with what the plan says of it, and with fixed addresses. */
export function cardOf(plan, devices, addresses = []) {
  const { nic } = settingsOf(plan);
  if (!nic && addresses.length === 0) return {};
  const [name = 'eth0', device] = Object.entries(devices).find(([, { type }]) => type === 'nic') ?? [];
  const fixed = addresses.map((address) => [address.includes(':') ? 'ipv6.address' : 'ipv4.address', address]);
  return { [name]: { type: 'nic', name, ...device, ...nic, ...Object.fromEntries(fixed) } };
}

export const sizeOf = ({ specifications }) => ({
  memory: specifications?.memory_mb && { 'limits.memory': `${specifications.memory_mb}MiB` },
  cpu: specifications?.vcpu && { 'limits.cpu': String(specifications.vcpu) },
});

/** Whatever may begin a text of cloud-init; else it is an object, and JSON is YAML. */
const cloudText = (content) =>
  typeof content === 'string' ? content : `#cloud-config\n${JSON.stringify(content, null, 1)}\n`;

/** @returns what LXD needs to make the machine, without its addresses */
export async function specOf(host, plan, { image, hostname, ssh_key: key }) {
  const { profiles, config = {}, cloud_init } = settingsOf(plan);
  const [source, devices] = await Promise.all([sourceOf(host, plan, image), devicesOf(host, settingsOf(plan))]);
  const { memory, cpu } = sizeOf(plan);
  const user = {
    ...{ hostname, fqdn: hostname, prefer_fqdn_over_hostname: true, disable_root: false },
    ...(key ? { ssh_authorized_keys: [key.trim()] } : { ssh_pwauth: true }),
  };
  return {
    source,
    ...(profiles && { profiles }),
    devices: { ...cardOf(plan, devices), ...(await diskOf(host, plan, devices)) },
    config: {
      ...{ ...config, ...memory, ...cpu, 'boot.autostart': 'true' },
      // Where the image has cloud-init; the connector writes the same into files for those that have none.
      'cloud-init.user-data': cloudText(user),
      ...(cloud_init && { 'cloud-init.vendor-data': cloudText(cloud_init) }),
    },
  };
}

const mebibytesOf = (text = '') => {
  const [, amount, unit = ''] = /^(\d+)(\w*)$/.exec(text) ?? [];
  const bytes = { KiB: 1024, MiB: MIB, GiB: 1024 * MIB, kB: 1000, MB: 1e6, GB: 1e9 }[unit] ?? 1;
  return amount ? (Number(amount) * bytes) / MIB : 0;
};

/** How much of a host's memory is sold, in MiB and as a part of what it has. */
async function loadOf(host) {
  const [instances, { memory }] = await Promise.all([
    host.call('GET', '/1.0/instances', { query: { recursion: 1 } }),
    Number.isFinite(host.memoryMb) ? { memory: { total: host.memoryMb * MIB } } : host.call('GET', '/1.0/resources'),
  ]);
  const own = instances.filter((instance) => marksOf(instance).service !== undefined);
  const sold = own.reduce((sum, { expanded_config: config }) => sum + mebibytesOf(config['limits.memory']), 0);
  const used = sold + (underWay.get(host) ?? 0);
  return { host, used, part: used / (memory.total / MIB) };
}

/** Chooses the host of a new machine, the least sold of those that the plan names, and makes the machine there. */
export async function withHost(plan, make) {
  const { hosts: names = [...hosts.keys()] } = settingsOf(plan);
  const unknown = names.find((name) => !hosts.has(name));
  if (unknown) throw notSetUp('A host of the plan is missing', `LXD_HOSTS has no host ${unknown}`);
  const needed = plan.specifications?.memory_mb ?? 0;
  const named = names.map((name) => hosts.get(name));
  const isChosen = named.length === 1 && !Number.isFinite(named[0].memoryMb);
  const loads = isChosen ? [{ host: named[0], used: 0, part: 0 }] : await Promise.all(named.map(loadOf));
  const [least] = loads
    .filter(({ host, used }) => used + needed <= host.memoryMb)
    .sort((one, other) => one.part - other.part);
  if (!least) throw new Failure('no_capacity', 'No host has room for it', { retryable: true });
  const { host } = least;
  underWay.set(host, (underWay.get(host) ?? 0) + needed);
  try {
    return await make(host);
  } finally {
    underWay.set(host, underWay.get(host) - needed);
  }
}
