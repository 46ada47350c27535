import type { Context } from '../ports.ts';
import { type ConsumptionRecord, consumptionRecord } from '../records.ts';
import type { ConsumptionFilter } from '../store/queries/consumption.ts';
import type { PageWindow } from '../store/session/session.ts';
import { pageOf, readPage } from './list-page.ts';
import type { Caller, ListOutcome } from './operation.ts';

/** What each service consumed, as measured last, by service number (contract, section 12.8). */
export async function listConsumption(
  { store }: Context,
  caller: Caller,
  { serviceNumber, ...window }: PageWindow & ConsumptionFilter,
): Promise<ListOutcome<ConsumptionRecord>> {
  const filter = { serviceNumber };
  const { views, total } = await readPage(store, caller, window, {
    // All of the broker's rows are counted.
    bounded: serviceNumber !== undefined,
    views: (read) => read.consumption.page(caller.brokerId, filter, window),
    total: (read) => read.consumption.countMatches(caller.brokerId, filter),
  });
  const losses = await store.read.history.list();
  return pageOf(
    views.map((row) => consumptionRecord(row, losses)),
    window,
    total,
  );
}
