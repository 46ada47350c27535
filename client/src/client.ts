import createClient, {
  type Client,
  type ClientPathsWithMethod,
  type MaybeOptionalInit,
  type MethodResponse,
} from 'openapi-fetch';
import { checkedKey } from './api-key.ts';
import { BrokerError, silence } from './errors.ts';
import { exchange, type Fetch, MAX_TIMER_MS, PATIENCE, type Patience } from './exchange.ts';
import { TAKES_IDEMPOTENCY_KEY } from './generated/operations.ts';
import type { paths } from './generated/schema.ts';
import { bodyText, pathText, queryText } from './values.ts';

type Wire = Client<paths, 'application/json'>;
type Method = 'get' | 'post';

/** The paths that can be read, and those that do something. */
export type GetPath = ClientPathsWithMethod<Wire, 'get'>;
export type PostPath = ClientPathsWithMethod<Wire, 'post'>;

/** What an answer says beside its envelope. */
export interface Facts {
  /** 202 where the operator reviews the request: do not submit it again. */
  status: number;
  /** The `X-Request-Id` to quote when asking for help. */
  requestId: string | null;
  /** Whether an earlier call under the same idempotency key did the work. */
  replayed: boolean;
  /** `X-Server-Date` of lists with `updated_since`: where the next round begins, less a minute. */
  serverDate: string | null;
}

/** A success: the envelope (`data`, `message`, of lists `pagination`) and what the headers say. */
export type Answer<M extends Method, P extends ClientPathsWithMethod<Wire, M>> = MethodResponse<Wire, M, P> & Facts;

/** `params` (`path`, `query`), `body` and `signal` of a call; what an operation requires is required here. */
export type Init<M extends Method, P extends keyof paths> = With<
  MaybeOptionalInit<paths[P], M>,
  M extends 'post' ? KeyOf<paths[P]['post']> : P extends ListPath ? { params?: { query?: ListQuery } } : unknown
>;
type Optional<I> = undefined extends I ? [init?: I] : [init: I];
/** Narrows the object of an init that may be absent. */
type With<I, More> = I extends undefined ? I : I & More;

/** An operation that does not take an idempotency key, the one header of the document, would ignore it. */
type KeyOf<Operation> = Operation extends { parameters: { header?: infer Header } }
  ? [NonNullable<Header>] extends [never]
    ? { idempotencyKey?: never }
    : { idempotencyKey?: string }
  : never;

/** What the API refuses of a list's query: both pairs of paging at once, and a position without `updated_since`. */
type ListQuery = ({ page?: never; perPage?: never } | { limit?: never; offset?: never }) &
  ({ after_number?: never; after_request?: never } | { updated_since: string | Date });

/** Lists, by their path, and what one item of them is. */
export type ListPath = {
  [P in GetPath]: MethodResponse<Wire, 'get', P> extends { data: readonly unknown[] } ? P : never;
}[GetPath];
export type Item<P extends ListPath> =
  MethodResponse<Wire, 'get', P> extends { data: ReadonlyArray<infer Each> } ? Each : never;

/** The filters of a list: `each` does the paging, and follows no changes. */
export interface EachInit<P extends ListPath> {
  params?: { query?: Omit<ListFilters<paths[P]['get']>, Paging> & { [Name in Paging]?: never } };
  signal?: AbortSignal;
}
type ListFilters<Operation> = Operation extends { parameters: { query?: infer Query } } ? NonNullable<Query> : object;
type Paging = 'limit' | 'offset' | 'page' | 'perPage' | 'updated_since' | 'after_number' | 'after_request';

/**
 * How far changes have been read; JSON that the caller stores. `{ since }` alone begins there, `{}` with everything.
 */
export interface ChangesState {
  /** Where the next round begins. */
  since?: string;
  /** A round that has not ended: where the next one begins, and the last record of the last page that was worked off. */
  round?: { next: string; updated_since: string; after: string | number };
  /** Records of the last minute that were handed out already, by id, with their `updated_date`; 1000 at most. */
  seen?: Record<string, string>;
  /** The server's `pagination.history`: under another one, the list is read once from its beginning. */
  history?: string;
}

/**
 * Iterating it reads one round: all records that changed since the round before. `state` is up to date whenever the
 * loop is left; what was handed out of a page that was not worked off comes again.
 */
