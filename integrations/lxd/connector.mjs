/*
 * A provisioner over LXD or Incus: containers made from the image that a plan's `provisioning` names. README.md says how to
 * set it up. Each work looks at the machine first, does what is missing, and notes with the machine what a repeat has to
 * know; so it may be ended, or lose an answer, anywhere.
 */
import { createHmac } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';
import { assign, release } from './addresses.mjs';
import { LxdError } from './client.mjs';
import * as machines from './machine.mjs';
import { cardOf, diskOf, notSetUp, settingsOf, sizeOf, specOf, withHost } from './plan.mjs';
import { done, Failure, inProgress, named, serve, setting, USABLE } from './provisioning.mjs';

const { findMachine, MAKING, mark, READY, requireMachine, start, stop } = machines;

/** Passwords are made from it, so that none is kept. Without it there are none. */
const passwordKey = setting('PASSWORD_KEY', '');
/** A call is held as long: most works end within it, and the product hears of it at once. */
const PATIENCE_MS = 4000;
/** Then the addresses are asked for with another call, and a line of the log says so. */
const WAIT_FOR_ADDRESS_MS = 60_000;
const LONGEST_HOSTNAME = 64;
const MOST_TRIES = 4;
/** Suspensions and their ends that a machine remembers. */
const MOST_TURNS = 20;

const passwordOf = (number, id) => createHmac('sha256', passwordKey).update(`${number}.${id}`).digest('base64url');
const fixedOf = ({ marks }) => marks.addresses?.split(' ').filter(Boolean) ?? [];
const isOff = ({ marks }) => marks.suspended === 'true';

function consoleOf({ host, name }, plan) {
  return settingsOf(plan).console_url?.replaceAll('{host}', host.name).replaceAll('{name}', name) ?? null;
}

function valuesOf({ service_number: number, type }, configuration) {
  const { hostname = machines.nameOf(number), ...others } = configuration;
  if (hostname.length > LONGEST_HOSTNAME) {
    const service_usable = type !== 'service-creation';
    throw new Failure('values_refused', `The host name is longer than ${LONGEST_HOSTNAME}`, { service_usable });
  }
  return { hostname, ...others };
}

/** What the client sees of a machine that runs: in progress until it has the addresses that the plan waits for. */
async function described(machine, { service }, plan, { hostname }) {
  const { wait_for: families = ['inet'] } = settingsOf(plan);
  const isThere = (list) => families.every((family) => list.some((one) => one.includes(':') === (family === 'inet6')));
  const until = Date.now() + WAIT_FOR_ADDRESS_MS;
  let addresses = [];
  for (let pause = 100; ; pause = Math.min(pause * 1.5, 1000)) {
    const state = await machines.stateOf(machine);
    if (state.status === 'Stopped') break;
    addresses = machines.addressesOf(state);
    if (isThere(addresses)) break;
    if (Date.now() > until) {
      console.error(`${machine.name}: no address of ${families.join(' and ')} yet`);
      return inProgress(undefined, 10);
    }
    await setTimeout(pause);
  }
  // Of a machine that is off: what was known before.
  if (addresses.length === 0) addresses = service.access?.ip_addresses ?? fixedOf(machine);
  return done({
    access: {
      hostname,
      ip_addresses: addresses,
      username: 'root',
      login_url: consoleOf(machine, plan),
      notes: null,
    },
    reference: `${machine.host.name}/${machine.name}`,
    ...(plan.options?.some(({ name }) => name === 'hostname') && { configuration: { hostname } }),
  });
}

async function setPassword(machine, number, request) {
  const { host, name } = machine;
  const file = '/root/.broker-login';
  for (let tries = 1; tries <= MOST_TRIES; tries += 1) {
    // By a file: the arguments of a command can be read by others in the machine, and operations by others at LXD.
    await host.write(name, file, '0600', `root:${passwordOf(number, request)}\n`);
    const code = await host.exec(name, ['/bin/sh', '-c', 'chpasswd < "$0"; code=$?; rm -f "$0"; exit $code', file]);
    if (code === 0) return mark(machine, { password: request });
    console.error(`${name}: chpasswd ended with ${code}`);
    // A machine that starts may hold the lock of its passwords at this moment.
    await setTimeout(tries * 500);
  }
  throw new Failure('password_refused', 'The machine refuses the password', USABLE);
}

