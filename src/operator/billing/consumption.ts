import { Type } from '@sinclair/typebox';
import { LossMark, Nullable, ServiceNumber, Shown, Timestamp } from '../../../schemas/atoms.ts';
import { operatorOwner } from '../../limits/operator-slot.ts';
import { type ConsumptionRecord, consumptionRecord } from '../../records.ts';
import type { AllConsumptionFilter, ConsumptionOrder } from '../../store/queries/all-consumption.ts';
import type { BrokerRow } from '../../store/queries/brokers.ts';
import type { ConsumptionRow } from '../../store/queries/consumption.ts';
import type { Reads } from '../../store/store.ts';
import {
  batchWriter,
  columnsOf,
  type ImportFile,
  type ImportInput,
  inBatches,
  optional,
  readImportFile,
  refuseAhead,
  required,
  type ValuesOf,
} from '../files/read-file.ts';
import { BROKER, type ChangeDeps, type ReadDeps, recordImport, requireBroker } from '../use-case/dependencies.ts';
import { unknown } from '../use-case/errors.ts';
import { readPages, recordsOf } from '../use-case/exports.ts';
import { oneOf, quantity, read, serviceNumber, timestamp } from '../use-case/fields.ts';
import type { ImportReport } from '../use-case/import-task.ts';
import { COUNTED_MOST, countedPage, type PageInput, WINDOW, windowOf } from '../use-case/pages.ts';
import { answerSchema } from '../use-case/record.ts';
import { isAlready } from '../use-case/stale.ts';
import { useCase } from '../use-case/use-case.ts';

/** What a service consumed, in a file. Contract, section 12.8. */
const CONSUMPTION = {
  service_number: required(serviceNumber({ description: 'A service of the broker' })),
  measured_date: required(timestamp({ description: 'An older one than is stored is skipped' })),
  period_from: optional(timestamp({ description: 'From when on the transfer counts' }), null),
  disk_gb_used: optional(quantity(), null),
  transfer_gb_used: optional(quantity(), null),
};

export const CONSUMPTION_COLUMNS = columnsOf(CONSUMPTION);

export interface ConsumptionImportReport extends ImportReport {
  /** Records that were measured before what is stored. */
  skipped: number;
}

/**
 * Sets what the services of a file consumed, all or nothing, the latest of each: a record that was measured before what is
 * stored is skipped. A service that is not the broker's is a fault. No service's date of change moves. Throws an
 * `ImportError` that names every faulty record. Contract, section 12.8.
 */
export async function importConsumption(parts: ChangeDeps, input: ImportInput): Promise<ConsumptionImportReport> {
  const file = readImportFile(input.file, CONSUMPTION, 'service_number', LISTED);
  return parts.store.tx(async (tx) => {
    const { broker, rows, known } = await checkConsumption(tx, parts.clock.machine(), input.broker, file);
    file.refuseFaulty();
    const later = rows.filter((row) => !isOlder(row, known));
    await batchWriter(later.length, input.onProgress)(later, async (batch) => {
      const differing = batch.filter((row) => !isAlready(known.get(row.serviceNumber), row));
      if (differing.length > 0) await tx.consumption.upsert(differing);
    });
    const updated = later.filter(({ serviceNumber }) => known.has(serviceNumber)).length;
    const counts = { imported: later.length, updated, skipped: rows.length - later.length };
    return { ...(await recordImport(parts, tx, 'consumption.import', broker, input.file, counts)), ...file.warnings() };
  });
}

const isOlder = (row: ConsumptionRow, known: ReadonlyMap<number, ConsumptionRow>): boolean =>
  row.measuredAt < (known.get(row.serviceNumber)?.measuredAt ?? Number.NEGATIVE_INFINITY);

