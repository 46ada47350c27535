import { Type } from '@sinclair/typebox';
import { MAX_INT32, Shown, Timestamp, Whole } from '../../../schemas/atoms.ts';
import { operatorOwner } from '../../limits/operator-slot.ts';
import { consumptionRecord, historyRecord, requestRecord, serviceRecord } from '../../records.ts';
import { accessOf } from '../../rules/access.ts';
import { described } from '../../rules/descriptions.ts';
import { fold } from '../../rules/search-text.ts';
import { isoTimestamp, isoTimestampOrNull, lastChangeAt } from '../../rules/timestamps.ts';
import { isEnded } from '../../rules/words.ts';
import type { OwnedRequest } from '../../store/queries/all-requests.ts';
import type { BrokerRow } from '../../store/queries/brokers.ts';
import type { CallRow } from '../../store/queries/calls.ts';
import type { EmailFilter, EmailRow } from '../../store/queries/emails.ts';
import { ERASED } from '../../store/queries/erasure.ts';
import type { InvoiceRow } from '../../store/queries/invoices.ts';
import type { ServiceRow, ServiceView } from '../../store/queries/services.ts';
import type { Reads } from '../../store/store.ts';
import { invoiceRecord } from '../billing/invoices.ts';
import { callRecords } from '../calls/calls.ts';
import { inBatches } from '../files/read-file.ts';
import {
  BROKER,
  type ChangeDeps,
  type OperatorDeps,
  type ReadDeps,
  recordChange,
  requireBroker,
  unknownService,
} from '../use-case/dependencies.ts';
import { invalid, refused, unknown } from '../use-case/errors.ts';
import { jsonOf, type Pieces, readPages, recordsOf } from '../use-case/exports.ts';
import { line, serviceNumber } from '../use-case/fields.ts';
import { answerSchema } from '../use-case/record.ts';
import { useCase } from '../use-case/use-case.ts';

export { ERASED };

/** The client that a use case acts on: by the address, or by a service, whose client may have no address. */
const CLIENT = {
  ...BROKER,
  email: Type.Optional(
    line(254, {
      description: 'The address of the client, without case; or --service',
      inJson: 'The address of the client, without case; or `service_number`',
    }),
  ),
  service_number: Type.Optional(
    serviceNumber({ option: 'service', description: 'In place of the address: one of the client’s services' }),
  ),
};

interface ClientInput {
  broker: string;
  email?: string | undefined;
  service_number?: number | undefined;
}

interface Named {
  /** Null where the client has none: then the service that names them is all that there is. */
  email: string | null;
  folded: string | null;
  service: ServiceView | null;
}

/** Rows of one read. */
const PAGE = 500;
/** Emails with their bodies, of up to a hundred kilobytes each. */
const EMAILS_AT_ONCE = 20;

/**
 * Everything about one client as one JSON document, piece by piece: the services with this address (without case), or for
 * a client without an address the one service, their requests with histories, invoices and calls, and the emails to the
 * address or about the services, with their bodies as far as they are kept. One row of the audit trail says that it was
 * made, without the address; it is written before the first piece. Contract, section 9.
 * Throws an `OperatorError` before the first piece where the broker has no such client.
 */
export const exportClient = useCase({
  name: 'clients export',
  role: 'admin',
  audits: ['client.export'],
  title: 'Export',
  summary: 'Export what is known of a client',
  description: 'Print everything about one client as one JSON document; the audit trail notes it',
  example: 'clients export --broker acme --email ada@example.com > ada.json',
  input: Type.Object(CLIENT),
  on: ['broker', 'email', 'service_number'],
  path: 'POST /brokers/:broker/clients/export',
  answer: answerSchema('ClientExport', {
    broker: Shown(64, 'The broker’s slug'),
    client_email: Type.Unsafe<string | null>({ type: ['string', 'null'], description: 'The client’s address' }),
    exported_date: Timestamp('When it was made.'),
    ...Object.fromEntries(
      ['services', 'requests', 'invoices', 'consumption', 'emails', 'calls'].map((list) => [
        list,
        Type.Array(Type.Object({}, { additionalProperties: true })),
      ]),
    ),
  }),
  run: exportOf,
});

