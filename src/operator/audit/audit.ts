import { Type } from '@sinclair/typebox';
import { IpAddress } from '../../../schemas/access.ts';
import { Nullable, OneOf, Shown, Timestamp } from '../../../schemas/atoms.ts';
import { operatorOwner } from '../../limits/operator-slot.ts';
import { foldPlanName } from '../../rules/plan-names.ts';
import { isoTimestamp } from '../../rules/timestamps.ts';
import type { AuditFilter, AuditRow } from '../../store/queries/audit.ts';
import { ERASED } from '../../store/queries/erasure.ts';
import type { HistoryRow } from '../../store/queries/requests.ts';
import type { Reads } from '../../store/store.ts';
import { BROKER, type ReadDeps, requireBroker } from '../use-case/dependencies.ts';
import { exportCsv, type Pieces, readPages, recordsOf } from '../use-case/exports.ts';
import { line, readAll } from '../use-case/fields.ts';
import {
  COUNTED_MOST,
  countedPage,
  type Listed,
  limitedTo,
  limitOf,
  type PageInput,
  totalOf,
  WINDOW,
  windowOf,
} from '../use-case/pages.ts';
import { answerSchema } from '../use-case/record.ts';
import { namesOf, publicIdOf, readRange, TIME_RANGE } from '../use-case/time-range.ts';
import { type GivenOf, useCase } from '../use-case/use-case.ts';

const ACTOR_KINDS = ['operator', 'command', 'api_key'] as const satisfies ReadonlyArray<AuditRow['actorKind']>;

const FILTER = Type.Object({
  broker: Type.Optional(BROKER.broker),
  actor: Type.Optional(
    line(254, {
      title: 'Who',
      description: "An operator's email, the name of a command's user, or a key's id or prefix",
    }),
  ),
  action: Type.Optional(line(200, { title: 'Action', description: 'Such as key.revoke' })),
  subject: Type.Optional(
    line(200, { title: 'Subject', description: 'Such as service/1000001, or its name alone: 1000001' }),
  ),
  ...TIME_RANGE,
});

const VALUES = (description: string) =>
  Nullable(Type.Object({}, { additionalProperties: true, description }), { examples: [{ role: 'viewer' }] });

/** A row of the audit trail. */
const CHANGE = answerSchema('Change', {
  date: Timestamp('When it was done.'),
  actor: Shown(300, 'Who did it: an address, a user, a key', { examples: ['ada@example.com'] }),
  actor_kind: OneOf(ACTOR_KINDS, { description: 'What that is' }),
  client_ip: Nullable(IpAddress('Where it came from; null: from a command')),
  action: Shown(64, 'What was done, noun and verb', { examples: ['key.revoke'] }),
  broker: Nullable(Shown(64, 'The broker’s slug, or its id where it was removed')),
  subject: Shown(300, 'What it was done to', { examples: ['service/1000001'] }),
  before: VALUES('The values that changed, as they were'),
  after: VALUES('The same as they became'),
});

/** What narrows the trail. */
export type AuditInput = GivenOf<typeof FILTER>;

/** The columns of a table and of an export, in their order. */
const COLUMNS = ['date', 'actor', 'actor_kind', 'client_ip', 'action', 'broker', 'subject', 'before', 'after'] as const;

/** Who changed what, newest first; without `since` all that is kept. Contract, section 11. */
export const findAudit = useCase({
  name: 'audit list',
  title: 'Audit',
  summary: 'List changes',
  description: 'List changes, newest first',
  example: 'audit list --broker acme --since 7d',
  input: Type.Object({ ...FILTER.properties, ...WINDOW, limit: limitOf(1000) }),
  path: 'GET /audit',
  answer: CHANGE,
  columns: COLUMNS,
  async pages(deps: ReadDeps, input) {
    if (input.broker !== undefined) await requireBroker(deps.store.read, input.broker);
    return pagesOfAudit(deps, await filterOfTrail(deps, input), input.offset);
  },
  async run(deps: ReadDeps, { limit, offset, ...input }): Promise<Listed<AuditRecord>> {
    const { read } = deps.store;
    if (input.broker !== undefined) await requireBroker(read, input.broker);
    const filter = await filterOfTrail(deps, input);
    if (!filter) return { total: 0, truncated: false, records: [] };
    const { rows, counted } = await deps.store.slow(operatorOwner(), async ({ audit }) => ({
      rows: await audit.page(filter, { limit: limit + 1, offset }),
      counted: await audit.countUpTo(filter, COUNTED_MOST + 1),
    }));
    const { truncated, records } = limitedTo(limit, rows);
    return { total: totalOf(counted), truncated, records: await auditRecords(read, records) };
  },
});

/** The newest records alone, of a subject or an actor, say: an index leads to them. */
export async function listAudit(
  deps: ReadDeps,
  { limit = 1000, ...input }: AuditInput & { limit?: number | string } = {},
) {
  if (input.broker !== undefined) await requireBroker(deps.store.read, input.broker);
  const filter = await filterOfTrail(deps, input);
  return filter ? auditRecords(deps.store.read, await deps.store.read.audit.list(filter, Number(limit))) : [];
}

