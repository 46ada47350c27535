import { closeWithService } from '../../lifecycle/close.ts';
import { serviceRecord } from '../../records.ts';
import { accessOf } from '../../rules/access.ts';
import { described } from '../../rules/descriptions.ts';
import { isMailbox } from '../../rules/mailbox.ts';
import { omit } from '../../rules/omit.ts';
import { configurationOf } from '../../rules/options.ts';
import { foldPlanName } from '../../rules/plan-names.ts';
import { renewalOf } from '../../rules/renewals.ts';
import { isoTimestampOrNull as dateOf, lastChangeAt } from '../../rules/timestamps.ts';
import { isEnded } from '../../rules/words.ts';
import type { Clock } from '../../runtime/clock.ts';
import type { BrokerRow } from '../../store/queries/brokers.ts';
import type { PlanRow } from '../../store/queries/plans.ts';
import type { RequestRow } from '../../store/queries/requests.ts';
import { byPrecedence } from '../../store/queries/service-reads.ts';
import type { ServiceRow } from '../../store/queries/services.ts';
import type { Reads, Store, Tx } from '../../store/store.ts';
import type { ListedNames } from '../files/listed.ts';
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
import { type ChangeDeps, newImport, type ReadDeps, recordImport, requireBroker } from '../use-case/dependencies.ts';
import { refused } from '../use-case/errors.ts';
import {
  folded,
  openObject,
  planSlug,
  serviceNumber,
  serviceUidField,
  termTimestamp,
  timestamp,
} from '../use-case/fields.ts';
import type { ImportReport } from '../use-case/import-task.ts';
import { isAlready } from '../use-case/stale.ts';
import {
  ACCESS_INPUT,
  accessFrom,
  accessValues,
  CLIENT_EMAIL,
  CLIENT_NAME,
  configurationFrom,
  noEmailTo,
  REVIEW,
  STATUS,
} from './fields.ts';
import { ending } from './services.ts';

/** A service in a file. Contract, section 9. */
const SERVICE = {
  service_number: optional(serviceNumber({ description: 'Unique over all brokers; issued if absent' }), null),
  label: optional(folded(255), null),
  external_reference: optional(folded(255), null),
  'client.name': required(CLIENT_NAME),
  'client.email': optional(CLIENT_EMAIL, null),
  plan: required(planSlug({ description: 'The slug of a plan of the broker' })),
  configuration: optional(
    openObject({ description: 'Values by the names of options of the plan; what is not named stays' }),
    null,
  ),
  'access.hostname': optional(ACCESS_INPUT['access.hostname'], null),
  'access.ip_addresses': optional(ACCESS_INPUT['access.ip_addresses'], null),
  'access.username': optional(ACCESS_INPUT['access.username'], null),
  'access.login_url': optional(ACCESS_INPUT['access.login_url'], null),
  'access.notes': optional(ACCESS_INPUT['access.notes'], null),
  service_status: optional(STATUS, 'active'),
  requires_operator_review: optional(REVIEW, false),
  created_date: optional(termTimestamp({ description: 'Of a new service: now if absent' }), null),
  renewal_date: optional(
    termTimestamp({
      description:
        'Of monthly plans only; a past date stands for the next month; of a new service: a month after created_date if absent',
    }),
    null,
  ),
  cancelled_date: optional(timestamp({ description: 'For services that ended elsewhere' }), null),
  service_uid: optional(
    serviceUidField({ description: 'Of an imported service: what the provisioner knows its machine by' }),
    null,
  ),
};

export const SERVICE_IMPORT_COLUMNS = columnsOf(SERVICE);

/** What `services list` prints beside these. */
const LISTED: ListedNames = {
  aliases: { 'plan.slug': 'plan' },
  others: [
    'broker',
    'specifications',
    'price',
    'updated_date',
    'reference',
    'cancellation',
    'suspension',
    'expected',
    'open_request',
    'open_requests',
  ],
};