/** What that import would do; nothing is written. A record that is skipped changes nothing. */
export async function previewConsumption({ store, clock }: ReadDeps, input: ImportInput) {
  const file = readImportFile(input.file, CONSUMPTION, 'service_number', LISTED);
  const { broker, rows, known } = await checkConsumption(store.read, clock.machine(), input.broker, file);
  return file.preview(broker.slug, rows, {
    summary: ['measured_date'],
    replaced(row) {
      const existing = known.get(row.serviceNumber);
      if (!existing) return null;
      const before = consumptionRecord(existing);
      return { before, after: isOlder(row, known) ? before : consumptionRecord(row) };
    },
    isSkipped: (row) => isOlder(row, known),
  });
}

/** What the list has and no import sets: it follows from the losses of records (contract, section 15.8). */
const LISTED = { others: ['records_lost'] };

type ConsumptionFile = ImportFile<typeof CONSUMPTION>;

/** The file's records as rows, and what is stored of the same services; what is not the broker's is noted as a fault. */
async function checkConsumption(
  reads: Pick<Reads, 'brokers' | 'services' | 'consumption'>,
  now: number,
  brokerSlug: string,
  file: ConsumptionFile,
): Promise<{ broker: BrokerRow; rows: ConsumptionRow[]; known: ReadonlyMap<number, ConsumptionRow> }> {
  const broker = await requireBroker(reads, brokerSlug);
  const numbers = file.records.flatMap(({ values }) => values.service_number ?? []);
  const own = new Set<number>();
  const known = new Map<number, ConsumptionRow>();
  for (const batch of inBatches([...new Set(numbers)])) {
    for (const [number, owner] of await reads.services.owners(batch)) if (owner === broker.id) own.add(number);
    for (const row of await reads.consumption.listMany(broker.id, batch)) known.set(row.serviceNumber, row);
  }
  const seen = new Set<number>();
  const rows: ConsumptionRow[] = [];
  for (const [index, record] of file.records.entries()) {
    const { service_number: number } = record.values;
    if (number === undefined) continue;
    refuseAhead(record, now, 'measured_date');
    if (!own.has(number)) record.fault('service_number', `"${broker.slug}" has no service ${number}`);
    if (seen.has(number)) record.fault('service_number', `${number} is in the file twice`);
    seen.add(number);
    const stored = known.get(number);
    const values = record.completed(stored && valuesOf(stored));
    if (!values) continue;
    rows[index] = {
      serviceNumber: number,
      brokerId: broker.id,
      measuredAt: values.measured_date,
      periodFrom: values.period_from,
      diskGbUsed: values.disk_gb_used,
      transferGbUsed: values.transfer_gb_used,
    };
    const isReversed = values.period_from !== null && values.period_from > values.measured_date;
    if (isReversed && !isOlder(rows[index], known)) record.fault('period_from', 'must not be after measured_date');
  }
  return { broker, rows, known };
}

const valuesOf = (row: ConsumptionRow): ValuesOf<typeof CONSUMPTION> => ({
  service_number: row.serviceNumber,
  measured_date: row.measuredAt,
  period_from: row.periodFrom,
  disk_gb_used: row.diskGbUsed,
  transfer_gb_used: row.transferGbUsed,
});

const RECORD = answerSchema('Consumption', {
  service_number: ServiceNumber,
  measured_date: Timestamp('When it was measured.'),
  period_from: Nullable(Timestamp('From when on the transfer counts.')),
  disk_gb_used: Nullable(Shown(16, 'A decimal number as text', { examples: ['12.5'] })),
  transfer_gb_used: Nullable(Shown(16, 'A decimal number as text', { examples: ['80'] })),
  ...LossMark,
});

/**
 * Takes back what was measured of a service, such as a measurement with a wrong date: the next one counts, whatever its
 * date. Answers what was taken back. Contract, section 14.2.
 */
