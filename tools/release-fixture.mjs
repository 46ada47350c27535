import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import { built, rebuild } from '../bin/build.mjs';

/*
 * npm run fixture -- VERSION: keeps the schema of a release for good, with data in every table, as
 * test/migrations/VERSION.sqlite.sql and VERSION.postgres.sql; test/migrations.test.ts brings each of them up to date.
 * Run it at the commit of the release; it needs pg_dump and the PostgreSQL server that the tests use.
 */
const [version] = process.argv.slice(2);
if (!/^\d+\.\d+\.\d+$/.test(version ?? '')) throw new Error('Give the version of the release, such as 0.2.0');
const folder = fileURLToPath(new URL('../test/migrations/', import.meta.url));
const server = process.env.TEST_POSTGRES_URL || 'postgres://postgres@127.0.0.1:5432/postgres';
const header = `-- The database of release ${version} with data in every table, made by tools/release-fixture.mjs. Not to be changed.\n`;

rebuild();
const [{ createDemo }, { createIds }, firewall, mails, sqlite, postgres, { Sqlite }, { copyDatabase }] =
  await Promise.all(
    [
      'demo/demo',
      'ids',
      'operator/firewall',
      'operator/templates',
      'store/sqlite',
      'store/postgres',
      'store/sqlite-driver',
      'store/copy',
    ].map((module) => import(built(`src/${module}.js`))),
  );

const directory = mkdtempSync(join(tmpdir(), 'broker-fixture-'));
const file = join(directory, 'broker.db');
const now = Date.UTC(2030, 0, 15, 12);
const clock = { now: () => now, monotonic: () => 0 };
const database = `broker_fixture_${process.pid}`;
const target = Object.assign(new URL(server), { pathname: `/${database}` }).href;

/** The demo, and what it has not: rows for every other table. A table that stays empty is an error. */
async function fill() {
  const store = await sqlite.openSqlite({ file, monotonic: clock.monotonic });
  const mailer = { send: async () => ({ messageId: 'fixture' }) };
  const parts = { store, clock, mailer, newId: createIds() };
  await createDemo(parts);
  await firewall.allowAddress(parts, { broker: 'demo', rule: '192.0.2.0/24', note: 'office' });
  await mails.sendTestTemplate(parts, { broker: 'demo', kind: 'service-created', to: 'ada@example.com' });
  const { id: brokerId } = await store.read.brokers.findBySlug('demo');
  const name = { brokerId, mode: 'live', namespace: 'action', key: 'fixture' };
  await store.tx(async (tx) => {
    await tx.idempotency.claim({ ...name, fingerprint: 'f', createdAt: now, expiresAt: now + 86_400_000 });
    await tx.idempotency.complete(name, { statusCode: 200, body: '{"success":true,"data":{}}' });
  });
  await store.close();
}

const quoted = (value) => {
  if (value === null) return 'NULL';
  if (typeof value === 'string') return `'${value.replaceAll("'", "''")}'`;
  if (Buffer.isBuffer(value)) return `x'${value.toString('hex')}'`;
  return String(value);
};

/** Tables, then indexes and triggers, then rows: the triggers fill the text index. */
function dumpSqlite() {
  const db = new Sqlite(file, { readonly: true });
  const all = db.prepare(
    "select type, name, sql from sqlite_master where sql is not null and name not like 'sqlite_%'",
  );
  const objects = all.all();
  const virtual = objects.filter(({ sql }) => /^create virtual/i.test(sql)).map(({ name }) => name);
  const own = objects.filter(({ name }) => !virtual.some((index) => name.startsWith(`${index}_`)));
  const tables = own.filter(({ type }) => type === 'table');
  const rest = own.filter(({ type }) => type !== 'table');
  const rows = tables
    .filter(({ name }) => !virtual.includes(name))
    .flatMap(({ name }) => {
      const found = db.prepare(`select * from "${name}"`).raw().all();
      if (found.length === 0) throw new Error(`${name} has no rows: add some to tools/release-fixture.mjs`);
      return found.map((row) => `INSERT INTO "${name}" VALUES (${row.map(quoted).join(', ')});`);
    });
  db.close();
  return [...[...tables, ...rest].map(({ sql }) => `${sql};`), ...rows].join('\n');
}

async function dumpPostgres() {
  const admin = new pg.Client({ connectionString: server });
  await admin.connect();
  await admin.query(`create database ${database}`);
  try {
    const from = await sqlite.openSqliteTables({ file, monotonic: clock.monotonic });
    const to = await postgres.openPostgresTables(target);
    await copyDatabase(from, to);
    await Promise.all([from.close(), to.close()]);
    const dump = execFileSync('pg_dump', ['--no-owner', '--no-privileges', '--inserts', target], { encoding: 'utf8' });
    // Lines that are meant for psql, and what only tells of the tool.
    return dump
      .split('\n')
      .filter((line) => !/^(\\|--|$)/.test(line))
      .join('\n');
  } finally {
    await admin.query(`drop database ${database} with (force)`);
    await admin.end();
  }
}

try {
  await fill();
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, `${version}.sqlite.sql`), `${header}${dumpSqlite()}\n`);
  writeFileSync(join(folder, `${version}.postgres.sql`), `${header}${await dumpPostgres()}\n`);
} finally {
  rmSync(directory, { recursive: true });
}
