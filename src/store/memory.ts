import { csvOf } from './csv.ts';
import { connectMemory, sessionOf, transactorOf } from './sqlite-client.ts';
import { migrate } from './sqlite-migrate.ts';
import { changesOf, readsOf, type Store } from './store.ts';

export interface MemoryStore {
  /**
   * Runs `act` and rolls back its changes; one at a time.
   * @param prepare runs before it; its changes are kept, and its result is passed to `act`
   */
  dryRun<P, T>(prepare: (store: Store) => Promise<P>, act: (store: Store, prepared: P) => Promise<T>): Promise<T>;
  close(): void;
}

/** Opens a private database in memory with the records that `prepare` writes. */
export async function openMemoryStore(prepare: (store: Store) => Promise<void>): Promise<MemoryStore> {
  const client = connectMemory();
  await migrate(client);
  const session = sessionOf(client);
  const read = readsOf(session);
  const changes = changesOf(session);
  const transactor = transactorOf(client);
  const store: Store = {
    read,
    // The seed data is small, and there is one dry run at a time.
    slow: (_, work) => work(read),
    report: (_, work) =>
      work(async ({ sql, params, columns }, maxBytes) =>
        csvOf(
          columns,
          client
            .prepare<unknown[], unknown[]>(sql)
            .raw()
            .iterate(...params),
          maxBytes,
        ),
      ),
    async tx(work) {
      transactor.savepoint();
      session.counterChanges.clear();
      try {
        const result = await work(changes);
        await changes.counters.flush();
        transactor.release();
        return result;
      } catch (error) {
        transactor.rollbackToSavepoint();
        throw error;
      }
    },
    async ping() {},
    async close() {},
  };
  await prepare(store);

  let last: Promise<unknown> = Promise.resolve();
  return {
    dryRun(prepareAnew, act) {
      const result = last.then(async () => {
        const prepared = await prepareAnew(store);
        transactor.begin();
        try {
          return await act(store, prepared);
        } finally {
          transactor.rollback();
        }
      });
      last = result.catch(() => undefined);
      return result;
    },
    close: () => void client.close(),
  };
}
