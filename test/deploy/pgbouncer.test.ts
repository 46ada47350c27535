import { execFileSync } from 'node:child_process';
import { chownSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import t, { type Test } from 'tap';
import { composeParts } from '../../src/compose.ts';
import { loadConfig } from '../../src/config.ts';
import { type PostgresServer, postgresPrograms, startPostgres } from '../support/postgres-server.ts';
import { programHere, startProgram } from '../support/programs.ts';
import { freePort } from '../support/redis.ts';

/** PgBouncer in front of the server, as the documentation sets it; resolves with the address through it. */
async function startPgBouncer(t: Test, server: PostgresServer, program: string, settings: Record<string, string>) {
  const folder = mkdtempSync(join(tmpdir(), 'broker-pgbouncer-'));
  t.teardown(() => rmSync(folder, { recursive: true, force: true }));
  const port = await freePort();
  const all = {
    listen_addr: '127.0.0.1',
    listen_port: String(port),
    unix_socket_dir: '',
    auth_type: 'any',
    ignore_startup_parameters: 'statement_timeout,lock_timeout,idle_in_transaction_session_timeout',
    ...settings,
  };
  const lines = Object.entries(all).map(([name, value]) => `${name} = ${value}`);
  const database = `* = host=127.0.0.1 port=${server.port} user=postgres`;
  const file = join(folder, 'pgbouncer.ini');
  writeFileSync(file, ['[databases]', database, '[pgbouncer]', ...lines, ''].join('\n'));
  // It does not run as root.
  const ids =
    process.getuid?.() === 0
      ? { uid: Number(execFileSync('id', ['-u', 'postgres'])), gid: Number(execFileSync('id', ['-g', 'postgres'])) }
      : {};
  if (ids.uid !== undefined) chownSync(folder, ids.uid, ids.gid);
  await startProgram(t, port, [program, file], ids);
  return server.url.replace(String(server.port), String(port));
}

const open = async (url: string) => {
  const parts = await composeParts(loadConfig({ DATABASE_URL: url }), () => undefined);
  await parts.store.read.brokers.list();
  await parts.close();
};

t.test('behind PgBouncer 1.18 session pooling works, and transaction pooling is refused at the start', async (t) => {
  const program = programHere(t, 'pgbouncer');
  if (!program || !postgresPrograms()) return;
  const server = await startPostgres(t);
  await open(server.url);
  await open(await startPgBouncer(t, server, program, { pool_mode: 'session' }));
  const [, version = ''] = /PgBouncer (\d+\.\d+)/.exec(String(execFileSync(program, ['--version']))) ?? [];
  for (const rotation of ['0', '1']) {
    for (const size of ['1', '20']) {
      const settings = { pool_mode: 'transaction', server_round_robin: rotation, default_pool_size: size };
      const url = await startPgBouncer(t, server, program, settings);
      const title = `PgBouncer ${version}: ${JSON.stringify(settings)}`;
      // Idle connections from before, so that a rotation has some to give.
      const before = await Promise.all(
        Array.from({ length: Number(size) === 1 ? 0 : 3 }, async () => {
          const client = new pg.Client({ connectionString: url });
          await client.connect();
          await client.query('begin');
          return client;
        }),
      );
      for (const client of before) await client.query('commit').then(() => client.end());
      const message = /^DATABASE_URL: the pooler in between loses prepared statements: [^\n]+$/;
      await t.rejects(open(url), { name: 'ConfigError', message }, title);
    }
  }
});

t.test('a database in another encoding than UTF-8 is refused at the start', async (t) => {
  if (!postgresPrograms()) return;
  const server = await startPostgres(t);
  const client = new pg.Client({ connectionString: server.url });
  await client.connect();
  await client.query("create database ascii encoding 'SQL_ASCII' template template0 lc_collate 'C' lc_ctype 'C'");
  await client.end();
  const url = server.url.replace(/postgres$/, 'ascii');
  const message = "DATABASE_URL: the database's encoding is SQL_ASCII and must be UTF8 (docs/parts.md)";
  await t.rejects(open(url), { name: 'ConfigError', message });
});
