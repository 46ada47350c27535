import { isoTimestamp, isoTimestampOrNull } from '../../rules/timestamps.ts';
import { VERSION } from '../../runtime/version.ts';
import { OWNED, type OwnedName } from '../../store/queries/owned.ts';
import { tableName } from '../../store/session/primary-key.ts';
import { type ChangeDeps, recordChange, requireBroker } from '../use-case/dependencies.ts';
import { readPages } from '../use-case/exports.ts';
import { aboutBroker } from './brokers.ts';

/** Stored answers and totals can be made again, or say nothing without this service. */
const LEFT_OUT: readonly OwnedName[] = ['idempotencyRecords', 'counters'];
const EXPORTED: OwnedName[] = [
  'brokers',
  ...OWNED.filter((name) => !LEFT_OUT.includes(name)).toReversed(),
  'auditTrail',
];

/** What is in a broker's export. */
export interface Manifest {
  broker: string;
  exported_date: string;
  /** Of this program. */
  version: string;
  files: Array<{ file: string; records: number; sha256: string }>;
}

/** Writes one file; resolves with the SHA-256 of its bytes. */
export type WriteFile = (file: string, lines: AsyncIterable<string>) => Promise<string>;

/**
 * Exports all records of a broker, a file of JSON lines for each table, and returns the manifest. Keys are without their
 * hashes. Records that change meanwhile may be in it as they were or as they are. One row of the audit trail says that it
 * was made. Contract, section 9. Throws an `OperatorError` where there is no such broker.
 */
export async function exportBroker(parts: ChangeDeps, input: { broker: string }, write: WriteFile): Promise<Manifest> {
  const { store, clock } = parts;
  const broker = await requireBroker(store.read, input.broker);
  const { id: brokerId } = broker;
  const files: Manifest['files'] = [];
  for (const name of EXPORTED) {
    const file = `${tableName(name)}.jsonl`;
    let records = 0;
    async function* lines(): AsyncGenerator<string> {
      const pages = readPages<Row>(parts, ({ owned }, limit, last) => owned.page(brokerId, name, last, limit));
      for await (const rows of pages) {
        records += rows.length;
        yield rows.map((row) => `${JSON.stringify(recordOf(row))}\n`).join('');
      }
    }
    const sha256 = await write(file, lines());
    files.push({ file, records, sha256 });
  }
  const counts = Object.fromEntries(files.map(({ file, records }) => [file, records]));
  await store.tx((tx) => recordChange(parts, tx, { action: 'broker.export', ...aboutBroker(broker), after: counts }));
  return { broker: broker.slug, exported_date: isoTimestamp(clock.now()), version: VERSION, files };
}

type Row = Record<string, unknown>;

/** Secrets, what is for the provisioner alone, what a worker has in hand, and what is made of other columns for searches. */
const INTERNAL = /^(hash|provisioning|leaseOwner|workToken|searchText|\w+Folded)$/;
/** Columns that hold JSON as text. */
const JSON_COLUMNS = [
  'scopes',
  'before',
  'after',
  'options',
  'actions',
  'configuration',
  'keptConfiguration',
  'access',
  'actionConfiguration',
];

/** A row as the API would name its fields: `created_date` for `createdAt`, in ISO 8601. */
const recordOf = (row: Row): Row =>
  Object.fromEntries(
    Object.entries(row)
      .filter(([name]) => !INTERNAL.test(name))
      .map(([name, value]) => {
        if (name === 'periodFrom') return ['period_from', isoTimestampOrNull(value as number | null)];
        const isDate = name === 'at' || name.endsWith('At');
        if (isDate)
          return [snakeOf(name.replace(/at$/i, 'Date')), value === null ? null : isoTimestamp(value as number)];
        return [snakeOf(name), JSON_COLUMNS.includes(name) && value !== null ? JSON.parse(value as string) : value];
      }),
  );

const snakeOf = (name: string): string =>
  name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`).replace(/^_/, '');
