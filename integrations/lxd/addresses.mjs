/*
 * Fixed addresses from a pool, for networks without DHCP. A machine's addresses lie with the machine; those that were given
 * back lie in a profile of LXD that no machine has, until their quarantine is over.
 */
import { BlockList, isIPv4 } from 'node:net';
import { hosts, marksOf } from './machine.mjs';
import { Failure } from './provisioning.mjs';

const QUARANTINE = '/1.0/profiles/broker-quarantine';
const HOUR_MS = 3_600_000;
/** Of a range: whoever has more has several plans. */
const MOST_TRIED = 65_536n;

/** An address as a number, by which its neighbour is found. */
function numberOf(address) {
  if (isIPv4(address)) return address.split('.').reduce((sum, part) => sum * 256n + BigInt(part), 0n);
  const [head, tail] = address.split('::').map((half) => half.split(':').filter(Boolean));
  const groups = tail ? [...head, ...Array(8 - head.length - tail.length).fill('0'), ...tail] : head;
  return groups.reduce((sum, group) => sum * 65_536n + BigInt(`0x${group}`), 0n);
}

function textOf(number, isV4) {
  if (isV4) return [24n, 16n, 8n, 0n].map((bits) => (number >> bits) & 255n).join('.');
  const groups = Array.from({ length: 8 }, (_, at) => ((number >> BigInt(16 * (7 - at))) & 65_535n).toString(16));
  // The same text as LXD and the API have.
  return new URL(`http://[${groups.join(':')}]`).hostname.slice(1, -1);
}

/** The first address of a range, FIRST-LAST, that is not taken; undefined where all are. */
function freeOf(range, taken) {
  const [first, last = first] = range.split('-').map((part) => part.trim());
  const isV4 = isIPv4(first);
  const end = numberOf(last);
  for (let at = numberOf(first), tried = 0n; at <= end && tried < MOST_TRIED; at += 1n, tried += 1n) {
    const address = textOf(at, isV4);
    if (!taken.check(address, isV4 ? 'ipv4' : 'ipv6')) return { address, isV4 };
  }
  return undefined;
}

/** Addresses that no machine may get: those of machines, also of others' and of such that are off, and those that rest. */
async function takenOn(host, quarantineHours) {
  const [instances, profile] = await Promise.all([
    host.call('GET', '/1.0/instances', { query: { recursion: 1 } }),
    host.find(QUARANTINE),
  ]);
  const ofDevices = instances.flatMap(({ expanded_devices: devices }) =>
    Object.values(devices ?? {}).flatMap((device) => [device['ipv4.address'], device['ipv6.address']]),
  );
  const ofMachines = instances.flatMap((instance) => (marksOf(instance).addresses ?? '').split(' '));
  const resting = Object.entries(profile?.config ?? {})
    .filter(([, since]) => Date.now() - Date.parse(since) < quarantineHours * HOUR_MS)
    .map(([key]) => key.slice('user.'.length));
  return [...ofDevices, ...ofMachines, ...resting].filter((address) => address && address !== 'none');
}

/** One machine at a time chooses: what it has chosen lies with it before the next one looks. */
let turn = Promise.resolve();

/**
 * Chooses addresses from the plan's pool, one of each family, and keeps them with the machine.
 * @param keep keeps the chosen ones with the machine
 */
export function assign({ addresses: pool, quarantine_hours: hours = 72 }, keep) {
  const assigned = turn.then(async () => {
    const taken = new BlockList();
    for (const host of hosts.values()) {
      for (const list of await takenOn(host, hours)) {
        for (const address of list.split(','))
          taken.addAddress(address.trim(), isIPv4(address.trim()) ? 'ipv4' : 'ipv6');
      }
    }
    const chosen = [true, false].flatMap((isV4) => {
      const ranges = pool.filter((range) => isIPv4(range.split('-')[0].trim()) === isV4);
      if (ranges.length === 0) return [];
      const free = ranges.map((range) => freeOf(range, taken)).find(Boolean);
      if (!free) throw new Failure('no_capacity', 'No address is free', { retryable: true });
      return [free.address];
    });
    await keep(chosen);
  });
  turn = assigned.catch(() => undefined);
  return assigned;
}

/** Lets the addresses of a machine rest before it goes. */
export async function release({ host, marks: { addresses } }) {
  if (!addresses) return;
  const now = new Date().toISOString();
  const config = Object.fromEntries(addresses.split(' ').map((address) => [`user.${address}`, now]));
  const description = 'Addresses that ended services had, with the moment of their end. No machine has this profile.';
  await host.call('PATCH', QUARANTINE, { body: { config } }).catch((error) => {
    if (error.status !== 404) throw error;
    return host.call('POST', '/1.0/profiles', { body: { name: QUARANTINE.split('/').at(-1), description, config } });
  });
}
