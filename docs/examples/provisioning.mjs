/*
 * What every provisioner has in common, as docs/provisioner.yaml describes it: signatures, repeats and the forms of answers.
 * Plain Node, without a dependency and without a journal; docs/examples/provisioner.mjs shows how it is used.
 */
import { createHmac, timingSafeEqual } from 'node:crypto';
import { once } from 'node:events';
import http from 'node:http';
import https from 'node:https';
import { setTimeout } from 'node:timers/promises';

/** Seconds that a call may be old. */
const LONGEST_AGE = 300;
/** Of a call; anybody can send one. */
const MOST_BYTES = 1_048_576;
/** Of a program's answer: lists of all machines are long. */
const MOST_BYTES_OF_ANSWER = 33_554_432;
/** Far more than the callers of one installation have open. */
const MOST_CONNECTIONS = 200;
/** Answers that are kept for repeats, and services whose end is remembered. */
const MOST_KEPT = 10_000;
/** No work waits longer for one that is not asked for any more: its request was closed. */
const FORGOTTEN_MS = 60_000;
/** What a call gets that waits no longer. */
const LATER = Symbol('later');
/** Seconds until a work that goes on is asked for again. */
const LONGEST_WAIT = 30;

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
 * @param body a text, or `URLSearchParams` for a form
 * @param connection what Node's `http.request` takes besides: `socketPath` for a program behind a Unix socket, `cert` and
 * `key` for a client certificate, `ca` for a server's own
 * @returns the answer; `body` is undefined where it is no JSON
 */
export async function exchange(
  url,
  { signal = AbortSignal.timeout(30_000), method = 'GET', headers = {}, body, ...connection },
) {
  const { request } = new URL(url).protocol === 'https:' ? https : http;
  const form = body instanceof URLSearchParams && { 'Content-Type': 'application/x-www-form-urlencoded' };
  const call = request(url, { ...connection, signal, method, headers: { ...form, ...headers } });
  // Once an answer has begun, its reader hears of it.
  call.on('error', () => undefined).end(body === undefined ? undefined : String(body));
  const [response] = await once(call, 'response');
  const content = await read(response, MOST_BYTES_OF_ANSWER);
  const { pathname } = new URL(url);
  if (content === undefined) throw new Error(`${pathname}: the answer is too long`);
  const { statusCode: status, statusMessage: statusText } = response;
  if (status > 299 && status < 400) throw new Error(`${pathname}: ${status} leads elsewhere, and is not followed`);
  const fields = Object.entries(response.headers).map(([name, value]) => [name, String(value)]);
  return { status, statusText, headers: new Headers(fields), body: jsonOf(content) };
}

