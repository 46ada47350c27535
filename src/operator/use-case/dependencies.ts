import { createHash } from 'node:crypto';
import { Type } from '@sinclair/typebox';
import { type Audited, audit } from '../../audit/audit.ts';
import type { Parts } from '../../compose.ts';
import type { Context } from '../../ports.ts';
import { isoTimestamp } from '../../rules/timestamps.ts';
import type { Clock } from '../../runtime/clock.ts';
import type { BrokerRow } from '../../store/queries/brokers.ts';
import type { Reads, Tx } from '../../store/store.ts';
import { unknown } from './errors.ts';
import { named, serviceNumber } from './fields.ts';

/** What the operator's use cases need of the program. */
export type OperatorDeps = Pick<Parts, 'store' | 'newId' | 'mailer' | 'actor' | 'defaultRateLimit' | 'recordsPlace'> & {
  clock: Clock;
};

/** What use cases need that only read. */
export type ReadDeps = Pick<OperatorDeps, 'store' | 'clock'>;

/** What every use case needs that changes something: the audit trail names the actor. */
export type ChangeDeps = Pick<OperatorDeps, 'store' | 'clock' | 'newId' | 'actor'>;

/** Writes a row of the audit trail, in the transaction of the change that it describes. */
export const recordChange = (
  { clock, newId, actor }: Omit<ChangeDeps, 'store'>,
  tx: Pick<Tx, 'audit'>,
  audited: Audited,
) => audit({ tx, newId, now: clock.now() }, actor, audited);

/** The input of a use case that acts on a broker. */
export const BROKER = { broker: named('broker', 'The broker’s slug') };

/** The service that a use case acts on. */
export const SERVICE_NAME = {
  broker: Type.Optional(named('broker', 'The broker’s slug, to refuse another’s service')),
  service_number: serviceNumber({ title: 'Number', option: 'number' }),
};

/** The broker that an operator named by its slug. Throws an `OperatorError` where there is none. */
export async function requireBroker(reads: Pick<Reads, 'brokers'>, slug: string): Promise<BrokerRow> {
  const broker = await reads.brokers.findBySlug(slug);
  if (!broker) throw unknown(`There is no broker "${slug}"`);
  return broker;
}

/**
 * The broker of what a list is narrowed to, for the number of a service determines it. Undefined for all brokers; null
 * where no record can match.
 */
export async function findOwner(
  { brokers, allServices }: Pick<Reads, 'brokers' | 'allServices'>,
  { broker: slug, service_number: number }: { broker?: string | undefined; service_number?: number | undefined },
): Promise<string | null | undefined> {
  const broker = slug === undefined ? undefined : await brokers.findBySlug(slug);
  const owner = number === undefined ? broker?.id : await allServices.findOwner(number);
  return broker === null || owner === null || (broker && broker.id !== owner) ? null : owner;
}

/**
 * The broker of a service, whose number determines it; a broker that is named must be the one. Throws an `OperatorError`
 * where there is no such service.
 */
export async function requireOwner(
  { brokers, allServices }: Pick<Reads, 'brokers' | 'allServices'>,
  { broker: slug, service_number: number }: { broker?: string | undefined; service_number: number },
): Promise<BrokerRow> {
  const named = slug === undefined ? undefined : await requireBroker({ brokers }, slug);
  const owner = await allServices.findOwner(number);
  if (owner === null || (named && named.id !== owner)) throw unknownService(slug, number);
  return named ?? brokerOf({ brokers }, owner);
}

/** The broker of a record; a foreign key says that there is one. */
export const brokerOf = async ({ brokers }: Pick<Reads, 'brokers'>, brokerId: string): Promise<BrokerRow> =>
  (await brokers.find(brokerId)) as BrokerRow;

export const unknownService = (slug: string | undefined, number: number) =>
  unknown(slug === undefined ? `There is no service ${number}` : `"${slug}" has no service ${number}`);

/** An import as its records name it: the id of its audit row, and when it began (epoch milliseconds). */
export interface ImportIdentity {
  id: string;
  beganAt: number;
}

export const newImport = ({ clock, newId }: Pick<ChangeDeps, 'clock' | 'newId'>): ImportIdentity => {
  const beganAt = clock.now();
  return { id: newId('aud', beganAt), beganAt };
};

/** Writes the one audit row of an import, with the file's hash, and returns the import's report. */
export async function recordImport<C extends { imported: number; updated: number }>(
  { clock, newId, actor }: Omit<ChangeDeps, 'store'>,
  tx: Pick<Tx, 'audit'>,
  action: string,
  { id: brokerId, slug }: BrokerRow,
  { name, content }: { name: string; content: Uint8Array },
  { imported, updated, ...others }: C,
  { id, beganAt }: ImportIdentity = newImport({ clock, newId }),
) {
  const counts = { imported, created: imported - updated, updated, ...others };
  const sha256 = createHash('sha256').update(content).digest('hex');
  const after = { file: name, sha256, ...counts, completed_date: isoTimestamp(clock.now()) };
  await audit({ tx, newId, now: beganAt }, actor, { id, action, brokerId, subject: `broker/${slug}`, after });
  return { broker: slug, import_id: id, ...counts };
}

/** The same with what the operations need that brokers call too: for use cases that decide requests. */
export type OperatorContext = OperatorDeps & Context;
