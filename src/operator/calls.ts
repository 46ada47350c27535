import { ERROR_CODES } from '../errors.ts';
import { isoMoment } from '../rules/moments.ts';
import type { CallRow } from '../store/calls.ts';
import type { Reads } from '../store/store.ts';
import type { ReadDeps } from './dependencies.ts';
import { unknown } from './errors.ts';
import { integer, oneOf, read, type Texts } from './fields.ts';
import { namesOf, readOwner, readSince } from './time-range.ts';

/** Which calls can be found (contract, section 11), for the message when one is not found. */
export const CALLS_KEPT =
  'Kept for some days are calls that were to change something and those that were refused; not kept are reads that went well, calls without a valid key (401), and addresses that do not exist';

const CODE = oneOf(ERROR_CODES);

/** The call that was answered with this `X-Request-Id`. Throws an `OperatorError`. Contract, section 11. */
export async function showCall({ store }: ReadDeps, input: { requestId: string }) {
  const row = await readCall(store.read, input.requestId);
  return callRecord(row, await namesOf(store.read, [row.keyId]));
}

/** The same for a page, which leads on to the broker and the key. */
export async function showCallDetail({ store }: ReadDeps, input: { requestId: string }) {
  const row = await readCall(store.read, input.requestId);
  const broker = await store.read.brokers.find(row.brokerId);
  return {
    ...callRecord(row, await namesOf(store.read, [row.keyId])),
    broker: broker && { slug: broker.slug, name: broker.name },
    key_id: row.keyId,
  };
}

export type CallDetail = Awaited<ReturnType<typeof showCallDetail>>;

async function readCall(reads: Pick<Reads, 'calls'>, requestId: string): Promise<CallRow> {
  const row = await reads.calls.find(requestId);
  if (row) return row;
  throw unknown(`There is no call "${requestId}". ${CALLS_KEPT}`);
}

/** Calls that changed something or were refused, newest first. Contract, section 11. */
export async function listCalls(
  { store, clock }: ReadDeps,
  input: Texts<'broker' | 'key' | 'code' | 'since' | 'limit'> = {},
) {
  const since = readSince(clock.now(), input.since ?? '1h');
  const code = input.code === undefined ? undefined : read('code', CODE, input.code);
  const limit = read('limit', integer(1, 1_000_000), input.limit ?? '1000');
  const rows = await store.read.calls.list({ ...(await readOwner(store.read, input)), code, since }, limit);
  const names = await namesOf(
    store.read,
    rows.map(({ keyId }) => keyId),
  );
  return rows.map((row) => callRecord(row, names));
}

export type CallRecord = ReturnType<typeof callRecord>;

const callRecord = (row: CallRow, names: Awaited<ReturnType<typeof namesOf>>) => ({
  request_id: row.requestId,
  date: isoMoment(row.at),
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
