import { moment as dateOf, serviceRecord } from '../records.ts';
import { historyRecord, requestRecord } from '../requests/record.ts';
import { isoMoment } from '../rules/moments.ts';
import { fold } from '../rules/search-text.ts';
import type { EmailRow } from '../store/emails.ts';
import type { Page } from '../store/session.ts';
import { OPERATOR } from '../store/slow-queries.ts';
import type { Reads } from '../store/store.ts';
import { callRecord } from './calls.ts';
import { type ChangeDeps, note, requireBroker } from './dependencies.ts';
import { refused, unknown } from './errors.ts';
import { line, read as readField } from './fields.ts';
import { invoiceRecord } from './invoices.ts';
import { namesOf } from './time-range.ts';

const EMAIL = line(254);

/** Records of one kind that a client may have in an export; a person has a few hundred. */
const MOST = 10_000;
const PAGE = 500;
/** Calls of the broker that are looked through for those of a service. */
const CALLS_AMONG = 2_000_000;

/**
 * Everything about one client as one document: the services with this address (without case), their requests with
 * histories, invoices and calls, and the emails to the address or about the services, with their bodies as far as they are
 * kept. One row of the audit trail says that it was made, without the address. Contract, section 9.
 * Throws an `OperatorError` where the broker has no such client, or more than 10,000 records of one kind.
 */
export async function exportClient(parts: ChangeDeps, input: { broker: string; email: string }) {
  const { store, clock } = parts;
  const broker = await requireBroker(store.read, input.broker);
  const email = readField('email', EMAIL, input.email);
  const now = clock.now();
  const found = await store.slow(OPERATOR, (read) => recordsOf(read, broker.id, fold(email), now));
  const { services, emails, requests } = found;
  if (services.length === 0 && emails.length === 0) throw unknown(`"${broker.slug}" has no client "${email}"`);
  const names = await namesOf(
    store.read,
    found.calls.map(({ keyId }) => keyId),
  );
  await store.tx((tx) =>
    note(parts, tx, {
      action: 'client.export',
      brokerId: broker.id,
      subject: 'client',
      after: { services: services.length, requests: requests.length, emails: emails.length },
    }),
  );
  return {
    broker: broker.slug,
    client_email: email,
    exported_date: isoMoment(now),
    services: services.map((view) => serviceRecord(view, { asOf: now })),
    requests,
    invoices: found.invoices.map(invoiceRecord),
    emails: emails.map(emailRecord),
    calls: found.calls.map((row) => callRecord(row, names)),
  };
}

/** In one slot of the slow-query pool: the reads follow one another. */
async function recordsOf(read: Reads, brokerId: string, folded: string, now: number) {
  const services = await allOf((page) => read.services.page(brokerId, { clientEmailFolded: folded }, page));
  const emails = new Map<string, EmailRow>();
  const keep = (rows: EmailRow[]) => {
    for (const row of rows) emails.set(row.id, row);
  };
  const toAddress = await read.emails.list({ brokerId, recipient: folded, now, limit: MOST });
  keep(toAddress.filter(({ recipient }) => fold(recipient ?? '') === folded));
  const requests = [];
  const invoices = [];
  const calls = [];
  for (const { service } of services) {
    const { number: serviceNumber } = service;
    for (const view of await allOf((page) => read.requests.page(brokerId, { serviceNumber }, page))) {
      const history = await read.requests.listHistory(brokerId, view.request.id);
      requests.push({ ...requestRecord(view, now), history: history.map(historyRecord) });
    }
    invoices.push(...(await allOf((page) => read.invoices.page(brokerId, { serviceNumber }, page))));
    keep(await read.emails.list({ brokerId, serviceNumber, now, limit: MOST }));
    calls.push(
      ...(await read.calls.page({ brokerId, serviceNumber }, undefined, { limit: MOST, among: CALLS_AMONG })).rows,
    );
  }
  return { services, requests, invoices, emails: [...emails.values()], calls };
}

/** All pages of a list. */
async function allOf<T>(load: (page: Page) => Promise<T[]>): Promise<T[]> {
  const all: T[] = [];
  for (;;) {
    const rows = await load({ limit: PAGE, offset: all.length });
    all.push(...rows);
    if (rows.length < PAGE) return all;
    if (all.length > MOST) throw refused(`There are more than ${MOST} records of one kind`);
  }
}

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
  created_date: isoMoment(row.createdAt),
  completed_date: dateOf(row.completedAt),
});
