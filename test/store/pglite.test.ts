import { createServer } from 'node:net';
import { PGlite } from '@electric-sql/pglite';
import { pg_trgm } from '@electric-sql/pglite/contrib/pg_trgm';
import { PGLiteSocketServer } from '@electric-sql/pglite-socket';
import t, { type Test } from 'tap';
import { openPostgres } from '../../src/store/postgres.ts';
import { isOutOfService, postgresContract } from './contract/postgres.ts';
import { storeContract } from './contract.ts';

/** A port that was free a moment ago: the embedded server cannot tell which one it was given. */
const freePort = () =>
  new Promise<number>((resolve, reject) => {
    const server = createServer().once('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const address = server.address();
      server.close(() => resolve(typeof address === 'object' && address ? address.port : 0));
    });
  });

async function startServer(t: Test, prepare = '') {
  const db = await PGlite.create({ extensions: { pg_trgm } });
  await db.exec(prepare);
  const port = await freePort();
  const server = new PGLiteSocketServer({ db, host: '127.0.0.1', port });
  await server.start();
  t.teardown(async () => {
    await server.stop();
    await db.close();
  });
  const url = `postgres://postgres@127.0.0.1:${port}/postgres?sslmode=disable`;
  return { db, server, open: () => openPostgres({ url, poolSize: 1 }) };
}

t.test('PostgreSQL in this process keeps the store’s contract, over its one connection', async (t) => {
  const { open } = await startServer(t);
  const store = await open();
  t.equal(store.created, true);
  await storeContract(t, async () => ({ store }));
  await postgresContract(t, store);
});

t.test('a database in this process that cannot be migrated is left as it was', async (t) => {
  const { db, open } = await startServer(t, 'create table services (number bigint)');
  await t.rejects(open(), /"services" already exists/);
  const { rows } = await db.query("select tablename from pg_tables where schemaname = 'public'");
  t.strictSame(rows, [{ tablename: 'services' }]);
});

t.test('a server in this process that goes away answers that it is out of service', async (t) => {
  const { server, open } = await startServer(t);
  const store = await open();
  t.teardown(() => store.close());
  const work = store.tx(async (tx) => {
    await server.stop();
    return tx.brokers.list();
  });
  await isOutOfService(t, work, 'a transaction');
  await isOutOfService(t, store.read.brokers.list(), 'a read');
  await t.rejects(open());
});
