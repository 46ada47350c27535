/*
 * What every provisioner has in common, as docs/provisioner.yaml describes it: signatures, repeats and the forms of answers.
 * Plain Node, without a dependency and without a journal; docs/examples/provisioner.mjs shows how it is used.
 */
import { createHmac, timingSafeEqual } from 'node:crypto';
import { createServer } from 'node:http';
import { text } from 'node:stream/consumers';
import { setTimeout } from 'node:timers/promises';

/** Seconds that a call may be old. */
const LONGEST_AGE = 300;
const MOST_BYTES = 1_048_576;

/** A setting of the environment, which has to be there where nothing is given instead. */
export function setting(name, otherwise) {
  const value = process.env[name] || otherwise;
  if (value === undefined) throw new Error(`${name} is not set`);
  return value;
}

/** The address of a program that is given a secret: it is on this machine, or behind HTTPS. */
export function addressOf(name) {
  const { protocol, hostname } = new URL(setting(name));
  if (protocol !== 'https:' && hostname !== 'localhost') throw new Error(`${name} has to be https`);
  return setting(name).replace(/\/$/, '');
}

/**
 * Calls such a program. Rejects where no whole answer came: what became of the call is not known then.
 * @returns the answer; `body` is undefined where it is no JSON
 */
export async function exchange(url, { signal = AbortSignal.timeout(30_000), ...options }) {
  const response = await fetch(url, { ...options, signal, redirect: 'error' });
  const content = await response.text();
  const { status, statusText, headers } = response;
  return { status, statusText, headers, body: jsonOf(content) };
}

function jsonOf(content) {
  try {
    return JSON.parse(content);
  } catch {
    return undefined;
  }
}

/** The work cannot be done, in words for the broker. Whatever else is thrown is logged, and the call comes again. */
export class Failure extends Error {
  constructor(reason, message, { service_usable = false, retryable = false } = {}) {
    super(message);
    this.answer = { outcome: 'failed', reason, message, service_usable, retryable };
  }
}

/** @param result `access`, `configuration` and `reference`, as far as there is something to say of them */
export const done = (result = {}) => ({ outcome: 'done', ...result });

/** The work goes on elsewhere: the same call comes again after so many seconds, with the token. */
export const inProgress = (token, seconds = 5) => ({ outcome: 'in_progress', token, seconds });

/** What cannot be done leaves the service as it is. */
export const USABLE = { service_usable: true };

/** What is there under a name that came with the work. */
export function named(table, name) {
  if (!Object.hasOwn(table, name)) throw new Failure('not_supported', `There is no ${name} here`, USABLE);
  return table[name];
}

/** Whether the header signs time and body with one of the secrets: two, while a new one is brought in. */
export function isSigned(header, body, secrets, now = Date.now()) {
  const [, seconds, mac] = /^t=(\d+),v1=([0-9a-f]{64})$/.exec(header) ?? [];
  if (mac === undefined || Math.abs(now / 1000 - seconds) > LONGEST_AGE) return false;
  // Compared in the same time however much of it is right.
  return secrets.some((secret) =>
    timingSafeEqual(Buffer.from(mac, 'hex'), createHmac('sha256', secret).update(`${seconds}.${body}`).digest()),
  );
}

/**
 * Makes the server.
 * @param secrets what calls are signed with, one or two
 * @param work makes a request true and resolves with `done` or `inProgress`, or throws a `Failure`. It gets the same work
 * again where an answer was lost or this process ended: it looks first at what is true already. The work of one service is
 * given one after the other, and a creation never behind the service's cancellation
 * @param credentials resolves with the logins of a service, null where there are none; they are kept nowhere here
 * @param patienceMs what takes longer is answered with 202 meanwhile
 */
export function createProvisioner({ secrets, work, credentials = () => null, patienceMs = 1000 }) {
  /** By service: its work that is not done, in its order, and answers that no call has fetched yet. */
  const queues = new Map();
  /** Services whose end was promised. A call of before is refused by its age soon, so that memory is enough. */
  const cancelled = new Set();

  /** The work of a key, so that a repeat waits for it and begins nothing. */
  function enqueue(key, job) {
    const queue = queues.get(job.service_number) ?? [];
    const known = queue.find((entry) => entry.key === key);
    if (known) return known;
    const entry = { key, answer: begin(job, queue.at(-1)) };
    queues.set(job.service_number, [...queue, entry]);
    return entry;
  }

  function leave(number, entry) {
    const rest = queues.get(number)?.filter((one) => one !== entry) ?? [];
    if (rest.length > 0) queues.set(number, rest);
    else queues.delete(number);
  }

  async function begin(job, before) {
    const { service_number: number, type } = job;
    if (before) {
      await before.answer;
      // What it found is not true any more.
      leave(number, before);
    }
    if (type === 'cancellation') cancelled.add(number);
    try {
      if (type === 'service-creation' && cancelled.has(number)) {
        throw new Failure('service_cancelled', 'The service was cancelled before it was built');
      }
      return await work(job);
    } catch (error) {
      // Logged here, because a call may not wait for it any more; without an answer the call comes again.
      return error instanceof Failure ? error.answer : void console.error(error);
    }
  }

  /** A question waits for no work, and no answer to it is repeated. */
  async function answerQuestion({ question_id, service_number, ...question }) {
    const found = await credentials({ question_id, service_number, ...question });
    if (found) return done({ question_id, service_number, credentials: found });
    return new Failure('credentials_not_available', 'There are none for this service').answer;
  }

  async function answerTo(key, job) {
    if (job.type === 'credentials') return answerQuestion(job);
    const entry = enqueue(key, job);
    const later = inProgress(key);
    const answer = await Promise.race([entry.answer, setTimeout(patienceMs, later, { ref: false })]);
    if (answer !== later) leave(job.service_number, entry);
    return answer;
  }

  return createServer(async (request, response) => {
    const say = (status, body, headers) => response.writeHead(status, headers).end(JSON.stringify(body));
    try {
      if (Number(request.headers['content-length']) > MOST_BYTES) return say(413, { message: 'too long' });
      const body = await text(request);
      if (!isSigned(request.headers['x-broker-signature'], body, secrets)) {
        return say(401, { message: 'not signed by the broker' });
      }
      const answered = await answerTo(request.headers['idempotency-key'], JSON.parse(body));
      if (!answered) return say(500, { message: 'try again later' });
      const { seconds, ...answer } = answered;
      if (answer.outcome === 'in_progress') say(202, answer, { 'Retry-After': seconds });
      else say(200, answer);
    } catch (error) {
      console.error(error);
      say(500, { message: 'try again later' });
    }
  });
}

/** Listens where the environment says, with the secrets that it has. */
export function serve({ work, credentials }) {
  // The one before is there while a new one is brought in.
  const secrets = [setting('PROVISIONER_SECRET'), setting('PROVISIONER_SECRET_BEFORE', '')].filter(Boolean);
  const server = createProvisioner({ secrets, work, credentials });
  const [port, host] = [Number(setting('PORT', '4000')), setting('HOST', 'localhost')];
  server.listen(port, host, () => console.log(`listening on ${server.address().port}`));
}