/** The latest edits of a record that its page shows. */
export const MAX_EDITS = 200;

export type AuditRecord = Awaited<ReturnType<typeof auditRecords>>[number];

export async function auditRecords(reads: Pick<Reads, 'brokers' | 'keys'>, rows: AuditRow[]) {
  const names = await namesOf(reads, []);
  return rows.map((row) => ({
    date: isoTimestamp(row.at),
    actor: row.actor,
    actor_kind: row.actorKind,
    client_ip: row.clientIp,
    action: row.action,
    /** The slug, or the id of a broker that has been removed. */
    broker: names.broker(row.brokerId) ?? row.brokerId,
    subject: row.subject,
    before: row.before === null ? null : (JSON.parse(row.before) as object),
    after: row.after === null ? null : (JSON.parse(row.after) as Record<string, unknown>),
  }));
}

/** Prefixes of a subject, tried where only its name is given. */
const SUBJECTS = ['broker', 'service', 'request', 'key', 'plan', 'template', 'email', 'operator', 'ops_key', 'report'];

/** A key that is named by what people see of it, by its id. Of a whole key that was pasted the public part is looked at. */
async function keyNamed(reads: Pick<Reads, 'keys'>, text: string): Promise<string> {
  const publicId = publicIdOf(text);
  if (publicId === undefined) return text;
  return (await reads.keys.findAccess(publicId))?.key.id ?? publicId;
}

/** Null where no broker has that slug. */
async function filterOf(
  { store, clock }: ReadDeps,
  input: AuditInput & { limit?: number },
): Promise<AuditFilter | null> {
  const { broker: slug, action, actor, subject, ...range } = readAll(FILTER, input);
  const broker = slug === undefined ? undefined : await store.read.brokers.findBySlug(slug);
  if (broker === null) return null;
  const named = subject === undefined ? undefined : await keyNamed(store.read, subject);
  return {
    brokerId: broker?.id,
    actor: actor === undefined ? undefined : await keyNamed(store.read, actor),
    action,
    subjects: named === undefined ? undefined : subjectsOf(named),
    ...readRange(clock.now(), range),
  };
}

/** A client is not named: their subject is the word alone. */
const subjectsOf = (named: string): string[] =>
  named.includes('/') ? [named] : [named, ...SUBJECTS.map((kind) => `${kind}/${named}`)];

/** Requests of a service whose rows stand in its trail: the latest. */
const MAX_REQUESTS = 500;

/** Erasures of a broker's clients that are searched for one service: the latest. */
const MAX_ERASURES = 1_000;

/** The same; what was done to a service's requests, and the erasure of its client, stand in the trail of the service. */
async function filterOfTrail(deps: ReadDeps, input: AuditInput & { limit?: number }): Promise<AuditFilter | null> {
  const filter = await filterOf(deps, input);
  const numbers = filter?.subjects?.flatMap((subject) => serviceOf(subject) ?? []) ?? [];
  if (!filter || numbers.length === 0) return filter;
  const { read } = deps.store;
  const owners = await read.services.owners(numbers);
  const requests = await deps.store.slow(operatorOwner(), async ({ allRequests }) =>
    Promise.all([...owners].map(([number, brokerId]) => allRequests.listOfService(brokerId, number, MAX_REQUESTS))),
  );
  const subjects = requests.flat().map(({ id }) => `request/${id}`);
  const erasures = await Promise.all([...owners].map(([number, brokerId]) => erasuresOf(read, brokerId, number)));
  const orIds = erasures.flat().map(({ id }) => id);
  return { ...filter, subjects: [...(filter.subjects ?? []), ...subjects], orIds };
}

/** The erasures of a service's client, newest first: their rows name the services. */
async function erasuresOf({ audit, services }: Reads, brokerId: string, number: number): Promise<AuditRow[]> {
  const service = await services.find(brokerId, number);
  if (service?.clientName !== ERASED) return [];
  const rows = await audit.list({ brokerId, subjects: ['client'], action: 'client.erase' }, MAX_ERASURES);
  return rows.filter(({ after }) =>
    (JSON.parse(after ?? '{}').service_numbers as number[] | undefined)?.includes(number),
  );
}

/** The latest erasure of a service's client; undefined where there is none on record. */
export const findErasure = async (
  deps: ReadDeps,
  { brokerId, number }: { brokerId: string; number: number },
): Promise<AuditRecord | undefined> =>
  (await auditRecords(deps.store.read, (await erasuresOf(deps.store.read, brokerId, number)).slice(0, 1)))[0];

