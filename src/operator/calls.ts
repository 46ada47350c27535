import { ERROR_CODES } from '../errors.ts';
import { isoTimestamp } from '../rules/timestamps.ts';
import type { CallPosition, CallRow } from '../store/calls.ts';
import { OPERATOR } from '../store/slow-queries.ts';
import type { Reads } from '../store/store.ts';
import type { ReadDeps } from './dependencies.ts';
import { invalid, unknown } from './errors.ts';
import { type Field, integer, line, oneOf, read, serviceNumber, type Texts } from './fields.ts';
import { type Limited, limitedTo, PER_PAGE } from './pages.ts';
import { changeRecord, changesAccess, changesOf, gateOfCall } from './refusals.ts';
import { namesOf, publicIdOf, readOwner, readSince } from './time-range.ts';

/** Which calls can be found (contract, section 11), for the message when one is not found. */
export const CALLS_KEPT =
  'Kept for some days are calls that were to change something and those that were refused; not kept are reads that went well, calls without a valid key (401), and addresses that do not exist';

export const CALL_CODES = ERROR_CODES;
const CODE = oneOf(CALL_CODES);

/** The call that was answered with this `X-Request-Id`. Throws an `OperatorError`. Contract, section 11. */
export async function showCall({ store }: ReadDeps, input: { requestId: string }) {
  const row = await readCall(store.read, input.requestId);
  return callRecord(row, await namesOf(store.read, [row.keyId]));
}

/** Calls of the key on either side of a call that its page shows. */
const MAX_AROUND = 5;
const MAX_REQUESTS = 50;
const MAX_EMAILS = 20;
const EMAILS_AMONG = 5_000;

/** Changes of a broker's name are left out of so many. */
const MOST_CHANGES = 50;

/** Requests and emails are recorded while their call runs; clocks of two processes may differ by this much. */
const TOLERANCE_MS = 1_000;

/**
 * A call with what happened around it: the key's calls just before and after, and the requests and emails of its service
 * from its time. Throws an `OperatorError` where it is not kept.
 */
export async function showCallDetail({ store, clock }: ReadDeps, input: { requestId: string }) {
  const row = await readCall(store.read, input.requestId);
  const [broker, names, around, made] = await Promise.all([
    store.read.brokers.find(row.brokerId),
    namesOf(store.read, [row.keyId]),
    store.read.calls.listAround(row.keyId, row, MAX_AROUND),
    madeBy({ store, clock }, row),
  ]);
  const shown = [...around.after, row, ...around.before];
  const calledExists = await existingServices(store.read, shown, names);
  return {
    ...callRecord(row, names),
    broker: broker && { slug: broker.slug, name: broker.name },
    broker_id: row.brokerId,
    key_id: row.keyId,
    service_exists: calledExists(row),
    refusal: broker && (await refusalOf(store.read, row, broker.slug)),
    around: shown.map((each) => ({ ...callRecord(each, names), service_exists: calledExists(each) })),
    ...made,
  };
}

/** Which gate refused the call, and the last change of its rule before; null for a call that succeeded. */
async function refusalOf({ audit }: Pick<Reads, 'audit'>, row: CallRow, slug: string) {
  const { code, reason, at } = row;
  if (code === null) return null;
  const gate = gateOfCall({ code, reason });
  const changes = changesOf(gate, { slug, keyId: row.keyId, serviceNumber: row.serviceNumber });
  if (!changes) return { gate, has_rule: false, change: null };
  const { subjects, actions: action } = changes;
  const rows = await audit.list({ brokerId: row.brokerId, subjects, action, until: at + 1 }, MOST_CHANGES);
  const change = rows.find(changesAccess);
  return { gate, has_rule: true, change: change ? changeRecord(change) : null };
}

/** The requests and emails of the call's service that were made while it ran; a sandbox has its own. */
async function madeBy({ store }: ReadDeps, { brokerId, keyId, at, durationUs, serviceNumber }: CallRow) {
  const key = await store.read.keys.find(keyId);
  if (serviceNumber === null || key?.mode !== 'live') return { requests: [], emails: [] };
  const from = at - durationUs / 1000 - TOLERANCE_MS;
  const isOfCall = (timestamp: number) => timestamp >= from && timestamp <= at + TOLERANCE_MS;
  const { requests, emails } = await store.slow(OPERATOR, async ({ overview }) => ({
    requests: await overview.listOfService(brokerId, serviceNumber, MAX_REQUESTS),
    emails: await overview.listEmailsOfService(brokerId, serviceNumber, { among: EMAILS_AMONG, limit: MAX_EMAILS }),
  }));
  return {
    requests: requests
      .filter(({ submittedAt }) => isOfCall(submittedAt))
      .map(({ id, type, status }) => ({ request_id: id, type, request_status: status })),
    emails: emails
      .filter(({ createdAt }) => isOfCall(createdAt))
      .map(({ id, kind, status }) => ({ email_id: id, kind, email_status: status })),
  };
}

