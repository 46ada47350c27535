/*
 * A provisioner in plain Node: the endpoint behind PROVISIONER_URL, as docs/provisioner.yaml describes it.
 *   PROVISIONER_SECRET=... node docs/examples/provisioner.mjs
 * Replace `work` with what makes a request true at your place, and the journal with a table of your database.
 */
import { createHmac, timingSafeEqual } from 'node:crypto';
import { appendFileSync, existsSync, readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { text } from 'node:stream/consumers';
import { setTimeout } from 'node:timers/promises';

const {
  PROVISIONER_SECRET: secret = '',
  PORT = '4000',
  JOURNAL = 'provisioner.jsonl',
  BUILD_SECONDS = '20',
} = process.env;
if (secret === '') throw new Error('PROVISIONER_SECRET is not set');

/** What is known not to work is told in words; anything else that goes wrong is tried again by the caller. */
class Failure extends Error {
  constructor(reason, message, more = {}) {
    super(message);
    this.answer = { outcome: 'failed', reason, message, service_usable: true, retryable: false, ...more };
  }
}

/** Must bear to be begun anew with the same request: this process can die in the middle of it. */
async function work({ type, new_plan }) {
  if (new_plan?.specifications?.vcpu > 64) throw new Failure('no_capacity', 'No machine is that large');
  if (type === 'service-creation') await setTimeout(Number(BUILD_SECONDS) * 1000);
}

// By key: the answer once there is one, before that the promise of it. The journal survives a restart.
const lines = existsSync(JOURNAL) ? readFileSync(JOURNAL, 'utf8').trim().split('\n') : [];
const jobs = new Map(lines.filter(Boolean).map((line) => JSON.parse(line)));

/** The answer to a key, working for it once however often it comes. */
function begin(key, job) {
  if (!jobs.has(key)) {
    const settle = (answer) => {
      appendFileSync(JOURNAL, `${JSON.stringify([key, answer])}\n`);
      jobs.set(key, answer);
      return answer;
    };
    const done = work(job).then(() => settle({ outcome: 'done' }));
    const told = done.catch((error) => (error instanceof Failure ? settle(error.answer) : Promise.reject(error)));
    jobs.set(key, told);
    told.catch(() => jobs.delete(key));
  }
  return jobs.get(key);
}

/** Over time and body, at most five minutes old, compared without telling how much of it was right. */
function isSigned(header, body) {
  const [, seconds, mac] = /^t=(\d+),v1=([0-9a-f]{64})$/.exec(header) ?? [];
  if (mac === undefined || Math.abs(Date.now() / 1000 - seconds) > 300) return false;
  return timingSafeEqual(Buffer.from(mac, 'hex'), createHmac('sha256', secret).update(`${seconds}.${body}`).digest());
}

const server = createServer(async (request, response) => {
  const say = (status, body, headers) => response.writeHead(status, headers).end(JSON.stringify(body));
  try {
    const body = await text(request);
    if (!isSigned(request.headers['x-broker-signature'], body))
      return say(401, { message: 'not signed by the broker' });
    const key = request.headers['idempotency-key'];
    // The caller waits ten seconds: what takes longer is promised, and asked for again.
    const answer = await Promise.race([begin(key, JSON.parse(body)), setTimeout(1000, undefined, { ref: false })]);
    if (answer) say(200, answer);
    else say(202, { outcome: 'in_progress', token: key }, { 'Retry-After': '5' });
  } catch (error) {
    console.error(error);
    say(500, { message: 'try again later' });
  }
});
server.listen(Number(PORT), () => console.log(`listening on ${server.address().port}`));