/**
 * Sets the services of a file, all or nothing: a number that this broker has is updated, any other is created, and
 * a record without a number gets one issued. Another broker's number is a fault. What the file lacks of a service stays as
 * it is, and so do its creation, its renewal and the cancellation that was requested through the API where a cell is empty.
 * A service that is as the file says is left as it is, its date of change too.
 * Throws an `ImportError` that names every faulty record. Contract, sections 9 and 12.9.
 */
export async function importServices(parts: ChangeDeps, input: ImportInput): Promise<ServiceImportReport> {
  const { store, clock } = parts;
  const file = readImportFile(input.file, SERVICE, 'service_number', LISTED);
  const origin = newImport(parts);
  const issued = await issueNumbers(store, clock, input.broker, file);
  return store.tx(async (tx) => {
    const { broker, rows, before, busy } = await checkServices(tx, clock, input.broker, file, tx.services.lockMany);
    file.refuseFaulty();
    for (const batch of inBatches(issued)) {
      if ((await tx.services.owners(batch)).size > 0) {
        throw refused('Another import brought numbers that were issued to this one; run it again');
      }
    }

    const write = batchWriter(rows.length, input.onProgress);
    const written: Written[] = [];
    const fresh = (batch: ServiceRow[]) => {
      const at = clock.now();
      written.push({ at, numbers: batch.map(({ number }) => number) });
      return batch.map((row) => {
        const service = before.get(row.number);
        return service
          ? { ...row, updatedAt: lastChangeAt(service.updatedAt, at) }
          : { ...row, importId: origin.id, updatedAt: at };
      });
    };
    const [changed, numbered, unnumbered] = sortOut(rows, before);
    const ended = changed.filter(({ number, status }) => isEnded(status) && busy.has(number));
    const nowNumbered = unnumbered.map((row, index) => ({ ...row, number: issued[index] as number }));
    await write(changed, async (batch) => {
      const differing = batch.filter((row) => !isAlready(before.get(row.number), omit(row, 'updatedAt')));
      if (differing.length > 0) await tx.services.replace(fresh(differing), before);
    });
    for (const created of [numbered, nowNumbered]) await write(created, (batch) => tx.services.insert(fresh(batch)));
    for (const row of ended) await closeWithService({ tx, now: clock.now(), newId: parts.newId }, row, 'operator');
    await refresh(tx, clock, broker.id, written);
    const counts = { imported: rows.length, updated: changed.length };
    const report = await recordImport(parts, tx, 'service.import', broker, input.file, counts, origin);
    return { ...report, ...file.warnings(), issued_service_numbers: issued };
  });
}

/** Services of one statement, and the date of change that they have. */
type Written = { at: number; numbers: number[] };

/** No change becomes visible more than 30 s after its date (contract, section 6): readers of changes rely on it. */
const STALE_MS = 10_000;
const TOO_STALE_MS = 15_000;

/**
 * A long import would show its first services with a timestamp that readers of changes have long gone past: those get a
 * new one before it ends. Throws where even that would take too long.
 */
async function refresh(tx: Tx, clock: Clock, brokerId: string, written: readonly Written[]): Promise<void> {
  const began = clock.now();
  for (const { at, numbers } of written) {
    const now = clock.now();
    if (now - at > STALE_MS) await tx.services.touchMany(brokerId, numbers, now);
  }
  if (clock.now() - began > TOO_STALE_MS) {
    throw refused('The file is too large for this database to take in one go; import it in parts');
  }
}

