/*
 * A provisioner over Proxmox VE: VMs cloned from the template that a plan's `provisioning` names. README.md says how to set
 * it up. It keeps nothing: each call looks at the VM, takes the next step and gives the step's task id as token. What a
 * repeat has to know (whose VM it is, which request was last) is the first line of the VM's description.
 */
import { createHmac } from 'node:crypto';
import { done, Failure, inProgress, named, serve, setting, USABLE } from './provisioning.mjs';
import { Busy, begin, PASSING, ProxmoxError, proxmox, taskOf } from './proxmox.mjs';
import { hostnameOf, keyOf, NOT_THERE, notSetUp } from './values.mjs';
import {
  addressesOf,
  configure,
  diskOf,
  enlarge,
  findVm,
  list,
  remove,
  requireVm,
  start,
  stop,
  whose,
  writeNote,
} from './vm.mjs';

/** Passwords are made from it, so that none is kept. Without it there are none. */
const passwordKey = setting('PASSWORD_KEY', '');

const sizeOf = ({ specifications }) => ({
  ...(specifications?.vcpu && { cores: specifications.vcpu }),
  ...(specifications?.memory_mb && { memory: specifications.memory_mb }),
});

const userOf = ({ provisioning }) => provisioning?.user ?? 'root';
const passwordOf = (number, id) => createHmac('sha256', passwordKey).update(`${number}.${id}`).digest('base64url');

function consoleOf({ vmid, node }, { provisioning }) {
  return provisioning?.console_url?.replaceAll('{vmid}', vmid).replaceAll('{node}', node) ?? null;
}

function templateOf({ provisioning }, image) {
  const { node, template, images = {} } = provisioning ?? {};
  if (image !== undefined && provisioning?.images) {
    if (!Object.hasOwn(images, image)) throw new Failure('image_unknown', `There is no template for ${image}`);
    return { node, template: images[image] };
  }
  if (!node || !template) throw notSetUp('The plan names no template');
  return { node, template };
}

