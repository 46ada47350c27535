import { createHash } from 'node:crypto';
import { type Audited, audit } from '../audit/audit.ts';
import type { Parts } from '../compose.ts';
import type { Context } from '../context/context.ts';
import type { BrokerRow } from '../store/brokers.ts';
import type { Reads, Tx } from '../store/store.ts';
import { unknown } from './errors.ts';

/** What the operator's use cases need of the program. */
export type OperatorDeps = Pick<Parts, 'store' | 'clock' | 'newId' | 'templates' | 'mailer' | 'actor'>;

/** What use cases need that only read. */
export type ReadDeps = Pick<OperatorDeps, 'store' | 'clock'>;

/** What every use case needs that changes something: the trail tells who it was. */
export type ChangeDeps = Pick<OperatorDeps, 'store' | 'clock' | 'newId' | 'actor'>;

/** Writes a row of the audit trail, in the transaction of the change that it tells of. */
export const note = ({ clock, newId, actor }: Omit<ChangeDeps, 'store'>, tx: Pick<Tx, 'audit'>, audited: Audited) =>
  audit({ tx, newId, now: clock.now() }, actor, audited);

/** The broker that an operator named by its slug. Throws an `OperatorError` where there is none. */
export async function requireBroker(reads: Pick<Reads, 'brokers'>, slug: string): Promise<BrokerRow> {
  const broker = await reads.brokers.findBySlug(slug);
  if (!broker) throw unknown(`There is no broker "${slug}"`);
  return broker;
}

/** The one row of an import: what it did, and by its hash which file that was. */
export const noteImport = (
  parts: Omit<ChangeDeps, 'store'>,
  tx: Pick<Tx, 'audit'>,
  action: string,
  broker: BrokerRow,
  { name, content }: { name: string; content: Uint8Array },
  counts: { imported: number; created: number; updated: number },
): Promise<void> =>
  note(parts, tx, {
    action,
    brokerId: broker.id,
    subject: `broker/${broker.slug}`,
    after: { file: name, sha256: createHash('sha256').update(content).digest('hex'), ...counts },
  });

/** The same with what the operations need that brokers call too: for use cases that decide requests. */
export type OperatorContext = OperatorDeps & Context;