export const removeConsumption = useCase({
  name: 'consumption remove',
  role: 'admin',
  action: 'consumption.remove',
  title: 'Take a measurement back',
  description: 'Take back what was measured of a service; the next measurement counts whatever its date',
  example: 'consumption remove 1000001 --broker acme',
  input: Type.Object({ ...BROKER, service_number: serviceNumber({ title: 'Service' }) }),
  on: ['broker', 'service_number'],
  argument: 'service_number',
  path: 'POST /brokers/:broker/consumption/:service_number/remove',
  answer: RECORD,
  done: ({ service_number: number }: ConsumptionRecord) => `The measurement of service ${number} was taken back.`,
  async change(tx, _deps: ChangeDeps, { broker, service_number: number }) {
    const { id, slug } = await requireBroker(tx, broker);
    const row = await tx.consumption.find(id, number);
    if (!row) throw unknown(`"${slug}" has no measurement of service ${number}`);
    await tx.consumption.remove(id, [number]);
    const before = consumptionRecord(row);
    return { record: before, about: { brokerId: id, subject: `service/${number}` }, before };
  },
});

/** What a broker's services consumed, by service number. */
export const listConsumption = useCase({
  name: 'consumption list',
  title: 'Consumption',
  summary: 'List what services consumed',
  description: 'List what services consumed, as measured last',
  example: 'consumption list --broker acme --service 1000001',
  input: Type.Object({
    ...BROKER,
    service_number: Type.Optional(serviceNumber({ title: 'Of one service', option: 'service' })),
    ...WINDOW,
  }),
  path: 'GET /brokers/:broker/consumption',
  answer: RECORD,
  columns: ['service_number', 'measured_date', 'period_from', 'disk_gb_used', 'transfer_gb_used'],
  furtherColumns: ['records_lost'],
  async pages(deps: ReadDeps, { broker, service_number: serviceNumber, offset }) {
    const { id } = await requireBroker(deps.store.read, broker);
    const rows = readPages<ConsumptionRow>(deps, ({ consumption }, limit, last) =>
      consumption.page(id, { serviceNumber }, { limit, offset: last ? 0 : offset }, last),
    );
    const losses = await deps.store.read.history.list();
    return recordsOf(rows, (page) => page.map((row) => consumptionRecord(row, losses)));
  },
  async run({ store }: ReadDeps, { broker, service_number: serviceNumber, ...window }) {
    const { id } = await requireBroker(store.read, broker);
    const losses = await store.read.history.list();
    const [rows, total] = await Promise.all([
      store.read.consumption.page(id, { serviceNumber }, window),
      store.read.consumption.countMatches(id, { serviceNumber }),
    ]);
    return {
      total,
      truncated: window.offset + rows.length < total,
      records: rows.map((row) => consumptionRecord(row, losses)),
    };
  },
});

export const CONSUMPTION_ORDERS = ['transfer', 'disk'] as const satisfies readonly ConsumptionOrder[];

/**
 * What services of all brokers or of one consumed, as measured last, most first; none where no broker has that slug.
 * `transfer` and `disk`: more than so many GB.
 */
export async function pageConsumption(
  { store }: ReadDeps,
  input: PageInput & Partial<Record<'broker' | 'transfer' | 'disk' | 'order', string | undefined>> = {},
) {
  const window = windowOf(input);
  const broker = input.broker === undefined ? undefined : await store.read.brokers.findBySlug(input.broker);
  if (broker === null) return { items: [], ...countedPage(window, 0) };
  const above = (name: 'transfer' | 'disk') =>
    input[name] === undefined ? undefined : Number(read(name, quantity(), input[name]));
  const filter: AllConsumptionFilter = {
    brokerId: broker?.id,
    transferAbove: above('transfer'),
    diskAbove: above('disk'),
  };
  const order = input.order === undefined ? 'transfer' : read('order', oneOf(CONSUMPTION_ORDERS), input.order);
  const [rows, total] = await store.slow(
    operatorOwner(),
    async ({ consumption }) =>
      [
        await consumption.pageOfAll(filter, order, window),
        await consumption.countOfAll(filter, COUNTED_MOST + 1),
      ] as const,
  );
  const items = rows.map(({ consumption, service, plan, broker }) => ({
    ...consumptionRecord(consumption),
    label: service.label,
    client: service.clientName,
    plan: { id: plan.id, display_name: plan.displayName, transfer_gb: plan.transferGb },
    broker,
  }));
  return { items, ...countedPage(window, total) };
}

export type ConsumptionPage = Awaited<ReturnType<typeof pageConsumption>>;
