import type { Parts } from '../compose.ts';
import type { BrokerRow } from '../store/brokers.ts';
import type { Reads } from '../store/store.ts';
import { OperatorError } from './errors.ts';

/** What the operator's use cases need of the program. */
export type OperatorParts = Pick<Parts, 'store' | 'clock' | 'newId' | 'templates' | 'mailer'>;

/** The broker that an operator named by its slug. Throws an `OperatorError` where there is none. */
export async function requireBroker(reads: Pick<Reads, 'brokers'>, slug: string): Promise<BrokerRow> {
  const broker = await reads.brokers.findBySlug(slug);
  if (!broker) throw new OperatorError(`There is no broker "${slug}"`);
  return broker;
}