/** What that import would do; nothing is written, and no number is issued. */
export async function previewServices({ store, clock }: ReadDeps, input: ImportInput) {
  const file = readImportFile(input.file, SERVICE, 'service_number', LISTED);
  const { read } = store;
  const checked = await checkServices(read, clock, input.broker, file, read.services.listMany);
  const { broker, rows, before, plans } = checked;
  const slugs = slugsOf(plans);
  const byName = new Map(plans.map((plan) => [plan.slugFolded, plan]));
  const preview = file.preview(broker.slug, rows, {
    summary: ['label', 'client.name', 'plan'],
    replaced(row) {
      const existing = before.get(row.number);
      return existing ? { before: inFile(existing, slugs), after: inFile(row, slugs) } : null;
    },
    warningsOf: (values) => warningsOf(values, byName, before),
  });
  // No warning of each: where many have none, the real warnings would not stand out.
  const withoutEmail = rows.filter(({ number, clientEmail }) => clientEmail === null && !before.has(number)).length;
  return { ...preview, without_email: withoutEmail };
}

/** What is imported all the same; what a stored service lacks already is not new. */
function warningsOf(
  { service_number: number, 'client.email': email, plan: slug }: Partial<ValuesOf<typeof SERVICE>>,
  plans: ReadonlyMap<string, PlanRow>,
  before: ReadonlyMap<number, ServiceRow>,
) {
  const isNew = !before.has(number ?? NOT_ISSUED);
  const plan = slug === undefined ? undefined : plans.get(foldPlanName(slug));
  return [
    ...(isNew && plan?.active === false
      ? [{ path: 'plan' as const, message: `"${plan.slug}" is no longer sold` }]
      : []),
    ...(email && !isMailbox(email) ? [{ path: 'client.email' as const, message: noEmailTo(email) }] : []),
  ];
}

/** The slugs of plans by their ids. */
const slugsOf = (plans: readonly PlanRow[]) => new Map(plans.map(({ id, slug }) => [id, slug]));

/** A stored service with the values of a file. */
const valuesOf = (row: ServiceRow, slugs: ReadonlyMap<string, string>): ValuesOf<typeof SERVICE> => ({
  service_number: row.number,
  label: row.label,
  external_reference: row.externalReference,
  'client.name': row.clientName,
  'client.email': row.clientEmail,
  // A foreign key says that there is one.
  plan: slugs.get(row.planId) as string,
  configuration: row.configuration === null ? null : configurationOf(row.configuration),
  ...accessValues(row.access),
  service_status: row.status,
  requires_operator_review: row.requiresOperatorReview,
  created_date: row.createdAt,
  renewal_date: row.renewalAt,
  cancelled_date: row.cancelledAt,
  service_uid: row.uid,
});

/** A service as a file has it. */
function inFile(row: ServiceRow, slugs: ReadonlyMap<string, string>) {
  const { 'client.name': name, 'client.email': email, ...values } = valuesOf(row, slugs);
  return {
    ...values,
    client: { name, email },
    access: accessOf(row.access),
    created_date: dateOf(row.createdAt),
    renewal_date: dateOf(row.renewalAt),
    cancelled_date: dateOf(row.cancelledAt),
  };
}

export interface ServiceImportReport extends ImportReport {
  /** For the records without a number, in the file's order. */
  issued_service_numbers: number[];
}

/** From so many numbers on an import takes longer than a creation that meets one of them can wait. */
const MANY_NUMBERS = 1_000;

/**
 * Issues the numbers that a file lacks, in a transaction of its own: the counter is locked until the end of its
 * transaction, and every creation of every broker would wait for the import. Nothing is issued to a file that would be
 * refused.
 */
async function issueNumbers(store: Store, clock: Clock, brokerSlug: string, file: ServiceFile): Promise<number[]> {
  const numbers = numbersOf(file);
  const lacking = file.records.length - numbers.length;
  if (lacking === 0 && numbers.length < MANY_NUMBERS) return [];
  await checkServices(store.read, clock, brokerSlug, file, store.read.services.listMany);
  file.refuseFaulty();
  return store.tx(async (tx) => {
    if (numbers.length >= MANY_NUMBERS) await tx.sequences.passOver(numbers);
    return tx.sequences.nextServiceNumbers(lacking, new Set(numbers));
  });
}

type ServiceFile = ImportFile<typeof SERVICE>;

