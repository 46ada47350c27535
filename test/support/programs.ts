import { type ChildProcess, type SpawnOptions, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import type { Test } from 'tap';
import { until } from './until.ts';

/** Debian keeps servers out of the path of people. */
const FOLDERS = [...(process.env.PATH ?? '').split(':'), '/usr/sbin', '/sbin'];

/**
 * Where a program is that Debian's package of this name brings. Without it the test is left out with a line that cannot be
 * overlooked, or fails where `REQUIRE_SERVICES` is set, and the result is undefined.
 */
export function programHere(t: Test, name: string): string | undefined {
  const path = FOLDERS.map((folder) => join(folder, name)).find(existsSync);
  if (path) return path;
  const line = `${name} IS NOT INSTALLED HERE, so what needs it is NOT TESTED`;
  if (process.env.REQUIRE_SERVICES) t.fail(line);
  else {
    process.stderr.write(`\n*** ${line}\n`);
    t.pass(line, { skip: line });
  }
  return undefined;
}

export interface Running {
  readonly process: ChildProcess;
  /** What it has written so far, errors included. */
  said(): string;
  /** Resolves once it has ended. */
  stop(signal?: NodeJS.Signals): Promise<void>;
}

/** Starts a server that stays in the foreground; resolves once it takes connections at the port. It ends with the test. */
export async function startProgram(
  t: Test,
  port: number,
  [command = '', ...args]: readonly string[],
  options: SpawnOptions = {},
): Promise<Running> {
  const child = spawn(command, args, { stdio: ['ignore', 'pipe', 'pipe'], ...options });
  let text = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream?.on('data', (chunk) => {
      text += chunk;
    });
  }
  const hasEnded = () => child.exitCode !== null || child.signalCode !== null;
  const running: Running = {
    process: child,
    said: () => text,
    async stop(signal = 'SIGTERM') {
      if (hasEnded()) return;
      child.kill(signal);
      await once(child, 'exit');
    },
  };
  t.teardown(() => running.stop());
  await until(`${command} listens at ${port}`, async () => {
    if (hasEnded()) throw new Error(`${command} has ended:\n${text}`);
    return takesConnections(port);
  });
  return running;
}

function takesConnections(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ port, host: '127.0.0.1' })
      .on('connect', () => {
        socket.destroy();
        resolve(true);
      })
      .on('error', () => resolve(false));
  });
}
