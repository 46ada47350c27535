/*
 * A provisioner over an Open Service Broker. README.md says how to set it up. It keeps nothing: ids are made from the uid of
 * the service, the operation that is under way is the token, and the rest is the broker's.
 */
import { createHash } from 'node:crypto';
import { readCredentials, unbind } from './bindings.mjs';
import { ask, isBusy, isVerdict, Refusal } from './broker.mjs';
import { done, Failure, inProgress, named, serve, setting, USABLE } from './provisioning.mjs';

/** Part of every id: two installations on one broker must not have the same. */
const INSTALLATION = setting('INSTALLATION');
const LONGEST_TOKEN = 255;

/** The same id for the same name, a UUID of version 5, so that none has to be kept. */
function idOf(name) {
  const hash = createHash('sha1').update(`broker-service-api/${INSTALLATION}/${name}`).digest();
  hash[6] = (hash[6] & 0x0f) | 0x50;
  hash[8] = (hash[8] & 0x3f) | 0x80;
  return hash.toString('hex', 0, 16).replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
}

/** Of services that release 1.1 or an import made the number, else the uid, which no later service has. */
const nameOf = ({ service_number: number, service_uid: uid = 'before_' }) =>
  /^(before|imported)_/.test(uid) ? number : uid;
const instanceOf = (job) => idOf(`service/${nameOf(job)}`);
const pathOf = (job) => `/service_instances/${instanceOf(job)}`;
const bindingPathOf = (job) => `${pathOf(job)}/service_bindings/${idOf(`binding/${nameOf(job)}`)}`;

function planOf({ provisioning }) {
  const { service_id, plan_id } = provisioning ?? {};
  if (service_id && plan_id) return { service_id, plan_id };
  throw new Failure('plan_not_set_up', 'The plan names no service_id and plan_id', { ...USABLE, retryable: true });
}

/** The parameters by the broker's names and in its types. */
function parametersOf({ provisioning: { parameters = {}, fixed = {} } }, configuration) {
  const names = new Map(Object.entries(parameters));
  const chosen = Object.entries(configuration).map(([option, value]) => {
    const { name = option, json = false } = names.get(option) ?? {};
    return [name, json ? JSON.parse(value) : value];
  });
  return { parameters: { ...fixed, ...Object.fromEntries(chosen) } };
}

/** What is under way, as the token says: `step` is the method of the call that began it. */
const readToken = (token) => Object.fromEntries(new URLSearchParams(token ?? ''));

function goingOn(fields, seconds = 10) {
  const token = new URLSearchParams(Object.entries(fields).filter(([, value]) => typeof value === 'string'));
  // What does not fit is done without: `login_url` can be read again, and brokers have one operation at a time.
  for (const name of ['login_url', 'operation']) if (`${token}`.length > LONGEST_TOKEN) token.delete(name);
  return inProgress(`${token}`, seconds);
}

/**
 * Begins a change, or asks how far it is, where the token says that it was begun.
 * @param plan the one of the instance until the change is done
 * @returns `state`, as the specification has it, and the answer to give while that is "in progress"
 */
async function advance(job, method, plan, { query, body }) {
  const token = readToken(job.token);
  const path = pathOf(job);
  if (token.step !== method) {
    const begun = await ask(method, path, { query: { accepts_incomplete: true, ...query }, body });
    const { operation, dashboard_url: login_url } = begun.body;
    if (!begun.isGoingOn) return { state: 'succeeded', login_url };
    return { state: 'in progress', answer: goingOn({ step: method, operation, login_url }, begun.seconds) };
  }
  const { operation, login_url } = token;
  try {
    const { body: last, seconds } = await ask('GET', `${path}/last_operation`, {
      query: { ...planOf(plan), ...(operation && { operation }) },
    });
    if (last.state === 'failed') console.error(`${job.type} of ${job.service_number}: ${last.description}`);
    if (last.state === 'failed' || last.state === 'succeeded') return { ...last, login_url };
    return { state: 'in progress', answer: goingOn(token, seconds) };
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    if (error.status === 410 && method === 'DELETE') return { state: 'succeeded' };
    console.error(error);
    return { state: 'in progress', answer: goingOn(token, error.seconds ?? 30) };
  }
}

/** What is left of an instance goes, however often that fails. */
async function remove(job) {
  const { state, answer } = await advance(job, 'DELETE', job.plan, { query: planOf(job.plan) }).catch((error) => {
    if (error.status === 410) return { state: 'succeeded' };
    throw error;
  });
  return state === 'failed' ? goingOn({ step: 'removal' }, 30) : answer;
}

