import { AsyncLocalStorage } from 'node:async_hooks';
import type { SlotOwner } from './slot-queue.ts';

const operatorIds = new AsyncLocalStorage<string>();

/** The owner of reads over all brokers: the operator in whose name the work runs at this moment, where one is known. */
export const operatorOwner = (): SlotOwner => ({ key: operatorIds.getStore() ?? 'operator', isOperator: true });

/** Runs work whose slow queries wait behind that operator's own, and are served in rotation with those of others. */
export const runAsOperator = <T>(operatorId: string, work: () => T): T => operatorIds.run(operatorId, work);
