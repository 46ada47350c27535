import { serviceRecord } from '../operations/records.ts';
import { NO_CANCELLATION } from '../operations/request-lifecycle.ts';
import { hasEnded } from '../rules/cancellations.ts';
import { foldPlanName } from '../rules/plan-changes.ts';
import { fold, searchText } from '../rules/search-text.ts';
import type { ServiceRow, ServiceStatus, ServiceView } from '../store/services.ts';
import type { Reads, Tx } from '../store/store.ts';
import { OperatorError } from './errors.ts';
import { flag, integer, line, moment, oneOf, planSlug, read, readOr, serviceNumber, text } from './fields.ts';
import { type ImportSource, inBatches, type OnProgress, optional, readImportFile, required } from './import-file.ts';
import { type OperatorParts, requireBroker } from './parts.ts';

const STATUS = oneOf<ServiceStatus>(['pending', 'active', 'suspended', 'cancelled', 'terminated']);
const CLIENT_NAME = text(200);
/** Any one line: an address that no mail can go to is stored too, and shows when a mail is due. */
const CLIENT_EMAIL = line(254);

/** A service in a file. Contract, section 9; `cancelled_date` beside it, for services that ended elsewhere. */
const SERVICE = {
  service_number: optional(serviceNumber, null),
  label: optional(text(255), null),
  external_reference: optional(text(255), null),
  'client.name': required(CLIENT_NAME),
  'client.email': optional(CLIENT_EMAIL, null),
  plan: required(planSlug),
  service_status: optional(STATUS, 'active'),
  requires_operator_review: optional(flag, false),
  created_date: optional(moment, null),
  renewal_date: optional(moment, null),
  cancelled_date: optional(moment, null),
};

/**
 * Sets the services of a file, all or nothing: a number that this broker has is updated as a whole, any other is
 * created, and a record without a number gets one issued. Another broker's number is a fault. What a file does not
 * tell of a service stays: when it was created, and the cancellation that was asked for through the API.
 * Throws an `ImportError` that names every faulty record. Contract, section 9.
 */
export async function importServices(
  { store, clock }: Pick<OperatorParts, 'store' | 'clock'>,
  input: { broker: string; file: ImportSource; onProgress?: OnProgress | undefined },
) {
  const file = readImportFile(input.file, SERVICE);
  const now = clock.now();
  return store.tx(async (tx) => {
    const broker = await requireBroker(tx, input.broker);
    const plans = new Map((await tx.plans.list(broker.id)).map((plan) => [plan.slugFolded, plan]));

    const numbers = file.records.flatMap(({ values }) => values.service_number ?? []).sort((a, b) => a - b);
    const strangers = new Set<number>();
    const before = new Map<number, ServiceRow>();
    for (const batch of inBatches(numbers)) {
      for (const row of await tx.services.lockMany(broker.id, batch)) before.set(row.number, row);
      for (const [number, owner] of await tx.services.owners(batch)) if (owner !== broker.id) strangers.add(number);
    }

    const seen = new Set<number>();
    const rows: ServiceRow[] = [];
    for (const { values, fault } of file.records) {
      const number = values.service_number;
      if (number !== null && strangers.has(number)) fault('service_number', `${number} belongs to another broker`);
      if (number !== null && seen.has(number)) fault('service_number', `${number} stands in the file twice`);
      if (number !== null) seen.add(number);
      const plan = plans.get(foldPlanName(values.plan));
      if (!plan) fault('plan', `"${broker.slug}" has no plan "${values.plan}"`);
      const standing = number === null ? undefined : before.get(number);
      rows.push({
        number: number ?? NOT_ISSUED,
        brokerId: broker.id,
        planId: plan?.id ?? '',
        label: values.label,
        externalReference: values.external_reference,
        ...client(values['client.name'], values['client.email']),
        searchText: searchText([values.label, values['client.name'], values.external_reference]),
        requiresOperatorReview: values.requires_operator_review,
        createdAt: values.created_date ?? standing?.createdAt ?? now,
        renewalAt: values.renewal_date,
        ...(await ending(tx, standing, values.service_status, values.cancelled_date ?? standing?.cancelledAt ?? now)),
        updatedAt: now,
      });
    }
    file.refuseFaulty();

    const progress = progressOver(rows.length, input.onProgress);
    const [changed, numbered, unnumbered] = sortOut(rows, before);
    for (const batch of inBatches(changed)) progress(await tx.services.replace(batch, before), batch);
    for (const batch of inBatches(numbered)) progress(await tx.services.insert(batch), batch);
    // Only now, so that none of the file's own numbers is issued to another of its records.
    const issued = await tx.sequences.nextServiceNumbers(unnumbered.length);
    const nowNumbered = unnumbered.map((row, index) => ({ ...row, number: issued[index] as number }));
    for (const batch of inBatches(nowNumbered)) progress(await tx.services.insert(batch), batch);
    return {
      broker: broker.slug,
      imported: rows.length,
      created: rows.length - changed.length,
      updated: changed.length,
      /** In the file's order. */
      issued_service_numbers: issued,
    };
  });
}

