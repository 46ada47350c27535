import { execFileSync } from 'node:child_process';
import { chownSync, existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Test } from 'tap';
import { freePort } from './redis.ts';

const ROOT = '/usr/lib/postgresql';

/** Where Debian's package has the programs of the newest PostgreSQL; undefined where it is not installed. */
export const postgresPrograms = (): string | undefined =>
  existsSync(ROOT)
    ? readdirSync(ROOT)
        .sort((a, b) => Number(a) - Number(b))
        .map((version) => join(ROOT, version, 'bin'))
        .findLast((directory) => existsSync(join(directory, 'initdb')))
    : undefined;

export interface PostgresServer {
  url: string;
  port: number;
  promote(): void;
  stop(how: 'fast' | 'immediate'): void;
}

/**
 * A PostgreSQL server of the test's own, stopped at its end; with `follows` a standby of that one.
 * @param settings configuration parameters, as they stand in postgresql.conf
 */
export async function startPostgres(
  t: Test,
  { follows, settings = {} }: { follows?: PostgresServer; settings?: Record<string, string> } = {},
): Promise<PostgresServer> {
  const programs = postgresPrograms() as string;
  const directory = mkdtempSync(join(tmpdir(), 'broker-postgres-'));
  const data = join(directory, 'data');
  // PostgreSQL does not run as root; Debian's package brings a user for it.
  const ids = process.getuid?.() === 0 ? { uid: idOf('-u'), gid: idOf('-g') } : undefined;
  if (ids) chownSync(directory, ids.uid, ids.gid);
  const run = (program: string, ...args: string[]) =>
    void execFileSync(join(programs, program), args, { stdio: 'ignore', cwd: directory, ...ids });
  const port = await freePort();
  const url = `postgres://postgres@127.0.0.1:${port}/postgres`;
  if (follows) run('pg_basebackup', '-D', data, '-d', follows.url, '-R', '-X', 'stream', '-c', 'fast');
  else run('initdb', '-D', data, '-U', 'postgres', '-A', 'trust', '-E', 'UTF8', '--locale=C.UTF-8', '-N');
  const all = { listen_addresses: '127.0.0.1', unix_socket_directories: directory, fsync: 'off', ...settings };
  const options = Object.entries(all).map(([name, value]) => `-c ${name}='${value}'`);
  run('pg_ctl', '-D', data, '-w', '-s', '-l', join(directory, 'log'), '-o', `-p ${port} ${options.join(' ')}`, 'start');
  let running = true;
  const server: PostgresServer = {
    url,
    port,
    promote: () => run('pg_ctl', '-D', data, '-w', '-s', 'promote'),
    stop(how) {
      if (running) run('pg_ctl', '-D', data, '-w', '-s', '-m', how, 'stop');
      running = false;
    },
  };
  t.teardown(() => {
    server.stop('immediate');
    rmSync(directory, { recursive: true });
  });
  return server;
}

const idOf = (which: '-u' | '-g'): number => Number(execFileSync('id', [which, 'postgres']));
