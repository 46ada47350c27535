import { createServer } from 'node:net';
import { PGlite } from '@electric-sql/pglite';
import { pg_trgm } from '@electric-sql/pglite/contrib/pg_trgm';
import { PGLiteSocketServer } from '@electric-sql/pglite-socket';
import t from 'tap';
import { openPostgres } from '../../src/store/postgres.ts';
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

t.test('PostgreSQL in this process keeps the store’s contract, over its one connection', async (t) => {
  const db = await PGlite.create({ extensions: { pg_trgm } });
  const port = await freePort();
  const server = new PGLiteSocketServer({ db, host: '127.0.0.1', port });
  await server.start();
  t.teardown(async () => {
    await server.stop();
    await db.close();
  });
  const url = `postgres://postgres@127.0.0.1:${port}/postgres?sslmode=disable`;
  const open = () => openPostgres({ url, poolSize: 1, onError: (error) => t.error(error) });
  await storeContract(t, async () => ({ store: await open() }));
});