async function exportOf(parts: ChangeDeps, input: ClientInput): Promise<Pieces> {
  const { store, clock } = parts;
  const broker = await requireBroker(store.read, input.broker);
  const client = await requireClient(store.read, broker, input);
  const numbers: number[] = [];
  for await (const views of servicesOf(parts, broker.id, client)) {
    numbers.push(...views.map(({ service: { number } }) => number));
  }
  if (numbers.length === 0 && (await emailsTo(parts, broker.id, client).next()).done) {
    throw unknown(`"${broker.slug}" has no client "${client.email}"`);
  }
  await store.tx((tx) =>
    recordChange(parts, tx, {
      action: 'client.export',
      brokerId: broker.id,
      subject: 'client',
      after: { services: numbers.length },
    }),
  );
  const values = { broker: broker.slug, client_email: client.email, exported_date: isoTimestamp(clock.now()) };
  return jsonOf(values, listsAbout(parts, broker.id, client, numbers));
}

/** What stands in place of an erased client names none: it would be all of the erased ones. */
async function requireClient(read: Reads, broker: BrokerRow, input: ClientInput): Promise<Named> {
  const { id, slug } = broker;
  const number = input.service_number;
  if ((input.email === undefined) === (number === undefined)) {
    throw invalid({ field: 'email', message: 'give either the address or a service of the client' });
  }
  const view = number === undefined ? null : await read.services.findView(id, number);
  if (number !== undefined && view === null) throw unknownService(slug, number);
  const email = view ? view.service.clientEmail : (input.email as string);
  const folded = email === null ? null : fold(email);
  if (folded === ERASED) throw refused(`The clients of "${slug}" whose address is "${ERASED}" have been erased`);
  if (folded === null && view?.service.clientName === ERASED) {
    throw refused(`The client of service ${number} has been erased`);
  }
  return { email, folded, service: view };
}

/** The records of each kind, as they are read; calls with the names of today. */
function listsAbout(deps: ReadDeps, brokerId: string, client: Named, numbers: readonly number[]) {
  const { store, clock } = deps;
  async function* ofEach<T extends object>(
    pages: (serviceNumber: number) => AsyncGenerator<T[]>,
  ): AsyncGenerator<readonly T[]> {
    for (const number of numbers) yield* pages(number);
  }
  async function* emails(): AsyncGenerator<EmailRow[]> {
    yield* emailsTo(deps, brokerId, client);
    for (const serviceNumber of numbers) {
      // Those to the address stand in the list already.
      for await (const rows of emailPages(deps, { brokerId, serviceNumber }))
        yield rows.filter(({ recipient }) => !isOf(client, recipient));
    }
  }
  return {
    services: recordsOf(servicesOf(deps, brokerId, client), (views) =>
      views.map((view) => ({ ...serviceRecord(view), access: accessOf(view.service.access) })),
    ),
    consumption: ofEach(async function* (serviceNumber) {
      const row = await store.read.consumption.find(brokerId, serviceNumber);
      if (row) yield [consumptionRecord(row)];
    }),
    requests: ofEach((serviceNumber) =>
      recordsOf(
        readPages<OwnedRequest>(deps, ({ allRequests }, limit, last) =>
          allRequests.page({ brokerId, serviceNumber }, 'newest', { limit, offset: 0 }, last?.request),
        ),
        (views) =>
          store.slow(operatorOwner(), async ({ requests }) => {
            const records = [];
            for (const view of views) {
              const history = await requests.listHistory(brokerId, view.request.id);
              records.push({ ...requestRecord(view, clock.now()), history: history.map(historyRecord) });
            }
            return records;
          }),
      ),
    ),
    invoices: ofEach((serviceNumber) =>
      recordsOf(
        readPages<InvoiceRow>(deps, ({ invoices }, limit, last) =>
          invoices.page(brokerId, { serviceNumber }, { limit, offset: 0 }, last),
        ),
        (rows) => rows.map(invoiceRecord),
      ),
    ),
    emails: recordsOf(emails(), (rows) => rows.map(emailRecord)),
    calls: ofEach((serviceNumber) =>
      recordsOf(
        readPages<CallRow>(
          deps,
          async ({ calls }, limit, last) => (await calls.page({ brokerId, serviceNumber }, last, { limit })).rows,
        ),
        (rows) => callRecords(store.read, rows),
      ),
    ),
  };
}