export interface Changes<T, Id> extends AsyncIterable<T> {
  readonly state: ChangesState;
  /**
   * After a round that read the list from its beginning, because the operator's records went back: which of those that the
   * caller knows are not in it. Mark them for your staff, delete nothing. Empty after any other round.
   */
  readonly unmet: readonly Id[];
}

/** Beside a state. */
export interface ChangesOptions<Id> {
  signal?: AbortSignal;
  /** What the caller's copy holds, for `unmet`; called at the end of a round that read the list from its beginning. */
  known?: () => Iterable<Id>;
}

export type ServiceRecord = Item<'/v1/services'>;
export type RequestRecord = MethodResponse<Wire, 'get', '/v1/requests/{request_id}'>['data'];

export interface ClientOptions extends Partial<Omit<Patience, 'wait'>> {
  /** The API's base address, ending in `/api`. */
  baseUrl: string;
  /** Trimmed. One that no header can hold is a `TypeError`, which does not show it. */
  apiKey: string;
  /** In place of the global one. */
  fetch?: Fetch;
  /** In place of a timer; for tests. */
  wait?: Patience['wait'];
  /** Milliseconds that never run backwards, in place of `performance.now`; for tests. */
  now?: () => number;
}

export interface WaitOptions {
  signal?: AbortSignal;
  /**
   * How long to wait in all, calls and their repeats included: a quarter of an hour by default. It polls a last time a
   * second before. Work bound to the end of a term can take a month.
   */
  maxWaitSeconds?: number;
  /** Called with the record each time it was looked up. */
  onProgress?: (request: RequestRecord) => void;
}

export interface BrokerClient {
  get<P extends GetPath>(path: P, ...init: Optional<Init<'get', P>>): Promise<Answer<'get', P>>;
  /**
   * Operations that take an idempotency key get one that is kept for all tries of this call. Give `idempotencyKey`
   * yourself, and store it before the call, where a crash of your program must not do the work twice.
   */
  post<P extends PostPath>(path: P, ...init: Optional<Init<'post', P>>): Promise<Answer<'post', P>>;
  /**
   * The items of a list, page after page, each once, also while the list changes: work on an item may take it out of
   * the list. Each page begins with the last item of the page before; where that has moved, it reads further back.
   * Items that come into the list meanwhile may or may not be among them.
   */
  each<P extends ListPath>(path: P, init?: EachInit<P>): AsyncGenerator<Item<P>, void, void>;
  /** Asks as often as `next_check_seconds` says until the request is final, and answers its record. */
  waitUntilFinal(requestId: string, options?: WaitOptions): Promise<RequestRecord>;
  /**
   * Services that changed, oldest change first, to keep a copy in step. Store each service, then `state`, and begin
   * there the next time: `for await (const service of changes) ...; save(changes.state)`. Each change is handed out
   * once, save after a crash or after more than 1000 changes in a minute, when some come again. After the operator's
   * records went back a round reads everything, in one go: a loop that is left begins anew.
   */
  changedServices(state?: ChangesState, options?: ChangesOptions<number>): Changes<ServiceRecord, number>;
  /** Requests that changed, likewise: everything that happens to the broker's requests. */
  changedRequests(state?: ChangesState, options?: ChangesOptions<string>): Changes<Item<'/v1/requests'>, string>;
}

/** The largest page that there is. */
const PAGE = 100;
/** Where `total` of a search stops; a longer list ends with a page that is not full. */
const MAX_COUNTED = 10_000;
/** A change can become visible 30 s after its date; the other half is for clocks. */
const OVERLAP_MS = 60_000;
const BEGINNING = new Date(0).toISOString();
/** Keeps a stored state below 50 KB. */
const MAX_SEEN = 1000;
/** The time that the last poll of a wait has. */
const LAST_POLL_MS = 1000;

/**
 * A client of the Broker API. Every call throws a `BrokerError`, or the reason of the signal that ended it; a `TypeError`,
 * before anything is sent, where a value cannot be sent.
 */
