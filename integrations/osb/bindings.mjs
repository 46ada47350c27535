/* Credentials: one binding for each service, which is made with the first question and stays until the service ends. */
import { setTimeout } from 'node:timers/promises';
import { ask, isBusy, isVerdict } from './broker.mjs';

/** A caller waits no longer. */
const QUESTION_MS = 4_500;
const MOST_CREDENTIALS = 10;
const LONGEST_PASSWORD = 1000;

class BindingFailed extends Error {}

/** @returns the logins of a service, null where the broker has none */
export async function readCredentials(path, plan) {
  try {
    return loginsOf((await bind(path, plan)) ?? {});
  } catch (error) {
    console.error(error);
    // Half of a binding would stay in the way of the next question.
    if (error instanceof BindingFailed || isVerdict(error)) {
      await unbind(path, plan, { signal: AbortSignal.timeout(QUESTION_MS) });
    }
    if ([400, 404, 409, 410, 422].includes(error.status) && !isBusy(error)) return null;
    throw error;
  }
}

export async function unbind(path, plan, options) {
  await ask('DELETE', path, { query: { accepts_incomplete: true, ...plan }, ...options }).catch((error) => {
    if (error.status !== 410) throw error;
  });
}

/** Binds, or finds what is bound already. */
async function bind(path, plan) {
  const signal = AbortSignal.timeout(QUESTION_MS);
  const read = () => ask('GET', path, { query: plan, signal });
  const query = { accepts_incomplete: true };
  const bound = await ask('PUT', path, { query, body: plan, signal }).catch((error) => {
    // It was made for the plan before.
    if (error.status === 409) return read();
    throw error;
  });
  const { operation } = bound.body;
  if (bound.isGoingOn) await end(path, { ...plan, ...(operation && { operation }) }, signal);
  return bound.body.credentials ?? (await read()).body.credentials;
}

async function end(path, query, signal) {
  for (;;) {
    await setTimeout(500, undefined, { signal });
    const { body: last } = await ask('GET', `${path}/last_operation`, { query, signal });
    if (last.state === 'succeeded') return;
    if (last.state === 'failed') throw new BindingFailed(last.description);
  }
}

/** A login by the names that brokers give it usually; each other value stands by its own. */
function loginsOf({ username, user = username, password, uri, private_key, ...others }) {
  const login = {
    username: textOf(user),
    password: textOf(password),
    private_key: textOf(private_key),
    url: textOf(uri),
  };
  const all = [
    { display_name: 'Login', ...login },
    ...Object.entries(others).map(([name, value]) => ({ display_name: name, ...secretOf(textOf(value)) })),
  ];
  const known = all.filter(({ display_name: _, ...values }) => Object.values(values).some((value) => value !== null));
  return known.length > 0 ? known.slice(0, MOST_CREDENTIALS) : null;
}

function textOf(value = null) {
  return value === null || typeof value === 'string' ? value : JSON.stringify(value);
}

/** A certificate is longer than a password may be. */
function secretOf(text) {
  return text?.length > LONGEST_PASSWORD ? { private_key: text } : { password: text };
}
