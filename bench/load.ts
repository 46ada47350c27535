import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Running } from './processes.ts';

export const CONNECTIONS = 50;

export interface Call {
  url: string;
  key?: string;
  /** A POST with this body. */
  body?: string;
  /**
   * A text in the URL that is replaced by a running number, which also makes the idempotency key; from this on, and
   * where it is bounded from the beginning again.
   */
  numbered?: { from: number; upTo?: number };
  /** Servers that share the calls with the one that is loaded, each with its part of the connections. */
  beside?: readonly Running[];
}

export interface Measured {
  perSecond: number;
  p99Ms: number;
  /** Microseconds of processor time for an answer. */
  userMicros: number;
  systemMicros: number;
  answers: number;
}

export const NUMBER = 'NUMBER';

/** Loads a server for so many seconds. Throws when anything but a success comes back: refusals are fast. */
export function load(server: Running, call: Call, seconds: number): Measured {
  const servers = [server, ...(call.beside ?? [])];
  const before = cpuOf(servers);
  const { answers, perSecond, p99Ms } = runWrk(call, seconds);
  const after = cpuOf(servers);
  return {
    perSecond,
    p99Ms,
    userMicros: ((after.user - before.user) * 1e6) / answers,
    systemMicros: ((after.system - before.system) * 1e6) / answers,
    answers,
  };
}

function cpuOf(servers: readonly Running[]): { user: number; system: number } {
  const each = servers.map((server) => server.cpu());
  return {
    user: each.reduce((sum, { user }) => sum + user, 0),
    system: each.reduce((sum, { system }) => sum + system, 0),
  };
}

/** How far apart the numbers are that two servers begin with: more than a round on PostgreSQL can use up. */
export const NUMBERS_OF_A_SERVER = 15_000;

function runWrk({ url, key, body, numbered, beside = [] }: Call, seconds: number) {
  const folder = mkdtempSync(join(tmpdir(), 'broker-wrk-'));
  const { pathname, search, port } = new URL(url);
  const ports = [port, ...beside.map((server) => new URL(server.url).port)];
  // One thread a server; each runs this script in a world of its own, in which setup sets its numbers.
  const script = `
    n = ${numbered?.from ?? 0}
    local ports, threads = { ${ports.map((each) => `"${each}"`).join()} }, 0
    setup = function(thread)
      threads = threads + 1
      thread.addr = wrk.lookup("127.0.0.1", ports[threads])[1]
      thread:set("n", n + (threads - 1) * ${NUMBERS_OF_A_SERVER})
    end
    local path = ${JSON.stringify(pathname + search)}
    wrk.path = path
    wrk.method = ${body === undefined ? '"GET"' : '"POST"'}
    ${body === undefined ? '' : `wrk.body = ${JSON.stringify(body)}; wrk.headers["content-type"] = "application/json"`}
    ${key === undefined ? '' : `wrk.headers["authorization"] = "Bearer ${key}"`}
    ${
      numbered
        ? `request = function()
             n = ${numbered.upTo ? `n % ${numbered.upTo}` : 'n'} + 1
             wrk.headers["x-idempotency-key"] = "bench-" .. n
             return wrk.format(nil, (path:gsub("${NUMBER}", n)))
           end`
        : ''
    }
    done = function(summary, latency, requests)
      local e = summary.errors
      io.write(string.format('{"answers":%d,"micros":%d,"failed":%d,"p99":%d}',
        summary.requests, summary.duration, e.connect + e.read + e.write + e.status + e.timeout, latency:percentile(99)))
    end`;
  try {
    writeFileSync(join(folder, 'load.lua'), script);
    const out = execFileSync(
      'wrk',
      [
        `-t${ports.length}`,
        '--timeout',
        '30s',
        `-c${CONNECTIONS}`,
        `-d${seconds}s`,
        '-s',
        join(folder, 'load.lua'),
        new URL(url).origin,
      ],
      { encoding: 'utf8' },
    );
    const said = JSON.parse(out.slice(out.lastIndexOf('{"answers"')));
    if (said.failed > 0) throw new Error(`${url} failed ${said.failed} times`);
    return {
      answers: said.answers as number,
      perSecond: said.answers / (said.micros / 1e6),
      p99Ms: said.p99 / 1000,
    };
  } finally {
    rmSync(folder, { recursive: true });
  }
}
