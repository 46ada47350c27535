/*
 * Sends the disk and the traffic of all machines to the operator's API, and names machines that no service has:
 *   OPERATOR_URL=... OPERATOR_KEY=... node consumption.mjs [--remove]
 * Run it every few minutes: LXD forgets its counters with each restart of a machine. With --remove the machines go that
 * belong to no service, or to one that has ended; without it they are named alone.
 */
import { release } from './addresses.mjs';
import { countTraffic, hosts, marksOf, nameOf, PREFIX, remove, stateOf } from './machine.mjs';
import { addressOf, exchange, setting } from './provisioning.mjs';

const url = addressOf('OPERATOR_URL');
const headers = { Authorization: `Bearer ${setting('OPERATOR_KEY')}`, 'Content-Type': 'application/json' };
const GB = 1e9;
const ENDED = ['cancelled', 'terminated'];
/** The creation of a younger one may still be under way. */
const YOUNG_MS = 3_600_000;
const isRemoving = process.argv.includes('--remove');

async function ask(method, path, body) {
  const { status, body: answer } = await exchange(`${url}${path}`, {
    ...{ method, headers },
    ...(body && { body: JSON.stringify(body) }),
  });
  if (status === 404) return undefined;
  if (status > 299) throw new Error(`${method} ${path}: ${status} ${answer?.error?.message ?? answer?.message ?? ''}`);
  if (answer?.data === undefined) throw new Error(`${method} ${path}: no answer of the operator's API`);
  return answer.data;
}

async function machinesOf(host) {
  const instances = await host.call('GET', '/1.0/instances', { query: { recursion: 1 } });
  return instances
    .filter(({ name }) => name.startsWith(PREFIX))
    .map((instance) => ({ host, instance, name: instance.name, marks: marksOf(instance) }))
    .map((machine) => ({ ...machine, isRunning: machine.instance.status !== 'Stopped' }))
    .filter(({ marks }) => marks.service !== undefined);
}

const gigabytesOf = (bytes) => (bytes / GB).toFixed(3);

async function measure(machine, now) {
  const bytes = await countTraffic(machine, now);
  const { disk } = await stateOf(machine);
  const used = Object.values(disk ?? {}).reduce((sum, { usage }) => sum + usage, 0);
  return {
    service_number: Number(machine.marks.service),
    measured_date: now.toISOString(),
    period_from: new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth())).toISOString(),
    // Without a size LXD does not say it.
    disk_gb_used: used > 0 ? gigabytesOf(used) : null,
    transfer_gb_used: gigabytesOf(bytes),
  };
}

async function report(machine) {
  const { host, name, instance } = machine;
  if (Date.now() - Date.parse(instance.created_at) < YOUNG_MS && !isRemoving) return;
  console.log(`${host.name}/${name} belongs to no service${isRemoving ? ': removed' : ''}`);
  if (!isRemoving) return;
  await release(machine);
  await remove(machine);
}

const now = new Date();
/** Measurements by the slug of the broker. */
const records = new Map();
for (const host of hosts.values()) {
  for (const machine of await machinesOf(host)) {
    const service = await ask('GET', `/services/${machine.marks.service}`);
    if (!service || ENDED.includes(service.service_status)) await report(machine);
    // Beside it stands the machine that is being installed anew.
    else if (machine.name === nameOf(machine.marks.service)) {
      const own = records.get(service.broker) ?? [];
      records.set(service.broker, [...own, await measure(machine, now)]);
    }
  }
}
for (const [broker, own] of records) await ask('POST', `/brokers/${broker}/consumption/import`, { records: own });
console.log(`${[...records.values()].flat().length} measurements sent`);