/** The client's services; for one without an address the one that names them. */
async function* servicesOf(
  deps: ReadDeps,
  brokerId: string,
  { folded, service }: Named,
): AsyncGenerator<ServiceView[]> {
  if (service && folded === null) yield [service];
  if (folded === null) return;
  yield* readPages<ServiceView>(deps, ({ allServices }, limit, last) =>
    allServices.page({ brokerId, clientEmail: folded }, 'number', { limit, offset: 0 }, last?.service),
  );
}

/** The emails to the client's address. */
async function* emailsTo(deps: ReadDeps, brokerId: string, client: Named): AsyncGenerator<EmailRow[]> {
  if (client.folded === null) return;
  for await (const rows of emailPages(deps, { brokerId, recipient: client.folded })) {
    const own = rows.filter(({ recipient }) => isOf(client, recipient));
    if (own.length > 0) yield own;
  }
}

const emailPages = (deps: ReadDeps, filter: Pick<EmailFilter, 'brokerId' | 'recipient' | 'serviceNumber'>) =>
  readPages<EmailRow>(
    deps,
    ({ emails }, limit, last) => emails.list({ ...filter, now: deps.clock.now(), limit }, last),
    EMAILS_AT_ONCE,
  );

const isOf = ({ folded }: Named, recipient: string | null): boolean =>
  folded !== null && fold(recipient ?? '') === folded;

const emailRecord = (row: EmailRow) => ({
  email_id: row.id,
  kind: row.kind,
  email_status: row.status,
  recipient: row.recipient,
  subject: row.subject,
  html: row.html,
  text: row.text,
  service_number: row.serviceNumber,
  request_id: row.requestId,
  created_date: isoTimestamp(row.createdAt),
  completed_date: isoTimestampOrNull(row.completedAt),
});

/** Services and requests per transaction: few enough that callers do not wait. */
const BATCH = 100;

/** Open services that a refusal names; the rest is counted. */
const OPEN_NAMED = 20;

/** What an erasure leaves, for the operator to know. */
const REMAINS =
  'Backups and exports made before still hold the client; changed labels and references, and reasons of suspensions, ' +
  'stay in the audit trail until it is cleared';

const nameOf = ({ service_number: number }: ClientInput, { email }: Pick<Named, 'email'>): string =>
  email === null ? `The client of service ${number}` : `The client ${email}`;

/** What `eraseClient` would erase. Throws as it does where a service has not ended; nothing is written. */
export async function previewErasure({ store }: ReadDeps, input: ClientInput) {
  const { broker, client, numbers } = await endedServicesOf(store.read, input);
  return { broker: broker.slug, client: nameOf(input, client), services: numbers.length, remains: REMAINS };
}

/**
 * Puts fixed words in place of a client's name, address, label and texts, and empties what was chosen for them, how they
 * are reached and what they consumed: in the services with this address (without
 * case), or for a client without an address in the one service, in their requests, and in the emails to the address or
 * about the services. Numbers, dates and plans stay. Stored answers about the services are removed, and the outbox's
 * files. One row of the audit trail says so, without the address. Contract, section 9.
 *
 * It goes in short transactions. A service keeps the address until all that belongs to it is erased, so that a repeat
 * completes what a crash interrupted.
 *
 * Throws an `OperatorError` where the broker has no such client, or one of their services has not ended.
 */
