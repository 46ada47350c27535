import type { Test } from 'tap';
import type { Store } from '../../src/store/store.ts';
import { accountContract } from './contract/accounts.ts';
import { catalogContract } from './contract/catalog.ts';
import { correspondenceContract } from './contract/correspondence.ts';
import { operatorContract } from './contract/operators.ts';
import { requestContract } from './contract/requests.ts';
import { serviceContract } from './contract/services.ts';
import { trafficContract } from './contract/traffic.ts';
import { transactionContract } from './contract/transactions.ts';

/** One database, as the suite is given it: new, and without a broker. */
export interface Opened {
  store: Store;
  /** The same database opened a second time, as another process would; absent where one connection is all there is. */
  beside?: Store;
  /** Runs a statement as another program would. */
  run(sql: string): Promise<unknown>;
}

/** Everything that the store promises, whatever engine it stands on. Closes what it was given. */
export async function storeContract(t: Test, open: () => Promise<Opened>): Promise<void> {
  const opened = await open();
  t.teardown(async () => {
    await opened.beside?.close();
    await opened.store.close();
  });
  await transactionContract(t, opened);
  await accountContract(t, opened);
  await catalogContract(t, opened);
  await serviceContract(t, opened);
  await requestContract(t, opened);
  await correspondenceContract(t, opened);
  await trafficContract(t, opened);
  await operatorContract(t, opened);
}

/** Does something so many times at once, on both openings of the database by turns. */
export function atOnce<T>({ store, beside }: Opened, times: number, act: (store: Store, turn: number) => Promise<T>) {
  return Promise.all(Array.from({ length: times }, (_, turn) => act(beside && turn % 2 === 1 ? beside : store, turn)));
}

/** All choices of some of these, none and all of them included. */
export function subsets<T extends object>(all: T): Array<Partial<T>> {
  return Object.entries(all).reduce<Array<Partial<T>>>(
    (found, [name, value]) => found.concat(found.map((subset) => ({ ...subset, [name]: value }))),
    [{}],
  );
}
