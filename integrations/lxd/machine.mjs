/*
 * The machine of a service, a container of LXD. All that is known of it lies with it, in keys of its own (`user.broker.*`):
 * whose it is, which request made it, how far it has come, and what was done to it last. So nothing is kept elsewhere.
 */
import { LxdError, readHosts } from './client.mjs';
import { Failure, setting } from './provisioning.mjs';

export const hosts = readHosts();
/** A machine's name is this and the service's number. */
export const PREFIX = setting('NAME_PREFIX', 'vps-');
const MARK = 'user.broker.';
const GRACE_S = 10;
/** How far a machine is: LXD may have made a part of it; it is whole; it has started, and the client can use it. */
export const MAKING = 'making';
export const MADE = 'made';
export const READY = 'ready';

export const nameOf = (number) => `${PREFIX}${number}`;
/** The machine that is to replace one that is installed anew. */
const nextOf = (name) => `${name}-new`;

export const marksOf = ({ config }) =>
  Object.fromEntries(
    Object.entries(config)
      .filter(([key]) => key.startsWith(MARK))
      .map(([key, value]) => [key.slice(MARK.length), value]),
  );

export const configOf = (marks) =>
  Object.fromEntries(Object.entries(marks).map(([name, value]) => [MARK + name, String(value)]));

const machineOf = (host, instance) => ({
  ...{ host, instance, name: instance.name, marks: marksOf(instance) },
  isRunning: instance.status !== 'Stopped',
});

async function look(host, number, isQuestion) {
  const names = [nameOf(number), nextOf(nameOf(number))];
  // Somebody waits for the answer to a question.
  if (!isQuestion) await host.settled(names);
  const [present, next] = await Promise.all(names.map((name) => host.find(`/1.0/instances/${name}`)));
  const machines = [present, next].map((instance) => instance && machineOf(host, instance));
  for (const machine of machines) {
    if (machine && machine.marks.service !== String(number)) {
      throw new Failure('name_taken', `The machine ${machine.name} is not marked as the one of this service`);
    }
  }
  return machines;
}

/** Where the machine of a service may be: the host that its reference names comes first. */
function* placesOf(reference) {
  const named = hosts.get(reference?.split('/')[0]);
  if (named) yield named;
  for (const host of hosts.values()) if (host !== named) yield host;
}

/**
 * The machine of a service as it is now, once LXD does nothing to it any more. Rejects where a host does not answer that
 * may have it: nothing is made or promised gone then.
 * @returns undefined where there is none; `next` is its replacement, where it is being installed anew
 */
export async function findMachine({ service_number: number, reference, type }) {
  const isQuestion = type === 'credentials';
  for (const host of placesOf(reference)) {
    let [machine, next] = await look(host, number, isQuestion);
    // It was removed for its replacement.
    if (!machine && next && !isQuestion) [machine, next] = [await takeOver(next), undefined];
    if (machine) return { ...machine, next };
  }
  return undefined;
}

export async function requireMachine(job) {
  const machine = await findMachine(job);
  if (!machine) throw new Failure('service_not_found', 'There is no machine of this service');
  return machine;
}

/** Keeps something with the machine; an empty text removes it. */
export async function mark(machine, marks, config = {}) {
  await patch(machine, { config: { ...configOf(marks), ...config } });
  for (const [name, value] of Object.entries(marks)) machine.marks[name] = String(value);
}

export const patch = ({ host, name }, body) => host.call('PATCH', `/1.0/instances/${name}`, { body });

/** Gives the replacement the name of the machine that it replaces. */
export async function takeOver(next) {
  const { host, name: from, marks } = next;
  const name = nameOf(marks.service);
  await host.run('POST', `/1.0/instances/${from}`, { name });
  return machineOf(host, await host.find(`/1.0/instances/${name}`));
}

/** Makes a machine that is off. Until it is whole it says so itself: half of one is made anew. */
export async function make(host, { isNext = false, marks, config, ...spec }) {
  const name = isNext ? nextOf(nameOf(marks.service)) : nameOf(marks.service);
  const body = { name, type: 'container', ...spec, config: { ...config, ...configOf({ ...marks, step: MAKING }) } };
  await host.run('POST', '/1.0/instances', body);
  const machine = machineOf(host, await host.find(`/1.0/instances/${name}`));
  await mark(machine, { step: MADE });
  return machine;
}

async function changeState(machine, action, fields) {
  const { host, name } = machine;
  try {
    await host.run('PUT', `/1.0/instances/${name}/state`, { action, timeout: -1, ...fields });
  } catch (error) {
    // Somebody else was faster, perhaps the guest.
    if (!/already (running|stopped)|is not running/i.test(error.words)) throw error;
  }
  machine.isRunning = action !== 'stop';
}