export type CallDetail = Awaited<ReturnType<typeof showCallDetail>>;

/** Calls that one page looks through for filters without an index. */
const AMONG = 100_000;

const TEXT = line(200);

/** A status such as `404`, or a class of them such as `4xx`, as a range whose end is excluded. */
function readStatuses(value: string): readonly [number, number] {
  const text = value.toLowerCase();
  if (!/^[2-5](\d\d|xx)$/.test(text))
    throw invalid({ field: 'status', message: 'must be a status such as 404, or 4xx' });
  const from = Number(text.replace('xx', '00'));
  return [from, from + (text.endsWith('xx') ? 100 : 1)];
}

/** The place of a call in the list, as `next` of a page gives it. */
function readPosition(value: string): CallPosition {
  const [, at = '', requestId = ''] = /^(\d{1,15})\.([\w.-]{1,100})$/.exec(value) ?? [];
  if (requestId === '') throw invalid({ field: 'before', message: 'must be a position that a page of calls gave' });
  return { at: Number(at), requestId };
}

const positionText = ({ at, requestId }: CallPosition): string => `${at}.${requestId}`;

/**
 * One page of the calls, newest first; a slow query. None where no broker or key is called so. Of filters without an
 * index (`operation`, `status`, `reason`, `service`, `address`) one page looks through 100,000 calls.
 * @param input `before`: the `next` of the page before; `status`: `404` or `4xx`; `since` (included) and `until`
 * (excluded): a length of time such as `24h`, or a date
 * @returns `next`: the position of the next page, null at the end; `looked_through`: rows, where the page ended before it was full
 */
export async function pageCalls(
  { store, clock }: ReadDeps,
  input: Texts<
    'broker' | 'key' | 'operation' | 'status' | 'code' | 'reason' | 'service' | 'address' | 'since' | 'until' | 'before'
  > = {},
) {
  const now = clock.now();
  const given = <T extends string | number>(name: string, field: Field<T>, text: string | undefined) =>
    text === undefined ? undefined : read(name, field, text);
  const filter = {
    operation: given('operation', TEXT, input.operation),
    statuses: input.status === undefined ? undefined : readStatuses(input.status),
    code: given('code', CODE, input.code),
    reason: given('reason', TEXT, input.reason),
    serviceNumber: given('service_number', serviceNumber(), input.service),
    clientIp: given('client_ip', TEXT, input.address),
    since: input.since === undefined ? undefined : readSince(now, input.since),
    until: input.until === undefined ? undefined : readSince(now, input.until, 'until'),
  };
  const position = input.before === undefined ? undefined : readPosition(input.before);
  const owner = await ownerOf(store.read, input);
  if (!owner) return { items: [], next: null, looked_through: null };
  const { rows, last } = await store.slow(OPERATOR, ({ calls }) =>
    calls.page({ ...filter, ...owner }, position, { limit: PER_PAGE + 1, among: AMONG }),
  );
  const shown = rows.slice(0, PER_PAGE);
  const names = await namesOf(
    store.read,
    shown.map(({ keyId }) => keyId),
  );
  const calledExists = await existingServices(store.read, shown, names);
  const isFull = rows.length > PER_PAGE;
  const end = isFull ? (shown.at(-1) as CallRow) : last;
  return {
    items: shown.map((row) => ({
      ...callRecord(row, names),
      broker_id: row.brokerId,
      key_id: row.keyId,
      service_exists: calledExists(row),
    })),
    next: end && positionText(end),
    looked_through: !isFull && last !== null ? AMONG : null,
  };
}

export type CallPage = Awaited<ReturnType<typeof pageCalls>>;

/** Failed calls that are grouped at most, and groups that are shown. */
const GROUPED_MOST = 20_000;
const MAX_GROUPS = 100;

/**
 * Failed calls by reason and key, most calls first; a slow query over the latest 20,000 of them. None where no broker or
 * key is called so.
 * @param input `since` (included; a day unless given) and `until` (excluded): a length of time such as `24h`, or a date
 * @returns `counted`: how many calls these are; `truncated`: more calls, or more groups, than are looked at
 */