/** @returns the text of a stream; undefined where it is longer, of which nothing more is read then */
async function read(stream, mostBytes) {
  const chunks = [];
  let bytes = 0;
  for await (const chunk of stream) {
    bytes += chunk.length;
    if (bytes > mostBytes) return undefined;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString();
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

/** The same, of a work that says nothing itself: the token that it has stays. */
const goingOn = (key, { token }, seconds) => inProgress(token ?? key, seconds);

/** When to ask for a work again: soon at first, later after a quarter of the time that it has taken. */
const waitOf = ({ since }) => Math.min(LONGEST_WAIT, Math.max(0.2, Math.floor((Date.now() - since) / 400) / 10));

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
 * again where this process ended meanwhile: it looks first at what is true already. The work of one service is given one
 * after the other, in the order in which it came, and a creation never behind the service's cancellation
 * @param credentials resolves with the logins of a service, null where there are none; they are kept nowhere here
 * @param patienceMs what takes longer is answered with 202 meanwhile. A call that is held keeps a place at the worker
 */
export function createProvisioner({ secrets, work, credentials = () => null, patienceMs = 1000 }) {
  /** By service: its work that is not done, by key in the order in which it came. */
  const queues = new Map();
  /** By key: the answers to work that is done or has failed. A repeat gets the same one, whatever came after it. */
  const answers = new Map();
  /** Services whose end was promised. A call of before is refused by its age soon, so that memory is enough. */
  const cancelled = new Map();

  /** The answer to a work. A repeat waits for the same one, and begins nothing. */
  async function answerOf(key, job) {
    if (answers.has(key) && !comesTooLate(job)) return answers.get(key);
    const queue = queues.get(job.service_number) ?? new Map();
    queues.set(job.service_number, queue);
    const entry = queue.get(key) ?? { key, type: job.type, since: Date.now() };
    queue.set(key, entry);
    entry.awaitedUntil = Date.now() + FORGOTTEN_MS;
    entry.answer ??= take(entry, queue, job);
    const patience = setTimeout(patienceMs, LATER, { ref: false });
    const ended = await Promise.race([entry.answer, patience]);
    // Its next call asks for the next step; what no call has fetched stays for that.
    if (ended !== LATER) entry.answer = undefined;
    const answer = ended === LATER ? goingOn(key, job, waitOf(entry)) : ended;
    if (answer?.seconds) entry.awaitedUntil = Date.now() + answer.seconds * 1000 + FORGOTTEN_MS;
    return answer;
  }

  /** Begins a work once none before it is under way, and keeps its end. */
  async function take(entry, queue, job) {
    entry.isRunning = true;
    for (let before = earlier(entry, queue); before; before = earlier(entry, queue)) {
      if (!before.isRunning) {
        // Its next step comes with its next call.
        entry.isRunning = false;
        return goingOn(entry.key, job, 1);
      }
      await before.answer;
    }
    const answer = await begin(job);
    entry.isRunning = false;
    if (answer?.outcome === 'in_progress') return answer;
    if (answer) keep(answers, entry.key, answer);
    queue.delete(entry.key);
    if (queue.size === 0) queues.delete(job.service_number);
    return answer;
  }

  /** A work before this one that is under way. The end of a service waits for no further step of another work. */
  function earlier(entry, queue) {
    for (const before of queue.values()) {
      if (before === entry) return undefined;
      if (before.isRunning) return before;
      if (entry.type === 'cancellation') continue;
      if (Date.now() < before.awaitedUntil) return before;
      queue.delete(before.key);
    }
  }

  const comesTooLate = ({ service_number: number, type }) => type === 'service-creation' && cancelled.has(number);

  async function begin(job) {
    const { service_number: number, type } = job;
    if (type === 'cancellation') keep(cancelled, number, true);
    try {
      if (comesTooLate(job)) {
        throw new Failure('service_cancelled', 'The service was cancelled before it was built');
      }
      return await work(job);
    } catch (error) {
      // Logged here, because a call may not wait for it any more; without an answer the call comes again.
      return error instanceof Failure ? error.answer : void console.error(error);
    }
  }

  /** The oldest makes room. */
  function keep(map, key, value) {
    map.set(key, value);
    if (map.size > MOST_KEPT) map.delete(map.keys().next().value);
  }

  /** A question waits for no work, and no answer to it is repeated. */
  async function answerQuestion({ question_id, service_number, ...question }) {
    const found = await credentials({ question_id, service_number, ...question });
    if (found) return done({ question_id, service_number, credentials: found });
    return new Failure('credentials_not_available', 'There are none for this service').answer;
  }

  const answerTo = (key, job) => (job.type === 'credentials' ? answerQuestion(job) : answerOf(key, job));

  const server = http.createServer(async (request, response) => {
    const say = (status, body, headers) => response.writeHead(status, headers).end(JSON.stringify(body));
    try {
      const body = await read(request.iterator({ destroyOnReturn: false }), MOST_BYTES);
      if (body === undefined) return say(413, { message: 'too long' }, { Connection: 'close' });
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
  server.maxConnections = MOST_CONNECTIONS;
  return server;
}

/** Listens where the environment says, with the secrets that it has. The parts are those of `createProvisioner`. */
export function serve(parts) {
  // The one before is there while a new one is brought in.
  const secrets = [setting('PROVISIONER_SECRET'), setting('PROVISIONER_SECRET_BEFORE', '')].filter(Boolean);
  const server = createProvisioner({ secrets, ...parts });
  const [port, host] = [Number(setting('PORT', '4000')), setting('HOST', 'localhost')];
  server.listen(port, host, () => console.log(`listening on ${server.address().port}`));
}