/** Clones, sets up and starts; a VM that another request made has to be gone before. */
async function build(vm, job, plan, configuration) {
  const { ssh_key: sshKey, image } = configuration;
  const hostname = hostnameOf(job, configuration);
  const { storage, pool, bridge, ipconfig0 = 'ip=dhcp', nameserver } = plan.provisioning ?? {};
  const { service_number: number, service_uid: uid, request_id: request, broker } = job;
  if (!vm.path) {
    const { node, template } = templateOf(plan, image);
    const description = writeNote({ number, request, step: 'cloned', uid, broker, plan: plan.slug });
    return begin('POST', `/nodes/${node}/qemu/${template}/clone`, {
      ...{ newid: vm.vmid, name: hostname, description },
      // A linked clone lies where its template does.
      ...(storage && { storage, full: 1 }),
      ...(pool && { pool }),
    }).catch(async (error) => {
      if (error instanceof ProxmoxError && NOT_THERE.test(error.message)) {
        throw notSetUp('The template, node or storage of the plan is missing', error.message);
      }
      // By an answer that was lost, or by a VM that the token does not see.
      if (!/already exists/.test(error.message) || (await findVm(job)).path) throw error;
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
      ...(sshKey && { sshkeys: encodeURIComponent(keyOf(sshKey)) }),
      ...(hasPassword && { cipassword: passwordOf(number, request) }),
    };
    await configure(vm, fields, { step: 'configured', ...(hasPassword && { password: request }) });
  }
  const resizing = await enlarge(vm, plan);
  if (resizing) return resizing;
  if (!vm.isRunning && isSuspended(job)) return done();
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

/** A service that was suspended while other work was under way: that does not start its VM. */
const isSuspended = ({ service }) => service.service_status === 'suspended';

function startFor(job, vm) {
  if (isSuspended(job)) throw new Failure('service_not_active', 'The service was suspended meanwhile');
  return start(vm);
}

/** Restarts once: the process of before is noted, and is another one afterwards. */
async function restart(vm, job, failed) {
  const { request_id: request } = job;
  if (vm.note.request !== request) await configure(vm, {}, { request, step: 'restart', pid: vm.pid });
  if (!vm.isRunning) return startFor(job, vm);
  if (vm.pid !== vm.note.pid) return done();
  // A guest that does not listen is switched off; what is off is started above.
  return failed === 'qmreboot' ? stop(vm) : begin('POST', `${vm.path}/status/reboot`, { timeout: 60 });
}

async function reinstall(vm, job) {
  if (vm.path && vm.note.request !== job.request_id) {
    // Nothing is destroyed for what cannot be built.
    templateOf(job.plan, job.configuration.image);
    hostnameOf(job, { ...job.service.configuration, ...job.configuration });
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
    if (/Agent error/.test(error.message)) {
      console.error(error);
      throw new Failure('password_refused', 'The guest refuses the password', USABLE);
    }
    if (!/guest agent/i.test(error.message)) throw error;
    throw new Failure('no_guest_agent', 'The guest does not listen to its agent', { ...USABLE, retryable: true });
  });
  await configure(vm, {}, { password: request });
  return done();
}

const ACTIONS = {
  start: (vm, job) => (vm.isRunning ? done() : startFor(job, vm)),
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
  if (name === 'reinstall') return reinstall(await findVm(job), job);
  return named(ACTIONS, name)(await requireVm(job), job, failed);
}

async function changePlan(job, failed) {
  const vm = await requireVm(job);
  const { new_plan: plan } = job;
  if (plan.specifications?.disk_gb < diskOf(vm, plan.provisioning ?? {}).size) {
    throw new Failure('disk_cannot_shrink', 'The disk is larger than the plan has, and cannot shrink', USABLE);
  }
  const changes = Object.entries(sizeOf(plan)).filter(([name, value]) => String(vm.config[name]) !== String(value));
  if (changes.length > 0 || vm.note.plan !== plan.slug) {
    await configure(vm, Object.fromEntries(changes), { plan: plan.slug });
  }
  const resizing = await enlarge(vm, plan);
  if (resizing) return resizing;
  if (!vm.isRunning && isSuspended(job)) return done();
  const isRestarting = vm.note.request === job.request_id;
  const pending = vm.isRunning ? await proxmox('GET', `${vm.path}/pending`) : [];
  return isRestarting || pending.some((field) => 'pending' in field) ? restart(vm, job, failed) : done();
}

/** By type: takes the next step towards what the request wants. */
const WORK = {
  'service-creation': async (job) => build(await findVm(job), job, job.new_plan, job.configuration),
  'service-action': act,
  async 'service-suspension'(job) {
    const vm = await requireVm(job);
    if (Number(vm.config.onboot)) await configure(vm, { onboot: 0 });
    return vm.isRunning ? stop(vm) : done();
  },
  async 'service-unsuspension'(job) {
    const vm = await requireVm(job);
    if (!Number(vm.config.onboot)) await configure(vm, { onboot: 1 });
    return vm.isRunning ? done() : start(vm);
  },
  'plan-upgrade': changePlan,
  'plan-downgrade': changePlan,
  async cancellation(job) {
    const vm = await findVm(job);
    if (!vm.path) return done({ access: null });
    return vm.isRunning ? stop(vm) : remove(vm);
  },
};

/** A creation that failed, as the token says it until nothing is left of its VM: no cancellation comes behind it. */
const FAILED = 'failed:';
const LONGEST_TOKEN = 255;

/** @returns the next step of removing what a creation has made; undefined where nothing of it is there */
async function removeRest(job, token) {
  const vm = await findVm(job);
  if (!vm.path || vm.note.request !== job.request_id) return undefined;
  await (vm.isRunning ? stop(vm) : remove(vm));
  return inProgress(token);
}

async function failCreation(job, failure) {
  const { reason, message, retryable } = failure.answer;
  const words = message.replace(/[^ -~]/g, '?').replaceAll(' ', '_');
  const token = `${FAILED}${reason}:${retryable}:${words}`.slice(0, LONGEST_TOKEN);
  // Whose the VM is was the failure, where it is not this one's.
  const removing = await removeRest(job, token).catch((error) => {
    if (error instanceof Failure) throw failure;
    if (error instanceof Busy) return inProgress(token);
    throw error;
  });
  if (removing) return removing;
  throw failure;
}

async function takeStep(job) {
  if (job.token?.startsWith(FAILED)) {
    const [, reason, retryable, ...words] = job.token.split(':');
    throw new Failure(reason, words.join(':').replaceAll('_', ' '), { retryable: retryable === 'true' });
  }
  const task = job.token?.startsWith('UPID:') ? await taskOf(job.token) : undefined;
  if (task?.status === 'running') return inProgress(job.token);
  const failed = task && !/^(OK|WARNINGS)/.test(task.exitstatus) ? task.type : undefined;
  if (failed) console.error(`${job.type} of ${job.service_number}: ${failed}: ${task.exitstatus}`);
  // A guest that does not reboot is helped otherwise, and a removal does not give up.
  if (failed && failed !== 'qmreboot' && job.type !== 'cancellation' && !PASSING.test(task.exitstatus)) {
    if (NOT_THERE.test(task.exitstatus)) throw notSetUp('Something that the plan names is missing', task.exitstatus);
    // What was not enlarged or switched off is as it was before.
    const service_usable = job.type !== 'service-creation' && /resize|qmstop|qmshutdown/.test(failed);
    throw new Failure('task_failed', `The task ${failed} failed`, { service_usable, retryable: true });
  }
  const answer = await named(WORK, job.type)(job, failed);
  return failed && answer.outcome === 'in_progress' ? { ...answer, seconds: 30 } : answer;
}

/** Proxmox says it of a key with 500. */
const isRefused = ({ status, message }) => status === 400 || /SSH public key validation error/.test(message);

async function work(job) {
  try {
    return await answerOf(job);
  } catch (error) {
    if (!(error instanceof Failure) || job.type !== 'service-creation') throw error;
    return failCreation(job, error);
  }
}

async function answerOf(job) {
  try {
    return await takeStep(job);
  } catch (error) {
    if (error instanceof Busy) return inProgress();
    if (error instanceof ProxmoxError && PASSING.test(error.message)) return inProgress();
    if (!isRefused(error)) throw error;
    console.error(error);
    const names = error.fields.join(', ') || 'the request';
    const service_usable = job.type !== 'service-creation';
    throw new Failure('values_refused', `Proxmox refuses the values of ${names}`, { service_usable });
  }
}

/** Passwords that were set here; the guest may have changed them since. */
async function credentials({ service_number: number, plan }) {
  if (passwordKey === '') return null;
  const { note } = await findVm({ service_number: number });
  if (!note?.password) return null;
  const password = passwordOf(number, note.password);
  return [{ display_name: 'Login', username: userOf(plan), password, private_key: null, url: null }];
}

serve({ work, whose, credentials, list });
