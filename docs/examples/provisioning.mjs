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
 * given one after the other
 * @param credentials resolves with the logins of a service, null where there are none; they are kept nowhere here
 * @param patienceMs what takes longer is answered with 202 meanwhile
 */
export function createProvisioner({ secrets, work, credentials = () => null, patienceMs = 1000 }) {
  /** By key: the answer that is being worked for, so that a repeat waits for it and begins nothing. */
  const working = new Map();
  /** By service: the end of the last work that was begun. */
  const ends = new Map();

  function begin(key, job) {
    const before = ends.get(job.service_number);
    const answer = Promise.resolve(before)
      .then(() => work(job))
      // Logged here, because a call may not wait for it any more; without an answer the call comes again.
      .catch((error) => (error instanceof Failure ? error.answer : void console.error(error)));
    const end = answer.then(() => {
      working.delete(key);
      if (ends.get(job.service_number) === end) ends.delete(job.service_number);
    });
    working.set(key, answer);
    ends.set(job.service_number, end);
    return answer;
  }

  /** A question waits for no work, and no answer to it is repeated. */
  async function tell({ question_id, service_number, ...question }) {
    const found = await credentials({ question_id, service_number, ...question });
    if (found) return done({ question_id, service_number, credentials: found });
    return new Failure('credentials_not_available', 'There are none for this service').answer;
  }

  async function answerTo(key, job) {
    if (job.type === 'credentials') return tell(job);
    const answer = working.get(key) ?? begin(key, job);
    return Promise.race([answer, setTimeout(patienceMs, inProgress(key), { ref: false })]);
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