export const eraseClient = useCase({
  name: 'clients erase',
  role: 'admin',
  audits: ['client.erase'],
  title: 'Erase',
  summary: 'Erase a client',
  description: 'Erase name, address and texts of one client, whose services have all ended',
  example: 'clients erase --broker acme --email ada@example.com',
  input: Type.Object(CLIENT),
  on: ['broker', 'email', 'service_number'],
  path: 'POST /brokers/:broker/clients/erase',
  answer: answerSchema('Erasure', {
    broker: Shown(64, 'The broker’s slug'),
    erased_date: Timestamp('When it was done.'),
    services: Whole(0, MAX_INT32, 'Services without the client now'),
    requests: Whole(0, MAX_INT32, 'Requests whose texts were replaced'),
    emails: Whole(0, MAX_INT32, 'Emails that were erased'),
    stored_answers: Whole(0, MAX_INT32, 'Stored answers that were removed'),
    remains: Shown(1_000, 'What an erasure leaves'),
  }),
  show: previewErasure,
  confirm: ({ client, services, remains }) =>
    `${client} is erased for good: name, address and texts in ${services} ended ${services === 1 ? 'service' : 'services'}, their requests and emails; numbers, dates and plans stay. ${remains}.`,
  done: ({ remains }: { remains: string }) => `The client is erased. ${remains}.`,
  run: (deps: ChangeDeps & Pick<OperatorDeps, 'mailer'>, input: ClientInput) => erase(deps, input),
});

async function erase(parts: ChangeDeps & Pick<OperatorDeps, 'mailer'>, input: ClientInput) {
  const { store, clock } = parts;
  const { broker, client, numbers } = await endedServicesOf(store.read, input);
  const brokerId = broker.id;
  const emails = await eraseEmails(parts, brokerId, client);
  if (numbers.length + emails === 0) throw unknown(`"${broker.slug}" has no client "${client.email}"`);
  const answers = await eraseAnswers(parts, brokerId, client);
  const batches = numbers.length === 0 ? [[]] : [...inBatches(numbers, BATCH)];
  let requests = 0;
  for (const batch of batches) requests += await eraseRequests(parts, brokerId, batch);
  const counts = { services: 0, requests, emails, stored_answers: answers };
  for (const batch of batches) {
    await store.tx(async (tx) => {
      const locked = await tx.services.lockMany(brokerId, batch);
      const found = locked.filter(({ clientEmailFolded }) => clientEmailFolded === client.folded);
      refuseOpen(found);
      for (const service of found)
        await tx.services.update(brokerId, service.number, withoutClient(service, clock.now()));
      await tx.consumption.remove(
        brokerId,
        found.map(({ number }) => number),
      );
      counts.services += found.length;
      if (batch !== batches.at(-1)) return;
      const after = { ...counts, service_numbers: numbers };
      await recordChange(parts, tx, { action: 'client.erase', brokerId, subject: 'client', after });
    });
  }
  return { broker: broker.slug, erased_date: isoTimestamp(clock.now()), ...counts, remains: REMAINS };
}

interface Client extends Pick<Named, 'email' | 'folded'> {
  /** Their services. */
  numbers: ReadonlySet<number>;
}

/** The client's services, all of them ended. */
async function endedServicesOf(read: Reads, input: ClientInput) {
  const broker = await requireBroker(read, input.broker);
  const { email, folded, service } = await requireClient(read, broker, input);
  const named = input.service_number;
  const services: Array<Pick<ServiceRow, 'number' | 'status'>> = service && folded === null ? [service.service] : [];
  while (folded !== null) {
    const page = { limit: PAGE, offset: services.length };
    const views = await read.services.page(broker.id, { clientEmailFolded: folded }, page);
    services.push(...views.map(({ service: { number, status } }) => ({ number, status })));
    if (views.length < PAGE) break;
  }
  refuseOpen(services);
  // The one that names the client is erased last: until then a repeat finds the client by it.
  const numbers = services.map(({ number }) => number).sort((a, b) => Number(a === named) - Number(b === named));
  const client: Client = { email, folded, numbers: new Set(numbers) };
  return { broker, client, numbers };
}