export function createBrokerClient({
  baseUrl,
  apiKey,
  fetch,
  now = () => performance.now(),
  ...options
}: ClientOptions): BrokerClient {
  const patience = { ...PATIENCE, ...options };
  const send: Fetch = fetch ?? ((url, init) => globalThis.fetch(url, init));
  const headers = { authorization: `Bearer ${checkedKey(apiKey)}` };
  const wire = createClient<paths, 'application/json'>({
    baseUrl: baseUrl.trim(),
    headers,
    querySerializer: queryText,
    pathSerializer: pathText,
    bodySerializer: bodyText,
  });
  wire.use({
    async onRequest({ request, schemaPath }) {
      const takesKey = request.method === 'POST' && TAKES_IDEMPOTENCY_KEY.has(schemaPath);
      if (takesKey && !request.headers.has(KEY_HEADER)) request.headers.set(KEY_HEADER, newIdempotencyKey());
      return exchange(request, request.method === 'GET' || takesKey, send, patience);
    },
  });

  async function call(method: Method, path: string, init: object = {}): Promise<Facts & Record<string, unknown>> {
    // The public signatures hold path and init together; what they share here is their shape.
    const request = wire.request as unknown as LooseRequest;
    const { data, response } = await request(method, path, withPath(init));
    return {
      ...data,
      status: response.status,
      requestId: response.headers.get('x-request-id'),
      replayed: response.headers.get('idempotent-replayed') === 'true',
      serverDate: response.headers.get('x-server-date'),
    };
  }

  async function list(path: string, query: object, init: object): Promise<ListAnswer> {
    const answer = await call('get', path, { ...init, params: { query: { ...query, limit: PAGE } } });
    return answer as unknown as ListAnswer;
  }

  async function* each(path: string, { params, ...rest }: LooseInit = {}): AsyncGenerator<unknown, void, void> {
    const seen = new Set<string>();
    let offset = 0;
    for (;;) {
      const { data, pagination } = await list(path, { ...params?.query, offset }, rest);
      const total = pagination.total < MAX_COUNTED ? pagination.total : Number.POSITIVE_INFINITY;
      if (offset > 0 && !(data[0] && seen.has(identity(data[0])))) {
        // Items in front have left the list, so others that were not seen may stand before this page.
        offset = Math.max(0, Math.min(offset, total) - PAGE);
        continue;
      }
      for (const item of data) {
        const id = identity(item);
        if (!seen.has(id)) yield item;
        seen.add(id);
      }
      if (offset + data.length >= total || data.length < PAGE) return;
      offset += Math.max(1, data.length - 1);
    }
  }

  function changes(path: string, after: string, id: string, begin: ChangesState = {}, options: LooseOptions = {}) {
    const { known = () => [], ...init } = options;
    let isFirst = begin.since === undefined;
    let { since = BEGINNING, round, history } = begin;
    const seen = new Map(Object.entries(begin.seen ?? {}));
    let unmet: unknown[] = [];
    return {
      get state(): ChangesState {
        const latest = Object.fromEntries([...seen].slice(-MAX_SEEN));
        return { since, ...(round && { round }), seen: latest, ...(history !== undefined && { history }) };
      },
      get unmet() {
        return unmet;
      },
      async *[Symbol.asyncIterator](): AsyncGenerator<unknown, void, void> {
        let whole: WholeRead | undefined;
        unmet = [];
        for (;;) {
          const at = whole ? whole.round : round;
          const query = at
            ? { updated_since: at.updated_since, [after]: at.after }
            : { updated_since: whole ? BEGINNING : since };
          const { data, serverDate, pagination } = await list(path, query, init);
          const found = pagination.history;
          // A state without one was kept by an earlier client, when there had been no loss.
          const kept = whole?.history ?? history ?? (isFirst ? found : '0');
          if (found !== undefined && found !== kept) {
            whole = { history: found, met: new Set() };
            round = undefined;
            seen.clear();
            continue;
          }
          if (!whole && found !== undefined) history = found;
          for (const item of data) {
            const [key, date] = [String(item[id]), String(item.updated_date)];
            whole?.met.add(key);
            if (seen.get(key) === date) continue;
            yield item;
            // The latest stand last, which are those that a stored state keeps.
            seen.delete(key);
            seen.set(key, date);
          }
          const last = data.at(-1);
          // A server that does not send its date is read from the same date again: more often than needed, never less.
          const next = at?.next ?? (serverDate ? new Date(Date.parse(serverDate) - OVERLAP_MS).toISOString() : since);
          if (!last || data.length < PAGE) {
            [since, round, isFirst] = [next, undefined, false];
            for (const [key, date] of seen) if (date < since) seen.delete(key);
            if (whole) {
              const { met } = whole;
              history = whole.history;
              unmet = [...known()].filter((one) => !met.has(String(one)));
            }
            return;
          }
          const place = { next, updated_since: String(last.updated_date), after: last[id] as string | number };
          if (whole) whole.round = place;
          else round = place;
        }
      },
    };
  }

  async function waitUntilFinal(requestId: string, options: WaitOptions = {}): Promise<RequestRecord> {
    const { signal = new AbortController().signal, maxWaitSeconds = 900, onProgress } = options;
    const end = now() + maxWaitSeconds * 1000;
    const params = { path: { request_id: requestId } };
    for (;;) {
      const over = AbortSignal.timeout(Math.min(Math.max(0, Math.ceil(end - now())), MAX_TIMER_MS));
      const poll = call('get', '/v1/requests/{request_id}', { params, signal: AbortSignal.any([signal, over]) });
      const { data } = (await poll.catch((error: unknown) => {
        throw over.aborted && error === over.reason ? notFinal(maxWaitSeconds) : error;
      })) as unknown as { data: RequestRecord };
      onProgress?.(data);
      if (data.is_final) return data;
      // The API always names a time for what is not final; for a decision it names a minute.
      const ms = Math.min(Math.max(1, data.next_check_seconds ?? 60) * 1000, end - LAST_POLL_MS - now());
      if (ms <= 0) throw notFinal(maxWaitSeconds);
      await patience.wait(ms, signal);
    }
  }

  const post = async (path: string, init: { idempotencyKey?: string | null; headers?: object } = {}) => {
    const { idempotencyKey, ...rest } = init;
    if (idempotencyKey === undefined || idempotencyKey === null) return call('post', path, rest);
    // An object's text would be the same for all objects.
    if (typeof idempotencyKey === 'object' || !/^[ -~]+$/.test(idempotencyKey))
      throw new TypeError('idempotencyKey must be printable ASCII on one line');
    return call('post', path, { ...rest, headers: { ...rest.headers, [KEY_HEADER]: idempotencyKey } });
  };

  const changedServices = (state?: ChangesState, options?: LooseOptions) =>
    changes('/v1/services', 'after_number', 'service_number', state, options);
  const changedRequests = (state?: ChangesState, options?: LooseOptions) =>
    changes('/v1/requests', 'after_request', 'request_id', state, options);

  // Below this line everything is typed by the document; above, by what all operations have in common.
  return {
    get: (path: string, init?: object) => call('get', path, init),
    post,
    each,
    waitUntilFinal,
    changedServices,
    changedRequests,
  } as unknown as BrokerClient;
}

