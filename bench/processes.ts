import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { packageFile } from '../src/runtime/paths.ts';

/** A program under measurement, in a process of its own. */
export interface Running {
  url: string;
  /** Milliseconds from its start to the line that says where it listens. */
  readyAfterMs: number;
  /** Seconds of processor time so far, in the program and in the kernel on its behalf; zeros where no /proc is. */
  cpu(): { user: number; system: number };
  /** Resident memory in megabytes. */
  memoryMb(): number;
  isRunning(): boolean;
  stop(): Promise<void>;
}

/** How many hooks of each kind. */
export type Hooks = Partial<Record<'onRequest' | 'preValidation' | 'preHandler' | 'onSend', number>>;

/** What a bare Fastify may have to send and to pass with every answer. */
export interface Extras {
  headers?: Record<string, string>;
  /** They do nothing. */
  hooks?: Hooks;
  /** A SQLite file whose services are upgraded by POST /upgrades/NUMBER, without any gate. */
  database?: string;
}

/** Those that have been started and have not ended. */
const all = new Set<Running>();

/** Nothing that was started stays behind, however a benchmark ended. */
export const stopAll = async (): Promise<void> => {
  await Promise.all([...all].map((one) => one.stop()));
};

/**
 * The built server, started as `npm start` starts it, with nothing but these settings beside the defaults; of this clone or
 * of another one.
 */
export const startServer = (settings: Record<string, string>, clone = packageFile('.')) =>
  start(join(clone, 'dist/src/server.js'), [], {
    PORT: '0',
    // Its port would be the first one that is said.
    CONSOLE_PORT: 'off',
    // A key's own limit is the highest there is, in a window that is over before it is used up.
    RATE_LIMIT_WINDOW_SECONDS: '1',
    ...settings,
  });

/** A bare Fastify that answers GET and POST of any path with this text, parsed bodies included. */
export const startBare = (answerFile: string, extras: Extras = {}) =>
  start(packageFile('dist/bench/bare.js'), [answerFile, JSON.stringify(extras)], {});

/** A worker as `broker worker` runs it. It says nothing of where it listens: ready means started. */
export function startWorker(settings: Record<string, string>): Running {
  const child = spawn(process.execPath, [packageFile('bin/broker.mjs'), 'worker'], {
    env: { PATH: process.env.PATH, NODE_ENV: 'development', ...settings },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  return running(child, '', 0);
}

async function start(program: string, args: string[], settings: Record<string, string>): Promise<Running> {
  const startedAt = performance.now();
  const child = spawn(process.execPath, [program, ...args], {
    env: { PATH: process.env.PATH, ...settings },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const url = await new Promise<string>((resolve, reject) => {
    let said = '';
    child.stdout.on('data', (chunk) => {
      said += chunk;
      const found = /listening at (http:\/\/127\.0\.0\.1:\d+)/.exec(said);
      if (found?.[1]) resolve(found[1]);
    });
    child.once('exit', (code) => reject(new Error(`${program} ended with ${code}: ${said}`)));
  });
  return running(child, url, performance.now() - startedAt);
}

function running(child: ChildProcess, url: string, readyAfterMs: number): Running {
  const isRunning = () => child.exitCode === null && child.signalCode === null;
  const one: Running = {
    url,
    readyAfterMs,
    cpu() {
      if (process.platform !== 'linux') return { user: 0, system: 0 };
      // The name may hold blanks; what follows its parenthesis does not. Fields 14 and 15, in hundredths of a second.
      const fields = readFileSync(`/proc/${child.pid}/stat`, 'utf8')
        .replace(/^.*\) /, '')
        .split(' ');
      return { user: Number(fields[11]) / 100, system: Number(fields[12]) / 100 };
    },
    memoryMb: () => Number(execFileSync('ps', ['-o', 'rss=', '-p', String(child.pid)])) / 1024,
    isRunning,
    stop: () =>
      new Promise((resolve) => {
        if (!isRunning()) return resolve();
        child.once('exit', () => resolve());
        child.kill('SIGTERM');
      }),
  };
  all.add(one);
  child.once('exit', () => all.delete(one));
  return one;
}
