/*
 * What every provisioner has in common, as docs/provisioner.yaml describes it: signatures, repeats, whose machine it is, and
 * the forms of answers. Plain Node, without a dependency; docs/examples/provisioner.mjs shows how it is used.
 */
import { createHmac, timingSafeEqual } from 'node:crypto';
import { once } from 'node:events';
import { accessSync, constants, existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import http from 'node:http';
import https from 'node:https';
import { dirname, resolve } from 'node:path';
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
/** What is asked, and is no work. */
const QUESTIONS = ['credentials', 'list'];
/** Machines of a page. */
const MOST_LISTED = 1000;
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

/** The same, of a work that says nothing itself: the token that it has stays. It gets one once the machine may be its own. */
const goingOn = ({ key, isOwn }, { token }, seconds) => inProgress(token ?? (isOwn ? key : undefined), seconds);

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

/** The highest number of history that was seen; in the file of that name it outlives the process. */
function createHistory(file) {
  let highest = file && existsSync(file) ? Number(readFileSync(file, 'utf8')) : 0;
  if (!Number.isSafeInteger(highest)) throw new Error(`${file} holds no number`);
  /** Whether a call comes from the installation that went on last; one of release 1.1 does not say. */
  return function admits(history = highest) {
    if (history > highest) {
      // Kept before anything is done for it.
      if (file) {
        writeFileSync(`${file}.new`, String(history), { flush: true });
        renameSync(`${file}.new`, file);
      }
      highest = history;
    }
    return history === highest;
  };
}

const REPLACED = { outcome: 'failed', reason: 'records_are_old', message: 'A later installation took over' };

/**
 * Whether a machine may be the one of a job: by its uid, and where one of both has none, as under release 1.1, whatever it
 * is but a creation that did not make it.
 */
const isOf = (machine, { service_uid: uid, type, token, request_id: request }) =>
  machine.uid && uid ? machine.uid === uid : type !== 'service-creation' || !!token || machine.request === request;

/** Throws a `Failure` where the machine of the job's number is another service's. One without a uid takes it from work. */
async function checkOwner(whose, job) {
  const machine = await whose(job);
  if (!machine) return;
  if (!isOf(machine, job)) throw new Failure('not_this_service', 'The machine of this number is another service’s');
  if (!machine.uid && job.service_uid && job.type !== 'credentials') await machine.keep(job.service_uid);
}

/**
 * Makes the server.
 * @param secrets what calls are signed with, one or two
 * @param work makes a request true and resolves with `done` or `inProgress`, or throws a `Failure`. It gets the same work
 * again where this process ended meanwhile: it looks first at what is true already. The work of one service is given one
 * after the other, in the order in which it came, and a creation never behind the service's cancellation
 * @param whose resolves with whose the machine of `service_number` is: `uid` and `request` as they were kept with it, and
 * `keep`, which notes its uid; undefined where there is none. Nothing is done to a machine of another service. A creation
 * keeps `service_uid` and `request_id` with the machine itself. Left out where names are made of `service_uid`
 * @param credentials resolves with the logins of a service, null where there are none; they are kept nowhere here
 * @param list resolves with `machines` behind the text `after` (null: from the first), `limit` at most, and `after` for the
 * next page, null at the end; left out where they cannot be listed
 * @param historyFile where the highest number of history is kept, so that no older installation is served after a restart
 * @param patienceMs what takes longer is answered with 202 meanwhile. A call that is held keeps a place at the worker
 */
export function createProvisioner({
  secrets,
  work,
  whose = () => undefined,
  credentials = () => null,
  list,
  historyFile,
  patienceMs = 1000,
}) {
  const admits = createHistory(historyFile);
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
    const answer = ended === LATER ? goingOn(entry, job, waitOf(entry)) : ended;
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
        return goingOn(entry, job, 1);
      }
      await before.answer;
    }
    const answer = await begin(entry, job);
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

  const nameOf = ({ service_uid: uid, service_number: number }) => uid ?? number;
  const comesTooLate = (job) => job.type === 'service-creation' && cancelled.has(nameOf(job));

  async function begin(entry, job) {
    if (job.type === 'cancellation') keep(cancelled, nameOf(job), true);
    try {
      if (comesTooLate(job)) {
        throw new Failure('service_cancelled', 'The service was cancelled before it was built');
      }
      await checkOwner(whose, job);
      entry.isOwn = true;
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
  async function answerQuestion(question) {
    const { type, question_id, service_number, after = null, limit = MOST_LISTED } = question;
    if (type === 'list') {
      if (!list) throw new Failure('not_supported', 'Machines cannot be listed here');
      return done({ question_id, ...(await list({ after, limit: Math.min(limit, MOST_LISTED) })) });
    }
    await checkOwner(whose, question);
    const found = await credentials(question);
    if (found) return done({ question_id, service_number, credentials: found });
    throw new Failure('credentials_not_available', 'There are none for this service');
  }

  async function answerTo(key, job) {
    if (!QUESTIONS.includes(job.type)) return answerOf(key, job);
    return answerQuestion(job).catch((error) => {
      if (error instanceof Failure) return error.answer;
      throw error;
    });
  }

  const server = http.createServer(async (request, response) => {
    const say = (status, body, headers) => response.writeHead(status, headers).end(JSON.stringify(body));
    try {
      const body = await read(request.iterator({ destroyOnReturn: false }), MOST_BYTES);
      if (body === undefined) return say(413, { message: 'too long' }, { Connection: 'close' });
      if (!isSigned(request.headers['x-broker-signature'], body, secrets)) {
        return say(401, { message: 'not signed by the broker' });
      }
      const job = JSON.parse(body);
      if (!admits(job.history)) return say(409, REPLACED);
      const answered = await answerTo(request.headers['idempotency-key'], job);
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
  const historyFile = resolve(setting('HISTORY_FILE', parts.historyFile ?? 'history'));
  // Found out before the day on which it is needed.
  accessSync(dirname(historyFile), constants.W_OK);
  const server = createProvisioner({ secrets, ...parts, historyFile });
  const [port, host] = [Number(setting('PORT', '4000')), setting('HOST', 'localhost')];
  server.listen(port, host, () => console.log(`listening on ${server.address().port}`));
}
