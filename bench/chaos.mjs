/**
 * The last judgement on a set-up of several machines, run by hand: `node bench/chaos.mjs`. It takes about 100 seconds.
 *
 * Two servers and two workers, each a process, share one PostgreSQL and one Redis that this script starts for itself.
 * Under a load that mixes all endpoints each of them is killed with SIGKILL and started again, in turn. In the end
 * the database is held against every answer: no acknowledged change lost, none done twice, every answer in the
 * envelope, the rate limit exceeded by no more than the fallback allows, every accepted request final.
 *
 * Needs `initdb`, `redis-server` and a build (`npm run build`). As root PostgreSQL runs as the user `postgres`.
 */
import { execFileSync, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { chmodSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import pg from 'pg';

const LOAD_SECONDS = Number(process.env.CHAOS_SECONDS ?? 40);
const CLIENTS = Number(process.env.CHAOS_CLIENTS ?? 12);
/** What a killed worker had in hand is taken up when its lease of 60 s has run out. */
const SETTLE_SECONDS = 100;
/** Of the key that measures the limit, whose requests have no other caller. */
const LIMIT = 50;

const root = fileURLToPath(new URL('..', import.meta.url));
const work = mkdtempSync(join(tmpdir(), 'broker-chaos-'));
chmodSync(work, 0o755);
const asRoot = process.getuid?.() === 0;
const processes = new Map();
const started = performance.now();
const seconds = () => ((performance.now() - started) / 1000).toFixed(1);
const say = (text) => console.log(`${seconds().padStart(6)} s  ${text}`);

async function freePort() {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address();
  server.close();
  await once(server, 'close');
  return port;
}

/** Starts a process, or starts it again. */
function start(name, command, args, env = {}, options = {}) {
  const child = spawn(command, args, {
    cwd: root,
    env: { PATH: process.env.PATH, ...env },
    stdio: 'ignore',
    ...options,
  });
  processes.set(name, child);
  return child;
}

/** What a supervisor does: starts a process again that ended by itself, as one does whose database is not there yet. */
function supervise(name, isUp, again) {
  const child = processes.get(name);
  let wasUp = false;
  until(`${name} is up`, async () => processes.get(name) !== child || (await isUp(child)))
    .then(() => {
      wasUp = true;
    })
    .catch(() => undefined);
  child.once('exit', async (code, signal) => {
    if (processes.get(name) !== child) return;
    if (wasUp) seen.faults.push(`${name} ended by itself: ${code ?? signal}`);
    else seen.failedStarts += 1;
    await sleep(500);
    if (processes.get(name) === child) again();
  });
}

async function kill(name, signal = 'SIGKILL') {
  const child = processes.get(name);
  processes.delete(name);
  if (!child || child.exitCode !== null || child.signalCode !== null) return child?.exitCode;
  child.kill(signal);
  const [code] = await once(child, 'exit');
  return code;
}

async function until(what, ask, patienceSeconds = 60) {
  const deadline = performance.now() + patienceSeconds * 1000;
  for (;;) {
    if (await Promise.resolve(ask()).catch(() => false)) return;
    if (performance.now() > deadline) throw new Error(`waited in vain until ${what}`);
    await sleep(50);
  }
}

// PostgreSQL and Redis of our own, so that killing them harms nothing else.
const postgresPort = await freePort();
const redisPort = await freePort();
const databaseUrl = `postgres://postgres@127.0.0.1:${postgresPort}/postgres`;
const binaries = '/usr/lib/postgresql';
const bin = join(binaries, readdirSync(binaries).sort().at(-1), 'bin');
const data = join(work, 'postgres', 'data');

/** Debian's package brings the user that PostgreSQL runs as; it does not run as root. */
function identity() {
  if (!asRoot) return {};
  const id = (flag) => Number(execFileSync('id', [flag, 'postgres'], { encoding: 'utf8' }));
  return { uid: id('-u'), gid: id('-g') };
}
const postgresUser = { ...identity(), cwd: work };

function startPostgres() {
  const settings = ['listen_addresses=127.0.0.1', `unix_socket_directories=${join(work, 'postgres')}`];
  const args = ['-D', data, '-p', String(postgresPort), ...settings.flatMap((setting) => ['-c', setting])];
  return start('postgres', join(bin, 'postgres'), args, {}, { ...postgresUser, stdio: 'ignore' });
}

const startRedis = () =>
  start(
    'redis',
    'redis-server',
    ['--port', String(redisPort), '--bind', '127.0.0.1', '--save', '', '--dir', work],
    {},
    {
      stdio: 'ignore',
    },
  );

async function ask(text, values = []) {
  const client = new pg.Client({ connectionString: databaseUrl, connectionTimeoutMillis: 2000 });
  client.on('error', () => undefined);
  await client.connect();
  try {
    return (await client.query(text, values)).rows;
  } finally {
    await client.end();
  }
}

const serverPorts = [await freePort(), await freePort()];
const environment = {
  DATABASE_URL: databaseUrl,
  REDIS_URL: `redis://127.0.0.1:${redisPort}`,
  MAIL_OUTBOX_DIR: join(work, 'outbox'),
  LOG_LEVEL: 'silent',
};
function startServer(index) {
  const name = `server ${index}`;
  start(name, process.execPath, ['dist/src/server.js'], {
    ...environment,
    PORT: String(serverPorts[index]),
    WORKER: 'off',
  });
  supervise(
    name,
    () => isReady(index),
    () => startServer(index),
  );
}

function startWorker(index) {
  const name = `worker ${index}`;
  const child = start(name, process.execPath, ['bin/broker.mjs', 'worker'], environment, {
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let isUp = false;
  child.stderr.on('data', (text) => {
    isUp ||= String(text).includes('looks for work');
  });
  supervise(
    name,
    () => isUp,
    () => startWorker(index),
  );
}

const isReady = async (index) => {
  const answer = await fetch(`http://127.0.0.1:${serverPorts[index]}/health/ready`);
  await answer.arrayBuffer();
  return answer.status === 200;
};

/** One of the operator's commands; the answer as JSON. */
async function broker(...args) {
  const child = spawn(process.execPath, ['bin/broker.mjs', ...args, '--json'], {
    cwd: root,
    env: { PATH: process.env.PATH, ...environment },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let out = '';
  child.stdout.on('data', (chunk) => {
    out += chunk;
  });
  const [code] = await once(child, 'exit');
  if (code !== 0) throw new Error(`broker ${args.join(' ')} failed`);
  return JSON.parse(out);
}

/** What was seen, and what was wrong with it. */
const seen = { calls: 0, unanswered: 0, failedStarts: 0, statuses: {}, faults: [], latencies: [] };
/** Acknowledged changes: by idempotency key the body of the first 2xx answer, and whom it belongs to. */
const acknowledged = new Map();
const limited = { allowed: 0, first: undefined, last: undefined };
const CODES = new Set([
  'invalid_request',
  'missing_parameter',
  'invalid_parameter',
  'invalid_state',
  'missing_customer_email',
  'template_not_found',
  'authentication_failed',
  'insufficient_permissions',
  'not_found',
  'already_processed',
  'rate_limit_exceeded',
  'email_send_error',
  'server_error',
]);

/** One call to the first instance that takes it, as a load balancer would do; undefined where the answer was cut off. */
async function call(key, method, path, { body, idempotencyKey, turn = 0 } = {}) {
  const url = `http://127.0.0.1:${serverPorts[turn % 2]}/api/v1${path}`;
  const from = performance.now();
  let answer;
  let raw;
  try {
    answer = await fetch(url, {
      method,
      headers: {
        authorization: `Bearer ${key}`,
        ...(body && { 'content-type': 'application/json' }),
        ...(idempotencyKey && { 'x-idempotency-key': idempotencyKey }),
      },
      body: body && JSON.stringify(body),
      signal: AbortSignal.timeout(20_000),
    });
    raw = await answer.text();
  } catch (error) {
    // A killed server resets its connections; a server that lives must answer in time.
    if (error.name === 'TimeoutError') seen.faults.push(`no answer within 20 s: ${method} ${path}`);
    seen.unanswered += 1;
    return undefined;
  }
  seen.calls += 1;
  seen.latencies.push(performance.now() - from);
  const { status } = answer;
  seen.statuses[status] = (seen.statuses[status] ?? 0) + 1;
  const fault = faultOf(status, raw, answer.headers);
  if (fault) seen.faults.push(`${method} ${path}: ${fault}: ${raw.slice(0, 300)}`);
  return { status, raw, json: fault ? {} : JSON.parse(raw), replayed: answer.headers.has('idempotent-replayed') };
}

function faultOf(status, raw, headers) {
  let json;
  try {
    json = JSON.parse(raw);
  } catch {
    return 'no JSON';
  }
  if (!headers.get('x-request-id')) return 'no X-Request-Id';
  if (json.success === true) return status < 300 && json.data !== undefined ? undefined : `success with ${status}`;
  if (json.success !== false || !CODES.has(json.error?.code)) return 'not the envelope';
  if (status === 500 && json.error.code === 'server_error' && !(Number(headers.get('retry-after')) >= 1)) {
    return '500 without Retry-After';
  }
  return undefined;
}

const pick = (list) => list[Math.floor(Math.random() * list.length)];

/** A change that is asked for until it is answered for good, as a careful client does with its idempotency key. */
async function change(key, path, body, kind, turn) {
  const idempotencyKey = randomUUID();
  for (let attempt = 0; ; attempt += 1) {
    const answer = await call(key, 'POST', path, { body, idempotencyKey, turn: turn + attempt });
    if (answer && answer.status < 300) {
      const { request_id, service_number } = answer.json.data;
      acknowledged.set(idempotencyKey, {
        kind,
        path,
        body,
        status: answer.status,
        raw: answer.raw,
        request_id,
        service_number,
      });
      // Now and then the same question again, to the other instance: the same answer, byte for byte.
      if (Math.random() < 0.2) {
        const again = await call(key, 'POST', path, { body, idempotencyKey, turn: turn + attempt + 1 });
        if (again && again.status < 300 && again.raw !== answer.raw)
          seen.faults.push(`another answer to ${idempotencyKey}`);
      }
      return answer;
    }
    if (answer && answer.status !== 500) return answer;
    if (performance.now() > giveUpAt) return undefined;
    await sleep(200);
  }
}

let giveUpAt = Number.POSITIVE_INFINITY;
let loadIsOn = true;

async function client(index, { key, limitedKey, services }) {
  for (let turn = index; loadIsOn; turn += 1) {
    const number = pick(services);
    switch (turn % 12) {
      case 0:
        await call(
          key,
          'GET',
          pick(['/services', '/services?search=ada', '/plans', '/auth-check', '/requests?limit=50']),
          { turn },
        );
        break;
      case 1: {
        const body = { plan: pick(['low', 'mid']), client: { name: `Ada ${turn}`, email: 'ada@example.com' } };
        const created = await change(key, '/services', body, 'create', turn);
        if (created?.status === 201) services.push(created.json.data.service_number);
        break;
      }
      case 2:
        await call(key, 'GET', `/services/${number}`, { turn });
        break;
      case 3:
        await call(key, 'GET', `/services/${number}/upgrade-options`, { turn });
        break;
      case 4:
      case 5:
        await change(key, `/services/${number}/upgrade`, { new_plan: pick(['mid', 'high', 'reviewed']) }, 'plan', turn);
        break;
      case 6:
      case 7:
        await change(key, `/services/${number}/downgrade`, { new_plan: pick(['low', 'mid']) }, 'plan', turn);
        break;
      case 8:
        if (turn % 5 === 0)
          await change(key, `/services/${number}/cancel`, { cancellation_type: 'immediate' }, 'cancel', turn);
        else
          await call(key, 'POST', `/services/${number}/cancellation-warning`, {
            body: { warningReason: 'unpaid' },
            turn,
          });
        break;
      case 9: {
        const listed = await call(key, 'GET', '/requests?request_status=pending&limit=20', { turn });
        const request = pick(listed?.json.data ?? []);
        if (!request) break;
        if (turn % 2) await change(key, `/requests/${request.request_id}/approve`, {}, 'decision', turn);
        else await call(key, 'POST', `/requests/${request.request_id}/deny`, { body: { reason: 'no' }, turn });
        break;
      }
      case 10:
        await call(key, 'POST', pick(['/reports/services', '/reports/invoices', '/auth-check']), { body: {}, turn });
        break;
      default: {
        const answer = await call(limitedKey, 'GET', '/plans', { turn });
        if (answer?.status === 200) {
          limited.allowed += 1;
          limited.first ??= performance.now();
          limited.last = performance.now();
        }
      }
    }
  }
}

/** Accepted, and not bound to the end of a term that is yet to come. */
const TO_BE_DONE = `status = 'accepted' and coalesce(effective_at, 0) <= extract(epoch from clock_timestamp()) * 1000`;

/** Everything that must hold in the end, as sentences about what does not. */
async function judge({ brokerId }) {
  const faults = [];
  const none = async (what, text, values) => {
    const rows = await ask(text, values);
    if (rows.length > 0) faults.push(`${what}: ${rows.length}, the first ${JSON.stringify(rows[0])}`);
  };
  const keys = [...acknowledged.keys()];
  const stored = new Map(
    (await ask('select key, body, status_code from idempotency_records where broker_id = $1', [brokerId])).map(
      (row) => [row.key, row],
    ),
  );
  const requests = new Map(
    (await ask('select id, type, status, service_number from requests where broker_id = $1', [brokerId])).map((row) => [
      row.id,
      row,
    ]),
  );
  for (const key of keys) {
    const { raw, request_id, path } = acknowledged.get(key);
    if (stored.get(key)?.body !== raw) faults.push(`the answer to ${path} is not the stored one`);
    if (!requests.has(request_id)) faults.push(`an acknowledged change is lost: ${path} ${request_id}`);
  }
  const perRequest = keys.map((key) => acknowledged.get(key)).filter(({ kind }) => kind !== 'decision');
  const ids = new Set(perRequest.map(({ request_id }) => request_id));
  if (ids.size !== perRequest.length) faults.push('two acknowledgements share a request');
  // Each record of an action that was done stands for one change, and each change of this load for one record.
  await none(
    'changes without an idempotency record: done twice, or half',
    `select r.id from requests r
     where r.broker_id = $1 and r.origin = 'broker' and r.type in ('plan-upgrade', 'plan-downgrade', 'cancellation', 'service-creation')
       and not exists (select 1 from idempotency_records i where i.broker_id = $1 and i.body like '%' || r.id || '%')`,
    [brokerId],
  );
  await none(
    'counters that are not what can be counted',
    `with counted as (
       select broker_id, 'services' as subject, plan_id as kind, status, count(*) as n from services group by 1, 2, 3, 4
       union all select broker_id, 'requests', type, status, count(*) from requests group by 1, 2, 3, 4)
     select * from (select broker_id, subject, kind, status, sum(value) as value from counters
       group by 1, 2, 3, 4 having sum(value) <> 0) c full join counted using (broker_id, subject, kind, status)
     where c.value is distinct from n`,
  );
  await none(
    'services with two open plan changes',
    `select service_number from requests where type like 'plan-%' and status in ('pending', 'operator_review', 'accepted')
     group by 1 having count(*) > 1`,
  );
  await none(
    'services whose plan is not that of the last completed change',
    `select s.number from services s cross join lateral (
       select new_plan_id from requests where service_number = s.number and type like 'plan-%' and status = 'completed'
       order by processed_at desc limit 1) last where s.plan_id <> last.new_plan_id`,
  );
  await none(
    'requests that ended twice',
    `select request_id from request_history where status in ('completed', 'failed', 'denied', 'approved')
     group by 1 having count(*) > 1`,
  );
  await none(
    'final requests without the line of history',
    `select r.id from requests r where r.status in ('completed', 'failed', 'denied')
       and not exists (select 1 from request_history h where h.request_id = r.id and h.status = r.status)`,
  );
  await none(
    'cancelled services without a completed cancellation, or the reverse',
    `select s.number from services s left join requests r on r.service_number = s.number and r.type = 'cancellation' and r.status = 'completed'
     where (s.status = 'cancelled') <> (r.id is not null)`,
  );
  await none('accepted requests that are due and not final', `select id, attempts from requests where ${TO_BE_DONE}`);
  return faults;
}

const percentile = (sorted, share) =>
  Math.round(sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0);

async function main() {
  if (asRoot) {
    mkdirSync(join(work, 'postgres'));
    execFileSync('chown', ['postgres', join(work, 'postgres')]);
  } else mkdirSync(join(work, 'postgres'));
  const initdb = ['-D', data, '-U', 'postgres', '-A', 'trust', '-E', 'UTF8', '--locale=C.UTF-8', '-N'];
  execFileSync(join(bin, 'initdb'), initdb, { ...postgresUser, stdio: 'ignore' });
  startPostgres();
  startRedis();
  await until('PostgreSQL takes connections', () => ask('select 1'));
  for (const index of [0, 1]) startServer(index);
  await until('both servers are ready', async () => (await isReady(0)) && (await isReady(1)));

  const { broker_id: brokerId } = await broker(
    'brokers',
    'create',
    '--slug',
    'acme',
    '--name',
    'Acme',
    '--contact',
    'c@example.com',
    '--sender',
    's@example.com',
  );
  const { key } = await broker(
    'keys',
    'create',
    '--broker',
    'acme',
    '--name',
    'load',
    '--mode',
    'live',
    '--scopes',
    'admin:full',
    '--rate-limit',
    '1000000',
  );
  const { key: limitedKey } = await broker(
    'keys',
    'create',
    '--broker',
    'acme',
    '--name',
    'limit',
    '--mode',
    'live',
    '--scopes',
    'plans:read',
    '--rate-limit',
    String(LIMIT),
  );
  const plan = (slug, upgrade_rank, more = {}) => ({
    slug,
    display_name: slug,
    upgrade_rank,
    billing_type: 'monthly',
    ...more,
  });
  writeFileSync(
    join(work, 'plans.json'),
    JSON.stringify([
      plan('low', 1),
      plan('mid', 2),
      plan('high', 3),
      plan('reviewed', 4, { requires_operator_review: true }),
    ]),
  );
  writeFileSync(
    join(work, 'services.json'),
    JSON.stringify(
      Array.from({ length: 60 }, (_, n) => ({
        service_number: 100 + n,
        client: { name: `Ada ${n}`, email: 'ada@example.com' },
        plan: n % 2 ? 'low' : 'mid',
      })),
    ),
  );
  writeFileSync(join(work, 'text'), 'About {{ service_number }}: {{ warning_reason }}');
  await broker('plans', 'import', join(work, 'plans.json'), '--broker', 'acme');
  await broker('services', 'import', join(work, 'services.json'), '--broker', 'acme');
  await broker(
    'templates',
    'set',
    '--broker',
    'acme',
    '--kind',
    'cancellation-warning',
    '--subject',
    'About {{ service_number }}',
    '--html',
    join(work, 'text'),
    '--text',
    join(work, 'text'),
  );
  for (let n = 0; n < 8; n += 1)
    await broker(
      'requests',
      'submit',
      '--broker',
      'acme',
      '--service',
      String(100 + n * 2 + 1),
      '--type',
      n % 2 ? 'cancellation' : 'plan-upgrade',
      ...(n % 2 ? [] : ['--new-plan', 'mid']),
    );
  for (const index of [0, 1]) startWorker(index);
  say('two servers, two workers, PostgreSQL and Redis are up; the load begins');

  const services = Array.from({ length: 60 }, (_, n) => 100 + n);
  const loadFrom = performance.now();
  const load = Promise.all(
    Array.from({ length: CLIENTS }, (_, index) => client(index * 7, { key, limitedKey, services })),
  );
  const step = async (share, what, act) => {
    await sleep(Math.max(0, loadFrom + share * LOAD_SECONDS * 1000 - performance.now()));
    await act();
    say(`${what} (${seen.calls} calls so far)`);
  };
  await step(0.08, 'worker 0 killed', () => kill('worker 0'));
  await step(0.14, 'worker 0 started again', () => startWorker(0));
  await step(0.22, 'PostgreSQL killed', () => kill('postgres'));
  await step(0.3, 'PostgreSQL started again', async () => {
    // Its orphaned children notice the death within moments, and a start before that is refused.
    await until('PostgreSQL is back', async () => {
      if (!processes.has('postgres') || processes.get('postgres').exitCode !== null) startPostgres();
      return (await ask('select 1')).length === 1;
    });
  });
  await step(0.45, 'server 0 killed', () => kill('server 0'));
  await step(0.52, 'server 0 started again', () => startServer(0));
  await step(0.62, 'Redis killed', () => kill('redis'));
  await step(0.72, 'Redis started again', () => startRedis());
  await step(0.8, 'worker 1 and server 1 killed', () => Promise.all([kill('worker 1'), kill('server 1')]));
  await step(0.86, 'worker 1 and server 1 started again', () => [startWorker(1), startServer(1)]);
  await step(1, 'the load ends', () => {
    loadIsOn = false;
    giveUpAt = performance.now() + 15_000;
  });
  await load;
  const loaded = (performance.now() - loadFrom) / 1000;

  say('what is accepted is being worked off');
  const settled = await until(
    'every request whose time has come is final',
    async () => (await ask(`select 1 from requests where ${TO_BE_DONE} limit 1`)).length === 0,
    SETTLE_SECONDS,
  ).then(
    () => true,
    (error) => error.message,
  );
  const faults = [...seen.faults, ...(await judge({ brokerId }))];
  if (settled !== true) faults.push(settled);
  // The shared windows, one of each server while Redis is away, and one more because it forgets when it is killed.
  const windows = Math.floor(((limited.last ?? 0) - (limited.first ?? 0)) / 60_000) + 1;
  const allowance = LIMIT * (windows + 2 + 1);
  if (limited.allowed > allowance) faults.push(`${limited.allowed} requests passed a limit that allows ${allowance}`);
  for (const name of ['server 0', 'server 1', 'worker 0', 'worker 1']) {
    await until(`${name} runs`, () => processes.get(name)?.exitCode === null);
    const code = await kill(name, 'SIGTERM');
    if (code !== 0) faults.push(`${name} ended with ${code} when it was told to`);
  }

  const [tally] =
    await ask(`select count(*)::int as requests, count(*) filter (where status = 'completed')::int as completed,
    count(*) filter (where attempts > 1)::int as taken_up_again from requests`);
  const latencies = seen.latencies.sort((a, b) => a - b);
  console.log(
    JSON.stringify(
      {
        load_seconds: Math.round(loaded),
        calls: seen.calls,
        per_second: Math.round(seen.calls / loaded),
        unanswered: seen.unanswered,
        failed_starts: seen.failedStarts,
        statuses: seen.statuses,
        p50_ms: percentile(latencies, 0.5),
        p99_ms: percentile(latencies, 0.99),
        max_ms: percentile(latencies, 1),
        acknowledged_changes: acknowledged.size,
        ...tally,
        limited_key: { allowed: limited.allowed, limit: LIMIT, allowance },
        faults: faults.length,
      },
      null,
      2,
    ),
  );
  for (const fault of faults.slice(0, 20)) console.log(`FAULT  ${fault}`);
  say(faults.length === 0 ? 'all well' : `${faults.length} faults`);
  return faults.length === 0 ? 0 : 1;
}

try {
  process.exitCode = await main();
} finally {
  for (const name of [...processes.keys()].reverse()) await kill(name, name === 'postgres' ? 'SIGINT' : 'SIGKILL');
  rmSync(work, { recursive: true, force: true });
}