const numbersOf = ({ records }: ServiceFile): number[] =>
  records.flatMap(({ values }) => values.service_number ?? []).sort((a, b) => a - b);

/**
 * The file's services as rows, with conflicts with existing records noted as faults in the file.
 * @param existingOf finds the broker's services among a few hundred numbers
 */
async function checkServices(
  reads: Pick<Reads, 'allServices' | 'brokers' | 'plans' | 'services' | 'requests' | 'settings'>,
  clock: Clock,
  brokerSlug: string,
  file: ServiceFile,
  existingOf: (brokerId: string, numbers: number[]) => Promise<ServiceRow[]>,
): Promise<{
  broker: BrokerRow;
  rows: ServiceRow[];
  before: ReadonlyMap<number, ServiceRow>;
  /** Services with open requests. */
  busy: ReadonlySet<number>;
  /** All plans of the broker. */
  plans: PlanRow[];
}> {
  const broker = await requireBroker(reads, brokerSlug);
  const now = clock.now();
  const catalog = await reads.plans.list(broker.id);
  const plans = new Map(catalog.map((plan) => [plan.slugFolded, plan]));
  const slugs = slugsOf(catalog);

  const strangers = new Set<number>();
  const before = new Map<number, ServiceRow>();
  const open = new Map<number, RequestRow[]>();
  for (const batch of inBatches(numbersOf(file))) {
    for (const row of await existingOf(broker.id, batch)) before.set(row.number, row);
    for (const [number, owner] of await reads.services.owners(batch)) if (owner !== broker.id) strangers.add(number);
    for (const request of await reads.requests.listOpenOf(broker.id, batch)) {
      const { serviceNumber } = request;
      open.set(serviceNumber, [...(open.get(serviceNumber) ?? []), request]);
    }
  }

  const uids = await findOwnersOfUids(reads, file);
  const byId = new Map(catalog.map((plan) => [plan.id, plan]));
  const isConfigured = file.records.some(({ values }) => values.configuration);
  const offers = isConfigured ? await reads.plans.listAllOffers(broker.id) : undefined;
  const seen = new Set<number>();
  const rows: ServiceRow[] = [];
  for (const [index, record] of file.records.entries()) {
    const fault: typeof record.fault = (...of) => record.fault(...of);
    const number = record.values.service_number ?? null;
    if (number !== null && strangers.has(number)) fault('service_number', `${number} belongs to another broker`);
    if (number !== null && seen.has(number)) fault('service_number', `${number} is in the file twice`);
    if (number !== null) seen.add(number);
    const previous = number === null ? undefined : before.get(number);
    refuseAhead(record, clock.machine(), 'created_date', 'cancelled_date');
    if (record.isListed) {
      const listed = previous && {
        ...listedRecord(previous, byId, open.get(previous.number) ?? []),
        reference: previous.reference,
      };
      record.compareListed({ ...listed, broker: broker.slug });
    }
    const { plan: planName, configuration: given } = record.values;
    const plan = plans.get(foldPlanName(planName ?? slugs.get(previous?.planId ?? '') ?? ''));
    if (planName !== undefined && !plan) fault('plan', `"${broker.slug}" has no plan "${planName}"`);
    const { column: configuration, faults } =
      given === undefined
        ? { column: previous?.configuration ?? null, faults: [] }
        : configurationFrom(
            offers?.get(plan?.id ?? '')?.options ?? [],
            previous?.configuration ?? null,
            // A plan that is not there is a fault already.
            plan ? given : null,
          );
    for (const { path, message, rule } of faults) fault(path as `configuration.${string}`, message, rule);
    const values = record.completed(previous && valuesOf(previous, slugs));
    if (!values) continue;
    const { cancelled_date: endedAt } = record.values;
    const hadEnded = previous !== undefined && isEnded(previous.status) && isEnded(values.service_status);
    if (endedAt && hadEnded && endedAt !== previous.cancelledAt) {
      fault('cancelled_date', 'is set only by the record that ends the service');
    }
    const uid = uidFrom(record, previous, uids);
    const access = accessFrom(values);
    const createdAt = values.created_date ?? previous?.createdAt ?? now;
    rows[index] = {
      number: number ?? NOT_ISSUED,
      brokerId: broker.id,
      planId: plan?.id ?? '',
      ...described({
        label: values.label,
        externalReference: values.external_reference,
        clientName: values['client.name'],
        clientEmail: values['client.email'],
        status: values.service_status,
        access,
      }),
      requiresOperatorReview: values.requires_operator_review,
      createdAt,
      // A plan that is not there is a fault already.
      ...renewalOf(
        { billingType: plan?.billingType ?? 'hourly', status: values.service_status, createdAt },
        { given: values.renewal_date, ...(previous && { before: previous }), now },
      ),
      // A file does not say who suspended a service: one that stays suspended keeps its suspension.
      suspendedBy: previous?.suspendedBy ?? null,
      suspensionReason: previous?.suspensionReason ?? null,
      suspendedAt: previous?.suspendedAt ?? null,
      configuration,
      keptConfiguration: previous?.keptConfiguration ?? null,
      access,
      reference: previous?.reference ?? null,
      importId: previous?.importId ?? null,
      uid,
      ...ending(previous, values.service_status, values.cancelled_date ?? previous?.cancelledAt ?? now),
      updatedAt: now,
    };
  }
  return { broker, rows, before, busy: new Set(open.keys()), plans: catalog };
}

