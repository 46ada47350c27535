import { Type } from '@sinclair/typebox';
import { IpAddress } from '../../../schemas/access.ts';
import { MAX_INT32, Nullable, ServiceNumber, Shown, Timestamp, Whole } from '../../../schemas/atoms.ts';
import { ALL_REASONS, ERROR_CODES } from '../../errors.ts';
import { operatorOwner } from '../../limits/operator-slot.ts';
import { DAY_MS, MINUTE_MS } from '../../rules/durations.ts';
import { isoTimestamp } from '../../rules/timestamps.ts';
import type { CallPosition, CallRow, FailureGroup } from '../../store/queries/calls.ts';
import { type CallSum, GRAIN_MS } from '../../store/queries/usage.ts';
import type { Reads } from '../../store/store.ts';
import { accessChanges, changeRecord, changesAccess, gateOfCall } from '../audit/access-changes.ts';
import { BROKER, type ReadDeps } from '../use-case/dependencies.ts';
import { invalid, unknown } from '../use-case/errors.ts';
import { exportCsv, type Pieces, ROWS_AT_ONCE, readPages, recordsOf } from '../use-case/exports.ts';
import { line, named, oneOf, pastTime, pattern, readAll, serviceNumber } from '../use-case/fields.ts';
import { COUNTED_MOST, type Listed, limitedTo, limitOf, PER_PAGE, totalOf, WINDOW } from '../use-case/pages.ts';
import { answerSchema } from '../use-case/record.ts';
import { namesOf, ownerOf, readOwner, readRange, SINCE, TIME_RANGE } from '../use-case/time-range.ts';
import { type GivenOf, useCase } from '../use-case/use-case.ts';
import { type CallsByOutcome, callsByOutcome, noCalls, outcomeGroupOf, wholeSteps } from './traffic.ts';

/** A call as lists show it. */
const CALL = answerSchema('Call', {
  request_id: Shown(64, 'Its X-Request-Id', { examples: ['Yk3vQ0c1TzAB-1k'] }),
  date: Timestamp('When it was answered.'),
  broker: Nullable(Shown(64, 'The broker’s slug; null: it was removed')),
  key_prefix: Nullable(Shown(16, 'What may be shown of the key; null: it was removed')),
  client_ip: Nullable(IpAddress('Where it came from')),
  method: Shown(16, 'Its method', { examples: ['POST'] }),
  operation: Shown(64, 'The operationId of v1', { examples: ['upgradeService'] }),
  service_number: Nullable(ServiceNumber),
  status: Whole(100, 599, 'The status of the answer', { examples: [200] }),
  code: Nullable(Shown(64, 'The error’s code; null: it succeeded'), { examples: [null] }),
  reason: Nullable(Shown(64, 'What splits the code further'), { examples: [null] }),
  duration_ms: Type.Number({ minimum: 0, maximum: MAX_INT32, description: 'How long it took', examples: [1.9] }),
});

/** Which calls can be found (contract, section 11), for the message when one is not found. */
export const CALLS_KEPT =
  'Kept for some days are calls that were to change something and those that were refused, of a key 20 a second at most, and the first of each operation and reason in a minute; not kept are reads that went well, calls without a valid key (401), and addresses that do not exist';

export const CALL_CODES = ERROR_CODES;
export const CALL_REASONS = ALL_REASONS;

/** The call that was answered with this `X-Request-Id`. Contract, section 11. */
export const showCall = useCase({
  name: 'calls show',
  title: 'Call',
  summary: 'Read a call',
  description: 'Show one call by its X-Request-Id',
  example: 'calls show Qm9vlK2TzXw1-1f',
  input: Type.Object({ request_id: named('request-id', 'Its X-Request-Id') }),
  on: ['request_id'],
  argument: 'request_id',
  path: 'GET /calls/:request_id',
  answer: CALL,
  async run({ store }: ReadDeps, { request_id: requestId }) {
    const row = await readCall(store.read, requestId);
    return callRecord(row, await namesOf(store.read, [row.keyId]));
  },
});