export async function groupFailures(
  { store, clock }: ReadDeps,
  input: Texts<'broker' | 'key' | 'code' | 'since' | 'until'> = {},
) {
  const now = clock.now();
  const owner = await ownerOf(store.read, input);
  if (!owner) return { groups: [], counted: 0, truncated: false };
  const filter = {
    ...owner,
    code: input.code === undefined ? undefined : read('code', CODE, input.code),
    since: readSince(now, input.since ?? '24h'),
    until: input.until === undefined ? undefined : readSince(now, input.until, 'until'),
  };
  const { groups, counted } = await store.slow(OPERATOR, ({ calls }) =>
    calls.listFailureGroups(filter, { among: GROUPED_MOST, limit: MAX_GROUPS + 1 }),
  );
  const shown = groups.slice(0, MAX_GROUPS);
  const names = await namesOf(
    store.read,
    shown.map(({ keyId }) => keyId),
  );
  return {
    groups: shown.map(({ code, reason, brokerId, keyId, total, firstAt, lastAt }) => ({
      ...{ code, reason, gate: gateOfCall({ code, reason }) },
      broker: names.broker(brokerId),
      broker_id: brokerId,
      key_id: keyId,
      key_prefix: names.keyPrefix(keyId),
      calls: total,
      first_date: isoTimestamp(firstAt),
      last_date: isoTimestamp(lastAt),
    })),
    counted,
    truncated: counted >= GROUPED_MOST || groups.length > MAX_GROUPS,
  };
}

export type FailureGroups = Awaited<ReturnType<typeof groupFailures>>;

/** The ids behind a broker's slug and a key's id or prefix; null where there is no such broker or key. */
async function ownerOf(reads: Reads, { broker, key }: Texts<'broker' | 'key'>) {
  const found = broker === undefined ? undefined : await reads.brokers.findBySlug(broker);
  if (found === null) return null;
  if (key === undefined) return { brokerId: found?.id };
  const publicId = publicIdOf(key);
  const row = publicId === undefined ? await reads.keys.find(key) : (await reads.keys.findAccess(publicId))?.key;
  return row && (found === undefined || row.brokerId === found.id) ? { keyId: row.id } : null;
}

async function readCall(reads: Pick<Reads, 'calls'>, requestId: string): Promise<CallRow> {
  const row = await reads.calls.find(requestId);
  if (row) return row;
  throw unknown(`There is no call "${requestId}". ${CALLS_KEPT}`);
}

/** Calls that changed something or were refused, newest first. Contract, section 11. */
export async function listCalls(
  { store, clock }: ReadDeps,
  input: Texts<'broker' | 'key' | 'code' | 'since' | 'limit'> = {},
): Promise<Limited<CallRecord>> {
  const since = readSince(clock.now(), input.since ?? '1h');
  const code = input.code === undefined ? undefined : read('code', CODE, input.code);
  const limit = read('limit', integer(1, 1_000_000), input.limit ?? '1000');
  const rows = await store.read.calls.list({ ...(await readOwner(store.read, input)), code, since }, limit + 1);
  const { truncated, records } = limitedTo(limit, rows);
  const names = await namesOf(
    store.read,
    records.map(({ keyId }) => keyId),
  );
  return { truncated, records: records.map((row) => callRecord(row, names)) };
}

/** Which of these calls named a service of their broker that is there; a sandbox's has no page. */
async function existingServices(
  reads: Pick<Reads, 'services'>,
  rows: readonly CallRow[],
  names: Awaited<ReturnType<typeof namesOf>>,
) {
  const owners = await reads.services.owners([...new Set(rows.flatMap(({ serviceNumber }) => serviceNumber ?? []))]);
  return ({ keyId, brokerId, serviceNumber }: CallRow): boolean =>
    names.keyPrefix(keyId)?.startsWith('sk_live_') === true && owners.get(serviceNumber as number) === brokerId;
}

/** The latest calls of a key since a date (epoch milliseconds). */
export async function listCallsOfKey({ store }: Pick<ReadDeps, 'store'>, keyId: string, since: number, limit: number) {
  const rows = await store.read.calls.list({ keyId, since }, limit);
  const names = await namesOf(store.read, [keyId]);
  const calledExists = await existingServices(store.read, rows, names);
  return rows.map((row) => ({ ...callRecord(row, names), service_exists: calledExists(row) }));
}

export type CallRecord = ReturnType<typeof callRecord>;

/** A call as lists show it, with the names of `namesOf`. */
export const callRecord = (row: CallRow, names: Awaited<ReturnType<typeof namesOf>>) => ({
  request_id: row.requestId,
  date: isoTimestamp(row.at),
  broker: names.broker(row.brokerId),
  key_prefix: names.keyPrefix(row.keyId),
  client_ip: row.clientIp,
  method: row.method,
  operation: row.operation,
  service_number: row.serviceNumber,
  status: row.status,
  code: row.code,
  reason: row.reason,
  duration_ms: row.durationUs / 1000,
});
