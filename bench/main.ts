import { fork } from 'node:child_process';
import { extname } from 'node:path';
import { fileURLToPath } from 'node:url';
import autocannon from 'autocannon';
import type { Ask, Setup } from './server.ts';

/*
 * Speed, as ratios within one run: both sides of a ratio are measured by turns, in the same server process and by the
 * same load, so that a slow or busy machine changes little of it. The server has one process, the load another.
 *
 *   npm run bench                 all of them, in under three minutes
 *   npm run bench -- upgrade      those named
 */

const ROUNDS = 7;
const SECONDS = 2;
const CONNECTIONS = 50;

interface Bench {
  title: string;
  /** None where the ratio only shows what there is to be had. */
  goal?: number;
  /** What is measured, and what it is held against. */
  sides: [string, string];
  measure(setup: Setup, ask: (ask: Ask) => Promise<number>): [() => Promise<number>, () => Promise<number>];
}

const benches: Record<string, Bench> = {
  'auth-check': {
    title: 'GET /auth-check through all gates, against a bare Fastify route',
    goal: 0.8,
    sides: ['auth-check', 'bare'],
    measure: ({ key, urls: [app = '', bare = ''] }) => [
      () => load({ url: `${app}/api/v1/auth-check`, headers: bearer(key) }),
      () => load({ url: `${bare}/auth-check`, headers: bearer(key) }),
    ],
  },
  headers: {
    title: 'The floor: a bare Fastify route that only adds our headers, against one that does not',
    sides: ['with headers', 'bare'],
    measure: ({ urls: [headed = '', bare = ''] }) => [
      () => load({ url: `${headed}/auth-check` }),
      () => load({ url: `${bare}/auth-check` }),
    ],
  },
  upgrade: {
    title: 'POST /upgrade, answered once durable, against one raw transaction a commit',
    goal: 1.5,
    sides: ['upgrade', 'raw'],
    measure: ({ key, urls: [app = ''], services = 0 }, ask) => {
      let next = 0;
      const upgrade = (request: autocannon.Request): autocannon.Request => {
        next += 1;
        if (next > services) throw new Error('the services are used up');
        return {
          ...request,
          path: `/api/v1/services/${next}/upgrade`,
          headers: { ...request.headers, 'x-idempotency-key': `bench-${next}` },
        };
      };
      return [
        () =>
          load({
            url: app,
            method: 'POST',
            headers: { ...bearer(key), 'content-type': 'application/json' },
            body: '{"new_plan":"two"}',
            requests: [{ setupRequest: upgrade }],
          }),
        () => ask({ ask: 'raw transactions', seconds: SECONDS }),
      ];
    },
  },
  lists: {
    title: 'GET /services, page 1 with its total: a million services against a thousand',
    goal: 0.95,
    sides: ['1,000,000', '1,000'],
    measure: ({ key, urls: [million = '', thousand = ''] }) => [
      () => load({ url: `${million}/api/v1/services`, headers: bearer(key) }),
      () => load({ url: `${thousand}/api/v1/services`, headers: bearer(key) }),
    ],
  },
};

const bearer = (key: string) => ({ authorization: `Bearer ${key}` });

/** Answers a second. Anything but a success stops the benchmark: refusals are fast. */
async function load(options: autocannon.Options): Promise<number> {
  const result = await autocannon({ connections: CONNECTIONS, duration: SECONDS, ...options });
  if (result.non2xx + result.errors + result.timeouts > 0) {
    throw new Error(`${options.url} failed ${result.non2xx + result.errors} times`);
  }
  return result.requests.total / result.duration;
}

function startServer(name: string) {
  const program = fileURLToPath(new URL(`./server${extname(import.meta.url)}`, import.meta.url));
  const child = fork(program, [name]);
  const answer = <T>() =>
    new Promise<T>((resolve, reject) => {
      child.once('message', (message) => resolve(message as T));
      child.once('exit', (code) => reject(new Error(`the server of ${name} ended with ${code}`)));
    });
  const ask = (question: Ask): Promise<number> => {
    const answered = answer<number>();
    child.send(question);
    return answered;
  };
  const stop = () =>
    new Promise((resolve) => {
      child.once('exit', resolve);
      child.disconnect();
    });
  return { ready: answer<Setup>(), ask, stop };
}

const median = (values: number[]): number => values.toSorted((a, b) => a - b)[values.length >> 1] ?? Number.NaN;
const whole = (value: number) => Math.round(value).toLocaleString('en');

async function run(name: string, { title, goal, sides, measure }: Bench) {
  const server = startServer(name);
  const setup = await server.ready;
  const [one, other] = measure(setup, server.ask);
  // These warm up. A server whose start took all of a busy machine may refuse its first calls as overload.
  await one().catch(() => undefined);
  await other().catch(() => undefined);
  const rounds: Array<[number, number]> = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    // By turns in front, so that neither side always finds the garbage of the other.
    if (round % 2 === 0) rounds.push([await one(), await other()]);
    else {
      const second = await other();
      rounds.push([await one(), second]);
    }
  }
  await server.stop();
  const ratio = median(rounds.map(([a, b]) => a / b));
  console.log(`\n${title}`);
  for (const [index, side] of sides.entries()) {
    console.log(`  ${side.padEnd(12)} ${whole(median(rounds.map((round) => round[index] ?? 0))).padStart(9)} a second`);
  }
  const verdict = goal === undefined ? '' : ` (goal ${goal}: ${ratio >= goal ? 'met' : 'missed'})`;
  console.log(`  ${'ratio'.padEnd(12)} ${ratio.toFixed(2).padStart(9)}${verdict}`);
}

const named = process.argv.slice(2);
const unknown = named.filter((name) => !(name in benches));
if (unknown.length > 0) {
  console.error(`There is no benchmark ${unknown.join(', ')}: choose among ${Object.keys(benches).join(', ')}`);
  process.exitCode = 1;
} else {
  for (const [name, bench] of Object.entries(benches)) {
    if (named.length === 0 || named.includes(name)) await run(name, bench);
  }
}