/** The broker's services, newest first. */
export async function listServices(
  { store }: Pick<OperatorParts, 'store'>,
  input: { broker: string; status?: string | undefined; limit?: string | undefined; offset?: string | undefined },
) {
  const filter = { status: input.status === undefined ? undefined : read('status', STATUS, input.status) };
  const limit = read('limit', integer(1, 1_000_000), input.limit ?? '100');
  const offset = read('offset', integer(0, 2_147_483_647), input.offset ?? '0');
  const broker = await requireBroker(store.read, input.broker);
  return (await store.read.services.page(broker.id, filter, { limit, offset })).map(managedRecord);
}

export async function showService({ store }: Pick<OperatorParts, 'store'>, input: { broker: string; number: string }) {
  const broker = await requireBroker(store.read, input.broker);
  return requireView(store.read, broker, input.number);
}

/** Changes what is given. An `email` or `renewal` of `none` takes it away. */
export async function setService(
  { store, clock }: Pick<OperatorParts, 'store' | 'clock'>,
  input: {
    broker: string;
    number: string;
    status?: string | undefined;
    review?: boolean | undefined;
    clientName?: string | undefined;
    clientEmail?: string | undefined;
    renewal?: string | undefined;
  },
) {
  const number = read('service number', serviceNumber, input.number);
  const { status, review, clientName, clientEmail, renewal } = {
    review: input.review,
    status: given(input.status, (value) => read('status', STATUS, value)),
    clientName: given(input.clientName, (value) => read('client name', CLIENT_NAME, value)),
    clientEmail: given(input.clientEmail, (value) => readOr('none', 'client email', CLIENT_EMAIL, value)),
    renewal: given(input.renewal, (value) => readOr('none', 'renewal', moment, value)),
  };
  if ([status, review, clientName, clientEmail, renewal].every((value) => value === undefined)) {
    throw new OperatorError('Nothing to change: give a status, review, client name, client email or renewal');
  }
  const now = clock.now();
  return store.tx(async (tx) => {
    const broker = await requireBroker(tx, input.broker);
    const service = await tx.services.lock(broker.id, number);
    if (!service) throw unknownService(broker.slug, input.number);
    const name = clientName ?? service.clientName;
    await tx.services.update(broker.id, number, {
      ...(status !== undefined && (await ending(tx, service, status, service.cancelledAt ?? now))),
      ...(review !== undefined && { requiresOperatorReview: review }),
      ...client(name, clientEmail === undefined ? service.clientEmail : clientEmail),
      searchText: searchText([service.label, name, service.externalReference]),
      ...(renewal !== undefined && { renewalAt: renewal }),
      updatedAt: now,
    });
    return requireView(tx, broker, input.number);
  });
}

const given = <T>(value: string | undefined, reading: (value: string) => T): T | undefined =>
  value === undefined ? undefined : reading(value);

/** Stands in a row until its number is issued. */
const NOT_ISSUED = 0;

/** Updates of services that stand; new ones with a number of their own; those that need one. */
function sortOut(rows: ServiceRow[], before: ReadonlyMap<number, ServiceRow>) {
  const changed = rows.filter(({ number }) => before.has(number));
  const numbered = rows.filter(({ number }) => number !== NOT_ISSUED && !before.has(number));
  const unnumbered = rows.filter(({ number }) => number === NOT_ISSUED);
  return [changed, numbered, unnumbered] as const;
}

function progressOver(total: number, onProgress: OnProgress | undefined) {
  let done = 0;
  return (_written: unknown, { length }: readonly unknown[]) => {
    done += length;
    onProgress?.(done, total);
  };
}

const client = (clientName: string, clientEmail: string | null) => ({
  clientName,
  clientEmail,
  clientEmailFolded: clientEmail === null ? null : fold(clientEmail),
});

/**
 * The status with what belongs to the end of a service. One that is brought back to life loses the cancellation
 * that ended it; a cancellation that is still scheduled stays.
 */
async function ending(tx: Tx, before: ServiceRow | undefined, status: ServiceStatus, endedAt: number) {
  const cancellation = {
    cancellationType: before?.cancellationType ?? null,
    cancellationEffectiveAt: before?.cancellationEffectiveAt ?? null,
    cancellationRequestId: before?.cancellationRequestId ?? null,
  };
  if (hasEnded(status)) return { status, cancelledAt: endedAt, ...cancellation };
  const stands =
    before &&
    (!hasEnded(before.status) ||
      (await tx.requests.listOpen(before.brokerId, before.number)).some(
        ({ id }) => id === before.cancellationRequestId,
      ));
  return { status, cancelledAt: null, ...(stands ? cancellation : NO_CANCELLATION) };
}

async function requireView(reads: Pick<Reads, 'services'>, broker: { id: string; slug: string }, numberText: string) {
  const number = read('service number', serviceNumber, numberText);
  const view = await reads.services.findView(broker.id, number);
  if (!view) throw unknownService(broker.slug, numberText);
  return managedRecord(view);
}

const unknownService = (slug: string, number: string) => new OperatorError(`"${slug}" has no service ${number}`);

/** The record that callers see, with what only the operator does. */
const managedRecord = (view: ServiceView) => ({
  ...serviceRecord(view),
  requires_operator_review: view.service.requiresOperatorReview,
});