/** Calls of the key on either side of a call that its page shows. */
const MAX_AROUND = 5;
const MAX_REQUESTS = 50;
const MAX_EMAILS = 20;

/** Changes of a broker's name are left out of so many. */
const MAX_CHANGES = 50;

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

/** Which gate refused the call, and the last change of its rule before; null where none is known to have. */
async function refusalOf({ audit, keys }: Pick<Reads, 'audit' | 'keys'>, row: CallRow, slug: string) {
  const gate = gateOfCall(row);
  if (gate === null) return null;
  const key = (await keys.find(row.keyId)) ?? { id: row.keyId, rotatedFromId: null };
  const changes = accessChanges(gate, { slug, key, serviceNumber: row.serviceNumber });
  if (!changes) return { gate, has_rule: false, change: null };
  const { subjects, actions: action } = changes;
  const rows = await audit.list({ brokerId: row.brokerId, subjects, action, until: row.at + 1 }, MAX_CHANGES);
  const change = rows.find(changesAccess);
  return { gate, has_rule: true, change: change ? changeRecord(change) : null };
}

/** The requests and emails of the call's service that were made while it ran; a sandbox has its own. */
async function madeBy({ store, clock }: ReadDeps, { brokerId, keyId, at, durationUs, serviceNumber }: CallRow) {
  const key = await store.read.keys.find(keyId);
  if (serviceNumber === null || key?.mode !== 'live') return { requests: [], emails: [] };
  const from = Math.floor(at - durationUs / 1000) - TOLERANCE_MS;
  const to = at + TOLERANCE_MS;
  const written = { brokerId, serviceNumber, since: from, until: to + 1, now: clock.now() };
  const { requests, emails } = await store.slow(operatorOwner(), async ({ allRequests, emails }) => ({
    requests: await allRequests.listOfService(brokerId, serviceNumber, MAX_REQUESTS, [from, to]),
    emails: await emails.page(written, { limit: MAX_EMAILS, offset: 0 }),
  }));
  return {
    requests: requests.map(({ id, type, status }) => ({ request_id: id, type, request_status: status })),
    emails: emails.map(({ id, kind, status, providerMessageId }) => ({
      email_id: id,
      kind,
      email_status: status,
      provider_message_id: providerMessageId,
    })),
  };
}

export type CallDetail = Awaited<ReturnType<typeof showCallDetail>>;

/** Calls that one page looks through for filters without an index. */
const AMONG = 100_000;

const FILTER = Type.Object({
  broker: Type.Optional(BROKER.broker),
  key: Type.Optional(named('key', 'Of one key, by its id or prefix')),
  operation: Type.Optional(line(200, { title: 'Operation', description: 'Such as upgradeService' })),
  status: Type.Optional(
    pattern(/^[2-5](\d\d|[xX]{2})$/, 'a status such as 404, or 4xx', {
      title: 'Status',
      description: 'Such as 404, or 4xx',
    }),
  ),
  code: Type.Optional(oneOf(CALL_CODES, { title: 'Error', description: 'Refused or failed with this code' })),
  reason: Type.Optional(oneOf(CALL_REASONS, { title: 'Reason', description: 'Refused or failed for this reason' })),
  service_number: Type.Optional(serviceNumber({ title: 'Of one service', option: 'service' })),
  client_ip: Type.Optional(line(200, { title: 'Address', option: 'address', description: 'From this address' })),
  ...TIME_RANGE,
});