/** Brings a machine up that was made: with its addresses, host name, key and password. One that has been up just starts. */
async function bringUp(machine, { service_number: number, request_id: request }, plan, { hostname, ssh_key: key }) {
  const { host, name } = machine;
  if (machine.marks.step === READY) return start(machine);
  const devices = machine.instance.expanded_devices;
  if (settingsOf(plan).addresses && !machine.marks.addresses) {
    await assign(settingsOf(plan), (chosen) => mark(machine, { addresses: chosen.join(' ') }));
  }
  const card = cardOf(plan, devices, fixedOf(machine));
  // A new system in the place of an old one: the same card, so that DHCP gives it the same address.
  const [nic = 'eth0'] = Object.entries(devices).find(([, { type }]) => type === 'nic') ?? [];
  const { hwaddr } = machine.marks;
  const config = hwaddr ? { [`volatile.${nic}.hwaddr`]: hwaddr } : {};
  if (hwaddr || Object.keys(card).length > 0) await machines.patch(machine, { config, devices: card });
  if (!machine.isRunning) {
    await host.write(name, '/etc/hostname', '0644', `${hostname}\n`);
    if (key) {
      await host.write(name, '/root/.ssh', '0700');
      await host.write(name, '/root/.ssh/authorized_keys', '0600', `${key.trim()}\n`);
    }
  }
  await start(machine);
  // Templates of an image may have written its own name at the first start.
  const rename = '[ "$(hostname)" = "$0" ] || { printf "%s\\n" "$0" > /etc/hostname; hostname "$0"; }';
  await host.exec(name, ['/bin/sh', '-c', rename, hostname]);
  const password = machine.marks.password || (key ? '' : request);
  if (passwordKey !== '' && password) await setPassword(machine, number, password);
  await mark(machine, { step: READY });
}

/** @returns a machine that is off, of which nothing is set up yet */
async function make(host, plan, values, { isNext, marks }) {
  const spec = await specOf(host, plan, values);
  return machines.make(host, { isNext, marks, ...spec }).catch((error) => {
    throw isRefused(error) ? notSetUp('LXD refuses what the plan says', error.words) : error;
  });
}

async function create(job) {
  const { service_number: number, request_id: request, service_uid: uid, broker, new_plan: plan } = job;
  const values = valuesOf(job, job.configuration);
  let machine = await findMachine(job);
  if (machine?.marks.step === MAKING) {
    await machines.remove(machine);
    machine = undefined;
  }
  const marks = { service: number, request, broker, plan: plan.slug, ...(uid && { uid }) };
  machine ??= await withHost(plan, (host) => make(host, plan, values, { marks }));
  if (machine.marks.step !== READY && !isOff(machine) && !isSuspended(job)) await bringUp(machine, job, plan, values);
  return described(machine, job, plan, values);
}

/** Nothing comes behind a creation that failed: what there is of it goes first. */
async function createOrRemove(job) {
  try {
    return await withPatience(job, create);
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    await withPatience({ ...job, type: 'cancellation' }, removeOwn);
    throw error;
  }
}

/** Removes what this order has made, and no other machine. */
async function removeOwn(job) {
  const machine = await findMachine(job).catch((error) => {
    if (error instanceof Failure) return undefined;
    throw error;
  });
  if (machine?.marks.request === job.request_id) await removeAll(machine);
}

/** Values of the plan that LXD does not take, which it says with 500 too. */
const isRefused = ({ isOperation, status, words }) =>
  !isOperation && (status === 400 || (status === 500 && /^(invalid|failed) (devices|config)/i.test(words)));

/**
 * What LXD could not do, or did not answer, may succeed a moment later: each try looks anew at what is true already. An
 * operation that fails every time has failed; of a call that was not answered nothing is known, and the product asks again.
 */
async function withPatience(job, makeTrue) {
  for (let tries = 1; ; tries += 1) {
    try {
      return await makeTrue(job);
    } catch (error) {
      if (error instanceof Failure) throw error;
      console.error(`${job.type} of ${job.service_number}:`, error);
      const { isOperation, words } = error;
      if (job.type === 'service-creation' && isRefused(error)) throw notSetUp('LXD refuses what the plan says', words);
      // A removal does not give up.
      if (tries === MOST_TRIES && isOperation && job.type !== 'cancellation') {
        throw new Failure('operation_failed', 'The host could not do it', { retryable: true });
      }
      if (tries === MOST_TRIES) throw error;
      await setTimeout(tries * 500);
    }
  }
}

