import { csvOf } from './csv.ts';
import { connectMemory, sessionOf, transactorOf } from './sqlite-client.ts';
import { migrate } from './sqlite-migrate.ts';
import { changesOf, readsOf, type Store } from './store.ts';

/** A private database in memory on which things can be tried without a trace. */
export interface MemoryStore {
  /**
   * Runs the act against the prepared records and undoes whatever it changed; one act at a time.
   * @param prepare goes before it in its turn; what that writes stays, and what it finds out is handed to the act
   */
  dryRun<P, T>(prepare: (store: Store) => Promise<P>, act: (store: Store, prepared: P) => Promise<T>): Promise<T>;
  close(): void;
}

/** Opens a stage and sets it: what `prepare` writes is there at the start of every rehearsal. */
export async function openMemoryStore(prepare: (store: Store) => Promise<void>): Promise<MemoryStore> {
  const client = connectMemory();
  migrate(client);
  const session = sessionOf(client);
  const read = readsOf(session);
  const changes = changesOf(session);
  const transactor = transactorOf(client);
  const store: Store = {
    read,
    // The simulated fleet is small, and acts are played one at a time.
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

  let turn: Promise<unknown> = Promise.resolve();
  return {
    dryRun(prepareAnew, act) {
      const played = turn.then(async () => {
        const prepared = await prepareAnew(store);
        transactor.begin();
        try {
          return await act(store, prepared);
        } finally {
          transactor.rollback();
        }
      });
      turn = played.catch(() => undefined);
      return played;
    },
    close: () => void client.close(),
  };
}