function refuseOpen(services: ReadonlyArray<Pick<ServiceRow, 'number' | 'status'>>): void {
  const open = services.filter(({ status }) => !isEnded(status)).map(({ number }) => number);
  if (open.length === 0) return;
  const more = open.length > OPEN_NAMED ? ` and ${open.length - OPEN_NAMED} more` : '';
  throw refused(`Nothing was erased: these services have not ended: ${open.slice(0, OPEN_NAMED).join(', ')}${more}`);
}

/** What had no value has none afterwards. */
const withoutClient = ({ label, externalReference, clientEmail, status, updatedAt }: ServiceRow, now: number) => ({
  ...described({
    label: label === null ? null : ERASED,
    externalReference: externalReference === null ? null : ERASED,
    clientName: ERASED,
    clientEmail: clientEmail === null ? null : ERASED,
    status,
    access: null,
  }),
  configuration: null,
  keptConfiguration: null,
  access: null,
  updatedAt: lastChangeAt(updatedAt, now),
});

/** All emails to the client or about their services; resolves with their number. The files go first: a row names them. */
async function eraseEmails(
  { store, clock, mailer }: Pick<OperatorDeps, 'store' | 'clock' | 'mailer'>,
  brokerId: string,
  { folded, numbers }: Client,
): Promise<number> {
  let erased = 0;
  let last: { createdAt: number; id: string } | undefined;
  for (;;) {
    const page = await store.read.erasure.pageEmails(brokerId, last, PAGE);
    const ids = page
      .filter(({ serviceNumber, recipient }) => numbers.has(Number(serviceNumber)) || fold(recipient ?? '') === folded)
      .map(({ id }) => id);
    if (ids.length > 0) {
      await mailer.forget?.(ids);
      await store.tx((tx) => tx.erasure.eraseEmails(brokerId, ids, clock.now()));
      erased += ids.length;
    }
    if (page.length < PAGE) return erased;
    last = page.at(-1);
  }
}

/** All stored answers about the client's services, or that name the address; resolves with their number. */
async function eraseAnswers(
  { store }: Pick<OperatorDeps, 'store'>,
  brokerId: string,
  { folded, numbers }: Client,
): Promise<number> {
  const namesClient = (body: string): boolean => {
    if (body === '') return false;
    const { data } = JSON.parse(body) as { data: { service_number: number; client?: { email: string | null } } };
    return numbers.has(data.service_number) || fold(data.client?.email ?? '') === folded;
  };
  let erased = 0;
  let last = '';
  for (;;) {
    const page = await store.read.erasure.pageAnswers(brokerId, last, PAGE);
    const keys = page.filter(({ body }) => namesClient(body)).map(({ key }) => key);
    if (keys.length > 0) await store.tx((tx) => tx.erasure.eraseAnswers(brokerId, keys));
    erased += keys.length;
    if (page.length < PAGE) return erased;
    last = (page.at(-1) as { key: string }).key;
  }
}

/** All requests of these services; resolves with the number of those that held texts. */
async function eraseRequests(
  { store, clock }: Pick<OperatorDeps, 'store' | 'clock'>,
  brokerId: string,
  numbers: number[],
): Promise<number> {
  let erased = 0;
  let last = '';
  for (;;) {
    const ids = await store.read.erasure.pageRequestIds(brokerId, numbers, last, BATCH);
    if (ids.length > 0) erased += await store.tx((tx) => tx.erasure.eraseRequests(brokerId, ids, clock.now()));
    if (ids.length < BATCH) return erased;
    last = ids.at(-1) as string;
  }
}