async function removeAll(machine) {
  await release(machine);
  if (machine.next) await machines.remove(machine.next);
  await machines.remove(machine);
}

const isSuspended = ({ service }) => service.service_status === 'suspended';

/** A repeat of before a suspension must not start the machine. */
function refuseSuspended(job, machine) {
  if (isSuspended(job) || isOff(machine)) throw new Failure('service_not_active', 'The service is suspended');
}

/** Starts again, once: the start of before is noted, and is another one afterwards. */
async function reboot(job, machine) {
  refuseSuspended(job, machine);
  const { request_id: request } = job;
  if (machine.marks.restart !== request) {
    await mark(machine, { restart: request, started: machine.isRunning ? await machines.startOf(machine) : '' });
  }
  const isStarted = machine.isRunning && (await machines.startOf(machine)) !== machine.marks.started;
  if (isStarted) return done();
  // Not LXD's own restart: that waits without an end for a guest that does not listen.
  if (machine.isRunning) await stop(machine);
  await bringUp(machine, job, job.plan, valuesOf(job, job.service.configuration));
  return done();
}

/**
 * Makes the new machine beside the old one, which stays whole until then: an image that cannot be had destroys nothing. The
 * new one takes over name, addresses, network card and all that is noted.
 */
async function reinstall(job, machine) {
  const { request_id: request, plan } = job;
  const values = valuesOf(job, { ...job.service.configuration, ...job.configuration });
  const isReplaced = machine.marks.reinstall === request;
  if (!isReplaced) {
    refuseSuspended(job, machine);
    const { host, marks, instance } = machine;
    const [nic = 'eth0'] = Object.entries(instance.expanded_devices).find(([, { type }]) => type === 'nic') ?? [];
    const hwaddr = instance.config[`volatile.${nic}.hwaddr`] ?? '';
    let { next } = machine;
    if (next && (next.marks.reinstall !== request || next.marks.step === MAKING)) {
      await machines.remove(next);
      next = undefined;
    }
    const kept = { ...marks, reinstall: request, hwaddr, ...(marks.password && { password: request }) };
    next ??= await make(host, plan, values, { isNext: true, marks: kept }).catch((error) => {
      if (error instanceof Failure) error.answer.service_usable = true;
      throw error;
    });
    await stop(machine, { atOnce: true });
    // Counted with the stop.
    await mark(next, { traffic: machine.marks.traffic ?? '' });
    await machines.remove(machine);
    machine = await machines.takeOver(next);
  }
  if (machine.marks.step !== READY && !isOff(machine) && !isSuspended(job)) {
    await bringUp(machine, job, plan, values);
    await mark(machine, { hwaddr: '' });
  }
  return described(machine, job, plan, values);
}

async function resetPassword({ service_number: number, request_id: request }, machine) {
  if (passwordKey === '') throw new Failure('not_supported', 'Passwords are not kept here', USABLE);
  if (machine.marks.password === request) return done();
  if (!machine.isRunning)
    throw new Failure('not_running', 'The machine has to run for that', { ...USABLE, retryable: true });
  await setPassword(machine, number, request);
  return done();
}

const ACTIONS = {
  async start(job, machine) {
    refuseSuspended(job, machine);
    if (!machine.isRunning) await bringUp(machine, job, job.plan, valuesOf(job, job.service.configuration));
    return done();
  },
  async stop(_job, machine) {
    if (machine.isRunning) await stop(machine);
    return done();
  },
  reboot,
  reinstall,
  reset_password: resetPassword,
  console({ plan, service }, machine) {
    const login_url = consoleOf(machine, plan);
    if (!login_url) throw new Failure('not_supported', 'The plan names no console', USABLE);
    return done({ access: { ...service.access, login_url } });
  },
};

/** What was done is not done again, however late its repeat comes. */
async function act(job) {
  const action = named(ACTIONS, job.action.name);
  const machine = await requireMachine(job);
  const describes = ['reinstall', 'console'].includes(job.action.name);
  if (machine.marks.acted === job.request_id && !describes) return done();
  const answer = await action(job, machine);
  if (answer.outcome === 'done') await mark(machine, { acted: job.request_id });
  return answer;
}