/** The services that have the uids of a file by now. */
async function findOwnersOfUids(
  { allServices }: Pick<Reads, 'allServices'>,
  { records }: ServiceFile,
): Promise<Map<string, number>> {
  const given = [...new Set(records.flatMap(({ values }) => values.service_uid ?? []))];
  const owners = new Map<string, number>();
  for (const batch of inBatches(given))
    for (const [uid, number] of await allServices.findByUids(batch)) owners.set(uid, number);
  return owners;
}

/**
 * The column of a service's uid. One that the service has already is no change; another one is taken of imported services
 * alone, and where no service has it (contract, section 15.3).
 * @param owners the services that have uids, and those that the file gives one: each uid is given once
 */
function uidFrom(
  record: ServiceFile['records'][number],
  previous: ServiceRow | undefined,
  owners: Map<string, number>,
): string | null {
  const stored = previous?.uid ?? null;
  const { service_uid: uid, service_number: number = null } = record.values;
  if (uid === undefined || uid === null) return stored;
  const owner = owners.get(uid);
  if (owner !== undefined && owner === previous?.number) return stored;
  if (owner !== undefined) {
    const whose = owner === NOT_ISSUED ? 'another service of the file' : `service ${owner}`;
    record.fault('service_uid', `is the one of ${whose}`);
  } else if (previous && previous.importId === null) {
    record.fault('service_uid', 'is set only of services that were imported');
  }
  owners.set(uid, number ?? NOT_ISSUED);
  return uid;
}

/** A stored service as a list shows it. */
const listedRecord = (service: ServiceRow, plans: ReadonlyMap<string | null, PlanRow>, open: readonly RequestRow[]) =>
  serviceRecord({
    service,
    // A foreign key guarantees it.
    plan: plans.get(service.planId) as PlanRow,
    openRequests: [...open].sort(byPrecedence),
    newPlans: plans,
  });

/** The number of a row whose number is not issued yet. */
const NOT_ISSUED = 0;

/** Updates of existing services; new ones with a number of their own; new ones that need a number. */
function sortOut(rows: ServiceRow[], before: ReadonlyMap<number, ServiceRow>) {
  const changed = rows.filter(({ number }) => before.has(number));
  const numbered = rows.filter(({ number }) => number !== NOT_ISSUED && !before.has(number));
  const unnumbered = rows.filter(({ number }) => number === NOT_ISSUED);
  return [changed, numbered, unnumbered] as const;
}
