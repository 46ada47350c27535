import { execFileSync, spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { Histogram, Registry } from 'prom-client';
import { systemClock } from '../src/runtime/clock.ts';
import { packageFile } from '../src/runtime/paths.ts';
import { openSqlite } from '../src/store/drivers/sqlite.ts';
import type { Store } from '../src/store/store.ts';
import { createRecorder } from '../src/traffic/recorder.ts';
import { consolePages } from './console.ts';
import { fill } from './fill.ts';
import { type Call, load, type Measured, NUMBER, NUMBERS_OF_A_SERVER } from './load.ts';
import { type Extras, type Hooks, type Running, startBare, startServer, startWorker, stopAll } from './processes.ts';
import { upgradesOn } from './upgrades.ts';

const ROUNDS = Number(process.env.BENCH_ROUNDS || 5);
/** They do not count: on PostgreSQL it takes a program thousands of upgrades until its code is compiled. */
const WARM_UPS = 2;
const SECONDS = 4;

type Say = (line: string) => void;
/** Measures one thing with files in the folder, which is empty and removed afterwards. */
type Bench = (folder: string, say: Say) => Promise<void>;

interface Side {
  name: string;
  server: Running;
  /** Servers of the same database, which may be at work for it. */
  beside?: readonly Running[];
  call(round: number): Call;
  /** Called with how many answers each round brought, those that warm up included. */
  answered?(count: number): void;
}

/** A program at rest takes less of a processor than this. */
const AT_REST = 0.05;
const REST_MS = 600;
/** A backlog of a round's upgrades is done in a few seconds. */
const MAX_SETTLE_MS = 60_000;

/** Resolves when none of the sides is at work any more: what one of them was left with would be taken from the next one. */
async function rest(sides: readonly Side[]): Promise<void> {
  const servers = sides.flatMap(({ server, beside = [] }) => [server, ...beside]);
  const spent = () => servers.map((server) => server.cpu().user + server.cpu().system);
  for (let waitedMs = 0; waitedMs < MAX_SETTLE_MS; waitedMs += REST_MS) {
    const before = spent();
    await sleep(REST_MS);
    if (spent().every((after, index) => (after - (before[index] as number)) * 1000 < AT_REST * REST_MS)) return;
  }
  throw new Error(`a server was still at work ${MAX_SETTLE_MS / 1000} s after its load`);
}

/**
 * Loads the sides by turns, each when all have come to rest. Says a table, and the ratio of each side to the last one;
 * returns how many answers a second that one gave.
 */
async function compare(say: Say, sides: Side[], goal: string): Promise<number> {
  const rounds: Measured[][] = [];
  for (let round = 0; round < WARM_UPS + ROUNDS; round += 1) {
    const measured: Measured[] = [];
    // By turns in front, so that no side always finds the machine as another one left it.
    for (let turn = 0; turn < sides.length; turn += 1) {
      const index = (round + turn) % sides.length;
      const { server, call, answered } = sides[index] as Side;
      await rest(sides);
      const found = load(server, call(round), SECONDS);
      answered?.(found.answers);
      measured[index] = found;
    }
    if (round >= WARM_UPS) rounds.push(measured);
  }
  say('| | a second | p99 ms | user µs | system µs |\n|---|---|---|---|---|');
  for (const [index, { name }] of sides.entries()) {
    const of = (field: keyof Measured) => median(rounds.map((round) => (round[index] as Measured)[field]));
    const cells = [
      whole(of('perSecond')),
      of('p99Ms').toFixed(1),
      of('userMicros').toFixed(1),
      of('systemMicros').toFixed(1),
    ];
    say(`| ${name} | ${cells.join(' | ')} |`);
  }
  say('');
  for (const [index, { name }] of sides.slice(0, -1).entries()) {
    const ratios = rounds.map((round) => (round[index] as Measured).perSecond / (round.at(-1) as Measured).perSecond);
    const spread = `${Math.min(...ratios).toFixed(2)} to ${Math.max(...ratios).toFixed(2)}`;
    const which = sides.length > 2 ? `- ${name}: ratio` : 'Ratio';
    say(`${which} **${median(ratios).toFixed(2)}** (${spread} in ${ROUNDS} rounds; ${goal}).`);
  }
  return median(rounds.map((round) => (round.at(-1) as Measured).perSecond));
}

const median = (values: number[]): number => values.toSorted((a, b) => a - b)[values.length >> 1] ?? Number.NaN;
const whole = (value: number) => Math.round(value).toLocaleString('en');

const sqlite = (folder: string, name = 'bench') => `file:${join(folder, `${name}.db`)}`;
const settingsOf = (folder: string, url: string) => ({ DATABASE_URL: url, MAIL_OUTBOX_DIR: join(folder, 'outbox') });

/** An empty PostgreSQL database on the server that the tests use; dropped when the work is done. */
async function withPostgres(work: (url: string) => Promise<void>, suffix = ''): Promise<void> {
  const base = process.env.TEST_POSTGRES_URL || 'postgres://postgres@127.0.0.1:5432/postgres';
  const name = `broker_bench_${process.pid}${suffix}`;
  const admin = new pg.Client({ connectionString: base });
  await admin.connect();
  await admin.query(`create database ${name} encoding 'UTF8' template template0`);
  try {
    await work(Object.assign(new URL(base), { pathname: `/${name}` }).href);
  } finally {
    // After a failure the servers are still at work on it.
    await stopAll();
    await admin.query(`drop database ${name} with (force)`);
    await admin.end();
  }
}

async function bareWith(folder: string, answer: string, extras?: Extras): Promise<Running> {
  const file = join(folder, 'answer.json');
  writeFileSync(file, answer);
  return startBare(file, extras);
}

async function textOf(url: string, key: string, init: RequestInit = {}): Promise<string> {
  const answer = await fetch(url, { ...init, headers: { authorization: `Bearer ${key}`, ...init.headers } });
  if (!answer.ok) throw new Error(`${url} answered ${answer.status}`);
  return answer.text();
}

const UPGRADE = '{"new_plan":"two"}';
/** More than a round can use up, so that each round has service numbers of its own. */
const UPGRADES_A_ROUND = 60_000;
const upgrades =
  (server: Running, key: string, offset = 0) =>
  (round: number) => ({
    url: `${server.url}/api/v1/services/${NUMBER}/upgrade`,
    key,
    body: UPGRADE,
    numbered: { from: round * UPGRADES_A_ROUND + offset },
  });
const SERVICES_TO_UPGRADE = (WARM_UPS + ROUNDS + 1) * UPGRADES_A_ROUND;

const authCheck: Bench = async (folder, say) => {
  const key = await fill(sqlite(folder), 1);
  const server = await startServer(settingsOf(folder, sqlite(folder)));
  const url = `${server.url}/api/v1/auth-check`;
  const bare = await bareWith(folder, await textOf(url, key));
  const ours = { name: 'GET /auth-check', server, call: () => ({ url, key }) };
  await compare(
    say,
    [ours, { name: 'bare Fastify', server: bare, call: () => ({ url: `${bare.url}/json`, key }) }],
    'goal 0.75',
  );
  await Promise.all([server.stop(), bare.stop()]);
};

/** What an auth-check passes on its way (src/app.ts), empty. */
const AUTH_CHECK_HOOKS: Hooks = { onRequest: 9, preValidation: 1, onSend: 2 };

/** What Node sends with every answer, and Fastify with every JSON. */
const USUAL_HEADERS = ['connection', 'content-length', 'content-type', 'date', 'keep-alive'];

/**
 * How near a bare Fastify comes to an auth-check by its headers and its hooks alone, whatever these do, and to an upgrade
 * with nothing but its transaction behind it.
 */
const floor: Bench = async (folder, say) => {
  const key = await fill(sqlite(folder), 1);
  const server = await startServer(settingsOf(folder, sqlite(folder)));
  const url = `${server.url}/api/v1/auth-check`;
  const answer = await fetch(url, { headers: { authorization: `Bearer ${key}` } });
  const headers = Object.fromEntries([...answer.headers].filter(([name]) => !USUAL_HEADERS.includes(name)));
  const text = await answer.text();
  const sideOf = async (name: string, extras: Extras) => {
    const bare = await bareWith(folder, text, extras);
    return { name, server: bare, call: () => ({ url: `${bare.url}/json`, key }) };
  };
  const sides = [
    await sideOf('bare Fastify', {}),
    await sideOf(`with our ${Object.keys(headers).length} further headers`, { headers }),
    await sideOf('with these and as many hooks, empty: the floor', { headers, hooks: AUTH_CHECK_HOOKS }),
    { name: 'GET /auth-check', server, call: () => ({ url, key }) },
  ];
  await compare(say, sides.toReversed(), 'goal 0.75 for an auth-check');
  await Promise.all(sides.map((side) => side.server.stop()));
  say('');
  const database = join(folder, 'upgrades.db');
  await fill(`file:${database}`, SERVICES_TO_UPGRADE);
  const [bare, changing] = [await bareWith(folder, text), await bareWith(folder, text, { database })];
  const post = (server: Running, path: string, round: number) => ({
    url: `${server.url}/${path}`,
    body: UPGRADE,
    numbered: { from: round * UPGRADES_A_ROUND },
  });
  const transaction = 'bare Fastify, and an upgrade’s transaction: the floor';
  let upgraded = 0;
  const upgrading = (round: number) => post(changing, `upgrades/${NUMBER}`, round);
  const perSecond = await compare(
    say,
    [
      { name: transaction, server: changing, call: upgrading, answered: (count) => (upgraded += count) },
      { name: 'bare Fastify POST', server: bare, call: (round) => post(bare, 'json', round) },
    ],
    'goal 0.20 for an upgrade',
  );
  const spent = JSON.parse(await textOf(`${changing.url}/statements`, key)) as { ms: number };
  const [micros, bareMicros] = [(spent.ms * 1000) / upgraded, 1e6 / perSecond];
  say(
    `\nOf the transaction, ${micros.toFixed(0)} µs are SQLite's own statements, commits included. If nothing else were done, no gate, rule, record or mapping, the ratio would be **${(bareMicros / (bareMicros + micros)).toFixed(2)}**.`,
  );
  await Promise.all([bare.stop(), changing.stop()]);
};

const upgrade: Bench = async (folder, say) => {
  const key = await fill(sqlite(folder), SERVICES_TO_UPGRADE);
  const server = await startServer(settingsOf(folder, sqlite(folder)));
  const first = `${server.url}/api/v1/services/${SERVICES_TO_UPGRADE}/upgrade`;
  const headers = { 'content-type': 'application/json' };
  const bare = await bareWith(folder, await textOf(first, key, { method: 'POST', body: UPGRADE, headers }));
  const ours = { name: 'POST /upgrade, fresh keys', server, call: upgrades(server, key) };
  const theirs = {
    name: 'bare Fastify POST',
    server: bare,
    call: () => ({ url: `${bare.url}/json`, key, body: UPGRADE }),
  };
  await compare(say, [ours, theirs], 'goal 0.20, p99 20 ms');
  await Promise.all([server.stop(), bare.stop()]);
};

const lists: Bench = async (folder, say) => {
  const key = await fill(sqlite(folder), 100_000);
  const server = await startServer(settingsOf(folder, sqlite(folder)));
  const url = `${server.url}/api/v1/services?limit=100`;
  const bare = await bareWith(folder, await textOf(url, key));
  const theirs = { name: 'the same text, bare', server: bare, call: () => ({ url: `${bare.url}/text`, key }) };
  await compare(say, [{ name: '100 services and the total', server, call: () => ({ url, key }) }, theirs], 'goal 0.25');
  await Promise.all([server.stop(), bare.stop()]);
};

const postgres: Bench = (folder, say) =>
  withPostgres(async (url) => {
    const keys = [await fill(url, SERVICES_TO_UPGRADE), await fill(sqlite(folder), SERVICES_TO_UPGRADE)] as const;
    const server = await startServer(settingsOf(folder, url));
    const file = await startServer(settingsOf(folder, sqlite(folder)));
    const one = { name: 'upgrade on PostgreSQL', server, call: upgrades(server, keys[0]) };
    await compare(say, [one, { name: 'upgrade on SQLite', server: file, call: upgrades(file, keys[1]) }], 'goal 0.25');
    await file.stop();
    const beside = [await startServer(settingsOf(folder, url))];
    // In each round behind the numbers of those before: PostgreSQL does not use up as many.
    const [after, last] = [
      upgrades(server, keys[0], NUMBERS_OF_A_SERVER),
      upgrades(server, keys[0], 2 * NUMBERS_OF_A_SERVER),
    ];
    const alone = { name: 'one server', server, call: after };
    const both = { name: 'two servers', server, beside, call: (round: number) => ({ ...last(round), beside }) };
    say('');
    await compare(say, [both, alone], 'goal: more than 1');
    await Promise.all([server.stop(), ...beside.map((each) => each.stop())]);
  });

/** A worker that has done nothing for so long will do nothing more. */
const STALLED_MS = 30_000;

/**
 * Requests that a worker does in a second, from the first that it has done to the last of a queue. Throws where it ends
 * before that, or does nothing any more.
 */
async function drain(settings: Record<string, string>, count: () => Promise<number>): Promise<number> {
  const total = await count();
  const worker = startWorker(settings);
  let [left, movedAt] = [total, performance.now()];
  const poll = async () => {
    const before = left;
    left = await count();
    if (left < before) movedAt = performance.now();
    else if (!worker.isRunning()) throw new Error(`the worker has ended; ${left} of ${total} requests are not done`);
    else if (performance.now() - movedAt > STALLED_MS)
      throw new Error(
        `the worker has done nothing for ${STALLED_MS / 1000} s; ${left} of ${total} requests are not done`,
      );
  };
  for (; left === total; await sleep(20)) await poll();
  const [queued, startedAt] = [left, performance.now()];
  for (; left > 0; await sleep(50)) await poll();
  const seconds = (performance.now() - startedAt) / 1000;
  await worker.stop();
  return queued / seconds;
}

const QUEUED = 6000;

const worker: Bench = (folder, say) =>
  withPostgres(async (url) => {
    const rates: number[] = [];
    for (const [name, database] of [
      ['PostgreSQL', url],
      ['SQLite', sqlite(folder)],
    ] as const) {
      const key = await fill(database, QUEUED);
      const settings = settingsOf(folder, database);
      const server = await startServer({ ...settings, WORKER: 'off' });
      const headers = { 'content-type': 'application/json' };
      const numbers = Array.from({ length: QUEUED }, (_, index) => index + 1);
      const submit = async () => {
        for (let n = numbers.pop(); n !== undefined; n = numbers.pop())
          await textOf(`${server.url}/api/v1/services/${n}/upgrade`, key, { method: 'POST', body: UPGRADE, headers });
      };
      await Promise.all(Array.from({ length: 50 }, submit));
      const accepted = async () => {
        const list = await textOf(`${server.url}/api/v1/requests?request_status=accepted&limit=1`, key);
        return JSON.parse(list).pagination.total as number;
      };
      const rate = await drain(settings, accepted);
      await server.stop();
      say(`- ${name}: ${whole(rate)} requests a second`);
      rates.push(rate);
    }
    say(`\nRatio **${((rates[0] ?? 0) / (rates[1] ?? 1)).toFixed(2)}** (goal 0.50).`);
  });

const FILTERS = [
  'offset=0',
  'service_status=active',
  'plan=one',
  'billing_type=monthly',
  'client_email=c0@example.com',
  'created_from=2020-01-01',
  'renewal_before=2099-01-01',
  'updated_since=2020-01-01',
  'external_reference=REF-1',
  'search=ref-99',
  'search=client',
  'service_status=active&plan=one',
];

/** Milliseconds that one call takes by itself: the median of several, no two of which request the same. */
async function timed(url: string, key: string, times = 15): Promise<number> {
  const each: number[] = [];
  for (let n = 0; n < times; n += 1) {
    const startedAt = performance.now();
    await textOf(`${url}&limit=${25 + n}`, key);
    each.push(performance.now() - startedAt);
  }
  return median(each);
}

/** A million by default: ten million take some minutes to fill. */
const MANY = Number(process.env.BENCH_SERVICES || 1_000_000);

const scale: Bench = async (folder, say) => {
  const keys = [await fill(sqlite(folder, 'many'), MANY), await fill(sqlite(folder, 'few'), 1000)] as const;
  const many = await startServer(settingsOf(folder, sqlite(folder, 'many')));
  const few = await startServer(settingsOf(folder, sqlite(folder, 'few')));
  say(`| GET /services, page 1 with its total | ${whole(MANY)}: ms | 1,000: ms | time ratio |\n|---|---|---|---|`);
  for (const filter of FILTERS) {
    const path = `/api/v1/services?${filter}`;
    const [a, b] = [await timed(many.url + path, keys[0]), await timed(few.url + path, keys[1])];
    say(
      `| ${filter === 'offset=0' ? 'no filter' : filter} | ${a.toFixed(2)} | ${b.toFixed(2)} | ${(a / b).toFixed(2)} |`,
    );
  }
  const page = (server: Running, key: string) => ({ url: `${server.url}/api/v1/services`, key });
  say('');
  const million = { name: `page 1 of ${whole(MANY)}`, server: many, call: () => page(many, keys[0]) };
  const thousand = { name: 'page 1 of 1,000', server: few, call: () => page(few, keys[1]) };
  await compare(say, [million, thousand], 'goal 0.95');
  await Promise.all([many.stop(), few.stop()]);
};

const DEEP = 400_000;

const deep: Bench = async (folder, say) => {
  const key = await fill(sqlite(folder), DEEP);
  const server = await startServer(settingsOf(folder, sqlite(folder)));
  const list = `${server.url}/api/v1/services?offset=`;
  const [first, last] = [await timed(`${list}0`, key, 40), await timed(`${list}${DEEP - 65}`, key, 40)];
  say(`Page 1 of ${whole(DEEP)}: ${first.toFixed(2)} ms. The last page: ${last.toFixed(2)} ms.`);
  say(`\nRatio **${(last / first).toFixed(1)}** (goal 10 at most).`);
  await server.stop();
};

const STARTS = 9;

const start: Bench = async (folder, say) => {
  const key = await fill(sqlite(folder), 1000);
  const settings = settingsOf(folder, sqlite(folder));
  const [starts, nothings]: number[][] = [[], []];
  for (let n = 0; n < STARTS; n += 1) {
    const before = performance.now();
    spawnSync(process.execPath, ['-e', '0']);
    nothings?.push(performance.now() - before);
    const server = await startServer(settings);
    starts?.push(server.readyAfterMs);
    await server.stop();
  }
  const [ready, nothing] = [median(starts ?? []), median(nothings ?? [])];
  say(`Ready after ${whole(ready)} ms; \`node -e 0\` takes ${whole(nothing)} ms.`);
  say(`\nRatio **${(ready / nothing).toFixed(1)}** (goal 7 at most).\n`);
  const server = await startServer(settings);
  await sleep(3000);
  const atRest = server.memoryMb();
  load(server, { url: `${server.url}/api/v1/services?limit=25`, key }, 30);
  load(server, { url: `${server.url}/api/v1/auth-check`, key }, 30);
  say(
    `Memory at rest **${whole(atRest)} MB** (goal 90), after a minute of load **${whole(server.memoryMb())} MB** (goal 130).`,
  );
  await server.stop();
};

/** Another built clone, such as the release before. */
const AGAINST = process.env.BENCH_AGAINST;

/** Fills a database by a clone's own code, whose schema it then has. */
const fillBy = (clone: string, url: string, services: number): string => {
  const program = `import('./bench/fill.ts').then(async ({ fill }) => console.log(await fill(${JSON.stringify(url)}, ${services})))`;
  const tsx = join(clone, 'node_modules/.bin/tsx');
  return execFileSync(tsx, ['-e', program], { cwd: clone, encoding: 'utf8' }).trim();
};

/** This clone beside the other one, by turns: a ratio below 1 is what got slower since. */
const turns: Bench = async (folder, say) => {
  if (!AGAINST) return say('Skipped: BENCH_AGAINST names no other clone, built.');
  const clones = [packageFile('.'), AGAINST];
  const compareOn = async (urls: readonly string[], services: number, calls: Record<string, CallMaker>) => {
    const keys = clones.map((clone, index) => fillBy(clone, urls[index] as string, services));
    const servers: Running[] = [];
    for (const [index, clone] of clones.entries())
      servers.push(await startServer(settingsOf(join(folder, String(index)), urls[index] as string), clone));
    for (const [title, call] of Object.entries(calls)) {
      say(`\n### ${title}\n`);
      const sides = servers.map((server, index) => ({
        name: index === 0 ? 'this clone' : 'the other',
        server,
        call: call(server, keys[index] as string),
      }));
      await compare(say, sides, 'goal 0.90');
    }
    await Promise.all(servers.map((server) => server.stop()));
  };
  const get =
    (path: string): CallMaker =>
    (server, key) =>
    () => ({ url: `${server.url}/api/v1/${path}`, key });
  await compareOn([sqlite(folder, 'turns-0'), sqlite(folder, 'turns-1')], SERVICES_TO_UPGRADE, {
    'GET /auth-check': get('auth-check'),
    'GET /services, a page of 100': get('services?limit=100'),
    'GET /services, the last page': get(`services?limit=100&offset=${SERVICES_TO_UPGRADE - 100}`),
    'POST /upgrade on SQLite': upgrades,
  });
  await withPostgres(
    (one) =>
      withPostgres(
        (other) => compareOn([one, other], SERVICES_TO_UPGRADE, { 'POST /upgrade on PostgreSQL': upgrades }),
        '_other',
      ),
    '_this',
  );
  const readyMs = clones.map((): number[] => []);
  for (let n = 0; n < STARTS; n += 1) {
    for (const [index, clone] of clones.entries()) {
      const server = await startServer(settingsOf(folder, sqlite(folder, `turns-${index}`)), clone);
      readyMs[index]?.push(server.readyAfterMs);
      await server.stop();
    }
  }
  const [ours = 0, theirs = 0] = readyMs.map(median);
  say(`\n### A start\n\n${whole(ours)} ms; the other ${whole(theirs)} ms: ratio **${(theirs / ours).toFixed(2)}**.`);
};

type CallMaker = (server: Running, key: string) => (round: number) => Call;

/** Microseconds of processor time for a call of each work, fifty at a time: medians of several batches, the works by turns. */
async function microsOf(works: Array<() => unknown>, times: number): Promise<number[]> {
  const batches = works.map((): number[] => []);
  for (let batch = 0; batch <= BATCHES; batch += 1) {
    for (const [index, work] of works.entries()) {
      const before = process.cpuUsage();
      for (let n = 0; n < times; n += 50) await Promise.all(Array.from({ length: 50 }, work));
      const { user, system } = process.cpuUsage(before);
      if (batch > 0) batches[index]?.push((user + system) / times);
    }
  }
  return batches.map(median);
}

const BATCHES = 15;
const CALLS_A_BATCH = 50_000;
const UPGRADES_A_BATCH = 500;

/** What is remembered of calls and changes, beside what it is remembered of. */
const remembering: Bench = async (folder, say) => {
  const services = 2 * (BATCHES + 1) * UPGRADES_A_BATCH;
  const key = await fill(sqlite(folder), services + 1);
  const server = await startServer(settingsOf(folder, sqlite(folder)));
  const call = load(server, { url: `${server.url}/api/v1/auth-check`, key }, SECONDS);
  await server.stop();

  const store = await openSqlite({ file: sqlite(folder).slice('file:'.length), monotonic: systemClock.monotonic });
  const parts = { store, clock: systemClock, onError: (error: unknown) => console.error(error) };
  const owner = { broker: { id: 'brk_bench' }, key: { id: 'key_bench' } };
  const recorder = createRecorder(parts);
  const names = ['method', 'route', 'status'];
  const time = new Histogram({ name: 'bench', help: 'bench', labelNames: names, registers: [new Registry()] });
  const made = {
    requestId: '',
    owner,
    clientIp: '192.0.2.1',
    method: 'GET',
    operation: 'checkAccess',
    serviceNumber: null,
    // One row a call is kept until there are too many of them in a second, and from then on none.
    status: 200,
    failure: undefined,
    ms: 0.3,
    logged: true,
  };
  const each: Array<[string, () => void]> = [
    ['usage, a row, last use', () => recorder.record(made)],
    ['figures', () => time.observe({ method: 'GET', route: '/auth-check', status: 200 }, 0.0003)],
  ];
  const whole = call.userMicros + call.systemMicros;
  const works = [() => undefined, ...each.map(([, work]) => work)];
  const [nothing = 0, ...took] = await microsOf(works, CALLS_A_BATCH);
  let together = 0;
  for (const [index, [name]] of each.entries()) {
    const micros = Math.max(0, (took[index] ?? 0) - nothing);
    together += micros;
    say(`- ${name}: ${micros.toFixed(2)} µs a call`);
  }
  await recorder.close();
  const share = (100 * together) / whole;
  say(
    `\nTogether **${share.toFixed(1)} %** of an auth-check, which takes ${whole.toFixed(0)} µs (goal 2 % at most).\n`,
  );

  const silent: Store = {
    ...store,
    tx: (work) => store.tx((tx) => work({ ...tx, audit: { ...tx.audit, insert: async () => undefined } })),
  };
  let number = 0;
  const next = (over: Store) => {
    const upgrade = upgradesOn(over);
    return () => {
      number += 1;
      return upgrade(number);
    };
  };
  const [without = 0, trailed = 0] = await microsOf([next(silent), next(store)], UPGRADES_A_BATCH);
  say(
    `An upgrade’s transaction: ${without.toFixed(0)} µs without its row of the audit trail, ${trailed.toFixed(0)} µs with it.`,
  );
  say(`\nRatio **${(trailed / without).toFixed(2)}** (goal 1.10 at most of the whole call, which is longer).`);
  await store.close();
};

export const benches: Record<string, Bench> = {
  'auth-check': authCheck,
  floor,
  remembering,
  upgrade,
  lists,
  postgres,
  worker,
  scale,
  console: consolePages,
  deep,
  start,
  turns,
};