/**
 * Suspensions and their ends leave their ids with the machine, in the order in which they began. One that another came
 * after is over: its late repeat neither starts nor stops anything.
 */
async function turnTo(job, isSuspension, makeTrue) {
  const machine = await requireMachine(job);
  const turns = machine.marks.turns?.split(' ').filter(Boolean) ?? [];
  const isKnown = turns.includes(job.request_id);
  if (isKnown && turns.at(-1) !== job.request_id) return done();
  if (!isKnown) {
    const marks = { suspended: isSuspension, turns: [...turns, job.request_id].slice(-MOST_TURNS).join(' ') };
    await mark(machine, marks, { 'boot.autostart': String(!isSuspension) });
  }
  await makeTrue(machine, isKnown);
  return done();
}

async function changePlan(job) {
  const { new_plan: plan } = job;
  const machine = await requireMachine(job);
  const { host, instance } = machine;
  try {
    // The pool stays the one where the disk lies.
    const here = { ...plan, provisioning: { ...settingsOf(plan), pool: undefined } };
    const disk = await diskOf(host, here, instance.expanded_devices);
    const [[name, { size }]] = Object.entries(disk);
    const gigabytes = plan.specifications?.disk_gb;
    if (size && size !== instance.expanded_devices[name]?.size) {
      const used = (await machines.stateOf(machine)).disk?.[name]?.usage ?? 0;
      if (used > gigabytes * 1024 ** 3) {
        throw new Failure('disk_cannot_shrink', 'More is stored than the plan has', USABLE);
      }
      await machines.patch(machine, { devices: { [name]: { ...instance.expanded_devices[name], size } } });
    }
    const { memory, cpu } = sizeOf(plan);
    if (memory) await machines.patch(machine, { config: memory });
    // By itself: together with others LXD 5.0 stores the number of cores and does not always apply it.
    if (cpu) await machines.patch(machine, { config: cpu });
    if (plan.slug) await mark(machine, { plan: plan.slug });
  } catch (error) {
    if (error instanceof Failure) error.answer.service_usable = true;
    if (!(error instanceof LxdError)) throw error;
    console.error(`${job.type} of ${job.service_number}:`, error);
    throw new Failure('limits_refused', 'The machine cannot be given this size', { ...USABLE, retryable: true });
  }
  return done();
}

/** By type: makes the work true, whatever of it is so already. */
const WORK = {
  'service-creation': createOrRemove,
  'service-action': act,
  'service-suspension': (job) =>
    turnTo(job, true, async (machine, isRepeat) => {
      // Its programs had their time already where this was begun before.
      if (machine.isRunning) await stop(machine, { atOnce: isRepeat });
    }),
  'service-unsuspension': (job) =>
    turnTo(job, false, async (machine) => {
      if (!machine.isRunning) await bringUp(machine, job, job.plan, valuesOf(job, job.service.configuration));
    }),
  'plan-upgrade': changePlan,
  'plan-downgrade': changePlan,
  async cancellation(job) {
    const machine = await findMachine(job);
    if (machine) await removeAll(machine);
    return done({ access: null });
  },
};

async function work(job) {
  const makeTrue = named(WORK, job.type);
  const answer = await (makeTrue === createOrRemove ? makeTrue(job) : withPatience(job, makeTrue));
  console.log(`${job.type} of ${job.service_number}: ${answer.outcome}`);
  return answer;
}

/** Passwords that were set here; the client may have changed them in the machine since. */
async function credentials(question) {
  if (passwordKey === '') return null;
  const machine = await findMachine({ ...question, type: 'credentials' });
  if (!machine?.marks.password) return null;
  const password = passwordOf(question.service_number, machine.marks.password);
  return [{ display_name: 'Root login', username: 'root', password, private_key: null, url: null }];
}

/** Whose the machine of a number is: its marks say it. */
const whose = (job) =>
  withPatience(job, async () => {
    const machine = await findMachine(job);
    const { uid, request } = machine?.marks ?? {};
    return machine && { uid, request, keep: (own) => mark(machine, { uid: own }) };
  });

serve({ work, whose, credentials, list: machines.list, patienceMs: PATIENCE_MS });
