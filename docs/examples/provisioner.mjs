/*
 * A provisioner: the endpoint behind PROVISIONER_URL, with machines that exist in a file alone.
 *   PROVISIONER_SECRET=... node docs/examples/provisioner.mjs
 * Put your hypervisor or panel in place of `machines`, and keep the order: check what is true already, make true what is
 * not, and say what is true then. So a repeat finds its work done, also when this process died in the middle of it.
 */
import { createHmac } from 'node:crypto';
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { setTimeout } from 'node:timers/promises';
import { done, Failure, named, serve, setting } from './provisioning.mjs';

const secret = setting('PROVISIONER_SECRET');
const MACHINES = setting('MACHINES', 'machines.json');
const BUILD_SECONDS = Number(setting('BUILD_SECONDS', '20'));

/** Machines by service number; `ended` is the service of which a cancellation has promised that none remains or comes. */
const machines = existsSync(MACHINES) ? JSON.parse(readFileSync(MACHINES, 'utf8')) : {};

const find = (number) => (machines[number]?.slot ? machines[number] : undefined);

function save(number, machine) {
  machines[number] = machine;
  // Whole or not at all, whenever the power fails.
  writeFileSync(`${MACHINES}.new`, JSON.stringify(machines, null, 2));
  renameSync(`${MACHINES}.new`, MACHINES);
}

const panel = (number, page = '') => `https://panel.example.com/machines/${number}${page}`;

/** What the client gets to know of a machine. */
const accessOf = (number, { hostname, slot }, login_url = panel(number)) => ({
  hostname,
  ip_addresses: [`192.0.2.${slot}`, `2001:db8::${slot.toString(16)}`],
  username: 'root',
  login_url,
  notes: null,
});

function freeSlot() {
  const used = new Set(Object.values(machines).map((machine) => machine?.slot));
  const free = Array.from({ length: 254 }, (_, at) => at + 1).find((slot) => !used.has(slot));
  if (free === undefined) throw new Failure('no_capacity', 'No address is free', { retryable: true });
  return free;
}

async function build(job) {
  const { service_number: number, service_uid: uid, new_plan: plan } = job;
  // Its cancellation was faster, or came again after it.
  if (machines[number] === null || machines[number]?.ended === (uid ?? number))
    throw new Failure('service_cancelled', 'The service was cancelled before it was built');
  await make(job).catch((error) => {
    // No cancellation comes behind a creation that failed: what there is of it goes first.
    if (error instanceof Failure) save(number, undefined);
    throw error;
  });
  const { hostname } = machines[number];
  const hasOption = plan.options.some(({ name }) => name === 'hostname');
  return done({
    access: accessOf(number, machines[number]),
    reference: `machine-${number}`,
    ...(hasOption && { configuration: { hostname } }),
  });
}

/** Does what is missing of a machine, which says itself whose it is. It starts last. */
async function make({
  service_number: number,
  service_uid: uid,
  request_id: request,
  broker,
  new_plan: plan,
  configuration,
}) {
  const { hostname = `vps-${number}.example.com`, image = 'debian-13' } = configuration;
  const size = plan.specifications;
  const owner = { uid, request, broker, plan: plan.slug };
  const bare = { hostname, image, size, isRunning: false, starts: 0, passwords: 1, lastAction: null };
  if (!find(number)) save(number, { slot: freeSlot(), ...owner, ...bare });
  if (machines[number].starts > 0) return;
  await setTimeout(BUILD_SECONDS * 1000);
  if (size?.vcpu > 64) throw new Failure('no_capacity', 'No machine is that large');
  save(number, { ...machines[number], isRunning: true, starts: 1 });
}

/** What an action does to a machine. To restart one twice is no repeat: `act` sees to it that it happens once. */
const ACTIONS = {
  start: (machine) => ({ isRunning: true, starts: machine.starts + 1 }),
  stop: () => ({ isRunning: false }),
  reboot: (machine) => ({ isRunning: true, starts: machine.starts + 1 }),
  reinstall: (machine, { image = machine.image }) => ({
    image,
    isRunning: true,
    starts: machine.starts + 1,
    passwords: machine.passwords + 1,
  }),
  reset_password: (machine) => ({ passwords: machine.passwords + 1 }),
  console: () => ({}),
};

function act({ request_id, service_number: number, service, action: { name }, configuration }) {
  const machine = machineOf(number);
  const change = named(ACTIONS, name);
  // A service has one action at a time, so that the last one is all that can come again.
  if (machine.lastAction !== request_id) {
    // Suspended since it was submitted: it must not start.
    if (service.service_status === 'suspended') throw new Failure('service_not_active', 'The service is suspended');
    save(number, { ...machine, ...change(machine, configuration), lastAction: request_id });
  }
  return done({ access: accessOf(number, machine, name === 'console' ? panel(number, '/console') : undefined) });
}

function machineOf(number) {
  const machine = find(number);
  if (!machine) throw new Failure('service_not_found', 'There is no machine of this service');
  return machine;
}

function set(number, changes) {
  save(number, { ...machineOf(number), ...changes });
  return done();
}

const changePlan = ({ service_number: number, new_plan: { slug: plan, specifications: size } }) =>
  set(number, { size, plan });

/** By type: makes the work true, whatever of it is so already. */
const WORK = {
  'service-creation': build,
  'service-action': act,
  'service-suspension': ({ service_number: number }) => set(number, { isRunning: false, isSuspended: true }),
  'service-unsuspension': ({ service_number: number }) => set(number, { isRunning: true, isSuspended: false }),
  'plan-upgrade': changePlan,
  'plan-downgrade': changePlan,
  cancellation({ service_number: number, service_uid: uid }) {
    // Also of a service that never came to be: its creation may still be on the way.
    save(number, { ended: uid ?? number });
    return done({ access: null });
  },
};

async function work(job) {
  const answer = await named(WORK, job.type)(job);
  console.log(`${job.type} of ${job.service_number}: done`);
  return answer;
}

/** Made from the secret each time, so that no password lies in the file; a real machine is asked, or has a vault. */
function credentials({ service_number: number }) {
  const machine = find(number);
  if (!machine?.starts) return null;
  const password = createHmac('sha256', secret).update(`${number}.${machine.passwords}`).digest('base64url');
  return [{ display_name: 'Root login', username: 'root', password, private_key: null, url: panel(number) }];
}

/** Whose the machine of a number is: the machine says it itself. */
function whose({ service_number: number }) {
  const machine = find(number);
  return machine && { uid: machine.uid, request: machine.request, keep: (uid) => save(number, { ...machine, uid }) };
}

/** A page of the machines, by their numbers. */
function list({ after, limit }) {
  const numbers = Object.keys(machines)
    .map(Number)
    .filter((number) => find(number) && number > Number(after));
  const page = numbers.sort((one, other) => one - other).slice(0, limit);
  return { machines: page.map(listed), after: numbers.length > limit ? String(page.at(-1)) : null };
}

function listed(number) {
  const { uid = null, broker, plan, isSuspended = false, hostname, ...machine } = machines[number];
  const { ip_addresses } = accessOf(number, machine);
  const owner = { service_number: number, service_uid: uid, broker, plan };
  return {
    ...owner,
    reference: `machine-${number}`,
    suspended: isSuspended,
    ip_addresses,
    configuration: { hostname },
  };
}

serve({ work, whose, credentials, list, historyFile: `${MACHINES}.history` });