/** The trail page by page, newest first; a slow query, for rare rows may be far back. */
export async function pageAudit(parts: ReadDeps, input: PageInput & AuditInput = {}) {
  const { store } = parts;
  const window = windowOf(input);
  const filter = await filterOfTrail(parts, input);
  if (!filter) return { items: [], ...countedPage(window, 0) };
  const { rows, total, ofRequests } = await store.slow(operatorOwner(), async ({ audit, allRequests }) => {
    const rows = await audit.page(filter, window);
    const requestIds = rows.flatMap(({ subject }) => subjectNamed('request', subject) ?? []);
    const total = await audit.countUpTo(filter, COUNTED_MOST + 1);
    return { rows, total, ofRequests: await allRequests.listServicesOf([...new Set(requestIds)]) };
  });
  const records = await auditRecords(store.read, rows);
  const numbers = records.flatMap(({ subject }) => serviceOf(subject) ?? []);
  const owners = await store.read.services.owners([...new Set(numbers)]);
  const idOf = await idsOfNamed(store.read, rows);
  const keyIds = records.filter(({ actor_kind }) => actor_kind === 'api_key').map(({ actor }) => actor);
  const names = await namesOf(store.read, keyIds);
  const items = records.map((record, index) => {
    const row = rows[index] as AuditRow;
    const { id, brokerId } = row;
    const number = serviceOf(record.subject);
    const broker_exists = names.broker(brokerId) !== null;
    const named = idOf(row);
    return {
      ...record,
      audit_id: id,
      broker_exists,
      /** The id of a plan or an operator, which subjects call by another name; undefined of other subjects. */
      subject_id: named ?? undefined,
      /** Of a request: the number of its service. */
      service_number: ofRequests.get(subjectNamed('request', record.subject) ?? '') ?? null,
      /** All that is a broker's goes with it, services and plans also by themselves; the rest is the installation's. */
      subject_exists:
        (brokerId === null || broker_exists) &&
        named !== null &&
        (number === undefined || owners.get(number) === brokerId),
      /** What people see of the key that did it. */
      key_prefix: record.actor_kind === 'api_key' ? names.keyPrefix(record.actor) : null,
    };
  });
  return { items, ...countedPage(window, total) };
}

/** Looks up the ids of the plans and operators that rows name by slug and address; null of those that are gone. */
async function idsOfNamed(reads: Pick<Reads, 'plans' | 'operators'>, rows: AuditRow[]) {
  const plansOf = rows.flatMap(({ brokerId, subject }) => {
    const slug = subjectNamed('plan', subject);
    return brokerId === null || slug === undefined ? [] : [{ brokerId, folded: foldPlanName(slug) }];
  });
  const distinct = (values: string[]) => [...new Set(values)];
  const plans = await reads.plans.listNamed(
    distinct(plansOf.map(({ brokerId }) => brokerId)),
    distinct(plansOf.map(({ folded }) => folded)),
  );
  const operators = rows.some(({ subject }) => subject.startsWith('operator/')) ? await reads.operators.list() : [];
  const ids = new Map([
    ...plans.map(({ id, brokerId, slugFolded }): [string, string] => [`${brokerId} ${slugFolded}`, id]),
    ...operators.map(({ id, email }): [string, string] => [email, id]),
  ]);
  return ({ brokerId, subject }: AuditRow): string | null | undefined => {
    const [slug, email] = [subjectNamed('plan', subject), subjectNamed('operator', subject)];
    if (slug !== undefined) return ids.get(`${brokerId} ${foldPlanName(slug)}`) ?? null;
    return email === undefined ? undefined : (ids.get(email) ?? null);
  };
}

const subjectNamed = (kind: string, subject: string): string | undefined =>
  subject.startsWith(`${kind}/`) ? subject.slice(kind.length + 1) : undefined;

/** The number of the service that a subject names. */
function serviceOf(subject: string): number | undefined {
  const number = Number(/^service\/(\d{1,16})$/.exec(subject)?.[1]);
  return Number.isSafeInteger(number) ? number : undefined;
}

/** The same rows as a CSV file. Throws an `OperatorError` before its first piece. */
export const exportAudit = async (deps: ReadDeps, input: AuditInput): Promise<Pieces> =>
  exportCsv(COLUMNS, pagesOfAudit(deps, await filterOfTrail(deps, input)), { mark: true });

async function* pagesOfAudit(deps: ReadDeps, filter: AuditFilter | null, offset = 0): AsyncGenerator<AuditRecord[]> {
  if (!filter) return;
  const rows = readPages<AuditRow>(deps, ({ audit }, limit, last) =>
    audit.page({ ...filter, olderThan: last?.id }, { limit, offset: last ? 0 : offset }),
  );
  yield* recordsOf(rows, (page) => auditRecords(deps.store.read, page));
}

export type AuditPage = Awaited<ReturnType<typeof pageAudit>>;

/** Who brought a request there: of the operator's steps the person, where the trail has them. */
export const actorIn = (
  trail: readonly AuditRecord[],
  { requestId, status, actor }: Pick<HistoryRow, 'requestId' | 'status' | 'actor'>,
): string => (actor === 'operator' ? trail.find((row) => isStep(row, requestId, status))?.actor : undefined) ?? actor;

/** Whether a row of the trail is what brought the request there. */
const isStep = ({ subject, after, actor_kind }: AuditRecord, requestId: string, status: string): boolean =>
  after !== null &&
  actor_kind !== 'api_key' &&
  (after.request_id === requestId || subject === `request/${requestId}`) &&
  (after.request_status ?? status) === status;