async function build(job) {
  if (['DELETE', 'removal'].includes(readToken(job.token).step)) {
    const removing = await remove(job).catch((error) => {
      if (isBusy(error)) throw error;
      // Whatever it is refused for: a creation has not failed before nothing is left of it.
      throw new Error('The rest of a creation could not be removed', { cause: error });
    });
    if (removing) return removing;
    throw new Failure('creation_failed', 'The service broker could not create it', { retryable: true });
  }
  const body = {
    ...planOf(job.new_plan),
    ...parametersOf(job.new_plan, job.configuration),
    context: { platform: 'broker-service-api' },
    organization_guid: idOf('organization'),
    space_guid: idOf(`broker/${job.broker_id}`),
  };
  const { state, answer, login_url } = await advance(job, 'PUT', job.new_plan, { body }).catch((error) => {
    if (!isVerdict(error)) throw error;
    console.error(error);
    return { state: 'failed' };
  });
  if (state === 'failed') return goingOn({ step: 'removal' }, 1);
  return answer ?? done({ ...accessOf(job, login_url ?? (await readLoginUrl(job))), reference: instanceOf(job) });
}

/** Brokers that say the address with the first answer alone may show it with the instance. */
async function readLoginUrl(job) {
  const { body } = await ask('GET', pathOf(job), { query: planOf(job.plan) }).catch((error) => {
    if (error instanceof Refusal) return { body: {} };
    throw error;
  });
  return body.dashboard_url;
}

const accessOf = ({ service }, login_url) => (login_url ? { access: { ...service.access, login_url } } : {});

async function update(job, plan, parameters) {
  const before = planOf(job.plan);
  const after = planOf(plan);
  if (before.service_id !== after.service_id) {
    throw new Failure('not_supported', 'The plan is one of another kind of service', USABLE);
  }
  const body = { ...after, ...parameters, previous_values: { plan_id: before.plan_id } };
  const { state, answer, login_url, ...last } = await advance(job, 'PATCH', job.plan, { body });
  if (state !== 'failed') return answer ?? done(accessOf(job, login_url));
  throw new Failure('update_failed', last.description ?? 'The service broker could not change it', {
    service_usable: last.instance_usable !== false,
    retryable: last.update_repeatable !== false,
  });
}

/** With what was chosen anew; the instance keeps what is not sent. */
function changePlan(job) {
  const { configuration: before = {} } = job.service;
  const chosen = Object.entries(job.configuration).filter(([option, value]) => before[option] !== value);
  return update(job, job.new_plan, chosen.length > 0 ? parametersOf(job.new_plan, Object.fromEntries(chosen)) : {});
}

const ACTIONS = {
  reconfigure: (job) => update(job, job.plan, parametersOf(job.plan, job.configuration)),
  // The next question makes a binding, and with it a login, anew.
  async reset_password(job) {
    await unbind(bindingPathOf(job), planOf(job.plan));
    return done();
  },
};

/** By type: takes the next step towards what the request wants. */
const WORK = {
  'service-creation': build,
  'plan-upgrade': changePlan,
  'plan-downgrade': changePlan,
  'service-action': (job) => named(ACTIONS, job.action.name)(job),
  'service-suspension'() {
    throw new Failure('not_supported', 'Services of this kind cannot be suspended: it goes on as before', USABLE);
  },
  // It was never off.
  'service-unsuspension': () => done(),
  async cancellation(job) {
    if (job.plan.has_credentials && !readToken(job.token).step) {
      await unbind(bindingPathOf(job), planOf(job.plan));
      return goingOn({ step: 'removal' }, 1);
    }
    return (await remove(job)) ?? done({ access: null });
  },
};

/** Why a call is refused for good; whatever else went wrong is tried again. */
const REASONS = { 400: 'values_refused', 409: 'instance_conflict', 422: 'not_supported' };

async function work(job) {
  try {
    return await named(WORK, job.type)(job);
  } catch (error) {
    // With the token, so that what is under way is not begun again.
    if (isBusy(error)) return inProgress(job.token ?? undefined, error.seconds ?? 10);
    if (!REASONS[error.status]) throw error;
    console.error(error);
    const { status, error: code, description = 'The service broker refuses it' } = error;
    const service_usable = job.type !== 'service-creation';
    if (code === 'MaintenanceInfoConflict') {
      const message = 'The catalogue of the service broker has changed: its operator has to import it again';
      throw new Failure('plan_not_set_up', message, { service_usable, retryable: true });
    }
    throw new Failure(REASONS[status], description, { service_usable });
  }
}

const credentials = (job) => readCredentials(bindingPathOf(job), planOf(job.plan));

serve({ work, credentials });