/** A status such as `404`, or a class of them such as `4xx`, as a range whose end is excluded. */
function statusesOf(text: string): readonly [number, number] {
  const from = Number(text.replace(/x/gi, '0'));
  return [from, from + (/x/i.test(text) ? 100 : 1)];
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
 * index (`operation`, `status`, `reason`, `service_number`, `client_ip`) one page looks through 100,000 calls.
 * @param input `before`: the `next` of the page before
 * @returns `next`: the position of the next page, null at the end; `looked_through`: rows, where the page ended before it was full
 */
export async function pageCalls(
  deps: ReadDeps,
  { before, ...input }: GivenOf<typeof FILTER> & { before?: string | undefined } = {},
  perPage = PER_PAGE,
) {
  const position = before === undefined ? undefined : readPosition(before);
  return pageOf(deps, await filterOf(deps, input), position, perPage);
}

async function pageOf(
  { store }: Pick<ReadDeps, 'store'>,
  filter: Awaited<ReturnType<typeof filterOf>>,
  position: CallPosition | undefined,
  perPage: number,
) {
  if (!filter) return { items: [], next: null, looked_through: null };
  const { rows, last } = await store.slow(operatorOwner(), ({ calls }) =>
    calls.page(filter, position, { limit: perPage + 1, among: AMONG }),
  );
  const { truncated: isFull, records: shown } = limitedTo(perPage, rows);
  const names = await namesOf(
    store.read,
    shown.map(({ keyId }) => keyId),
  );
  const calledExists = await existingServices(store.read, shown, names);
  const end = isFull ? (shown.at(-1) as CallRow) : last;
  return {
    items: shown.map((row) => ({
      ...callRecord(row, names),
      broker_id: row.brokerId,
      broker_name: names.brokerName(row.brokerId),
      key_id: row.keyId,
      service_exists: calledExists(row),
    })),
    next: end && positionText(end),
    looked_through: !isFull && last !== null ? AMONG : null,
  };
}

/** Rows that are folded into the lines of a page. */
const MAX_FOLDED = 500;

/**
 * The same page by page in lines: neighbours that say the same are one, with their number and the first and last of them.
 */
export async function pageCallLines(deps: ReadDeps, input: Parameters<typeof pageCalls>[1] = {}) {
  const { items, ...page } = await pageCalls(deps, input, MAX_FOLDED);
  const lines = foldCalls(items);
  const shown = lines.slice(0, PER_PAGE);
  const last = shown.at(-1)?.calls.at(-1);
  if (lines.length <= PER_PAGE || !last) return { items: shown, ...page };
  const next = positionText({ at: Date.parse(last.date), requestId: last.request_id });
  return { items: shown, next, looked_through: null };
}

/**
 * Equal neighbours as one line: its latest call, the date of the first, and its calls. `goes_on`: it may have more, behind
 * those that were read.
 */
function foldCalls<Call extends CallRecord>(items: readonly Call[]) {
  const lines: Array<[Call, ...Call[]]> = [];
  for (const call of items) {
    const line = lines.at(-1);
    if (line && saysTheSame(line[0], call)) line.push(call);
    else lines.push([call]);
  }
  return lines.map((calls) => {
    const [latest] = calls;
    return { ...latest, first_date: (calls.at(-1) ?? latest).date, calls, goes_on: false };
  });
}

export type CallLine = Awaited<ReturnType<typeof pageCallLines>>['items'][number];

const SAME = ['broker', 'key_prefix', 'client_ip', 'operation', 'service_number', 'status', 'code', 'reason'] as const;

const saysTheSame = (one: CallRecord, other: CallRecord): boolean => SAME.every((name) => one[name] === other[name]);

/** Steps of a plot: the shortest of these that makes so few of them. Milliseconds. */
const STEPS: ReadonlyArray<[text: string, ms: number]> = [
  ...([1, 5, 15, 30] as const).map((count): [string, number] => [
    count === 1 ? 'a minute' : `${count} min`,
    count * MINUTE_MS,
  ]),
  ...([1, 2, 6, 12] as const).map((count): [string, number] => [
    count === 1 ? 'an hour' : `${count} h`,
    count * 60 * MINUTE_MS,
  ]),
  ['a day', DAY_MS],
  ['7 days', 7 * DAY_MS],
  ['28 days', 28 * DAY_MS],
];
const MAX_STEPS = 60;

/**
 * The calls of a time in at most 60 steps, by how they ended, as usage has them; null where no broker or key is called so.
 * @param input `since`: a day unless given
 */
export async function countCallSteps(
  deps: ReadDeps,
  input: Pick<GivenOf<typeof FILTER>, 'broker' | 'key' | 'operation' | 'code' | 'since' | 'until'> = {},
) {
  const since = input.since ?? '24h';
  const filter = await filterOf(deps, { ...input, since });
  if (!filter) return null;
  const { store, clock } = deps;
  const { brokerId, keyId, operation, code: outcome } = filter;
  const now = clock.now();
  const span = wholeSteps(now, filter.since as number, filter.until);
  const end = Math.min(span.until ?? now, now);
  const [step, stepMs] = STEPS.find(([, ms]) => ms >= GRAIN_MS[span.grain] && (end - span.since) / ms <= MAX_STEPS) ?? [
    '28 days',
    28 * DAY_MS,
  ];
  const sums = await store.slow(operatorOwner(), ({ usage }) =>
    usage.tallyCalls({ ...span, stepMs, brokerId, keyId, operation, outcome }, ['fromAt', 'outcome'], MAX_SUMS),
  );
  const steps = [];
  const byStart = new Map<number, CallsByOutcome>();
  for (let from = span.since - (span.since % stepMs); from < Math.max(end, span.since + 1); from += stepMs) {
    const ends = noCalls();
    byStart.set(from, ends);
    const until = Math.min(from + stepMs, span.until ?? Number.POSITIVE_INFINITY);
    steps.push({ from_date: isoTimestamp(Math.max(from, span.since)), until_date: isoTimestamp(until), ends });
  }
  for (const { fromAt, outcome, calls } of sums) {
    const ends = byStart.get(fromAt);
    if (ends) ends[outcomeGroupOf(outcome)] += calls;
  }
  return {
    since,
    since_date: isoTimestamp(span.since),
    until_date: isoTimestamp(end),
    step,
    calls: sums.reduce((all, { calls }) => all + calls, 0),
    ends: callsByOutcome(sums),
    steps: steps.map(({ ends, ...each }) => ({ ...each, ...ends })),
  };
}

export type CallSteps = NonNullable<Awaited<ReturnType<typeof countCallSteps>>>;

/** Null where no broker or key is called so. */
async function filterOf({ store, clock }: ReadDeps, input: GivenOf<typeof FILTER>) {
  const { operation, status, code, reason, service_number, client_ip, ...given } = readAll(FILTER, input);
  const owner = await ownerOf(store.read, given);
  return (
    owner && {
      ...owner,
      ...readRange(clock.now(), given),
      operation,
      code,
      reason,
      serviceNumber: service_number,
      clientIp: client_ip,
      statuses: status === undefined ? undefined : statusesOf(status),
    }
  );
}

/** Rows of failed calls that are grouped, sums of usage, and groups that are shown. */
const MAX_GROUPED = 20_000;
const MAX_SUMS = 20_000;
const MAX_GROUPS = 100;

/**
 * Failed calls by reason and key, most calls first; a slow query. The numbers are those of usage; the reasons are those of
 * the rows that are kept, the latest 20,000. None where no broker or key is called so.
 * @param input `since` (included; a day unless given) and `until` (excluded): a length of time such as `24h`, or a date,
 * both to the step of usage that is kept for so long
 * @returns `calls`, of which `failed` failed, of which `kept` have a row; `truncated`: more groups than are shown. Of a
 * group `rest` are calls without a row whose reason is one of several; `kept` are its rows
 */
export async function groupFailures(
  deps: ReadDeps,
  input: Pick<GivenOf<typeof FILTER>, 'broker' | 'key' | 'code' | 'since' | 'until'> = {},
) {
  const filter = await filterOf(deps, { ...input, since: input.since ?? '24h' });
  if (!filter) return { since_date: null, groups: [], calls: 0, failed: 0, kept: 0, truncated: false };
  const { store, clock } = deps;
  const { brokerId, keyId, code } = filter;
  const span = wholeSteps(clock.now(), filter.since as number, filter.until);
  const { all, sums, rows } = await store.slow(operatorOwner(), async ({ usage, calls }) => ({
    all: await usage.tallyCalls({ ...span, brokerId, keyId }, [], 1),
    sums: await usage.tallyCalls(
      { ...span, brokerId, keyId, outcome: code, refused: true },
      ['brokerId', 'keyId', 'outcome', 'gate'],
      MAX_SUMS,
    ),
    rows: await calls.listFailureGroups(
      { brokerId, keyId, code, since: span.since, until: span.until },
      { among: MAX_GROUPED, limit: MAX_GROUPED },
    ),
  }));
  const groups = groupsOf(sums, rows.groups);
  const shown = groups.slice(0, MAX_GROUPS);
  const names = await namesOf(
    store.read,
    shown.map(({ keyId }) => keyId),
  );
  return {
    since_date: isoTimestamp(span.since),
    groups: shown.map(({ code, reason, gate, brokerId, keyId, total, kept, isRest, firstAt, lastAt }) => ({
      code,
      reason,
      gate: gateOfCall({ gate }),
      is_rest: isRest,
      kept,
      broker: names.broker(brokerId),
      broker_name: names.brokerName(brokerId),
      broker_id: brokerId,
      key_id: keyId,
      key_prefix: names.keyPrefix(keyId),
      calls: total,
      first_date: firstAt === null ? null : isoTimestamp(firstAt),
      last_date: lastAt === null ? null : isoTimestamp(lastAt),
    })),
    calls: all[0]?.calls ?? 0,
    failed: groups.reduce((sum, { total }) => sum + total, 0),
    kept: rows.counted,
    truncated: groups.length > MAX_GROUPS,
  };
}

interface CountedGroup extends Omit<FailureGroup, 'firstAt' | 'lastAt'> {
  kept: number;
  /** Calls without a row, beside those of several reasons. */
  isRest: boolean;
  firstAt: number | null;
  lastAt: number | null;
}

/** The sums of failed calls, each split by the reasons that its rows have. */
function groupsOf(
  sums: ReadonlyArray<CallSum<'brokerId' | 'keyId' | 'outcome' | 'gate'>>,
  rows: readonly FailureGroup[],
): CountedGroup[] {
  const gates = new Map(sums.map(({ keyId, outcome, gate }) => [`${keyId} ${outcome}`, gate]));
  const nameOf = (keyId: string, code: string, gate: number | null) => `${keyId} ${code} ${gate}`;
  const byName = new Map<string, CountedGroup[]>();
  for (const row of rows) {
    // Rows of release 1.0 have no gate.
    const gate = row.gate ?? gates.get(`${row.keyId} ${row.code}`) ?? null;
    const name = nameOf(row.keyId, row.code, gate);
    const own = byName.get(name) ?? [];
    byName.set(name, own);
    own.push({ ...row, gate, kept: row.total, isRest: false });
  }
  for (const { brokerId, keyId, outcome: code, gate, calls } of sums) {
    const name = nameOf(keyId, code, gate);
    const own = byName.get(name) ?? [];
    byName.set(name, own);
    const rest = calls - own.reduce((kept, { total }) => kept + total, 0);
    const [only] = own;
    if (rest <= 0) continue;
    if (only && own.length === 1) only.total += rest;
    else {
      const isRest = own.length > 0;
      own.push({
        code,
        reason: null,
        gate,
        brokerId,
        keyId,
        total: rest,
        kept: 0,
        isRest,
        firstAt: null,
        lastAt: null,
      });
    }
  }
  return [...byName.values()].flat().sort((one, other) => other.total - one.total);
}

export type FailureGroups = Awaited<ReturnType<typeof groupFailures>>;

async function readCall(reads: Pick<Reads, 'calls'>, requestId: string): Promise<CallRow> {
  const row = await reads.calls.find(requestId);
  if (row) return row;
  throw unknown(`There is no call "${requestId}". ${CALLS_KEPT}`);
}

const CALL_COLUMNS = [
  'date',
  'request_id',
  'broker',
  'key_prefix',
  'client_ip',
  'operation',
  'service_number',
  'status',
  'code',
  'reason',
  'duration_ms',
];

/** Calls that changed something or were refused, newest first; of the last hour by default. Contract, section 11. */
export const listCalls = useCase({
  name: 'calls list',
  title: 'Calls',
  summary: 'List calls',
  description: 'List calls, newest first',
  example: 'calls list --broker acme --code rate_limit_exceeded',
  input: Type.Object({
    ...FILTER.properties,
    since: pastTime({ description: SINCE, default: '1h' }),
    ...WINDOW,
    limit: limitOf(1000),
  }),
  path: 'GET /calls',
  answer: CALL,
  columns: CALL_COLUMNS,
  async pages(deps: ReadDeps, { offset, ...input }) {
    const { store } = deps;
    await readOwner(store.read, input);
    const filter = await filterOf(deps, input);
    const rows = readPages<CallRow>(deps, async ({ calls }, limit, last) =>
      filter ? (await calls.page(filter, last, { limit, offset: last ? 0 : offset })).rows : [],
    );
    return recordsOf(rows, (page) => callRecords(store.read, page));
  },
  async run(deps: ReadDeps, { limit, offset, ...input }): Promise<Listed<CallRecord>> {
    const { store } = deps;
    await readOwner(store.read, input);
    const filter = await filterOf(deps, input);
    // The broker may have been removed since it was found.
    if (!filter) return { truncated: false, records: [] };
    const { rows, counted } = await store.slow(operatorOwner(), async ({ calls }) => ({
      rows: (await calls.page(filter, undefined, { limit: limit + 1, offset })).rows,
      counted: await calls.countUpTo(filter, COUNTED_MOST + 1),
    }));
    const { truncated, records } = limitedTo(limit, rows);
    return { total: totalOf(counted), truncated, records: await callRecords(store.read, records) };
  },
});

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

/** The latest calls of a key since a date (epoch milliseconds), in lines as those of a page. */
export async function listCallsOfKey({ store }: Pick<ReadDeps, 'store'>, keyId: string, since: number, limit: number) {
  const rows = await store.read.calls.list({ keyId, since }, MAX_FOLDED);
  const names = await namesOf(store.read, [keyId]);
  const calledExists = await existingServices(store.read, rows, names);
  const calls = rows.map((row) => ({ ...callRecord(row, names), service_exists: calledExists(row) }));
  const lines = foldCalls(calls);
  const oldest = lines.at(-1);
  if (oldest) oldest.goes_on = rows.length === MAX_FOLDED;
  return lines.slice(0, limit);
}

export type CallRecord = ReturnType<typeof callRecord>;

/** Calls as lists show them. */
export async function callRecords(reads: Pick<Reads, 'brokers' | 'keys'>, rows: readonly CallRow[]) {
  const names = await namesOf(
    reads,
    rows.map(({ keyId }) => keyId),
  );
  return rows.map((row) => callRecord(row, names));
}

/** A call as lists show it, with the names of `namesOf`. */
const callRecord = (row: CallRow, names: Awaited<ReturnType<typeof namesOf>>) => ({
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

/** The calls of all pages as a CSV file. Throws an `OperatorError` before its first piece. */
export async function exportCalls(deps: ReadDeps, input: GivenOf<typeof FILTER>): Promise<Pieces> {
  // Read once: a time such as 24h ends at the same moment on every page.
  const filter = await filterOf(deps, input);
  const first = await pageOf(deps, filter, undefined, ROWS_AT_ONCE);
  async function* pages() {
    for (let page = first; ; page = await pageOf(deps, filter, readPosition(page.next), ROWS_AT_ONCE)) {
      yield page.items;
      if (page.next === null) return;
    }
  }
  return exportCsv(CALL_COLUMNS, pages(), { mark: true });
}