export async function start(machine) {
  // Frozen by an operator, or after an error of its disk.
  if (machine.instance.status === 'Frozen') await changeState(machine, 'unfreeze');
  await changeState(machine, 'start');
}

/** Switches a machine off, at once or with ten seconds for its programs. */
export async function stop(machine, { atOnce = false } = {}) {
  await countTraffic(machine);
  if (!atOnce && machine.instance.status === 'Running') {
    try {
      return await changeState(machine, 'stop', { timeout: GRACE_S });
    } catch (error) {
      // Its first process does not listen.
      if (!(error instanceof LxdError)) throw error;
    }
  }
  await changeState(machine, 'stop', { force: true });
}

/** Removes a machine with its disk and its snapshots. */
export async function remove(machine) {
  if (machine.isRunning) await stop(machine, { atOnce: true });
  await machine.host.run('DELETE', `/1.0/instances/${machine.name}`).catch((error) => {
    if (error.status !== 404) throw error;
  });
}

/** What LXD says of a machine at this moment: its network, its disk, its processes. */
export const stateOf = ({ host, name }) => host.call('GET', `/1.0/instances/${name}/state`);

/** When it was started last, which is another moment after each start. */
export async function startOf({ host, name }) {
  const { last_used_at: moment } = await host.call('GET', `/1.0/instances/${name}`);
  return moment;
}

/** Addresses that others can reach, of IPv4 first. */
export function addressesOf({ network }) {
  const cards = Object.entries(network ?? {}).filter(([, { type }]) => type !== 'loopback');
  const all = cards.flatMap(([, { addresses }]) => addresses).filter(({ scope }) => scope === 'global');
  return ['inet', 'inet6'].flatMap((family) =>
    all.filter((one) => one.family === family).map(({ address }) => address),
  );
}

/**
 * Adds up what has gone through the network cards this month. LXD's counters begin at zero with each start, so they are
 * read before each stop; what a guest transfers between the last look and a restart of its own is not counted.
 * @returns the bytes of this month
 */
export async function countTraffic(machine, now = new Date()) {
  const month = now.toISOString().slice(0, 7);
  const before = JSON.parse(machine.marks.traffic || '{}');
  const bytes = before.month === month ? before.bytes : 0;
  if (!machine.isRunning) return bytes;
  const [{ network }, started] = await Promise.all([stateOf(machine), startOf(machine)]);
  const cards = Object.entries(network ?? {}).filter(([, { type }]) => type !== 'loopback');
  const seen = cards.reduce((sum, [, { counters }]) => sum + counters.bytes_received + counters.bytes_sent, 0);
  const isSameStart = before.started === started && seen >= before.seen;
  const traffic = { month, started, seen, bytes: bytes + seen - (isSameStart ? before.seen : 0) };
  await mark(machine, { traffic: JSON.stringify(traffic) });
  return traffic.bytes;
}

/** Machines of a page: their states are asked for one by one. */
const MOST_LISTED = 50;

/** A page of the machines that are marked as a service's, host by host, each by its name. */
export async function list({ after, limit }) {
  const [from, behind = ''] = after?.split('/') ?? [];
  const names = [...hosts.keys()].sort().filter((name) => from === undefined || name >= from);
  for (const name of names) {
    const host = hosts.get(name);
    const paths = await host.call('GET', '/1.0/instances');
    const own = paths.map((path) => path.split('?')[0].split('/').at(-1)).filter((one) => /\d$/.test(one));
    const left = own.filter((one) => one.startsWith(PREFIX) && (name !== from || one > behind)).sort();
    if (left.length === 0) continue;
    const page = left.slice(0, Math.min(limit, MOST_LISTED));
    const machines = await Promise.all(page.map((one) => listed(host, one)));
    const isLast = page.length === left.length && name === names.at(-1);
    return { machines: machines.filter(Boolean), after: isLast ? null : `${name}/${page.at(-1)}` };
  }
  return { machines: [], after: null };
}

/** A machine as the API compares it with its record; undefined where it has gone meanwhile, or is no service's. */
async function listed(host, name) {
  const instance = await host.find(`/1.0/instances/${name}`);
  const machine = instance && machineOf(host, instance);
  if (!machine?.marks.service) return undefined;
  const { service, uid, broker, plan, suspended, addresses } = machine.marks;
  const isOff = !machine.isRunning;
  const found = isOff ? [] : addressesOf(await stateOf(machine));
  // Of a machine that is off others than fixed ones are not known.
  const ip_addresses = found.length > 0 ? found : (addresses?.split(' ').filter(Boolean) ?? null);
  return {
    ...{ service_number: Number(service), service_uid: uid ?? null, broker, plan, ip_addresses },
    ...{ reference: `${host.name}/${name}`, suspended: suspended === 'true' && isOff },
  };
}