const KEY_HEADER = 'x-idempotency-key';

/** 128 random bits. `randomUUID` would be missing on pages that were not loaded over HTTPS. */
const newIdempotencyKey = (): string =>
  Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join('');

const notFinal = (seconds: number) => new BrokerError(silence('not_final_yet', `Not final within ${seconds} s`), 1);

/** What an item of any list is known by. Scenarios and requests name services too, so their own ids come first. */
const identity = (item: ListItem): string =>
  String(
    item.scenario ??
      item.request_id ??
      item.id ??
      item.service_number ??
      `${item.from_date} ${item.operation} ${item.outcome}`,
  );

/** So that each parameter of the path is looked for, also where the caller named none. */
export const withPath = (init: LooseInit): object => ({ ...init, params: { path: {}, ...init.params } });

interface LooseInit {
  params?: { path?: object; query?: Record<string, unknown> };
}

type ListItem = Record<string, unknown>;
type ListAnswer = Facts & { data: ListItem[]; pagination: { total: number; history?: string } };

interface LooseOptions {
  signal?: AbortSignal;
  known?: () => Iterable<number | string>;
}

/** A read of the list from its beginning, in one go: it is no part of the state. */
interface WholeRead {
  history: string;
  round?: ChangesState['round'];
  met: Set<string>;
}

/** Of a call that did not throw: whatever is no success has thrown in `exchange`. */
type LooseRequest = (
  method: Method,
  path: string,
  init: object,
) => Promise<{ data: Record<string, unknown>; response: Response }>;
